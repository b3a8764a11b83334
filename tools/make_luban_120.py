"""Make the suite luban-120: ``python -m tools.make_luban_120 --work FOLDER [--workers N]``.

Its levels are drawn from the ladders that families offer, and written to ``assets`` with the
suite's document. ``--work`` keeps what is finished: the same command resumes. The same levels come
out whatever the number of workers. Locks of the tiers hard and expert that ship are of version 1 of
their generator, and come out otherwise today.
"""

import argparse
import json
import re
from pathlib import Path

from bridge.generating.ladder import LadderDraw, list_steps
from bridge.generating.suites import draw_suite
from pysim.catalog import AnyLevel, encode_level
from pysim.suites import FORMAT
from tools.floor_facts import carried

ROOT = Path(__file__).resolve().parent.parent
NAME = "luban-120"
FAMILIES = ("burr", "jigsaw", "nets", "packing", "portal", "rubik")
DRAW = LadderDraw("l120", NAME.encode(), 100)
RULE = (
    "Twenty levels of each of six families, five in each of four tiers, drawn from the ladders of "
    "the families' generators with a fixed seed. The tiers of a family part by the length of the "
    "plan. An agent has two steps for each action of the plan. A level is taken if the first legal "
    "actions don't solve it, and random legal actions in no more than 3 of 100 attempts."
)


def main() -> None:
    """Draw what is missing, and write everything."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=Path, required=True, help="folder of what is finished")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--out", type=Path, default=ROOT / "assets", help="folder of families")
    given = parser.parse_args()
    levels = draw_suite(
        DRAW,
        list_steps(FAMILIES),
        given.work,
        workers=given.workers,
        tell=lambda done, total: print(f"{done} of {total}", flush=True),
    )
    for level in levels:
        write_document(given.out / level.family / f"{level.id}.json", encode_level(level))
    write_document(given.out / "suites" / f"{NAME}.json", suite_document(levels))


def suite_document(levels: tuple[AnyLevel, ...]) -> dict[str, object]:
    """Return the suite's document."""
    return {
        "format": FORMAT,
        "name": NAME,
        "title": "120 levels of six families in four tiers",
        "rule": RULE,
        "suites": [],
        "levels": [level.id for level in levels],
    }


def write_document(path: Path, document: dict[str, object]) -> None:
    """Write a level or a suite, with the measured facts that its file has."""
    text = json.dumps(document, indent=1, ensure_ascii=False)
    short = re.sub(r"\[\s+(-?\d+),\s+(-?\d+),\s+(-?\d+)\s+\]", r"[\1, \2, \3]", text)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(carried(path, short + "\n"), encoding="utf-8")


if __name__ == "__main__":
    main()
