"""A hook of MkDocs: links out of ``docs`` go to the repository, and anchors are GitHub's.

The pages are read in the repository, too, where ``../CONTRIBUTING.md`` is a link like any.
"""

import posixpath
import re
from typing import Any

__all__ = ["lead_outside", "make_anchor", "on_config", "on_page_markdown"]

_UPWARD = re.compile(r"\]\((\.\./[^)]*)\)")


def on_config(config: Any) -> Any:
    """Give headings the anchors that GitHub gives them."""
    config["mdx_configs"].setdefault("toc", {})["slugify"] = make_anchor
    return config


def on_page_markdown(markdown: str, page: Any, config: Any, **_: Any) -> str:
    """Return a page whose links out of ``docs`` lead into the repository, if it is known."""
    base = str(config["repo_url"] or "https://example.org/luban").rstrip("/")
    return lead_outside(markdown, page.file.src_uri, base)


def lead_outside(markdown: str, page: str, base: str) -> str:
    """Return a page of ``docs`` whose links out of that folder begin with ``base``."""

    def lead(found: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join(posixpath.dirname(page), found[1]))
        outside = target.startswith("../")
        return f"]({base}/blob/main/{target.removeprefix('../')})" if outside else found[0]

    return _UPWARD.sub(lead, markdown)


def make_anchor(text: str, separator: str = "-") -> str:
    """Return the anchor of a heading: small letters, digits and hyphens."""
    kept = re.sub(r"[^\w\- ]", "", text.strip().lower())
    return kept.replace(" ", separator)
