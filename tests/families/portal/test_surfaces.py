"""Chambers beyond the rules: refusals in logs and on the wire, pictures, and what text tells."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from bridge.benches.portal.pictures import (
    find_key_surfaces,
    make_close_ups,
    make_hints,
    mark_surfaces,
)
from bridge.episode.episode import Episode
from bridge.episode.records import Options
from bridge.episode.tools import ToolCall
from bridge.recording.log import EpisodeLog, read_log
from bridge.rpc.errors import encode_error, raise_fault
from pysim.catalog import find_level
from pysim.families.portal.actions import ChamberReason
from pysim.families.portal.chamber import Chamber
from pysim.families.portal.gates import find_sight_doors
from pysim.families.portal.rules import PortalRules
from pysim.families.portal.scene import make_scene
from pysim.families.portal.state import start_of
from pysim.families.portal.text import write_legend
from pysim.families.portal.views import make_eye_view
from pysim.geometry import Direction
from pysim.physics.factory import create_world
from pysim.puzzle import IllegalMove, Level, Reason, parse_reason
from pysim.render.renderer import Renderer
from pysim.render.views import observe
from pysim.scene import Scene
from pysim.suites import find_suite, load_levels

LEVELS: list[Level[Chamber]] = list(load_levels(find_suite("portal-16")))
RULES = PortalRules()


@pytest.mark.parametrize("reason", [*Reason, *ChamberReason])
def test_reasons_come_back_over_the_wire_as_they_were(reason: str) -> None:
    with pytest.raises(IllegalMove) as error:
        raise_fault(encode_error(IllegalMove(reason, "no", culprits=("green",))))
    assert error.value.reason == reason and error.value.brief == f"{reason} by green"


def test_reasons_come_back_from_logs(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    episode = Episode(
        find_level("portal-01"), create_world("lattice"), None, Options(), EpisodeLog(path)
    )
    call = ToolCall("place_gate", {"gate": "blue", "cell": [0, 0, 0], "side": "+z"})
    with pytest.raises(IllegalMove) as error:
        episode.step(call)
    assert error.value.reason is ChamberReason.NOT_PORTALABLE
    episode.give_up("enough")
    (step,) = read_log(path).steps
    assert step.reason == "NOT_PORTALABLE" and step.brief == "NOT_PORTALABLE"


@pytest.mark.parametrize("name", ["", "deadly", "NO WAY", "A" * 41, "DROP TABLE", "X\n"])
def test_what_is_no_reason_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="no reason"):
        parse_reason(name)


def test_text_tells_of_no_box_that_is_out_of_sight() -> None:
    level = find_level("portal-04")
    told = RULES.describe(level, RULES.initial(level))
    assert "red: at" in told
    hidden = find_level("portal-07")
    told = RULES.describe(hidden, RULES.initial(hidden))
    assert "yellow: out of sight" in told and "(8,5,5)" not in told


def test_the_legend_names_what_is_there_and_nothing_else() -> None:
    legend = write_legend(find_level("portal-09").puzzle)
    assert "beam" in legend and "laser" not in legend and "green: you" in legend
    assert "red: boxes" in legend


@pytest.mark.by_day(1)
@pytest.mark.parametrize("level", LEVELS[::5], ids=lambda level: level.id)
def test_each_key_surface_is_seen_in_a_hint(renderer: Renderer, level: Level[Chamber]) -> None:
    keys = find_key_surfaces(level)
    assert keys and len(make_hints(level)) == 4
    for key in keys:
        assert fuchsia(renderer, mark_surfaces(make_close_ups(level.puzzle, (key,)), (key,))), key


def fuchsia(renderer: Renderer, scene: Scene) -> bool:
    """Whether the colour of marks is seen anywhere, in whatever light."""
    (view,) = observe(renderer, scene, 300)
    red, green, blue = view.rgb[..., 0], view.rgb[..., 1], view.rgb[..., 2]
    return int(((red > 110) & (blue > 110) & (green < 70)).sum()) >= 50


@pytest.mark.parametrize("number", [1, 5])
def test_the_agent_sees_from_its_cell_what_sight_says(renderer: Renderer, number: int) -> None:
    """A panel whose face is in the middle of nothing is in the pictures of the agent's eyes."""
    chamber = LEVELS[number - 1].puzzle
    state = start_of(chamber)
    whole = make_scene(chamber, state)
    shot = make_eye_view(chamber, state, chamber.start)
    (view,) = observe(renderer, replace(whole, views=(shot,)), 400)
    panels = [number for number, body in enumerate(whole.bodies, 1) if body.colour == "white"]
    seen = any(
        find_sight_doors(chamber, chamber.start, surface) is not None
        for surface in chamber.surfaces
        if surface.side is not Direction.PLUS_Z
    )
    assert bool(np.isin(view.ids, panels).any()) is seen
