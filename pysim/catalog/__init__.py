"""Families and levels: finding them, reading and writing them.

Other packages offer families as entry points, ``toy = toy_family:FAMILY`` in the group
``luban.families``. Their levels lie in ``assets/toy`` in that package.

A level document is one JSON object::

    {"format": "luban-level/1", "id", "family", "name", "tier", "budget",
     "puzzle": {...},
     "plan": {"proof", "lower_bound", "actions": [{"name", "arguments"}]} | null,
     "source": {"designer", "reference", "seed", "generator"}, "facts": {...}, "hash": "sha256:..."}

Levels in its folder ``unlisted`` are found by their ids and suites, and are not listed.

The hash covers what play depends on: family, puzzle and budget. It is checked whenever a document
is read. ``facts`` and the source's ``generator`` may be missing; a plan's ``lower_bound`` may be
if it is OPTIMAL, or nothing is known.
"""

import difflib
import hashlib
import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pysim.families
from pysim.catalog.documents import (
    LevelError,
    check_id,
    parse_document,
    read_budget,
    read_bytes,
    read_facts,
    read_mapping,
    read_plan,
    read_source,
    read_text,
    read_tier,
    write_plan,
)
from pysim.discovery import DiscoveryError, EntryPoints, discover
from pysim.errors import InputError
from pysim.limits import LEVEL_ID, MAX_LEVEL_ID, quote
from pysim.puzzle import Family, InvalidAction, Level

__all__ = [
    "FORMAT",
    "GROUP",
    "OWN_SUITE",
    "UNLISTED",
    "LevelError",
    "check_family",
    "check_id",
    "check_unique",
    "complete_document",
    "compute_content_hash",
    "decode_level",
    "discover_families",
    "encode_level",
    "find_assets",
    "find_family",
    "find_level",
    "find_level_path",
    "find_shipped_level",
    "has_level",
    "is_shipped",
    "list_asset_folders",
    "list_level_paths",
    "list_shipped_levels",
    "list_unlisted_levels",
    "parse_level",
    "read_level",
    "read_shipped_level",
    "scramble_level",
]

FORMAT = "luban-level/1"
OWN_SUITE = "luban-own-suite/1"
"""The format of suites of one's own; see :mod:`pysim.catalog.suite_files`."""
GROUP = "luban.families"
"""Entry points of this group are families."""

UNLISTED = "unlisted"
"""Folder of the levels of a family that serve a purpose of their own, such as a check."""

AnyFamily = Family[Any, Any]
AnyLevel = Level[Any]


@cache
def discover_families() -> EntryPoints[AnyFamily]:
    """Return every family that is installed, by name; those of other packages come last.

    Raises:
        DiscoveryError: two have the same name; or, when one is asked for, it can't be loaded.
    """
    return discover(
        GROUP, _as_family, package="pysim.families", module="family", attribute="FAMILY"
    )


def _as_family(name: str, offered: object) -> AnyFamily:
    if not isinstance(offered, Family):
        raise DiscoveryError(
            f"{discover_families().entry_points[name]} is no Family but a {type(offered).__name__}"
        )
    if offered.name != name:
        raise DiscoveryError(
            f"{discover_families().entry_points[name]} is offered as {name!r}, "
            f"but its name is {offered.name!r}"
        )
    return offered


def check_family(name: str, *, error: type[InputError] = InputError) -> None:
    """Refuse the name of a family that is not installed; none is loaded.

    Raises:
        InputError: there is no such family; ``error`` instead, if that is given.
    """
    if name not in discover_families():
        known = ", ".join(discover_families())
        raise error(f"there is no family {quote(name)}; there are {known}")


def find_family(level: AnyLevel) -> AnyFamily:
    """Return the family to which a level belongs."""
    return discover_families()[level.family]


def find_assets() -> Path:
    """Return the folder that holds one folder of levels per family.

    Inside the installed package, or beside it in a checkout.

    Raises:
        LevelError: it is missing.
    """
    package = Path(pysim.families.__file__).parent.parent
    for folder in (package / "assets", package.parent / "assets"):
        if folder.is_dir():
            return folder
    raise LevelError("the levels that ship with Luban are missing; install it again")


@cache
def list_asset_folders() -> Mapping[str, Path]:
    """The folder of levels of each family that has one: Luban's own, or one of its package."""
    places = {
        name: offer.find_folder("assets") if offer.owner else find_assets()
        for name, offer in discover_families().entry_points.items()
    }
    return {name: place / name for name, place in places.items() if place is not None}


def list_level_paths(family: str = "") -> list[Path]:
    """Return the level files that ship with Luban and with families of other packages, in order.

    Args:
        family: the family whose levels are listed; empty for all. No file is read.
    """
    folders = list_asset_folders()
    chosen = [folders[family]] if family in folders else [] if family else folders.values()
    return [path for folder in chosen for path in sorted(folder.glob("*.json"))]


@cache
def list_shipped_levels(family: str = "") -> tuple[AnyLevel, ...]:
    """Return the levels that ship, by family and then by id.

    Args:
        family: the family whose levels are read; empty for all.
    """
    paths = list_level_paths(family)
    shipped = [read_shipped_level(path) for path in paths]
    check_unique(paths, [level.id for level in shipped])
    return tuple(sorted(shipped, key=lambda level: (level.family, level.id)))


def check_unique(paths: Sequence[Path], ids: Sequence[str]) -> None:
    """Raise LevelError if two of the levels in some files have the same id."""
    counts = Counter(ids)
    twice = [str(path) for path, own in zip(paths, ids, strict=True) if counts[own] > 1]
    if twice:
        raise LevelError(f"levels share an id: {', '.join(twice)}")


def list_unlisted_levels(family: str) -> tuple[AnyLevel, ...]:
    """Return the levels of a family that ship for suites alone, which no list of levels has."""
    folder = list_asset_folders().get(family)
    paths = () if folder is None else sorted((folder / UNLISTED).glob("*.json"))
    return tuple(map(read_shipped_level, paths))


def find_level(name: str) -> AnyLevel:
    """Return the level with an id, or in the file, called ``name``.

    Raises:
        LevelError: there is none; the message names similar ids.
    """
    if name.endswith(".json"):
        return read_level(Path(name))
    return find_shipped_level(name)


def find_shipped_level(level_id: str) -> AnyLevel:
    """Return the level that ships, with Luban or with a family of another package, under an id.

    Raises:
        LevelError: there is none, and the message names similar ids; or there are two.
    """
    if len(level_id) > MAX_LEVEL_ID:
        check_id(level_id)
    if (shipped := _shipped_as(level_id)) is not None:
        return shipped
    # Files are called as their levels are, so none of them has to be read.
    known = sorted({path.stem for path in list_level_paths()})
    close = difflib.get_close_matches(level_id, known, n=3, cutoff=0.4)
    hint = f"did you mean {', '.join(close)}?" if close else "`luban levels` lists them"
    raise LevelError(f"there is no level {level_id!r}; {hint}")


def has_level(level_id: str) -> bool:
    """Return whether a level ships under an id, listed or not."""
    return _shipped_as(level_id) is not None


def is_shipped(level: AnyLevel) -> bool:
    """Return whether a level is one of those that ship, unchanged."""
    shipped = _shipped_as(level.id)
    return shipped is not None and shipped.hash == level.hash


def _shipped_as(level_id: str) -> AnyLevel | None:
    """Return the level that ships under an id; no other one is read."""
    path = find_level_path(level_id)
    return None if path is None else read_shipped_level(path)


def find_level_path(level_id: str) -> Path | None:
    """Return the file of the level that ships under an id, listed or not; None if there is none.

    Raises:
        LevelError: there are two.
    """
    if not LEVEL_ID.fullmatch(level_id):
        return None
    folders = [
        place for folder in list_asset_folders().values() for place in (folder, folder / UNLISTED)
    ]
    paths = [folder / f"{level_id}.json" for folder in folders]
    there = [path for path in paths if path.is_file()]
    if len(there) > 1:
        raise LevelError(f"levels share an id: {', '.join(map(str, there))}")
    return there[0] if there else None


def read_level(path: Path) -> AnyLevel:
    """Return the level in a file.

    Raises:
        LevelError: it can't be read, is not a level, or its hash does not match.
    """
    try:
        return parse_level(read_bytes(path))
    except OSError as error:
        raise LevelError(f"{path}: {error.strerror}") from None
    except ValueError as error:
        raise LevelError(f"{path}: {error}") from None


read_shipped_level = cache(read_level)
"""Return the level in a file that ships, which is read once."""


def parse_level(data: str | bytes) -> AnyLevel:
    """Return the level that a document describes, which is not yet read.

    Raises:
        LevelError: as :func:`decode_level`; or it is no JSON, or too long.
    """
    return decode_level(parse_document(data))


def decode_level(document: object) -> AnyLevel:
    """Return the level that a document describes.

    Raises:
        LevelError: something is missing, of the wrong type or impossible, or the hash differs.
    """
    level, said = _build(document)
    if not said:
        raise LevelError(
            f"{level.id} is an unsealed draft: `luban level seal` gives it its plan and hash"
        )
    if said != level.hash:
        raise LevelError(
            f"{level.id}: the content does not match its hash (it says {quote(said, 80)}, its "
            f"content gives {level.hash!r}); it was changed or damaged"
        )
    return level


def complete_document(document: object, family: AnyFamily | None = None) -> dict[str, object]:
    """Return a draft of a level, with its hash and, if it has none, the plan that is searched for.

    Args:
        document: a level document; ``hash`` is not read, and ``plan`` may be missing.
        family: that of the level, if it is not installed.

    Raises:
        LevelError: something is missing, of the wrong type or impossible.
    """
    level, _ = _build(document, family)
    if level.plan is None:
        family = family or find_family(level)
        level = replace(level, plan=family.rules.plan(level))
    return encode_level(level, family)


def scramble_level(level: AnyLevel, depth: int, draw: Callable[[int], int]) -> AnyLevel:
    """Return a level like another one, with a puzzle that is a number of random steps from solved.

    Args:
        draw: a whole number from 0 to below its argument.

    Returns:
        The level, with a hash of its own; it has no plan and no facts.

    Raises:
        InputError: the family can't scramble, or not so far.
    """
    family = find_family(level)
    if family.scramble is None:
        raise InputError(f"the family {family.name} can't scramble its levels")
    puzzle = family.scramble(level.puzzle, depth, draw)
    return replace(
        level,
        id=f"{level.id}-scrambled-{depth}",
        name=f"{family.name}, {depth} random steps from solved",
        puzzle=puzzle,
        plan=None,
        hash=compute_content_hash(family, puzzle, level.budget),
        facts={},
    )


def _build(document: object, family: AnyFamily | None = None) -> tuple[AnyLevel, object]:
    """Return the level of a document, with the hash of its content, and the hash that it says."""
    if not isinstance(document, Mapping):
        raise LevelError("a level is a JSON object")
    if document.get("format") == OWN_SUITE:
        raise LevelError(
            "this is a suite: `luban eval` takes it, and `luban import --levels FOLDER` writes its "
            "levels as files"
        )
    if document.get("format") != FORMAT:
        said = quote(document.get("format"))
        raise LevelError(f"its format is {said}; this version reads {FORMAT}")
    name = read_text(document, "family")
    if family is None:
        check_family(name, error=LevelError)
        family = discover_families()[name]
    level_id = check_id(read_text(document, "id"))
    budget = read_budget(document)
    puzzle_document = read_mapping(document, "puzzle")
    try:
        puzzle = family.read(puzzle_document)
        tier = read_tier(document)
        plan = read_plan(family, document.get("plan"))
    except (ValueError, InvalidAction) as error:
        raise LevelError(f"{level_id}: {error}") from None
    level = Level(
        id=level_id,
        family=family.name,
        name=read_text(document, "name"),
        tier=tier,
        budget=budget,
        puzzle=puzzle,
        colours=family.colours(puzzle),
        plan=plan,
        source=read_source(read_mapping(document, "source")),
        hash=compute_content_hash(family, puzzle, budget),
        facts=read_facts(document.get("facts")),
    )
    return level, document.get("hash")


def encode_level(level: AnyLevel, family: AnyFamily | None = None) -> dict[str, object]:
    """Return the document that :func:`decode_level` reads; ``family``: if it is not installed."""
    return {
        "format": FORMAT,
        "id": level.id,
        "family": level.family,
        "name": level.name,
        "tier": level.tier.value,
        "budget": level.budget,
        "source": {
            "designer": level.source.designer,
            "reference": level.source.reference,
            "seed": level.source.seed,
            "generator": level.source.generator,
        },
        "facts": dict(level.facts),
        "puzzle": (family or find_family(level)).write(level.puzzle),
        "plan": write_plan(level.plan),
        "hash": level.hash,
    }


def compute_content_hash(family: AnyFamily, puzzle: object, budget: int) -> str:
    """See :attr:`pysim.puzzle.Level.hash`."""
    content = {"family": family.name, "puzzle": family.write(puzzle), "budget": budget}
    text = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return "sha256:" + hashlib.sha256(text.encode()).hexdigest()
