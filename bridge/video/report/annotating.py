"""A page on which people mark what is wrong in videos, frame by frame; it needs no server.

It names no model and reports no verdict of ours. Videos have ids, and each person sees them in
another order. Marks are kept in the browser, and saved as a file that
:func:`~bridge.video.report.agreement.read_annotation` reads.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from bridge.recording.files import write_whole
from bridge.report.templating import render_template
from bridge.video.report.agreement import ANNOTATION_FORMAT
from bridge.video.report.kind_pictures import list_kind_pictures
from bridge.video.tracking.footage import VIDEO_FILE
from pysim.untrusted import read_untrusted

__all__ = ["AnnotatedClip", "annotation_page", "make_clip_id", "place_clip"]

FOLDER = "annotate"
"""Folder of the videos, beside the page."""


@dataclass(frozen=True, slots=True)
class AnnotatedClip:
    """A video to be looked at.

    Attributes:
        name: its id.
        source: its address, from the page.
        fps: frames a second.
        frames: how many it has.
    """

    name: str
    source: str
    fps: float
    frames: int


def make_clip_id(sha256: str) -> str:
    """Return the id of a video, which does not tell of which model it is."""
    return f"clip-{sha256[:10]}"


def place_clip(video: Path, name: str, out: Path) -> str:
    """Put a video beside the page, under its id.

    Returns:
        Its address, from the page.

    Raises:
        OSError: it can't be written.
    """
    folder = out / FOLDER
    folder.mkdir(exist_ok=True)
    place = folder / f"{name}{video.suffix.lower()}"
    if not place.exists():
        write_whole(place, read_untrusted(video, VIDEO_FILE))
    return f"{FOLDER}/{place.name}"


def annotation_page(clips: Sequence[AnnotatedClip]) -> str:
    """Return the page."""
    kinds = list_kind_pictures()
    data = {
        "format": ANNOTATION_FORMAT,
        "kinds": [one.kind for one in kinds],
        "clips": [asdict(clip) for clip in clips],
    }
    return render_template("bridge.video.report", "annotation.html", data=data, kinds=kinds)
