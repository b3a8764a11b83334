"""Appearance of sides that a film never shows."""

import numpy as np
import pytest

from bridge.video.reference.appearance import Observations, learn_paint
from bridge.video.reference.surfaces import build_surfaces
from pysim.geometry import Voxels


@pytest.mark.parametrize("stickered", [False, True])
def test_hidden_sides_of_a_body_without_stickers_have_its_colour(stickered: bool) -> None:
    """Of a body that is hardly seen, shadows and rims make each texel look otherwise."""
    surfaces = build_surfaces([Voxels.from_cells([(0, 0, 0)])], 4)
    shown = np.arange(16, dtype=np.int32)
    colors = np.full((16, 3), (47, 92, 157), np.uint8)
    colors[::2] += np.uint8(60)
    seen = Observations(shown, np.zeros(16, np.int32), colors, np.eye(6)[:1])
    paint = learn_paint(surfaces, seen, np.array([stickered]))
    hidden = paint.texture[16:]
    assert len(hidden) == 5 * 16
    assert (hidden < 0.0).all() if stickered else np.ptp(hidden, axis=0).max() == 0.0
    assert stickered or np.abs(hidden[0] - paint.texture[:16].mean(axis=0)).max() < 35.0
