"""Draws the picture of the page on chambers: ``python tools/draw_portal.py``."""

from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from bridge.benches.portal.pictures import make_hints, make_pictures
from bridge.items.pictures import draw
from pysim.catalog import find_family, find_level
from pysim.render.factory import create_renderer
from pysim.render.renderer import Renderer
from pysim.render.views import observe, tile

MEDIA = Path(__file__).resolve().parent.parent / "docs" / "media"
SIZE = 400
SHOWN, PLAYED, STILLS = "portal-07", "portal-05", (5, 6)
"""The level that is shown as in questions, the one that is played, and after which actions."""


def main() -> None:
    """Write the file."""
    renderer, _ = create_renderer()
    pictures = [*_asked(renderer), *_played(renderer)]
    path = MEDIA / "portal.png"
    whole = np.ascontiguousarray(tile(pictures, 4)[..., ::-1])
    cv2.imwrite(str(path), whole, [cv2.IMWRITE_PNG_COMPRESSION, 9])
    print(f"{path.name}: {path.stat().st_size // 1024} KiB")
    renderer.close()


def _asked(renderer: Renderer) -> list[NDArray[np.uint8]]:
    """A chamber from a corner, its lower floors, from above, with the agent's eyes, and a hint."""
    level = find_level(SHOWN)
    shown = make_pictures(level)
    pictures = (shown[0], shown[2], shown[4], shown[5], make_hints(level)[3])
    return [view.rgb() for picture in pictures for view in draw(renderer, picture, SIZE)]


def _played(renderer: Renderer) -> list[NDArray[np.uint8]]:
    """Return a chamber on its way."""
    level = find_level(PLAYED)
    rules, plan, pictures = find_family(level).rules, level.plan, []
    assert plan is not None
    state = rules.initial(level)
    for number, action in enumerate((*plan.actions, None)):
        if number in STILLS or action is None:
            pictures.append(observe(renderer, rules.scene(level, state), SIZE)[0].rgb)
        if action is not None:
            state = rules.apply(level, state, action).state
    return pictures


if __name__ == "__main__":
    main()
