"""What the previous version left behind, and what it means that it still counts."""

import csv
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

__all__ = [
    "HERE",
    "assert_holds",
    "assert_report_holds",
    "assert_same_cells",
    "commands",
    "read_json",
    "snapshot",
    "unworded",
]

HERE = Path(__file__).parent

FOUND_ANEW = {"results.json", "results.csv", "tables.csv", ".lock", "preset.json"}


def read_json(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def commands(folder: str) -> dict[str, list[str]]:
    """The commands that made what is in a folder, by name."""
    found: dict[str, list[str]] = read_json(HERE / folder / "commands.json")
    return found


def assert_holds(now: Any, before: Any, place: str = "") -> None:
    """Every key that was there has an equal value; keys may have been added."""
    if isinstance(before, Mapping):
        assert isinstance(now, Mapping), place
        for name, value in before.items():
            assert name in now, f"{place}/{name} is gone"
            assert_holds(now[name], value, f"{place}/{name}")
    elif isinstance(before, list):
        assert isinstance(now, list), place
        assert len(now) == len(before), place
        for number, (one, other) in enumerate(zip(now, before, strict=True)):
            assert_holds(one, other, f"{place}/{number}")
    else:
        assert (now, type(now)) == (before, type(before)), place


def unworded(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return rows of a log or table without texts that each version may word anew.

    These are tasks, and refusals that list the actions that there are.
    """
    return [
        {
            name: value
            for name, value in row.items()
            if name != "task" and (name, row.get("reason")) != ("message", "UNKNOWN_ACTION")
        }
        for row in rows
    ]


def assert_report_holds(now: Path, before: Path) -> None:
    """A report's figures are there, equal; tables, and columns of tables, may have been added."""
    for part in ("report.csv", "report.json", "report.tables.csv"):
        assert (now / part).exists() == (before / part).exists()
    told, kept = read_json(now / "report.json"), read_json(before / "report.json")
    tables, earlier = _cells_of(told.pop("tables")), _cells_of(kept.pop("tables"))
    assert_holds(told, kept)
    assert_holds(tables, earlier)
    assert_same_cells(now / "report.csv", before / "report.csv")
    assert {tuple(row.items()) for row in _rows(before / "report.tables.csv")} <= {
        tuple(row.items()) for row in _rows(now / "report.tables.csv")
    }


def _cells_of(tables: list[dict[str, Any]]) -> dict[str, list[dict[str, str]]]:
    """By title each row, a cell for each column; the heads that come again are numbered."""
    return {
        table["title"]: [
            dict(zip(_numbered(table["head"]), row, strict=True)) for row in table["rows"]
        ]
        for table in tables
    }


def _numbered(heads: list[str]) -> list[str]:
    return [f"{head} {heads[:place].count(head)}" for place, head in enumerate(heads)]


def assert_same_cells(now: Path, before: Path) -> None:
    """Every column that was there has equal cells, line by line; columns may have been added."""
    assert_holds(_rows(now), _rows(before), now.name)


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def snapshot(run: Path) -> dict[str, tuple[bytes, int]]:
    """What was played, asked and chosen in a run; of logs of play, when they were written too.

    Figures are left out: they are found anew each time.
    """
    return {
        str(path.relative_to(run)): (path.read_bytes(), _written(path))
        for path in sorted(run.rglob("*"))
        if path.is_file() and path.name not in FOUND_ANEW
    }


def _written(path: Path) -> int:
    """Files that only grow may be touched; 0 for those."""
    return path.stat().st_mtime_ns if path.name == "episode.jsonl" else 0
