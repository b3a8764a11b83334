"""A player's pictures against those of our own renderer: what they must have in common."""

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from pysim.render.renderer import Pass, Pictures
from pysim.render.views import encode, tile

__all__ = ["contact_sheet", "differences", "flipped"]

_INSIDE = np.ones((5, 5), dtype=np.uint8)
NEAR = 1e-3
"""Units by which depths may differ."""


def differences(found: Pictures, expected: Pictures) -> list[str]:
    """What is wrong with pictures (V, H, W, ...) of colours, ids and depth; nothing if all is well.

    Away from the borders of bodies ids are equal, depths within ``NEAR``, and colours alike: shades
    may differ a little, as nobody promises them to a bit.
    """
    return [
        f"view {index}: {words}"
        for index in range(len(expected.ids))
        for words in _of_view(found[index], expected[index])
    ]


def _of_view(found: Pictures, expected: Pictures) -> list[str]:
    inside = _inside(expected.ids)
    wrong = []
    share = np.mean(inside & (expected.ids > 0))
    if share < 0.02:
        wrong.append(f"only {share:.1%} of it is away from every border: nothing to compare")
    if count := np.count_nonzero((found.ids != expected.ids) & inside):
        wrong.append(f"{count} pixels away from borders show another body")
    seen = inside & (expected.ids > 0) & (found.ids == expected.ids)
    # A body may have edges of its own inside; there depth bends, and a sample's place counts.
    smooth = seen & _smooth(expected.depth)
    off = np.abs(found.depth[smooth] - expected.depth[smooth])
    if off.size and off.max() > NEAR:
        wrong.append(f"depth is {off.max():.4f} units off")
    if np.isfinite(found.depth[inside & (expected.ids == 0)]).any():
        wrong.append("depth is finite where nothing is seen")
    apart = np.abs(found.rgb[seen].astype(int) - expected.rgb[seen])
    if apart.size and apart.mean() > 12.0:
        wrong.append(f"colours are {apart.mean():.0f} of 255 apart")
    return wrong


def _inside(ids: NDArray[np.uint16]) -> NDArray[np.bool_]:
    """Pixels all of whose neighbours show the same body."""
    wide = ids.astype(np.float32)
    found: NDArray[np.bool_] = cv2.erode(wide, _INSIDE) == cv2.dilate(wide, _INSIDE)
    return found


def _smooth(depth: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Pixels around which depth goes on evenly."""
    flat = np.where(np.isfinite(depth), depth, 0.0).astype(np.float32)
    found: NDArray[np.bool_] = np.abs(cv2.Laplacian(flat, cv2.CV_32F, ksize=3)) < 1e-3
    return found


def flipped(pictures: Pictures, axis: int) -> Pictures:
    """Pictures (V, H, W, ...) upside down (axis 1) or mirrored (axis 2)."""
    return Pictures({kind: np.flip(plane, axis) for kind, plane in pictures.planes.items()})


def contact_sheet(path: Path, rows: Sequence[Pictures]) -> None:
    """Write the colours of some pictures as one PNG, a row for each."""
    cells = [rgb for pictures in rows for rgb in pictures.planes[Pass.RGB].astype(np.uint8)]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(encode(tile(cells, len(rows[0].rgb)), "png"))
