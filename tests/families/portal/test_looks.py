"""What agents are shown of a chamber: enough, and walls where there are walls."""

from dataclasses import replace

import numpy as np
import pytest

from bridge.recording.caption import Caption
from bridge.recording.layout import HeldFrame, Layout
from pysim.families.portal.chamber import LIQUID, Chamber
from pysim.families.portal.rules import PortalRules
from pysim.families.portal.state import ChamberState, start_of
from pysim.families.portal.views import list_storeys
from pysim.geometry import Cell
from pysim.puzzle import Level
from pysim.render.legibility import LEAST_PIXELS, measure_observed_coverage
from pysim.render.renderer import Renderer
from pysim.render.views import observe
from pysim.suites import find_suite, load_levels
from tests.families.portal.rooms import level_of, room
from tests.sampling import by_day

RULES = PortalRules()
LEVELS: list[Level[Chamber]] = [
    level for name in ("portal-16", "portal-100") for level in load_levels(find_suite(name))
]


def begun(chamber: Chamber) -> tuple[Level[Chamber], ChamberState]:
    return level_of(chamber), start_of(chamber)


def is_large(level: Level[Chamber]) -> bool:
    return level.puzzle.size[1] > 16


@pytest.mark.parametrize("level", by_day(LEVELS, is_large, each=2, name=lambda level: level.id))
def test_agents_are_shown_every_box_and_door_well(
    renderer: Renderer, level: Level[Chamber]
) -> None:
    seen = measure_observed_coverage(renderer, RULES.scene(level, RULES.initial(level)))
    pieces = {*level.colours, *(f"door {door.name}" for door in level.puzzle.doors)}
    assert not {name: seen[name] for name in pieces if seen[name] < LEAST_PIXELS}


@pytest.mark.parametrize("level", by_day(LEVELS, is_large, each=2, name=lambda level: level.id))
def test_every_place_to_stand_on_is_seen_from_above_in_some_plan(level: Level[Chamber]) -> None:
    chamber = level.puzzle
    for cell in sorted(chamber.free):
        x, y, z = cell
        if (x, y, z - 1) in chamber.free and chamber.sign(cell) != LIQUID:
            continue
        tops = [top for top in list_storeys(chamber) if top >= z]
        assert any(all((x, y, k) in chamber.free for k in range(z, top + 1)) for top in tops)


def test_ledges_over_each_other_are_storeys_of_their_own() -> None:
    ledges: dict[Cell, str] = {(x, 1, z): "#" for x in (3, 4) for z in (6, 8)}
    assert list_storeys(room({})) == (9,)
    assert list_storeys(room(ledges)) == (5, 7, 9)
    names = [shot.name for shot in RULES.scene(*begun(room(ledges))).views or ()]
    plans = ["plan", "plan up to z = 7", "plan up to z = 5"]
    assert names == ["overview", "from behind", *plans, "first person"]


def test_the_agent_sees_walls_and_ceiling_all_around(renderer: Renderer) -> None:
    scene = RULES.scene(*begun(room({})))
    shot = (scene.views or ())[-1]
    bare = replace(shot, panels=tuple(replace(tile, adds=frozenset()) for tile in shot.panels))
    own, open_to = (observe(renderer, replace(scene, views=(s,)), 300)[0] for s in (shot, bare))
    front = np.s_[175:215, 105:145]  # High up in the tile towards -y, where worlds have no wall.
    assert np.abs(own.rgb[front].astype(int) - open_to.rgb[front].astype(int)).mean() > 20
    assert not own.ids[front].any() and np.isinf(own.depth[front]).all()


def test_light_is_seen_and_worlds_know_nothing_of_it() -> None:
    level = next(level for level in LEVELS if level.puzzle.bridges)
    scene = RULES.scene(level, RULES.initial(level))
    (bridge,) = (body for body in scene.scenery if body.name.startswith("bridge"))
    assert bridge.translucent and bridge.name not in {body.name for body in scene.bodies}


def test_films_show_light(renderer: Renderer) -> None:
    level = next(level for level in LEVELS if level.puzzle.bridges)
    scene = RULES.scene(level, RULES.initial(level))
    places = {body.name: body.pose.transform() for body in scene.bodies}
    lit = HeldFrame(scene, places, Caption("", ""), 1)
    dark = replace(lit, scene=replace(scene, scenery=()))
    layout = Layout.for_film([lit], 128, "stage")
    assert not lit.looks_like(dark)
    assert not np.array_equal(layout.draw(renderer, lit), layout.draw(renderer, dark))
