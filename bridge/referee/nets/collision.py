"""Whether plates are in each other: the separating-axis test of boxes.

Gottschalk, Lin and Manocha, SIGGRAPH 1996: two boxes are apart exactly if one of fifteen axes, the
normals of their sides and the cross products of their edges, keeps them apart.
"""

import numpy as np
from numpy.typing import NDArray

__all__ = ["detect_overlap"]

_Frames = NDArray[np.float64]

HALF = np.array([3.5, 3.5, 0.5])
"""Of a plate."""
_DEPTH = 0.2
"""How deep two plates have to be in each other; those that touch are not."""


def detect_overlap(ones: _Frames, others: _Frames) -> bool:
    """Return whether two plates are in each other at some moment.

    Args:
        ones, others: (n, 4, 4) where each of them is.
    """
    a, b = ones[:, :3, :3], others[:, :3, :3]
    edges = np.cross(a.transpose(0, 2, 1)[:, :, None], b.transpose(0, 2, 1)[:, None])
    axes = np.concatenate(
        [a.transpose(0, 2, 1), b.transpose(0, 2, 1), edges.reshape(len(a), 9, 3)], axis=1
    )
    lengths = np.linalg.norm(axes, axis=2, keepdims=True)
    axes = np.divide(axes, lengths, out=np.zeros_like(axes), where=lengths > 1e-6)
    apart = np.abs(np.einsum("nki,ni->nk", axes, others[:, :3, 3] - ones[:, :3, 3]))
    reach = sum(np.abs(axes @ frames) @ HALF for frames in (a, b))
    gaps = np.where(lengths[:, :, 0] > 1e-6, apart - reach, -np.inf)
    return bool((gaps.max(axis=1) < -_DEPTH).any())
