"""Index of the levels that ship: what lists show of a level, known without decoding its document.

The file ``assets/index.json`` is one JSON object, written by ``python -m tools.index_levels``::

    {"format": "luban-index/1", "columns": {family: [[fact, heading, right, least]]},
     "levels": {"family/id": [file digest, name, tier, budget, pieces, plan, source, facts, hash]}}

``plan`` is ``[length, proof, lower bound]`` or null, ``source`` ``[designer, reference, seed,
generator]``. An entry holds for the very bytes of its file, whose SHA-256 is the file digest. A
level whose file differs, or that the index lacks, is decoded as always.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import astuple, dataclass
from functools import cache
from pathlib import Path
from typing import Any

from pysim import catalog
from pysim.catalog.documents import LevelError, read_bytes
from pysim.discovery import DiscoveryError, read_manifest_file
from pysim.puzzle import Fact, FactColumn, Level, Plan, Proof, Source, Tier

__all__ = [
    "INDEX_NAME",
    "LevelSummary",
    "PlanSummary",
    "compose_index",
    "find_level_summary",
    "list_fact_columns",
    "list_level_summaries",
    "summarize_level",
]

FORMAT = "luban-index/1"
INDEX_NAME = "index.json"


@dataclass(frozen=True, slots=True)
class PlanSummary:
    """Length and proof of a plan; see :class:`pysim.puzzle.Plan`."""

    length: int
    proof: Proof
    lower_bound: int

    def __len__(self) -> int:
        return self.length


@dataclass(frozen=True, slots=True)
class LevelSummary:
    """A level without its puzzle and the actions of its plan.

    Attributes:
        pieces: how many bodies have names.
        id, family, name, tier, budget, plan, source, hash, facts: see :class:`pysim.puzzle.Level`.
    """

    id: str
    family: str
    name: str
    tier: Tier
    budget: int
    pieces: int
    plan: PlanSummary | None
    source: Source
    facts: Mapping[str, Fact]
    hash: str


def summarize_level(level: Level[Any]) -> LevelSummary:
    """Return the summary of a level that is decoded."""
    return LevelSummary(
        level.id,
        level.family,
        level.name,
        level.tier,
        level.budget,
        len(level.colours),
        _summarize_plan(level.plan),
        level.source,
        level.facts,
        level.hash,
    )


def list_level_summaries(family: str = "") -> list[LevelSummary]:
    """Return the summaries of the levels that ship, by family and then by id.

    Args:
        family: the family whose levels are listed; empty for all.

    Raises:
        LevelError: a level that the index lacks can't be read, or two share an id.
    """
    paths, index = catalog.list_level_paths(family), _read_index(catalog.find_assets())
    found = [_summarize(path, index) for path in paths]
    catalog.check_unique(paths, [summary.id for summary in found])
    return sorted(found, key=lambda summary: (summary.family, summary.id))


def find_level_summary(level_id: str) -> LevelSummary:
    """Return the summary of the level that ships under an id.

    Raises:
        LevelError: as :func:`pysim.catalog.find_shipped_level`.
    """
    path = catalog.find_level_path(level_id)
    if path is None:
        return summarize_level(catalog.find_shipped_level(level_id))
    return _summarize(path, _read_index(catalog.find_assets()))


def list_fact_columns(family: str) -> tuple[FactColumn, ...]:
    """Return the facts that a family puts into tables of levels; see :class:`Family`."""
    known = _read_index(catalog.find_assets()).columns.get(family)
    return catalog.discover_families()[family].columns if known is None else known


def compose_index(assets: Path) -> str:
    """Return the text of the index of the levels in a folder, which are decoded one by one."""
    families = catalog.discover_families()
    names = [name for name, point in families.entry_points.items() if not point.owner]
    columns = {name: [astuple(one) for one in families[name].columns] for name in names}
    patterns = [
        f"{name}/{inside}*.json" for inside in ("", f"{catalog.UNLISTED}/") for name in names
    ]
    paths = (path for pattern in patterns for path in sorted(assets.glob(pattern)))
    return _format(columns, map(_index_file, paths))


def _format(columns: Mapping[str, object], entries: Iterable[tuple[str, object]]) -> str:
    """Return the index as text, one line for each level."""
    lines = (f" {json.dumps(key)}: {_compact(entry)}" for key, entry in entries)
    head = f'{{"format": "{FORMAT}",\n"columns": {_compact(columns)},\n"levels": {{\n'
    return head + ",\n".join(lines) + "\n}}\n"


def _compact(value: object) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def _index_file(path: Path) -> tuple[str, object]:
    one = summarize_level(catalog.read_shipped_level(path))
    plan = None if one.plan is None else astuple(one.plan)
    shown = (one.name, one.tier, one.budget, one.pieces, plan, astuple(one.source))
    return f"{one.family}/{one.id}", (_digest(path), *shown, dict(one.facts), one.hash)


def _summarize_plan(plan: Plan | None) -> PlanSummary | None:
    return None if plan is None else PlanSummary(len(plan), plan.proof, plan.lower_bound)


def _summarize(path: Path, index: "_Index") -> LevelSummary:
    """Return the summary of the level in a file that ships."""
    folder = path.parent
    family = folder.name if folder.name != catalog.UNLISTED else folder.parent.name
    entry = index.levels.get(f"{family}/{path.stem}")
    if entry is None or entry[0] != _digest(path):
        return summarize_level(catalog.read_shipped_level(path))
    _, name, tier, budget, pieces, plan, source, facts, content = entry
    return LevelSummary(
        path.stem,
        family,
        name,
        Tier(tier),
        budget,
        pieces,
        None if plan is None else PlanSummary(plan[0], Proof(plan[1]), plan[2]),
        Source(*source),
        facts,
        content,
    )


def _digest(path: Path) -> str:
    try:
        return hashlib.sha256(read_bytes(path)).hexdigest()
    except OSError as error:
        raise LevelError(f"{path}: {error.strerror}") from None


@dataclass(frozen=True, slots=True)
class _Index:
    """The index as it is read: columns by family, and entries by family and id."""

    columns: Mapping[str, tuple[FactColumn, ...]]
    levels: Mapping[str, Any]


@cache
def _read_index(assets: Path) -> _Index:
    """Return the index in a folder; an empty one if there is none.

    Raises:
        LevelError: it is damaged.
    """
    path = assets / INDEX_NAME
    if not path.is_file():
        return _Index({}, {})
    try:
        return read_manifest_file(path, _parse_index)
    except DiscoveryError as error:
        raise LevelError(str(error)) from None


def _parse_index(document: Any) -> _Index:
    if document["format"] != FORMAT:
        raise ValueError(f"this version reads {FORMAT}")
    columns = {
        family: tuple(FactColumn(*one) for one in shown)
        for family, shown in document["columns"].items()
    }
    return _Index(columns, dict(document["levels"]))
