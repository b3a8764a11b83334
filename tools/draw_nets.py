"""Draws the pictures of the pages on nets and EucliFold: ``python tools/draw_nets.py``."""

from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from bridge.benches.euclifold.condition import EuclifoldCondition, EuclifoldTask, PictureLook
from bridge.benches.euclifold.trials import make_trials
from bridge.items.pictures import draw
from pysim.catalog import find_family, find_level
from pysim.render.factory import create_renderer
from pysim.render.renderer import Renderer
from pysim.render.views import observe, observe_goal, tile

MEDIA = Path(__file__).resolve().parent.parent / "docs" / "media"
SIZE = 360
LEVELS = ("nets-medium-06", "nets-hard-09")
STILLS = (0, 2, 5)
"""Actions of a plan after which a level is drawn."""


def main() -> None:
    """Write both files."""
    renderer, _ = create_renderer()
    for name, pictures in (("nets", _nets(renderer)), ("euclifold", _euclifold(renderer))):
        path = MEDIA / f"{name}.png"
        whole = np.ascontiguousarray(tile(pictures, 4)[..., ::-1])
        cv2.imwrite(str(path), whole, [cv2.IMWRITE_PNG_COMPRESSION, 9])
        print(f"{path.name}: {path.stat().st_size // 1024} KiB")
    renderer.close()


def _nets(renderer: Renderer) -> list[NDArray[np.uint8]]:
    """Return two levels on their way: one net and its goal, and two nets to the end."""
    pictures = []
    for name in LEVELS:
        level = find_level(name)
        rules, plan = find_family(level).rules, level.plan
        assert plan is not None
        goal = rules.goal_scene(level)
        stills = STILLS if goal else (0, 5, 10, len(plan))
        state = rules.initial(level)
        for number, action in enumerate((*plan.actions, None)):
            if number in stills:
                pictures.append(observe(renderer, rules.scene(level, state), SIZE)[0].rgb)
            if action is not None:
                state = rules.apply(level, state, action).state
        if goal is not None:
            pictures.append(observe_goal(renderer, goal, SIZE).rgb)
    return pictures


def _euclifold(renderer: Renderer) -> list[NDArray[np.uint8]]:
    """In each look a net, its cube, a false cube, and a second net."""
    pictures = []
    for look in (PictureLook.LUBAN, PictureLook.PAPER):
        folding = make_trials(EuclifoldCondition(EuclifoldTask.FOLDING, look=look), 0, 2)
        true, false = sorted(folding, key=lambda trial: not trial.item.gold)
        matching = make_trials(EuclifoldCondition(EuclifoldTask.MATCHING, look=look), 0, 1)[0]
        shown = (*true.item.pictures, false.item.pictures[1], matching.item.pictures[0])
        for picture in shown:
            pictures += [view.rgb() for view in draw(renderer, picture, SIZE)]
    return pictures


if __name__ == "__main__":
    main()
