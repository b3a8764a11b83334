"""Make the suite sight-canary: ``python -m tools.make_sight_canary``.

A cube is two turns from solved, and an agent has two steps. Nothing but its picture tells which
turns: tools, instructions and colours are the same for all cubes.
"""

from itertools import product

from pysim.catalog import AnyLevel, complete_document, decode_level, encode_level
from pysim.families.rubik.cube import make_cube
from pysim.families.rubik.moves import Move, invert_moves, list_moves
from pysim.families.rubik.puzzle import CubePuzzle, Setting, write_puzzle
from pysim.puzzle import Tier
from pysim.suites import FORMAT
from tools.make_luban_120 import ROOT, write_document

NAME = "sight-canary"
RULE = (
    "Twelve cubes two quarter turns from solved, each to be solved in two steps. Every turn is the "
    "first of one cube and the last of another. One pair of turns solves a cube. Texts, tools and "
    "colours of all cubes are equal, so that pictures alone tell them apart."
)


def main() -> None:
    """Write the levels and the suite."""
    levels = [make_level(number, turns) for number, turns in enumerate(pair_turns(), 1)]
    for level in levels:
        path = ROOT / "assets" / level.family / "unlisted" / f"{level.id}.json"
        write_document(path, encode_level(level))
    document: dict[str, object] = {
        "format": FORMAT,
        "name": NAME,
        "title": "Twelve cubes that only their pictures tell apart",
        "rule": RULE,
        "suites": [],
        "levels": [level.id for level in levels],
    }
    write_document(ROOT / "assets" / "suites" / f"{NAME}.json", document)


def pair_turns() -> list[tuple[Move, Move]]:
    """Return each quarter turn with one of a neighbouring face, so that no two commute."""
    faces = "ULFDRB"
    quarters = {str(move): move for move in list_moves() if move.quarters == 1}
    following = dict(zip(faces, faces[1:] + faces[0], strict=True))
    return [
        (quarters[face + sign], quarters[following[face] + other])
        for face, (sign, other) in product(faces, [("", "'"), ("'", "")])
    ]


def make_level(number: int, turns: tuple[Move, Move]) -> AnyLevel:
    """Return the cube that two turns solve, with its plan."""
    puzzle = CubePuzzle(make_cube(invert_moves(turns)), Setting.FULL_VISUAL)
    actions = [{"name": "make_move", "arguments": {"move": str(turn)}} for turn in turns]
    draft = {
        "format": "luban-level/1",
        "id": f"{NAME}-{number:02}",
        "family": "rubik",
        "name": f"Sight canary {number}",
        "tier": Tier.EASY.value,
        "budget": len(turns),
        "source": {"designer": "luban", "reference": "tools/make_sight_canary.py", "seed": None},
        "puzzle": write_puzzle(puzzle),
        "plan": {"proof": "OPTIMAL", "lower_bound": len(turns), "actions": actions},
        "hash": "",
    }
    return decode_level(complete_document(draft))


if __name__ == "__main__":
    main()
