"""Build assets/rubik and assets/suites/cubebench-160.json: CubeBench's test split.

Eight depths, five states each, four settings (CubeBench, appendix G). Depths are in face turns
(half-turn metric). States up to depth 16 are scrambles drawn with a seed, and kept if the optimal
solver proves that their shortest solution has as many face turns as are asked for; those of depth
20 are positions that are published as 20 turns from home, and their images under turns
of the whole cube, which are as far. Run it from the project's root: it takes some ten minutes.
"""

import argparse
import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pysim.catalog import FORMAT, check_id, level_from_document, level_to_document, seal_document
from pysim.families.rubik.cube import Cube, cube_after
from pysim.families.rubik.faces import Face
from pysim.families.rubik.moves import (
    Metric,
    Move,
    all_moves,
    format_moves,
    inverse_moves,
    parse_moves,
)
from pysim.families.rubik.planner import plan_of
from pysim.families.rubik.puzzle import CubePuzzle, Setting, write_puzzle
from pysim.families.rubik.solver.optimal import solve_optimally
from pysim.fields import arguments_of

ASSETS = Path(__file__).resolve().parent.parent / "assets"
SEED = 2026
STATES = 5
DEPTHS = (1, 2, 3, 4, 8, 12, 16, 20)
SEARCHED = {16: 17, 20: 12}
"""Depth -> quarter turns up to which solutions are searched for, where all would take too long."""
BUDGET = 200
TIERS = {depth: "easy" if depth <= 4 else "medium" if depth <= 12 else "hard" for depth in DEPTHS}

SUPERFLIP = "U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2"
HARDEST = "F U' F2 D' B U R' F' L D' R' U' L U B' D2 R' F U2 D2"


@dataclass(frozen=True)
class Sample:
    """A state and what is known of it."""

    depth: int
    number: int
    cube: Cube
    solution: tuple[Move, ...]
    designer: str
    reference: str
    seed: int | None
    certificate: str


def main() -> None:
    """Write everything, or the levels of some depths."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("depths", nargs="*", type=int, help="only the levels of these depths")
    depths = parser.parse_args().depths or DEPTHS
    _write_level(_checkerboard())
    for depth in depths:
        for sample in samples(depth):
            for document in _documents(sample):
                _write_level(document)
                print(document["id"], flush=True)
    _write(ASSETS / "suites" / "cubebench-160.json", _suite())


def _suite() -> dict[str, object]:
    return {
        "format": "luban-suite/1",
        "name": "cubebench-160",
        "title": "CubeBench test split",
        "rule": (
            "The four settings of CubeBench (full symbolic, full visual, face view, vertex view) "
            "with 40 states each: five at each of the depths 1, 2, 3, 4, 8, 12, 16 and 20. Depth "
            "is the length of a shortest solution in face turns (half-turn metric), stated and "
            "certified in the facts of each level; plans are in quarter turns, which is what "
            "agents have. An agent has 20 turns and 30 minutes; each turn may hold many moves, 200 "
            "in all."
        ),
        "levels": [
            _id(depth, number, setting)
            for setting in Setting
            for depth in DEPTHS
            for number in range(1, STATES + 1)
        ],
    }


def _id(depth: int, number: int, setting: Setting) -> str:
    return check_id(f"cubebench-d{depth:02}-{number}-{setting}")


def samples(depth: int) -> Iterator[Sample]:
    """The five states of a depth."""
    return _published() if depth == 20 else _scrambles(depth)


def _scrambles(depth: int) -> Iterator[Sample]:
    found: list[Cube] = []
    for attempt in range(1000):
        seed = SEED * 100_000 + depth * 1000 + attempt
        cube = cube_after(_scramble(random.Random(seed), depth))
        solution = solve_optimally(cube)
        if solution.moves is None or len(solution.moves) != depth or cube in found:
            continue
        found.append(cube)
        yield Sample(
            depth, len(found), cube, solution.moves, "luban", "tools/build_cubebench.py", seed,
            f"all sequences of up to {depth - 1} face turns searched: none solves it",
        )  # fmt: skip
        if len(found) == STATES:
            return


def _scramble(chance: random.Random, length: int) -> list[Move]:
    """Random face turns, no two of one face in a row or with only its opposite between them."""
    moves: list[Move] = []
    while len(moves) < length:
        move = chance.choice(all_moves())
        faces = [before.face for before in moves[-2:]]
        again = faces[-1:] == [move.face]
        around = faces == [move.face, move.face.opposite]
        if not again and not around:
            moves.append(move)
    return moves


def _published() -> Iterator[Sample]:
    superflip, hardest = parse_moves(SUPERFLIP), parse_moves(HARDEST)
    rokicki = "cube20.org: a position that needs 20 face turns"
    sequences = [
        (superflip, "Michael Reid", "superflip, 20 face turns: M. Reid 1995"),
        (hardest, "Tomas Rokicki and others", rokicki),
    ]
    for axis, cycle in (("U", "FLBR"), ("R", "FUBD"), ("F", "URDL")):
        turned = _about(hardest, cycle)
        words = f"{rokicki}, the whole cube turned about {axis}"
        sequences.append((turned, "Tomas Rokicki and others", words))
    for number, (moves, designer, reference) in enumerate(sequences, start=1):
        yield Sample(
            20, number, cube_after(moves), inverse_moves(moves), designer, reference, None,
            "published: no sequence of up to 19 face turns solves it",
        )  # fmt: skip


def _about(moves: tuple[Move, ...], cycle: str) -> tuple[Move, ...]:
    """The sequence with the whole cube turned, so that each face of a cycle becomes the next."""
    turned = dict(zip(cycle, cycle[1:] + cycle[0], strict=True))
    return tuple(Move(Face(turned.get(move.face, move.face)), move.turns) for move in moves)


def _checkerboard() -> dict[str, object]:
    moves = parse_moves("U2 D2 R2 L2 F2 B2")
    cube = cube_after(moves)
    solution = solve_optimally(cube).moves
    assert solution is not None
    sample = Sample(
        len(solution), 1, cube, solution, "traditional", "checkerboard pattern (pons asinorum)",
        None, f"all sequences of up to {len(solution) - 1} face turns searched: none solves it",
    )  # fmt: skip
    document = next(_documents(sample))
    return _sealed(document | {"id": "checkerboard", "name": "Checkerboard", "tier": "medium"})


def _documents(sample: Sample) -> Iterator[dict[str, object]]:
    """A level for each setting."""
    limit = SEARCHED.get(sample.depth)
    quarters = solve_optimally(sample.cube, Metric.QTM, at_most=limit)
    plan = plan_of(quarters.moves or sample.solution, quarters.lower_bound)
    facts = {
        "depth_htm": sample.depth,
        "solution_htm": format_moves(sample.solution),
        "certificate_htm": sample.certificate,
        "quarter_turns": len(plan),
        "quarter_turns_at_least": plan.lower_bound,
    }
    for setting in Setting:
        yield _sealed(
            {
                "format": FORMAT,
                "id": _id(sample.depth, sample.number, setting),
                "family": "rubik",
                "name": f"CubeBench depth {sample.depth}, state {sample.number}, {setting}",
                "tier": TIERS.get(sample.depth, "medium"),
                "budget": BUDGET,
                "source": {
                    "designer": sample.designer,
                    "reference": sample.reference,
                    "seed": sample.seed,
                    "generator": "rubik/cubebench 1" if sample.seed is not None else "",
                },
                "facts": facts,
                "puzzle": write_puzzle(CubePuzzle(sample.cube, setting)),
                "plan": {
                    "proof": plan.proof.value,
                    "lower_bound": plan.lower_bound,
                    "actions": [
                        {"name": action.tool, "arguments": arguments_of(action)}
                        for action in plan.actions
                    ],
                },
            }
        )


def _sealed(draft: dict[str, object]) -> dict[str, object]:
    return level_to_document(level_from_document(seal_document(draft)))


def _write_level(document: dict[str, object]) -> None:
    _write(ASSETS / "rubik" / f"{document['id']}.json", document)


def _write(path: Path, document: dict[str, object]) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
