"""A hook of MkDocs: links out of ``docs`` go to the repository, and anchors are GitHub's.

The pages are read in the repository, too, where ``../CONTRIBUTING.md`` is a link like any.
"""

import re
from typing import Any

__all__ = ["on_config", "on_page_markdown"]

_OUTSIDE = re.compile(r"\]\(\.\./([^)]*)\)")


def on_config(config: Any) -> Any:
    """Give headings the anchors that GitHub gives them."""
    config["mdx_configs"].setdefault("toc", {})["slugify"] = make_anchor
    return config


def on_page_markdown(markdown: str, config: Any, **_: Any) -> str:
    """Return a page whose links out of ``docs`` lead into the repository, if it is known."""
    base = str(config["repo_url"] or "https://example.org/luban").rstrip("/")
    return _OUTSIDE.sub(rf"]({base}/blob/main/\1)", markdown)


def make_anchor(text: str, separator: str = "-") -> str:
    """Return the anchor of a heading: small letters, digits and hyphens."""
    kept = re.sub(r"[^\w\- ]", "", text.strip().lower())
    return kept.replace(" ", separator)
