"""Writes the packing levels and their suites: ``python tools/build_packing.py``.

``--check`` writes nothing and says which files differ from what would be written.

All of it follows from seeds: the same files come out, byte for byte, whatever the number of
workers. The tiers are told apart by measured difficulty, the rows that an exact cover search tries
for each solution (``nodes_per_solution``).
"""

import argparse
import json
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

from pysim.catalog import (
    complete_document,
    compute_content_hash,
    decode_level,
    discover_families,
    encode_level,
)
from pysim.families.packing.box import Packing
from pysim.families.packing.figures import measure_figures
from pysim.families.packing.generator.generate import PackingGenerator, make_facts
from pysim.families.packing.generator.sampling import Sampling
from pysim.generation import Draft, GenerationResult
from pysim.geometry import Cell
from pysim.puzzle import Level, Source
from pysim.render.palette import PALETTE
from pysim.scene import Colour
from pysim.suites import FORMAT
from tools.floor_facts import carried

ROOT = Path(__file__).resolve().parent.parent
SEED = 77
COLOURS = tuple(map(Colour, PALETTE))
_CHUNK = 8
"""Attempts that are made at a time; only those before the last one needed count."""


@dataclass(frozen=True)
class Recipe:
    """Some levels of one kind: how many, and from which to which difficulty."""

    sampling: Sampling
    size: Cell
    count: int
    least: int
    most: int


EASY, MEDIUM, HARD = (0, 6), (8, 80), (100, 10**9)
RECIPES = (
    Recipe(Sampling.EASY, (2, 2, 3), 2, *EASY),
    Recipe(Sampling.EASY, (2, 2, 4), 3, *EASY),
    Recipe(Sampling.EASY, (2, 2, 5), 2, *EASY),
    Recipe(Sampling.EASY, (2, 3, 4), 3, *EASY),
    Recipe(Sampling.MID, (2, 3, 3), 6, *MEDIUM),
    Recipe(Sampling.MID, (2, 3, 4), 7, *MEDIUM),
    Recipe(Sampling.MID, (3, 3, 3), 7, *MEDIUM),
    Recipe(Sampling.HARD, (3, 3, 3), 5, *HARD),
    Recipe(Sampling.HARD, (3, 3, 4), 30, *HARD),
    Recipe(Sampling.HARD, (3, 4, 4), 8, *HARD),
    Recipe(Sampling.HARD, (4, 4, 4), 4, *HARD),
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
    "tier": "medium",
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
    """Write or check every level and both suites."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=ROOT / "assets", help="folder of families")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    options = parser.parse_args()
    began = time.monotonic()
    differ = []
    for name, data in documents(options.workers):
        path: Path = options.out / name
        data = carried(path, data.decode()).encode()
        if options.check:
            differ += [] if path.exists() and path.read_bytes() == data else [name]
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    if differ:
        raise SystemExit(f"not as they would be written: {', '.join(differ)}")
    print(f"{time.monotonic() - began:.0f} s")


def documents(workers: int) -> Iterator[tuple[str, bytes]]:
    """Yield every file, by its name in the folder of families, with its content."""
    yield "packing/packing-soma.json", as_text(encode_level(soma()))
    with ProcessPoolExecutor(workers) as pool:
        found = sorted(made(pool), key=lambda one: (one[1].score, one[1].key))
    ids = []
    for sampling in Sampling:
        for number, one in enumerate((one for one in found if one[0].sampling is sampling), 1):
            level = level_of(*one, number)
            ids.append(level.id)
            print(f"{level.id}: {level.name}, {one[1].score} nodes per solution", flush=True)
            yield f"packing/{level.id}.json", as_text(encode_level(level))
    for suite in (
        suite_of("packing-77", "77 boxes", RULE, levels=ids),
        suite_of(
            "chain-109",
            "32 locks and 77 boxes",
            "The suites locks-32 and packing-77: as many levels of both kinds, and of each tier, "
            "as the benchmark CHAIN has.",
            suites=["locks-32", "packing-77"],
        ),
    ):
        yield f"suites/{suite['name']}.json", as_text(suite)


def soma() -> Level[Packing]:
    """Return the Soma cube, measured."""
    level: Level[Packing] = decode_level(complete_document(SOMA))
    figures = measure_figures(level.puzzle.size, [piece.shape for piece in level.puzzle.pieces])
    return replace(level, facts=make_facts(figures, level.puzzle))


def made(pool: ProcessPoolExecutor) -> Iterator[tuple[PackingGenerator, Draft, int]]:
    """Yield the drafts of all recipes, with their generators and the numbers of their attempts."""
    keys: set[str] = set()
    for recipe in RECIPES:
        generator = PackingGenerator(recipe.size, recipe.sampling, SEED, COLOURS)
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


def attempts(pool: ProcessPoolExecutor, generator: PackingGenerator) -> Iterator[GenerationResult]:
    """Yield all attempts in order, made ahead a few at a time."""
    first = 0
    while True:
        yield from pool.map(generator.attempt, range(first, first + _CHUNK))
        first += _CHUNK


def level_of(
    generator: PackingGenerator, draft: Draft, attempt: int, number: int
) -> Level[Packing]:
    """Return the level made of a draft."""
    family = discover_families()["packing"]
    level: Level[Packing] = Level(
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
    return replace(level, hash=compute_content_hash(family, level.puzzle, level.budget))


def suite_of(
    name: str, title: str, rule: str, suites: Sequence[str] = (), levels: Sequence[str] = ()
) -> dict[str, object]:
    """Return a suite document."""
    return {
        "format": FORMAT,
        "name": name,
        "title": title,
        "rule": rule,
        "suites": list(suites),
        "levels": list(levels),
    }


def as_text(document: Mapping[str, object]) -> bytes:
    """Return a document as JSON, with each cell in one line."""
    text = json.dumps(document, indent=1, ensure_ascii=False)
    short = re.sub(r"\[\s+(-?\d+),\s+(-?\d+),\s+(-?\d+)\s+\]", r"[\1, \2, \3]", text)
    return (short + "\n").encode()


if __name__ == "__main__":
    main()
