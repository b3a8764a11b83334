"""Writes the portal chambers that ship, and their suites: ``tools/build_portal.py``.

``portal-16`` are the rooms of ``tools/portal_rooms.py``, alone and one after another,
``portal-100`` twenty of each difficulty as the generator makes them.
"""

import argparse
import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import count, islice, zip_longest
from pathlib import Path

from bridge.benches.portal.frozen_items import (
    CHAMBERS,
    GENERATED,
    format_mistake_sets,
    format_mistakes,
    interleave_difficulties,
)
from bridge.benches.portal.mistakes import COUNT, Mistake, choose, is_filled_one_way
from bridge.benches.portal.options import ITEMS
from bridge.generating import make_level
from pysim.catalog import AnyLevel, encode_level
from pysim.families.portal.chamber import Chamber
from pysim.families.portal.generator.building import build, build_parts
from pysim.families.portal.generator.generate import (
    ChamberGenerator,
    add_bounds,
    count_fewest,
    make_draft,
)
from pysim.families.portal.planner import plan_in_stages, prove_plan
from pysim.generation import Draft
from pysim.puzzle import Action, Level, Plan, Proof, Source
from pysim.suites import FORMAT, find_suite, load_levels
from tools.floor_facts import carried
from tools.portal_rooms import COLUMNS, ROOMS

ROOT = Path(__file__).resolve().parent.parent
SEED, EACH = 18, 20
MOST_SETS, DRAWS = 9, 400
"""Sets of mistakes of a generated chamber, and draws to find them."""
MOST = 100_000
"""States for the proof that a plan is a shortest one."""
CHOSEN = (
    ("There and back", 1, "back"),
    ("The stair is the weight", 1, "stair"),
    ("Stolen light", 2, "light"),
    ("One box, two doors", 2, "one"),
    ("Catapult", 3, "fling"),
    ("Load over the bridge", 3, "load"),
    ("Twice over", 3, "one back"),
    ("Light and weight", 3, "light stair"),
    ("Lift", 3, "lift"),
    ("Late", 4, "late"),
    ("Three of a kind", 5, "back one light"),
    ("Boxes everywhere", 5, "stair back one"),
    ("Around the house", 5, "one light back stair"),
    ("Up and over", 5, "load fling lift"),
    ("Against the clock", 5, "late load stair fling"),
    ("The long way out", 5, "back one fling light stair load"),
)
"""Title, difficulty and the drawn rooms, one after another."""


def main() -> None:
    """Write all files, or some kinds of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kinds", nargs="*", help=f"some of {', '.join(KINDS)}; none: all")
    for kind in parser.parse_args().kinds or KINDS:
        _write(KINDS[kind]())


def _write(found: Iterable[tuple[Path, str]]) -> None:
    for path, text in found:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(carried(path, text), encoding="utf-8")
        print(path.relative_to(ROOT), flush=True)


def drawn_files() -> Iterator[tuple[Path, str]]:
    """Yield the chambers that were drawn, and their suite: each file, and what stands in it."""
    chosen = []
    for number in range(len(CHOSEN)):
        level = _chosen(number)
        chosen.append(level.id)
        yield _path(level), _text(encode_level(level))
    rule = "16 chambers that were drawn by hand: eight rooms, and chains of two to six of them."
    yield _suite("portal-16", "16 portal chambers", rule, chosen)


def made_files() -> Iterator[tuple[Path, str]]:
    """Yield the chambers that were generated, and their suite."""
    made = []
    for difficulty in range(1, 6):
        for level in _generated(difficulty):
            made.append(level.id)
            yield _path(level), _text(encode_level(level))
    rule = (
        "100 generated chambers, 20 of each difficulty: chains of one, two, three, five and seven "
        "mechanics of which none can be left out."
    )
    yield _suite("portal-100", "100 portal chambers", rule, made)


def mistakes_files() -> Iterator[tuple[Path, str]]:
    """Yield the mistakes in the plans of those that were drawn."""
    yield ROOT / "assets/portal/items/mistakes.json", format_mistakes(_mistakes())


def sets_files() -> Iterator[tuple[Path, str]]:
    """Give several sets of mistakes in the plans of generated chambers, ``ITEMS`` in all."""
    yield ROOT / "assets/portal/items/mistakes-100.json", format_mistake_sets(_sets())


KINDS = {
    "drawn": drawn_files,
    "made": made_files,
    "mistakes": mistakes_files,
    "sets": sets_files,
}
"""What is written, in this order."""


def _chosen(number: int) -> Level[object]:
    title, difficulty, names = CHOSEN[number]
    modules = [ROOMS[name]() for name in names.split()]
    built = build(modules, COLUMNS)
    short = build(modules[:1], COLUMNS).chamber
    found = prove_plan(short, _plan(short), MOST) if len(modules) == 1 else None
    if found is None:
        least = [count_fewest(part) for part in build_parts(modules, COLUMNS)]
        found = add_bounds(Plan(_plan(built.chamber), Proof.UPPER_BOUND, 1), least)
    draft = make_draft(built, found, title, difficulty, [module.name for module in modules])
    level = make_level(ChamberGenerator(difficulty, SEED), draft, number)
    source = Source("luban", "tools/portal_rooms.py")
    return replace(level, id=f"portal-{number + 1:02}", name=title, source=source)


def _plan(chamber: Chamber) -> tuple[Action, ...]:
    found = plan_in_stages(chamber, every=True)
    assert found is not None
    return found


def _generated(difficulty: int) -> Iterator[Level[object]]:
    generator = ChamberGenerator(difficulty, SEED)
    keys, number = set[str](), 0
    while len(keys) < EACH:
        draft = generator.attempt(number)
        if isinstance(draft, Draft) and draft.key not in keys:
            keys.add(draft.key)
            level = make_level(generator, draft, number)
            yield replace(level, id=f"portal-d{difficulty}-{len(keys):02}")
        number += 1


def _mistakes() -> dict[str, tuple[str, tuple[Mistake, ...]]]:
    """Of each chamber that is asked about the first five that hold."""
    found = {}
    for level in load_levels(find_suite(CHAMBERS)):
        assert level.plan is not None
        drawn = (choose(level.puzzle, level.plan.actions, seed) for seed in count())
        found[level.id] = level.hash, next(m for m in drawn if m is not None)
        print(level.id, flush=True)
    return found


def _sets() -> dict[str, tuple[str, list[tuple[Mistake, ...]]]]:
    """Return sets of mistakes in different steps, as many of each chamber as there is room for."""
    levels = interleave_difficulties(load_levels(find_suite(GENERATED)))
    drawn = [islice(_unlike_sets(level), MOST_SETS) for level in levels]
    found: dict[str, tuple[str, list[tuple[Mistake, ...]]]] = {}
    turns = zip_longest(*drawn)
    pairs = ((level, one) for turn in turns for level, one in zip(levels, turn, strict=True) if one)
    for level, mistakes in islice(pairs, ITEMS):
        found.setdefault(level.id, (level.hash, []))[1].append(mistakes)
    return found


def _unlike_sets(level: AnyLevel) -> Iterator[tuple[Mistake, ...]]:
    """Give the sets of mistakes that hold, each in other steps of the plan."""
    assert level.plan is not None
    known = set()
    for seed in range(DRAWS if len(level.plan.actions) >= COUNT else 0):
        mistakes = choose(level.puzzle, level.plan.actions, seed)
        steps = frozenset(m.step for m in mistakes or ())
        if mistakes is None or steps in known:
            continue
        if is_filled_one_way(level.puzzle, level.plan.actions, mistakes):
            known.add(steps)
            yield mistakes


def _path(level: Level[object]) -> Path:
    return ROOT / "assets/portal" / f"{level.id}.json"


def _suite(name: str, title: str, rule: str, ids: list[str]) -> tuple[Path, str]:
    document = {
        "format": FORMAT,
        "name": name,
        "title": title,
        "rule": rule,
        "suites": [],
        "levels": ids,
    }
    return ROOT / "assets/suites" / f"{name}.json", _text(document)


def _text(document: object) -> str:
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    main()
