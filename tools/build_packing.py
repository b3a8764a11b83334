"""Writes the packing levels and their suites: ``python tools/build_packing.py [--out DIR]``.

All of it follows from seeds: the same files come out, byte for byte, whatever the number of
workers. The tiers are told apart by measured difficulty, the rows that an exact cover search tries
for each solution (``nodes_per_solution``).
"""

import argparse
import json
import re
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

from pysim.catalog import content_hash, families, level_to_document, seal_document
from pysim.families.packing.generator.generate import PackingGenerator
from pysim.families.packing.generator.sampling import Mode
from pysim.generation import Attempt, Draft
from pysim.geometry import Cell
from pysim.puzzle import Level, Source

ROOT = Path(__file__).resolve().parent.parent
SEED = 77
_CHUNK = 8
"""Attempts that are made at a time; only those before the last one needed count."""


@dataclass(frozen=True)
class Recipe:
    """Some levels of one kind: how many, and from which to which difficulty."""

    mode: Mode
    size: Cell
    count: int
    least: int
    most: int


EASY, MEDIUM, HARD = (0, 6), (8, 80), (100, 10**9)
RECIPES = (
    Recipe(Mode.EASY, (2, 2, 3), 2, *EASY),
    Recipe(Mode.EASY, (2, 2, 4), 3, *EASY),
    Recipe(Mode.EASY, (2, 2, 5), 2, *EASY),
    Recipe(Mode.EASY, (2, 3, 4), 3, *EASY),
    Recipe(Mode.MID, (2, 3, 3), 6, *MEDIUM),
    Recipe(Mode.MID, (2, 3, 4), 7, *MEDIUM),
    Recipe(Mode.MID, (3, 3, 3), 7, *MEDIUM),
    Recipe(Mode.HARD, (3, 3, 3), 5, *HARD),
    Recipe(Mode.HARD, (3, 3, 4), 30, *HARD),
    Recipe(Mode.HARD, (3, 4, 4), 8, *HARD),
    Recipe(Mode.HARD, (4, 4, 4), 4, *HARD),
)
RULE = (
    "77 boxes to be filled with polycubes, each with a way to build it from the open top in which "
    "every piece is supported at once; in the order of the fact 'nodes_per_solution', the rows "
    "that an exact cover search tries for each solution. Up to 6 a box is easy (10 levels, "
    "cuboids), from 100 on it is hard (47 levels, pieces that are all unlike), between them medium "
    "(20 levels, flat pieces)."
)
SOMA: Mapping[str, object] = {
    "format": "luban-level/1",
    "id": "packing-soma",
    "family": "packing",
    "name": "Soma cube",
    "tier": "hard",
    "budget": 30,
    "source": {"designer": "Piet Hein", "reference": "Soma cube, 1933", "seed": None},
    "puzzle": {
        "size": [3, 3, 3],
        "gravity": True,
        "open": ["+z"],
        "pieces": [
            {"colour": "red", "layers": ["##/#."]},
            {"colour": "blue", "layers": ["###/#.."]},
            {"colour": "green", "layers": ["###/.#."]},
            {"colour": "yellow", "layers": ["##./.##"]},
            {"colour": "cyan", "layers": ["##/#.", "../#."]},
            {"colour": "orange", "layers": ["##/#.", "#./.."]},
            {"colour": "pink", "layers": ["##/#.", ".#/.."]},
        ],
    },
}


def main() -> None:
    """Write every level and both suites."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=ROOT / "assets", help="folder of families")
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    began = time.monotonic()
    folder = options.out / "packing"
    folder.mkdir(parents=True, exist_ok=True)
    write(folder / "packing-soma.json", seal_document(SOMA))
    with ProcessPoolExecutor(options.workers) as pool:
        found = sorted(made(pool), key=lambda one: (one[1].score, one[1].key))
    ids = []
    for tier in Mode:
        of_tier = [one for one in found if one[0].mode is tier]
        for number, (generator, draft, attempt) in enumerate(of_tier, 1):
            level = level_of(generator, draft, attempt, number)
            write(folder / f"{level.id}.json", level_to_document(level))
            ids.append(level.id)
            print(f"{level.id}: {draft.title}, {draft.score} nodes a solution, {draft.facts}")
    suite = {"title": "77 boxes", "rule": RULE, "suites": [], "levels": ids}
    write_suite(options.out, "packing-77", suite)
    print(f"{len(ids)} levels in {time.monotonic() - began:.0f} s")


def made(pool: ProcessPoolExecutor) -> Iterator[tuple[PackingGenerator, Draft, int]]:
    """The drafts of all recipes, with their generators and the numbers of their attempts."""
    keys: set[str] = set()
    for recipe in RECIPES:
        generator = PackingGenerator(recipe.size, recipe.mode, SEED)
        left = recipe.count
        for number, attempt in enumerate(attempts(pool, generator)):
            if not left:
                break
            if (
                isinstance(attempt, Draft)
                and attempt.key not in keys
                and recipe.least <= attempt.score <= recipe.most
            ):
                keys.add(attempt.key)
                left -= 1
                yield generator, attempt, number


def attempts(pool: ProcessPoolExecutor, generator: PackingGenerator) -> Iterator[Attempt]:
    """All attempts in order, made ahead a few at a time."""
    first = 0
    while True:
        yield from pool.map(generator.attempt, range(first, first + _CHUNK))
        first += _CHUNK


def level_of(generator: PackingGenerator, draft: Draft, attempt: int, number: int) -> Level[object]:
    """The level made of a draft."""
    family = families()["packing"]
    level: Level[object] = Level(
        id=f"packing-{draft.tier}-{number:02}",
        family="packing",
        name=draft.title,
        tier=draft.tier,
        budget=draft.budget,
        puzzle=draft.puzzle,
        colours=draft.puzzle.colours,
        plan=draft.plan,
        source=Source(
            "luban", f"{generator.command}, attempt {attempt}", generator.seed, generator.name
        ),
        hash="",
        facts=draft.facts,
    )
    return replace(level, hash=content_hash(family, level.puzzle, level.budget))


def write_suite(root: Path, name: str, content: Mapping[str, object]) -> None:
    """Write a suite document."""
    (root / "suites").mkdir(exist_ok=True)
    document = {"format": "luban-suite/1", "name": name, **content}
    write(root / "suites" / f"{name}.json", document)


def write(path: Path, document: Mapping[str, object]) -> None:
    """Write a document, with a cell in one line."""
    text = json.dumps(document, indent=1, ensure_ascii=False)
    short = re.sub(r"\[\s+(-?\d+),\s+(-?\d+),\s+(-?\d+)\s+\]", r"[\1, \2, \3]", text)
    path.write_text(short + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
