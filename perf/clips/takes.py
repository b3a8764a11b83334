"""Takes: pictures with the frames of the true film that they show."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
from numpy.typing import NDArray

__all__ = ["Frames", "Picture", "Take", "write_take"]

Picture = NDArray[np.uint8]
"""(H, W, 3), sRGB."""
Frames = NDArray[np.int64]
"""(F,) frames of a true film."""


@dataclass(frozen=True, slots=True, eq=False)
class Take:
    """Pictures before they are encoded.

    Attributes:
        pictures: all of one size.
        shown: (F,) the frame of the true film that each shows, as far as it is true.
        fps: frames a second.
        crf: of the video, 0 to 51.
    """

    pictures: Sequence[Picture]
    shown: Frames
    fps: int
    crf: int = 20


def write_take(path: Path, take: Take) -> None:
    """Write a take in H.264, the same bytes each time; width and height are made even."""
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=Fraction(take.fps))
        stream.height, stream.width = (edge // 2 * 2 for edge in take.pictures[0].shape[:2])
        stream.pix_fmt = "yuv420p"
        stream.options = {"crf": str(take.crf), "preset": "veryfast", "threads": "1"}
        for frame in _list_frames(take.pictures, stream.height, stream.width):
            container.mux(stream.encode(frame))
        container.mux(stream.encode())


def _list_frames(pictures: Iterable[Picture], height: int, width: int) -> Iterable[av.VideoFrame]:
    for picture in pictures:
        cut = np.ascontiguousarray(picture[:height, :width])
        yield av.VideoFrame.from_ndarray(cut, format="rgb24")
