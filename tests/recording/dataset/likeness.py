"""Pictures that went through a video codec."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

__all__ = ["require_likeness"]

MOST = 6.0
"""Mean difference of brightness, of 255, that H.264 makes to pictures as small as those here."""


def require_likeness(
    found: Sequence[NDArray[np.uint8]], drawn: Sequence[NDArray[np.uint8]]
) -> None:
    """Require that each frame is like the picture drawn for it, and like no other more."""
    assert len(found) == len(drawn)
    seen, meant = (np.stack([p.mean(axis=2) for p in some]) for some in (found, drawn))
    differences = np.abs(seen[:, None] - meant[None]).mean(axis=(2, 3))
    own = differences.diagonal()
    assert own.max() < MOST
    assert (own <= differences.min(axis=1) + 1e-9).all()
