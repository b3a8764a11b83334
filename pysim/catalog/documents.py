"""Level documents besides a family's own puzzle: taken out field by field, or refused.

No field is longer than :mod:`pysim.limits` says, and no message quotes more than a little of one.
"""

import json
import math
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NoReturn

from pysim.errors import InputError
from pysim.field_types import build_action, encode_arguments
from pysim.limits import (
    LEVEL_ID,
    MAX_ACTION_NAME,
    MAX_FACTS,
    MAX_LEVEL_BYTES,
    MAX_LEVEL_ID,
    MAX_TITLE,
    quote,
)
from pysim.options import check_whole, is_whole
from pysim.puzzle import Action, Fact, Family, Plan, Proof, Source, Tier
from pysim.untrusted import FileKind, FileRefused, read_untrusted

__all__ = [
    "MAX_BUDGET",
    "LevelError",
    "check_id",
    "parse_document",
    "read_budget",
    "read_bytes",
    "read_facts",
    "read_mapping",
    "read_plan",
    "read_source",
    "read_text",
    "read_tier",
    "write_plan",
]

LEVEL_FILE = FileKind("a level file", MAX_LEVEL_BYTES)
MAX_BUDGET = 10_000
"""Steps of a level's budget, and actions of its plan."""
_LONGEST_SEED = 2**256
_A_TEXT = f"a text of at most {MAX_TITLE:,} characters"
_HALF = re.compile("[\ud800-\udfff]")
"""Half of a pair of surrogates, which is no character and can't be written."""


class LevelError(InputError):
    """A level can't be found or read; the message says which and why."""


def read_bytes(path: Path, inside: Path | None = None) -> bytes:
    """Return the content of a level file.

    Args:
        inside: folder in which it has to lie, wherever links lead; None for any.

    Raises:
        LevelError: it is longer than ``MAX_LEVEL_BYTES``, a pipe or device, or lies elsewhere.
        OSError: it can't be read.
    """
    try:
        return read_untrusted(path, LEVEL_FILE, inside)
    except FileRefused as error:
        raise LevelError(error.strerror) from None


def parse_document(data: str | bytes) -> object:
    """Return the JSON value of a level document.

    Raises:
        LevelError: it is none, or longer than ``MAX_LEVEL_BYTES``.
    """
    if len(data) > MAX_LEVEL_BYTES:
        raise LevelError(f"a level has at most {MAX_LEVEL_BYTES:,} bytes, not {len(data):,}")
    try:
        return json.loads(data, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise LevelError(f"this is not JSON ({error})") from None


def check_id(level_id: str) -> str:
    """``level_id``, if a level can be called so.

    Raises:
        LevelError: it can't.
    """
    if len(level_id) > MAX_LEVEL_ID:
        raise LevelError(
            f"an id has at most {MAX_LEVEL_ID} characters; {quote(level_id)} has {len(level_id):,}"
        )
    if not LEVEL_ID.fullmatch(level_id):
        raise LevelError(f"an id is made of a-z, 0-9 and -, unlike {quote(level_id, 80)}")
    return level_id


def read_tier(document: Mapping[str, object]) -> Tier:
    """Read the tier of a level."""
    tier = document.get("tier")
    if tier not in list(Tier):
        raise LevelError(f"'tier' is one of {', '.join(Tier)}, not {quote(tier)}")
    return Tier(str(tier))


def read_budget(document: Mapping[str, object]) -> int:
    """Return the steps that an agent has."""
    return check_whole("a budget", document.get("budget"), 1, MAX_BUDGET, error=LevelError)


def read_plan(family: Family[Any, Any], document: object) -> Plan | None:
    """Return a plan, with the actions of a family.

    Raises:
        LevelError, InvalidAction: it is none.
    """
    if document is None:
        return None
    if not isinstance(document, Mapping) or not isinstance(document.get("actions"), list):
        raise LevelError("a plan has a proof and a list of actions")
    if len(document["actions"]) > MAX_BUDGET:
        raise LevelError(
            f"a plan has at most {MAX_BUDGET:,} actions, not {len(document['actions']):,}"
        )
    actions = tuple(_read_action(family, action) for action in document["actions"])
    proof = _read_proof(document.get("proof"))
    usual = len(actions) if proof is Proof.OPTIMAL else 0
    bound = _read_bound(document.get("lower_bound", usual), len(actions))
    if proof is Proof.OPTIMAL and bound != len(actions):
        raise LevelError(f"an optimal plan of {len(actions)} can't have the lower bound {bound}")
    return Plan(actions, proof, bound)


def _read_bound(bound: object, length: int) -> int:
    if not is_whole(bound, 0, length):
        raise LevelError(f"a plan's lower bound is from 0 to its length, not {quote(bound)}")
    return bound


def _read_proof(value: object) -> Proof:
    if value not in list(Proof):
        raise LevelError(f"a plan's proof is one of {', '.join(Proof)}, not {quote(value)}")
    return Proof(str(value))


def _read_action(family: Family[Any, Any], document: object) -> Action:
    arguments = document.get("arguments") if isinstance(document, Mapping) else None
    if not isinstance(document, Mapping) or not isinstance(arguments, Mapping):
        raise LevelError("an action of a plan has a name and arguments")
    name = document.get("name")
    for action_type in family.actions:
        if action_type.tool == name:
            return build_action(action_type, arguments)
    said = quote(name, MAX_ACTION_NAME)
    raise LevelError(f"a plan uses {said}, which {family.name} does not have")


def write_plan(plan: Plan | None) -> dict[str, object] | None:
    """Return the document that :func:`read_plan` reads."""
    if plan is None:
        return None
    actions = [{"name": a.tool, "arguments": encode_arguments(a)} for a in plan.actions]
    return {"proof": plan.proof.value, "lower_bound": plan.lower_bound, "actions": actions}


def read_source(document: Mapping[str, object]) -> Source:
    """Read the source of a level."""
    seed = document.get("seed")
    if seed is not None and not is_whole(seed, 1 - _LONGEST_SEED, _LONGEST_SEED - 1):
        raise LevelError(f"a seed is a whole number of at most 77 digits, not {quote(seed)}")
    generator = document.get("generator", "")
    if not _is_text(generator):
        raise LevelError(f"a generator is {_A_TEXT}, not {quote(generator)}")
    designer, reference = read_text(document, "designer"), read_text(document, "reference")
    return Source(designer, reference, seed, generator)  # type: ignore[arg-type]


def read_facts(document: object) -> dict[str, Fact]:
    """Read the facts that were measured of the level."""
    if document is None:
        return {}
    if not isinstance(document, Mapping):
        raise LevelError("facts are an object")
    if len(document) > MAX_FACTS:
        raise LevelError(f"a level has at most {MAX_FACTS:,} facts, not {len(document):,}")
    for name, value in document.items():
        if not _is_text(name) or not _is_fact(value):
            raise LevelError(
                f"the fact {quote(name)} is a finite number or {_A_TEXT}, not {quote(value)}"
            )
    return dict(document)


def _is_fact(value: object) -> bool:
    if isinstance(value, int):
        return not isinstance(value, bool) and abs(value) < _LONGEST_SEED
    return math.isfinite(value) if isinstance(value, float) else _is_text(value)


def _is_text(value: object) -> bool:
    """Return whether a value is a text that is not too long, and can be written down as one."""
    return isinstance(value, str) and len(value) <= MAX_TITLE and not _HALF.search(value)


def read_text(document: Mapping[str, object], key: str) -> str:
    """Return a field that is a text, and not empty."""
    value = document.get(key)
    if not isinstance(value, str) or not value:
        raise LevelError(f"{key!r} is missing or no text")
    if not _is_text(value):
        raise LevelError(f"{key!r} is {_A_TEXT}, not {quote(value)}")
    return value


def read_mapping(document: Mapping[str, object], key: str) -> Mapping[str, object]:
    """Return a field that is an object."""
    value = document.get(key)
    if not isinstance(value, Mapping):
        raise LevelError(f"{key!r} is missing or no object")
    return value


def _no_constant(name: str) -> NoReturn:
    raise InputError(f"{name} is no JSON number")
