"""An episode as one page that opens from a disk."""

import base64
import hashlib
import json
from pathlib import Path

from markupsafe import Markup

from bridge.report.templating import render_template
from bridge.web.messages import JsonObject

__all__ = ["build_static_page"]

_STATIC = Path(__file__).parent / "static"


def build_static_page(document: JsonObject) -> str:
    """Return a page with the viewer, its style and the episode in it.

    Its policy names the digests of the script and the style, so that nothing else in it runs, and
    it loads nothing.
    """
    script = (_STATIC / "app.js").read_text(encoding="utf-8")
    style = (_STATIC / "app.css").read_text(encoding="utf-8")
    policy = (
        f"default-src 'none'; script-src '{_digest(script)}'; style-src '{_digest(style)}'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )
    return str(
        render_template(
            "bridge.web",
            "replay.html",
            policy=policy,
            script=Markup(script),
            style=Markup(style),
            title=str(document["title"]),
            data=Markup(_escape(document)),
        )
    )


def _escape(document: JsonObject) -> str:
    """Return JSON that is no HTML, whatever texts are in it."""
    text = json.dumps(document, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _digest(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"
