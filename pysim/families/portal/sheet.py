"""What a level's picture sheet shows: the pictures that agents are shown, one beside the other."""

from dataclasses import replace

from pysim.families.portal.chamber import Chamber
from pysim.families.portal.looks import shots_of
from pysim.families.portal.scene import scene_of
from pysim.families.portal.state import start_of
from pysim.puzzle import Panel

__all__ = ["sheet_of"]


def sheet_of(chamber: Chamber) -> tuple[Panel, ...]:
    """A panel for each picture of the start."""
    state = start_of(chamber)
    scene = scene_of(chamber, state)
    return tuple(Panel(s.name, replace(scene, shots=(s,))) for s in shots_of(chamber, state))
