"""Families and levels: finding them, reading and writing them.

Other packages offer families as entry points, ``toy = toy_family:FAMILY`` in the group
``luban.families``. Their levels lie in ``assets/toy`` in that package.

A level document is one JSON object::

    {"format": "luban-level/1", "id", "family", "name", "tier", "budget",
     "puzzle": {...},
     "plan": {"proof", "lower_bound", "actions": [{"name", "arguments"}]} | null,
     "source": {"designer", "reference", "seed", "generator"}, "facts": {...}, "hash": "sha256:..."}

The hash covers what play depends on: family, puzzle and budget. It is checked whenever a document
is read. ``facts`` and the source's ``generator`` may be missing; a plan's ``lower_bound`` may be
if it is OPTIMAL, or nothing is known.
"""

import difflib
import hashlib
import json
import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pysim.families
from pysim.discovery import DiscoveryError, Offers, found
from pysim.errors import InputError
from pysim.fields import arguments_of, build_action
from pysim.puzzle import Action, Fact, Family, InvalidAction, Level, Plan, Proof, Source, Tier

__all__ = [
    "FORMAT",
    "GROUP",
    "LevelError",
    "asset_folders",
    "assets_root",
    "check_id",
    "content_hash",
    "families",
    "family_of",
    "find_level",
    "find_shipped_level",
    "level_from_document",
    "level_paths",
    "level_to_document",
    "levels",
    "read_level",
    "scrambled_level",
    "seal_document",
]

FORMAT = "luban-level/1"
GROUP = "luban.families"
"""Entry points of this group are families."""
MAX_BYTES = 16 * 2**20  # A level file larger than this is refused.
MAX_BUDGET = 10_000
_ID = r"[a-z0-9][a-z0-9-]{0,79}"

AnyFamily = Family[Any, Any]
AnyLevel = Level[Any]


class LevelError(InputError):
    """A level can't be found or read; the message says which and why."""


@cache
def families() -> Offers[AnyFamily]:
    """Every family that is installed, by name; those of other packages come last.

    Raises:
        DiscoveryError: two have the same name; or, when one is asked for, it can't be loaded.
    """
    return found(GROUP, _as_family, package="pysim.families", attribute="FAMILY")


def _as_family(name: str, offered: object) -> AnyFamily:
    if not isinstance(offered, Family):
        raise DiscoveryError(
            f"{families().offers[name]} is no Family but a {type(offered).__name__}"
        )
    if offered.name != name:
        raise DiscoveryError(
            f"{families().offers[name]} is offered as {name!r}, but its name is {offered.name!r}"
        )
    return offered


def family_of(level: AnyLevel) -> AnyFamily:
    """The family to which a level belongs."""
    return families()[level.family]


def assets_root() -> Path:
    """The folder that holds one folder of levels per family.

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
def asset_folders() -> Mapping[str, Path]:
    """The folder of levels of each family that has one: Luban's own, or one of its package."""
    places = {
        name: offer.folder("assets") if offer.owner else assets_root()
        for name, offer in families().offers.items()
    }
    return {name: place / name for name, place in places.items() if place is not None}


def level_paths() -> list[Path]:
    """The level files that ship with Luban and with families of other packages, in order."""
    return [path for folder in asset_folders().values() for path in sorted(folder.glob("*.json"))]


@cache
def levels() -> tuple[AnyLevel, ...]:
    """The levels that ship, by family and then by id."""
    paths = level_paths()
    shipped = [_shipped_level(path) for path in paths]
    counts = Counter(level.id for level in shipped)
    twice = [str(p) for p, v in zip(paths, shipped, strict=True) if counts[v.id] > 1]
    if twice:
        raise LevelError(f"levels share an id: {', '.join(twice)}")
    return tuple(sorted(shipped, key=lambda level: (level.family, level.id)))


def find_level(name: str) -> AnyLevel:
    """The level with an id, or in the file, called ``name``.

    Raises:
        LevelError: there is none; the message names similar ids.
    """
    if name.endswith(".json"):
        return read_level(Path(name))
    return find_shipped_level(name)


def find_shipped_level(level_id: str) -> AnyLevel:
    """The level that ships, with Luban or with a family of another package, under an id.

    Raises:
        LevelError: there is none, and the message names similar ids; or there are two.
    """
    if re.fullmatch(_ID, level_id):
        paths = [folder / f"{level_id}.json" for folder in asset_folders().values()]
        there = [path for path in paths if path.is_file()]
        if len(there) > 1:
            raise LevelError(f"levels share an id: {', '.join(map(str, there))}")
        if there:
            return _shipped_level(there[0])
    close = difflib.get_close_matches(level_id, [level.id for level in levels()], n=3, cutoff=0.4)
    hint = f"did you mean {', '.join(close)}?" if close else "`luban levels` lists them"
    raise LevelError(f"there is no level {level_id[:80]!r}; {hint}")


def read_level(path: Path) -> AnyLevel:
    """The level in a file.

    Raises:
        LevelError: it can't be read, is not a level, or its hash does not match.
    """
    try:
        if path.stat().st_size > MAX_BYTES:
            raise LevelError(f"{path}: a level file has at most {MAX_BYTES:,} bytes")
        document = json.loads(path.read_bytes())
    except OSError as error:
        raise LevelError(f"{path}: {error.strerror}") from None
    except LevelError:
        raise
    except (ValueError, RecursionError) as error:
        raise LevelError(f"{path}: this is not JSON ({error})") from None
    try:
        return level_from_document(document)
    except LevelError as error:
        raise LevelError(f"{path}: {error}") from None


_shipped_level = cache(read_level)


def level_from_document(document: object) -> AnyLevel:
    """The level that a document describes.

    Raises:
        LevelError: something is missing, of the wrong type or impossible, or the hash differs.
    """
    level, said = _build(document)
    if said != level.hash:
        raise LevelError(
            f"{level.id}: the content does not match its hash (it says {said!r}, its content "
            f"gives {level.hash!r}); it was changed or damaged"
        )
    return level


def seal_document(document: object, family: AnyFamily | None = None) -> dict[str, object]:
    """A draft of a level, with its hash and, if it has none, the plan that is searched for.

    Args:
        document: a level document; ``hash`` is not read, and ``plan`` may be missing.
        family: that of the level, if it is not installed.

    Raises:
        LevelError: something is missing, of the wrong type or impossible.
    """
    level, _ = _build(document, family)
    if level.plan is None:
        family = family or family_of(level)
        level = replace(level, plan=family.rules.plan(level))
    return level_to_document(level, family)


def scrambled_level(level: AnyLevel, depth: int, draw: Callable[[int], int]) -> AnyLevel:
    """A level like another one, with a puzzle that is a number of random steps from solved.

    Args:
        draw: a whole number from 0 to below its argument.

    Returns:
        The level, with a hash of its own; it has no plan and no facts.

    Raises:
        InputError: the family can't scramble, or not so far.
    """
    family = family_of(level)
    if family.scramble is None:
        raise InputError(f"the family {family.name} can't scramble its levels")
    puzzle = family.scramble(level.puzzle, depth, draw)
    return replace(
        level,
        id=f"{level.id}-scrambled-{depth}",
        name=f"{family.name}, {depth} random steps from solved",
        puzzle=puzzle,
        plan=None,
        hash=content_hash(family, puzzle, level.budget),
        facts={},
    )


def check_id(level_id: str) -> str:
    """``level_id``, if a level can be called so.

    Raises:
        LevelError: it can't.
    """
    if not re.fullmatch(_ID, level_id):
        raise LevelError(f"an id is made of a-z, 0-9 and -, unlike {level_id!r}")
    return level_id


def _build(document: object, family: AnyFamily | None = None) -> tuple[AnyLevel, object]:
    """The level of a document, with the hash of its content, and the hash that it says."""
    if not isinstance(document, Mapping):
        raise LevelError("a level is a JSON object")
    if document.get("format") != FORMAT:
        raise LevelError(f"its format is {document.get('format')!r}; this version reads {FORMAT}")
    family = family or families().get(_text(document, "family"))
    if family is None:
        raise LevelError(
            f"there is no family {document.get('family')!r}; known are {', '.join(families())}"
        )
    level_id = check_id(_text(document, "id"))
    budget = _budget(document)
    puzzle_document = _mapping(document, "puzzle")
    try:
        puzzle = family.read(puzzle_document)
        tier = Tier(_text(document, "tier"))
        plan = _read_plan(family, document.get("plan"))
    except (ValueError, InvalidAction) as error:
        raise LevelError(f"{level_id}: {error}") from None
    level = Level(
        id=level_id,
        family=family.name,
        name=_text(document, "name"),
        tier=tier,
        budget=budget,
        puzzle=puzzle,
        colours=family.colours(puzzle),
        plan=plan,
        source=_read_source(_mapping(document, "source")),
        hash=content_hash(family, puzzle, budget),
        facts=_read_facts(document.get("facts")),
    )
    return level, document.get("hash")


def level_to_document(level: AnyLevel, family: AnyFamily | None = None) -> dict[str, object]:
    """The document that :func:`level_from_document` reads; ``family``: if it is not installed."""
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
        "puzzle": (family or family_of(level)).write(level.puzzle),
        "plan": _write_plan(level.plan),
        "hash": level.hash,
    }


def content_hash(family: AnyFamily, puzzle: object, budget: int) -> str:
    """See :attr:`pysim.puzzle.Level.hash`."""
    content = {"family": family.name, "puzzle": family.write(puzzle), "budget": budget}
    text = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return "sha256:" + hashlib.sha256(text.encode()).hexdigest()


def _budget(document: Mapping[str, object]) -> int:
    budget = document.get("budget")
    if isinstance(budget, bool) or not isinstance(budget, int) or not 1 <= budget <= MAX_BUDGET:
        raise LevelError(f"a budget is a whole number from 1 to {MAX_BUDGET}, not {budget!r}")
    return budget


def _read_plan(family: AnyFamily, document: object) -> Plan | None:
    if document is None:
        return None
    if not isinstance(document, Mapping) or not isinstance(document.get("actions"), list):
        raise LevelError("a plan has a proof and a list of actions")
    actions = tuple(_read_action(family, action) for action in document["actions"])
    proof = Proof(str(document.get("proof")))
    bound = document.get("lower_bound", len(actions) if proof is Proof.OPTIMAL else 0)
    if isinstance(bound, bool) or not isinstance(bound, int) or not 0 <= bound <= len(actions):
        raise LevelError(f"a plan's lower bound is from 0 to its length, not {bound!r}")
    if proof is Proof.OPTIMAL and bound != len(actions):
        raise LevelError(f"an optimal plan of {len(actions)} can't have the lower bound {bound}")
    return Plan(actions, proof, bound)


def _read_action(family: AnyFamily, document: object) -> Action:
    if not isinstance(document, Mapping) or not isinstance(document.get("arguments"), Mapping):
        raise LevelError("an action of a plan has a name and arguments")
    for action_type in family.actions:
        if action_type.tool == document.get("name"):
            return build_action(action_type, document["arguments"])
    raise LevelError(f"a plan uses {document.get('name')!r}, which {family.name} does not have")


def _write_plan(plan: Plan | None) -> dict[str, object] | None:
    if plan is None:
        return None
    actions = [{"name": a.tool, "arguments": arguments_of(a)} for a in plan.actions]
    return {"proof": plan.proof.value, "lower_bound": plan.lower_bound, "actions": actions}


def _read_source(document: Mapping[str, object]) -> Source:
    seed = document.get("seed")
    if seed is not None and (isinstance(seed, bool) or not isinstance(seed, int)):
        raise LevelError(f"a seed is a whole number, not {seed!r}")
    generator = document.get("generator", "")
    if not isinstance(generator, str):
        raise LevelError(f"a generator is text, not {generator!r}")
    return Source(_text(document, "designer"), _text(document, "reference"), seed, generator)


def _read_facts(document: object) -> dict[str, Fact]:
    if document is None:
        return {}
    if not isinstance(document, Mapping):
        raise LevelError("facts are an object")
    for name, value in document.items():
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if not (is_number or isinstance(value, str)):
            raise LevelError(f"the fact {name!r} is a number or text, not {value!r}")
    return dict(document)


def _text(document: Mapping[str, object], key: str) -> str:
    value = document.get(key)
    if not isinstance(value, str) or not value:
        raise LevelError(f"{key!r} is missing or no text")
    return value


def _mapping(document: Mapping[str, object], key: str) -> Mapping[str, object]:
    value = document.get(key)
    if not isinstance(value, Mapping):
        raise LevelError(f"{key!r} is missing or no object")
    return value
