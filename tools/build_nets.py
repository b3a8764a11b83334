"""Writes the levels with nets, their suite, and EucliFold's item files: ``tools/build_nets.py``.

``--check`` writes nothing and says which files differ from what would be written. All of it follows
from seeds.
"""

import argparse
import json
import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from bridge.benches.euclifold.sealing import make_sealed_file
from bridge.generating import make_level
from pysim.catalog import encode_level
from pysim.families.nets.generate import NetGenerator
from pysim.families.nets.shapes import list_net_shapes
from pysim.generation import Draft
from pysim.puzzle import Tier
from pysim.suites import FORMAT
from tools.floor_facts import carried

ROOT = Path(__file__).resolve().parent.parent
SEED = 33
ITEM_SEEDS = (0, 1, 2)
NAME = "nets-33"
RULE = (
    "33 levels with nets of cubes, one of each tier for each of the 11 shapes: easy ones take five "
    "folds and at most one turn, medium ones two turns, hard ones show two nets of unlike shapes "
    "that make the same cube, which takes ten folds and two turns."
)


def files() -> Iterator[tuple[Path, str]]:
    """Yield every file and what stands in it."""
    yield from level_files()
    for seed in ITEM_SEEDS:
        path = ROOT / "assets/nets/items" / f"euclifold-seed-{seed}.json"
        yield path, _text(make_sealed_file(seed))


def level_files() -> Iterator[tuple[Path, str]]:
    """List the files of the levels and of their suite: (path, text)."""
    names = []
    for tier in (Tier.EASY, Tier.MEDIUM, Tier.HARD):
        for number in range(len(list_net_shapes())):
            document = _level(tier, number)
            names.append(str(document["id"]))
            yield ROOT / "assets/nets" / f"{names[-1]}.json", _text(document)
    suite = {
        "format": FORMAT,
        "name": NAME,
        "title": "33 nets of cubes",
        "rule": RULE,
        "suites": [],
        "levels": names,
    }
    yield ROOT / "assets/suites" / f"{NAME}.json", _text(suite)


def _level(tier: Tier, number: int) -> dict[str, object]:
    generator = NetGenerator(tier, SEED)
    draft = generator.attempt(number)
    assert isinstance(draft, Draft)
    level = make_level(generator, draft, number)
    return encode_level(replace(level, id=f"nets-{tier}-{number + 1:02}"))


def _text(document: object) -> str:
    text = json.dumps(document, indent=1, ensure_ascii=False) + "\n"
    return re.sub(r"\[\s+(\d+),\s+(\d+)\s+\]", r"[\1, \2]", text)  # Squares on one line.


def main() -> None:
    """Write or check."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing, say what differs")
    check = parser.parse_args().check
    wrong = []
    for path, bare in files():
        text = carried(path, bare)
        if check and (not path.exists() or path.read_text(encoding="utf-8") != text):
            wrong.append(str(path.relative_to(ROOT)))
        elif not check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    if wrong:
        sys.exit(f"these differ: {', '.join(wrong)}")


if __name__ == "__main__":
    main()
