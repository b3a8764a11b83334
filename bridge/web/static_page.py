"""An episode as one page that opens from a disk."""

import base64
import gzip
import hashlib
import json
from functools import cache
from pathlib import Path

from markupsafe import Markup

from bridge.recording.log import Log
from bridge.report.templating import render_template
from bridge.web.messages import JsonObject
from bridge.web.replays import build_replay_document

__all__ = ["ReportViewer", "build_static_page"]

_HOME = Path(__file__).parent


def build_static_page(document: JsonObject) -> str:
    """Return a page with the viewer, its style and the episode in it.

    Its policy names the digests of the scripts and the style, so that nothing else in it runs, and
    it loads nothing. The viewer and the episode are packed: 0.2 MB, and what the episode takes.
    """
    return _render(str(document["title"]), _pack_document(document))


class ReportViewer:
    """Viewer of the episodes of a report; see :class:`bridge.report.replays.EpisodeViewer`."""

    mark = "packed-episode-of-the-report"

    def pack_page(self) -> str:
        """Return the viewer's page, whose episode is a mark."""
        return _pack(_render("Luban", self.mark))

    def pack_episode(self, log: Log) -> str:
        """Return an episode as the page takes it.

        Raises:
            ReplayMismatch: it can't be played again.
        """
        return _pack_document(build_replay_document(log))


def _pack_document(document: JsonObject) -> str:
    return _pack(json.dumps(document, separators=(",", ":")))


def _render(title: str, data: str) -> str:
    viewer, style, script, policy = _read_parts()
    return str(
        render_template(
            "bridge.web",
            "replay.html",
            policy=policy,
            script=Markup(script),
            style=Markup(style),
            title=title,
            data=data,
            viewer=viewer,
        )
    )


@cache
def _read_parts() -> tuple[str, str, str, str]:
    """Return the packed viewer, the style, the script that unpacks, and the policy for them."""
    viewer = (_HOME / "static/app.js").read_text(encoding="utf-8")
    style = (_HOME / "static/app.css").read_text(encoding="utf-8")
    script = (_HOME / "templates/unpack.js").read_text(encoding="utf-8")
    policy = (
        f"default-src 'none'; script-src '{_digest(script)}' '{_digest(viewer)}'; "
        f"style-src '{_digest(style)}'; img-src data:; base-uri 'none'; form-action 'none'"
    )
    return _pack(viewer), style, script, policy


def _pack(text: str) -> str:
    return base64.b64encode(gzip.compress(text.encode(), mtime=0)).decode()


def _digest(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"
