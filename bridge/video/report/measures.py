"""Similarity of a video to the true film, frame by frame, where frames correspond.

Frames correspond by time: frame k of a video at f frames a second is at (k + 1/2) / f seconds.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray

from bridge.video.reference.bundle import Bundle
from bridge.video.reference.look import Look
from bridge.video.tracking.footage import Footage
from bridge.video.verdict.tracks import Presence, Tracks
from pysim.kernels import kernel

__all__ = ["FilmLikeness", "label_pieces", "measure_likeness", "psnr", "ssim", "true_frames"]

_Picture = NDArray[np.float32]
_Values = NDArray[np.float64]

_MOST_DB = 60.0
"""What equal pictures have."""


@dataclass(frozen=True, slots=True)
class FilmLikeness:
    """Means over all frames that correspond; None where there is nothing to measure.

    Attributes:
        frames: how many do.
        psnr: peak signal to noise, in dB, at most 60.
        ssim: structural similarity, from -1 to 1.
        iou: intersection by union of the masks of each piece, summed over all frames.
        trajectory: median distance of pieces from where they should be, in units.
        trajectory_95: the same, 95 of 100 are nearer.
    """

    frames: int
    psnr: float | None
    ssim: float | None
    iou: float | None
    trajectory: float | None
    trajectory_95: float | None


def psnr(one: _Picture, other: _Picture) -> float:
    """Peak signal to noise of two pictures with values from 0 to 255, in dB."""
    error = float(np.mean((one.astype(np.float64) - other) ** 2))
    return min(_MOST_DB, 10.0 * np.log10(255.0**2 / error)) if error > 0.0 else _MOST_DB


def ssim(one: _Picture, other: _Picture) -> float:
    """Structural similarity of two pictures (H, W, 3), the mean over channels.

    Wang, Bovik, Sheikh and Simoncelli, IEEE Transactions on Image Processing 13 (2004): a Gaussian
    window of 11 x 11 with deviation 1.5, K = (0.01, 0.03); borders of 5 pixels are left out.
    """
    a, b = one.astype(np.float64), other.astype(np.float64)
    m, n, aa, bb, ab = (_blur(values).ravel() for values in (a, b, a * a, b * b, a * b))
    alike = np.empty_like(a)
    _compare_windows(m, n, aa, bb, ab, alike.ravel())
    return float(alike[5:-5, 5:-5].mean())


@kernel(nogil=True)
def _compare_windows(
    mean_a: _Values, mean_b: _Values, square_a: _Values, square_b: _Values, product: _Values,
    out: _Values,
) -> None:  # fmt: skip
    """Set the similarity (N,) of two pictures around each value.

    Args:
        mean_a to product: means of the values of both, of their squares and of their products.
    """
    c, d = (0.01 * 255.0) ** 2, (0.03 * 255.0) ** 2
    for k in range(len(out)):
        a, b = mean_a[k], mean_b[k]
        spread = (square_a[k] - a * a) + (square_b[k] - b * b)
        above = (2.0 * a * b + c) * (2.0 * (product[k] - a * b) + d)
        out[k] = above / ((a * a + b * b + c) * (spread + d))


def _blur(picture: _Values) -> _Values:
    return cast("_Values", cv2.GaussianBlur(picture, (11, 11), 1.5))


def true_frames(frames: int, fps: float, bundle: Bundle) -> NDArray[np.int64]:
    """For each frame of a video the true one at the same time; -1 after the end of the film."""
    times = (np.arange(frames) + 0.5) / fps
    numbers = np.floor(times * bundle.manifest.fps).astype(np.int64)
    return np.where(numbers < bundle.manifest.frames, numbers, -1)


def measure_likeness(bundle: Bundle, footage: Footage, tracks: Tracks, look: Look) -> FilmLikeness:
    """Measure how like the true film a video is.

    Args:
        tracks: where pieces are in the video.
        look: of the film; its size is that at which pictures are compared.
    """
    height, width = look.size
    film, at, truth = enumerate(bundle.frames()), -1, np.zeros((1, 1, 3), np.uint8)
    numbers = true_frames(len(tracks), footage.fps, bundle).tolist()
    noise, alike, meet, join = [], [], 0, 0
    pieces = [bundle.names.index(name) for name in tracks.names]
    for number, picture in zip(numbers, footage.pictures(width, height), strict=False):
        if number < 0:
            break
        while at < number:
            at, truth = next(film)
        expected = cv2.resize(truth, (width, height), interpolation=cv2.INTER_AREA)
        noise.append(psnr(picture, expected.astype(np.float32)))
        alike.append(ssim(picture, expected.astype(np.float32)))
        frame = len(noise) - 1
        seen = _label(look, pieces, tracks, frame)
        true = np.nan_to_num(bundle.poses[number])
        drawn = np.flatnonzero(look.drawn)
        wanted = look.label(look.draw(drawn, true[drawn]))
        for piece in pieces:
            mine, theirs = seen == piece, wanted == piece
            meet += int((mine & theirs).sum())
            join += int((mine | theirs).sum())
    off = np.array(list(_distances(bundle, tracks)))
    return FilmLikeness(
        len(noise),
        float(np.mean(noise)) if noise else None,
        float(np.mean(alike)) if alike else None,
        meet / join if join else None,
        float(np.median(off)) if len(off) else None,
        float(np.percentile(off, 95)) if len(off) else None,
    )


def label_pieces(look: Look, tracks: Tracks, frame: int) -> NDArray[np.int64]:
    """Return the body (H, W), by its place in the film, that each pixel shows; -1 for none."""
    return _label(look, [look.names.index(name) for name in tracks.names], tracks, frame)


def _label(look: Look, pieces: list[int], tracks: Tracks, frame: int) -> NDArray[np.int64]:
    there = tracks.presence[frame] != Presence.ABSENT
    chosen = [k for k, piece in enumerate(pieces) if there[k] and look.drawn[piece]]
    fixed = look.start[look.fixtures]
    poses = np.concatenate([tracks.poses[frame, chosen], fixed])
    bodies = np.concatenate([np.array(pieces, np.int64)[chosen], look.fixtures])
    return look.label(look.draw(bodies, poses))


def _distances(bundle: Bundle, tracks: Tracks) -> Iterator[float]:
    """Of each piece that is known in each frame that corresponds, from where it should be."""
    pick = [bundle.names.index(name) for name in tracks.names]
    for frame, truth in enumerate(true_frames(len(tracks), tracks.fps, bundle).tolist()):
        if truth < 0:
            return
        off = tracks.poses[frame, :, :3, 3] - bundle.poses[truth, pick, :3, 3]
        known = tracks.presence[frame] == Presence.PRESENT
        yield from np.linalg.norm(off[known], axis=1).tolist()
