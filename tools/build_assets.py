"""Writes the lock levels that are made by code, ``assets/burr``: ``python tools/build_assets.py``.

``--check`` writes nothing and says which files differ from what would be written; names of levels
on the command line restrict it to these.
"""

import argparse
import json
from collections.abc import Iterator
from pathlib import Path

from pysim.catalog import encode_level
from pysim.families.burr.lock import Lock
from pysim.puzzle import Level
from tools.floor_facts import carried
from tools.locks.built import BURRS, JOINTS, burr_draft, joint_draft
from tools.locks.drafts import Draft, finished
from tools.locks.generated import GENERATED, generated_level
from tools.locks.known import DESIGNS, drafts_of
from tools.locks.ladder import LADDER

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "assets" / "burr"


def main() -> None:
    """Write or check every level, or those that are named."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("ids", nargs="*", metavar="ID", help="only these levels")
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    options = parser.parse_args()
    missing, differ = set(options.ids), []
    for level in _levels(options.ids):
        missing.discard(level.id)
        if not _done(FOLDER / f"{level.id}.json", level, check=options.check):
            differ.append(level.id)
    if missing:
        raise SystemExit(f"no such levels are made here: {', '.join(sorted(missing))}")
    if differ:
        raise SystemExit(f"not as they would be written: {', '.join(differ)}")


def _levels(ids: list[str]) -> Iterator[Level[Lock]]:
    """Yield the levels with these ids, or all."""
    yield from map(finished, _drafts(ids))
    for made in (*GENERATED, *LADDER):
        if not ids or f"burr-{made.id}" in ids:
            yield generated_level(made)


def _drafts(ids: list[str]) -> Iterator[Draft]:
    """Yield the drafts with these ids, or all; only what is asked for is built."""
    for design in DESIGNS:
        if not ids or any(i.startswith(f"burr-{design.id}") for i in ids):
            yield from (draft for draft in drafts_of(design) if not ids or draft.id in ids)
    for joint in JOINTS:
        if not ids or f"burr-{joint.id}" in ids:
            yield joint_draft(joint)
    for burr in BURRS:
        if not ids or f"burr-{burr.id}" in ids:
            yield burr_draft(burr)


def _done(path: Path, level: Level[Lock], *, check: bool) -> bool:
    """Write a level, or say whether its file is as it would be written."""
    text = json.dumps(encode_level(level), indent=1, ensure_ascii=False) + "\n"
    text = carried(path, text)
    print(f"{level.id}: {level.tier} {dict(level.facts)} budget {level.budget}", flush=True)
    if check:
        return path.exists() and path.read_text(encoding="utf-8") == text
    path.write_text(text, encoding="utf-8")
    return True


if __name__ == "__main__":
    main()
