"""Lines of sight, as the rules and the referee cut them with cells in ways of their own."""

import json

from hypothesis import given
from hypothesis import strategies as st

from bridge.referee.portal.room import DIRECTIONS, iterate_bits, read_room
from pysim.catalog import encode_level
from pysim.families.portal.gates import find_sight_doors
from pysim.suites import find_suite, load_levels

LEVELS = [x for x in load_levels(find_suite("portal-16")) if x.puzzle.surfaces][:8]
ROOMS = [read_room(json.loads(json.dumps(encode_level(level)))) for level in LEVELS]


@given(st.integers(0, len(LEVELS) - 1), st.data())
def test_the_rules_see_what_the_referee_sees(number: int, data: st.DataObject) -> None:
    chamber, room = LEVELS[number].puzzle, ROOMS[number]
    cell = data.draw(st.sampled_from(sorted(chamber.free)))
    surface = data.draw(st.sampled_from(chamber.surfaces))
    doors = find_sight_doors(chamber, cell, surface)
    face = room.find_face(room.find_cell(surface.cell), DIRECTIONS.index(surface.side.value))
    theirs = room.find_sight(room.find_cell(cell), face)
    names = None if theirs is None else frozenset(room.doors[d][0] for d in iterate_bits(theirs))
    assert doors == names
