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

_MOST_DB = 60.0
"""What equal pictures have."""
_MIDDLE = 127.5
"""Of the range of values."""


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
    # About the middle of the range, single precision is enough for squares.
    a, b = one - _MIDDLE, other - _MIDDLE
    m, n, squares, product = (_blur(v).ravel() for v in (a, b, a * a + b * b, a * b))
    alike = np.empty_like(a)
    _compare_windows(m, n, squares, product, alike.ravel())
    return float(alike[5:-5, 5:-5].mean(dtype=np.float64))


@kernel(nogil=True)
def _compare_windows(
    mean_a: _Picture, mean_b: _Picture, squares: _Picture, product: _Picture, out: _Picture
) -> None:
    """Set the similarity (N,) of two pictures around each value.

    Args:
        mean_a, mean_b: means of the values of each, less the middle of their range.
        squares: means of the squares of both, in sum.
        product: means of their products.
    """
    c, d = (0.01 * 255.0) ** 2, (0.03 * 255.0) ** 2
    for k in range(len(out)):
        a, b = float(mean_a[k]), float(mean_b[k])
        spread = squares[k] - a * a - b * b
        shared = product[k] - a * b
        a, b = a + _MIDDLE, b + _MIDDLE
        above = (2.0 * a * b + c) * (2.0 * shared + d)
        out[k] = above / ((a * a + b * b + c) * (spread + d))


def _blur(picture: _Picture) -> _Picture:
    return cast("_Picture", cv2.GaussianBlur(picture, (11, 11), 1.5))


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
    noise, alike, meet, covered = [], [], 0, 0
    pieces = [bundle.names.index(name) for name in tracks.names]
    is_piece = np.zeros(len(bundle.names) + 1, np.bool_)  # The last one is of pixels of no body.
    is_piece[pieces] = True
    for number, shown in zip(numbers, footage.pictures(width, height), strict=False):
        if number < 0:
            break
        while at < number:
            at, truth = next(film)
        resized = cv2.resize(truth, (width, height), interpolation=cv2.INTER_AREA)
        picture, expected = shown.astype(np.float32), resized.astype(np.float32)
        noise.append(psnr(picture, expected))
        alike.append(ssim(picture, expected))
        frame = len(noise) - 1
        seen = _label(look, pieces, tracks, frame)
        true = np.nan_to_num(bundle.poses[number])
        drawn = np.flatnonzero(look.drawn)
        wanted = look.label(look.draw(drawn, true[drawn]))
        meet += int(is_piece[seen[seen == wanted]].sum())
        covered += int(is_piece[seen].sum()) + int(is_piece[wanted].sum())
    off = np.array(list(_distances(bundle, tracks)))
    return FilmLikeness(
        len(noise),
        float(np.mean(noise)) if noise else None,
        float(np.mean(alike)) if alike else None,
        meet / (covered - meet) if covered else None,
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
