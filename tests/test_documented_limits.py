"""The tables of limits in docs/levels.md say what the constants say."""

import re

from bridge.recording.lines import MAX_REFUSED
from pysim import limits
from pysim.catalog import find_level, list_level_paths
from pysim.catalog.documents import MAX_BUDGET
from pysim.families.burr import lock
from pysim.families.burr.files import xmlreader
from pysim.families.burr.solver import limits as search
from pysim.families.packing import box
from tests.pages import PAGES, sentences

FIELDS = {
    "a level's id": [limits.MAX_LEVEL_ID],
    "a level document": [limits.MAX_LEVEL_BYTES],
    "a level's name": [limits.MAX_TITLE],
    "facts": [limits.MAX_FACTS],
    "a budget": [MAX_BUDGET],
    "a text that names levels": [limits.MAX_SELECTION, limits.MAX_PATTERN],
    "the name of an action": [limits.MAX_ACTION_NAME],
    "the arguments of an action": [limits.MAX_ARGUMENTS],
    "a line that a person types": [limits.MAX_LINE],
    "an answer to an item": [limits.MAX_ANSWER],
    "what a message quotes": [limits.MAX_QUOTED, 60, 80, limits.MAX_MESSAGE],
}
COSTS = {
    "pieces of a lock": [lock.MAX_PIECES],
    "cells of a lock": [lock.MAX_CELLS],
    "length of a piece": [lock.MAX_EXTENT],
    "cells of the room": [lock.MAX_ROOM],
    "ways to bring the pieces": [lock.MAX_BRINGS],
    "groups of companions": [lock.MAX_GROUPS],
    "sides of a box": [box.MAX_SIDE, box.MAX_CELLS],
    "[a designer's file]": [xmlreader.MAX_BYTES],
    "ways to lay pieces": [search.MAX_ROWS],
    "these ways times": [search.MAX_TABLE, search.MAX_LAID],
    "places at which": [search.MAX_TRIES],
    "a side of a drawing": [search.MAX_SIDE],
}


def test_the_tables_of_limits_are_those_of_the_code() -> None:
    section = PAGES["levels"].partition("\n## Limits\n")[2].partition("\n## ")[0]
    rows = [row.strip("|").split("|") for row in section.splitlines() if row.startswith("| ")]
    told = {
        what.strip(): [int(n.replace(",", "")) for n in re.findall(r"\d[\d,]*", most)]
        for what, most in rows
        if what.strip() != "what"
    }
    wanted = {**FIELDS, **COSTS}
    assert len(told) == len(wanted)
    for (what, figures), (begin, constants) in zip(told.items(), wanted.items(), strict=True):
        assert what.startswith(begin) and figures == constants, what


def test_the_largest_lock_is_as_far_from_the_bounds_as_is_said() -> None:
    locks = [find_level(p.stem).puzzle for p in list_level_paths() if p.parent.name == "burr"]
    room = max(one.workspace.volume * len(one.pieces) for one in locks)
    cells = max(sum(len(piece.shape.cells) for piece in one.pieces) for one in locks)
    assert round(lock.MAX_ROOM / room) in (30, 31) and round(lock.MAX_CELLS / cells) == 14


def test_how_much_of_a_call_that_cannot_be_read_is_noted() -> None:
    assert f"of more than {limits.MAX_NOTED:,} characters" in sentences("log-format")
    assert f"at most {MAX_REFUSED:,} bytes" in sentences("log-format")
