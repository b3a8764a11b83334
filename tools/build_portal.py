"""Writes the portal chambers that ship, and their suites: ``tools/build_portal.py``.

``portal-16`` are chains of mechanics that were chosen by hand, ``portal-100`` twenty of each
difficulty as the generator makes them. All of it follows from what stands here.
"""

import argparse
import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path

from bridge.benches.portal.mistakes import Mistake, choose
from bridge.benches.portal.sealed import CHAMBERS, mistakes_text
from bridge.generating import level_made
from pysim.catalog import level_to_document
from pysim.families.portal.making.generate import VARIANTS, ChamberGenerator, certified, needed
from pysim.generation import Draft
from pysim.puzzle import Level, Source
from pysim.suites import FORMAT, find_suite, levels_of

ROOT = Path(__file__).resolve().parent.parent
SEED, EACH = 18, 20
CHOSEN = (
    ("Two ways over", 1, "gates fling"),
    ("A heavy door", 1, "button gates"),
    ("Light around the corner", 2, "mirror bridge"),
    ("Falling forward", 2, "fling stair"),
    ("Carried away", 3, "beam button mirror"),
    ("Late for the door", 3, "gates timer"),
    ("Three rooms", 3, "gates button relay"),
    ("Stair and bridge", 3, "stair bridge fling"),
    ("Thrown and carried", 3, "pad beam button"),
    ("Second light", 3, "relay mirror gates"),
    ("Four rooms", 4, "fling button beam stair"),
    ("Against the clock", 4, "timer pad bridge mirror"),
    ("Round the back", 4, "gates stair relay fling button"),
    ("The long way", 4, "mirror beam gates pad button"),
    ("Seven rooms", 5, "button fling bridge mirror stair gates beam"),
    ("Nine rooms", 5, "gates mirror fling button relay beam stair bridge timer"),
)
"""Title, difficulty and chain."""


def main() -> None:
    """Write all files, or those of the questions alone."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--items", action="store_true", help="write the mistakes alone")
    if not parser.parse_args().items:
        _write(files())
    _write([(ROOT / "assets/portal/items/mistakes.json", mistakes_text(_mistakes()))])


def _write(found: Iterable[tuple[Path, str]]) -> None:
    for path, text in found:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        print(path.relative_to(ROOT), flush=True)


def files() -> Iterator[tuple[Path, str]]:
    """Every file and what stands in it."""
    chosen = []
    for number in range(len(CHOSEN)):
        level = _chosen(number)
        chosen.append(level.id)
        yield _path(level), _text(level_to_document(level))
    rule = "16 chambers whose chains of two to nine mechanics were chosen by hand."
    yield _suite("portal-16", "16 portal chambers", rule, chosen)
    made = []
    for difficulty in range(1, 6):
        for level in _generated(difficulty):
            made.append(level.id)
            yield _path(level), _text(level_to_document(level))
    rule = (
        "100 generated chambers, 20 of each difficulty: chains of one, two, three, five and seven "
        "mechanics of which none can be left out."
    )
    yield _suite("portal-100", "100 portal chambers", rule, made)


def _chosen(number: int) -> Level[object]:
    title, difficulty, names = CHOSEN[number]
    chain = [
        (name, next(v for v in _order(number + k) if needed(name, v) is not None))
        for k, name in enumerate(names.split())
    ]
    draft = certified(chain, difficulty)
    assert draft is not None, title
    generator = ChamberGenerator(difficulty, SEED)
    level = level_made(generator, draft, number)
    source = Source("luban", "tools/build_portal.py")
    return replace(level, id=f"portal-{number + 1:02}", name=title, source=source)


def _order(first: int) -> Iterator[int]:
    return ((first + k) % VARIANTS for k in range(VARIANTS))


def _generated(difficulty: int) -> Iterator[Level[object]]:
    generator = ChamberGenerator(difficulty, SEED)
    keys, number = set[str](), 0
    while len(keys) < EACH:
        draft = generator.attempt(number)
        if isinstance(draft, Draft) and draft.key not in keys:
            keys.add(draft.key)
            level = level_made(generator, draft, number)
            yield replace(level, id=f"portal-d{difficulty}-{len(keys):02}")
        number += 1


def _mistakes() -> dict[str, tuple[str, tuple[Mistake, ...]]]:
    """Of each chamber that is asked about the first five that hold."""
    found = {}
    for level in levels_of(find_suite(CHAMBERS)):
        assert level.plan is not None
        drawn = (choose(level.puzzle, level.plan.actions, seed) for seed in count())
        found[level.id] = level.hash, next(m for m in drawn if m is not None)
        print(level.id, flush=True)
    return found


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
