"""A page on which people mark what is wrong in videos, frame by frame; it needs no server.

It does not say what our rules found. What was marked is kept in the browser, and saved as a file
that :func:`~bridge.video.report.agreement.read_annotation` reads.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from bridge.compare.judging.violations import ViolationKind
from bridge.report.templating import render_template
from bridge.video.report.agreement import ANNOTATION_FORMAT

__all__ = ["Clip", "annotation_page"]


@dataclass(frozen=True, slots=True)
class Clip:
    """A video to be looked at.

    Attributes:
        name: what it is called.
        source: its address, from the page.
        fps: frames a second.
        frames: how many it has.
    """

    name: str
    source: str
    fps: float
    frames: int


def annotation_page(clips: Sequence[Clip]) -> str:
    """The page."""
    data = {
        "format": ANNOTATION_FORMAT,
        "kinds": [kind.value for kind in ViolationKind],
        "clips": [asdict(clip) for clip in clips],
    }
    return render_template("bridge.video.report", "annotation.html", data=data)
