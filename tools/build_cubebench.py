"""Build CubeBench's test split (assets/rubik, assets/suites/cubebench-160.json), or a private one.

Eight depths, five states each, four settings (CubeBench, appendix G). Depths are in face turns
(half-turn metric). States up to depth 16 are scrambles drawn with a seed, and kept if the optimal
solver proves that their shortest solution has as many face turns as are asked for; those of depth
20 are positions that are published as 20 turns from home, no two of which are alike when the whole
cube is turned, mirrored or gone through backwards. The superflip is a level of its own. Run it
from the project's root: it takes some ten minutes.

With ``--private SEED --out FOLDER`` the folder gets the levels of a split that nobody else has:
other scrambles, and five of the published positions with the whole cube turned some way.
"""

import argparse
import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pysim.catalog import FORMAT, check_id, complete_document, decode_level, encode_level
from pysim.families.rubik.cube import Cube, make_cube
from pysim.families.rubik.faces import Face
from pysim.families.rubik.moves import (
    Metric,
    Move,
    format_moves,
    invert_moves,
    list_moves,
    parse_moves,
)
from pysim.families.rubik.planner import plan_of
from pysim.families.rubik.puzzle import CubePuzzle, Setting, write_puzzle
from pysim.families.rubik.solver.distance_table import load_distance_table
from pysim.families.rubik.solver.optimal import Solution, solve_optimally
from pysim.field_types import encode_arguments
from tools.floor_facts import carried

ASSETS = Path(__file__).resolve().parent.parent / "assets"
SEED = 2026
STATES = 5
DEPTHS = (1, 2, 3, 4, 8, 12, 16, 20)
SEARCHED = {16: 17, 20: 12}
"""Depth -> quarter turns up to which solutions are searched for, where all would take too long."""
BUDGET = 200
NEAR = 4
"""So deep cubes of private splits are solved without tables."""
TIERS = {depth: "easy" if depth <= 4 else "medium" if depth <= 12 else "hard" for depth in DEPTHS}

SUPERFLIP = "U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2"
HARDEST = "F U' F2 D' B U R' F' L D' R' U' L U B' D2 R' F U2 D2"
NISSY = (
    "R2 U2 R F L' B D' R' U2 B2 U2 F D U2 R2 U2 F2 L F2 B2",
    "F R B' R2 L2 B' R' D2 R' D B L F' L2 F2 U D2 B2 R2 U'",
    "L2 F' B' R L2 D R2 L' D F' L' U' L' B D2 F R2 F2 L2 D2",
    "F U2 B2 R' B' U2 F' R' U' L' U2 F B2 U R2 L2 F2 U' B2 D2",
    "F R D F' L2 U2 D2 R' U2 B' L' U F' R2 L2 U2 F' B D2 B'",
    "U F L' U' F' B' R D F' L' U F2 R2 L U2 R' L2 B2 R' L'",
    "F U' L' D' F B' R2 D2 R U2 B' R D2 R' U2 L' B2 L B2 L'",
    "D2 U2 R2 B2 D2 F L2 B2 F2 L U' B R F2 U' L F' L U2 L",
)
"""Scrambles for 20 face turns that S. Tronto's nissy-core is measured by (scrambles-20.txt)."""


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


@dataclass(frozen=True)
class Split:
    """A split to be built, and its folders.

    Attributes:
        name: of the suite; ``prefix`` begins the ids of its levels.
        seed: of its scrambles; None for the one that ships.
    """

    name: str
    prefix: str
    levels: Path
    suites: Path
    seed: int | None = None


SHIPPED = Split("cubebench-160", "cubebench", ASSETS / "rubik", ASSETS / "suites")


def main() -> None:
    """Write everything, or the levels of some depths."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("depths", nargs="*", type=int, help="only the levels of these depths")
    parser.add_argument("--private", type=int, metavar="SEED", help="seed of a split of one's own")
    parser.add_argument("--out", type=Path, help="where to write a private split")
    given = parser.parse_args()
    if (given.private is None) != (given.out is None):
        parser.error("--private and --out go together")
    split = SHIPPED if given.out is None else private_split(given.private, given.out)
    if split is SHIPPED:
        for document in (_checkerboard(), _superflip()):
            _write_level(split, document)
    for depth in given.depths or DEPTHS:
        for sample in samples(depth, split):
            for document in _documents(sample, split):
                _write_level(split, document)
                print(document["id"], flush=True)
    _write(split.suites / f"{split.name}.json", _suite(split))


def private_split(seed: int, folder: Path) -> Split:
    """Return a split of one's own; its levels and its suite lie in one folder."""
    return Split(f"private-{seed}", f"private-{seed}", folder, folder, seed)


def _suite(split: Split) -> dict[str, object]:
    return {
        "format": "luban-suite/1",
        "name": split.name,
        "title": "CubeBench test split" if split.seed is None else "CubeBench, a private split",
        "rule": (
            "The four settings of CubeBench (full symbolic, full visual, face view, vertex view) "
            "with 40 states each: five at each of the depths 1, 2, 3, 4, 8, 12, 16 and 20. Depth "
            "is the length of a shortest solution in face turns (half-turn metric), stated and "
            "certified in the facts of each level; plans are in quarter turns, which is what "
            "agents have. Played in turns, an agent has 20 of them and 30 minutes, and each may "
            f"hold any number of moves; played step by step it has {BUDGET} actions, the budget of "
            "each level."
        ),
        "levels": [
            _id(split, depth, number, setting)
            for setting in Setting
            for depth in DEPTHS
            for number in range(1, STATES + 1)
        ],
    }


def _id(split: Split, depth: int, number: int, setting: Setting) -> str:
    return check_id(f"{split.prefix}-d{depth:02}-{number}-{setting}")


def samples(depth: int, split: Split = SHIPPED) -> Iterator[Sample]:
    """Return the five states of a depth."""
    return _published(split.seed) if depth == 20 else _scrambles(depth, split.seed)


def _scrambles(depth: int, private: int | None) -> Iterator[Sample]:
    found: list[Cube] = []
    for attempt in range(1000):
        seed = (SEED if private is None else private) * 100_000 + depth * 1000 + attempt
        cube = make_cube(_scramble(random.Random(seed), depth))
        solution = _shortest(cube, Metric.HTM, None, depth if private is not None else None)
        if solution.moves is None or len(solution.moves) != depth or cube in found:
            continue
        found.append(cube)
        yield Sample(
            depth, len(found), cube, solution.moves, "luban", "tools/build_cubebench.py",
            seed if private is None else None,
            f"all sequences of up to {depth - 1} face turns searched: none solves it",
        )  # fmt: skip
        if len(found) == STATES:
            return


def _shortest(cube: Cube, metric: Metric, at_most: int | None, depth: int | None) -> Solution:
    """Return a shortest solution; near home, for private splits, without the tables."""
    if depth is not None and depth <= NEAR:
        moves = load_distance_table(metric).plan(cube)
        return Solution(moves, metric.measure(moves), 0)
    return solve_optimally(cube, metric, at_most=at_most)


def _scramble(rng: random.Random, length: int) -> list[Move]:
    """Random face turns, no two of one face in a row or with only its opposite between them."""
    moves: list[Move] = []
    while len(moves) < length:
        move = rng.choice(list_moves())
        faces = [before.face for before in moves[-2:]]
        again = faces[-1:] == [move.face]
        around = faces == [move.face, move.face.opposite]
        if not again and not around:
            moves.append(move)
    return moves


def _published(private: int | None) -> Iterator[Sample]:
    rokicki = parse_moves(HARDEST), "Tomas Rokicki and others", "cube20.org"
    nissy = [
        (parse_moves(moves), "S. Tronto", f"nissy-core, benchmarks/scrambles-20.txt, line {line}")
        for line, moves in enumerate(NISSY, 1)
    ]
    chosen = [nissy[0], rokicki, *nissy[1:4]]
    if private is not None:
        rng = random.Random(f"published {private}")
        chosen = [
            (_turned(moves, rng), designer, f"{reference}, the whole cube turned")
            for moves, designer, reference in rng.sample([rokicki, *nissy], STATES)
        ]
    for number, (moves, designer, reference) in enumerate(chosen, start=1):
        yield Sample(
            20, number, make_cube(moves), invert_moves(moves), designer,
            f"{reference}: a position that needs 20 face turns" if private is None else reference,
            None, PUBLISHED,
        )  # fmt: skip


PUBLISHED = "published: no sequence of up to 19 face turns solves it"


def _turned(moves: tuple[Move, ...], rng: random.Random) -> tuple[Move, ...]:
    """Return the sequence with the whole cube turned some way, which changes no distance."""
    for cycle in rng.choices(("FLBR", "FUBD", "URDL"), k=6):
        moves = _about(moves, cycle)
    return moves


def _about(moves: tuple[Move, ...], cycle: str) -> tuple[Move, ...]:
    """The sequence with the whole cube turned, so that each face of a cycle becomes the next."""
    turned = dict(zip(cycle, cycle[1:] + cycle[0], strict=True))
    return tuple(Move(Face(turned.get(move.face, move.face)), move.turns) for move in moves)


def _superflip() -> dict[str, object]:
    moves = parse_moves(SUPERFLIP)
    sample = Sample(
        20, 1, make_cube(moves), invert_moves(moves), "Michael Reid",
        "superflip, 20 face turns: M. Reid 1995", None, PUBLISHED,
    )  # fmt: skip
    document = next(_documents(sample, SHIPPED))
    return _sealed(document | {"id": "superflip", "name": "Superflip"})


def _checkerboard() -> dict[str, object]:
    moves = parse_moves("U2 D2 R2 L2 F2 B2")
    cube = make_cube(moves)
    solution = solve_optimally(cube).moves
    assert solution is not None
    sample = Sample(
        len(solution), 1, cube, solution, "traditional", "checkerboard pattern (pons asinorum)",
        None, f"all sequences of up to {len(solution) - 1} face turns searched: none solves it",
    )  # fmt: skip
    document = next(_documents(sample, SHIPPED))
    return _sealed(document | {"id": "checkerboard", "name": "Checkerboard", "tier": "medium"})


def _documents(sample: Sample, split: Split) -> Iterator[dict[str, object]]:
    """Yield a level for each setting."""
    limit = SEARCHED.get(sample.depth)
    near_home = sample.depth if split.seed is not None else None
    quarters = _shortest(sample.cube, Metric.QTM, limit, near_home)
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
                "id": _id(split, sample.depth, sample.number, setting),
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
                        {"name": action.tool, "arguments": encode_arguments(action)}
                        for action in plan.actions
                    ],
                },
            }
        )


def _sealed(draft: dict[str, object]) -> dict[str, object]:
    return encode_level(decode_level(complete_document(draft)))


def _write_level(split: Split, document: dict[str, object]) -> None:
    _write(split.levels / f"{document['id']}.json", document)


def _write(path: Path, document: dict[str, object]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps(document, indent=1, ensure_ascii=False) + "\n"
    path.write_text(carried(path, text), encoding="utf-8")


if __name__ == "__main__":
    main()
