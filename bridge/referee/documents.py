"""Reading level documents: what is missing or of the wrong kind raises ``ValueError``."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

__all__ = [
    "Plan",
    "PlanStep",
    "get_budget",
    "get_facts",
    "get_generator",
    "get_puzzle",
    "get_tier",
    "plan_of",
    "read_int",
    "read_mapping",
    "read_sequence",
    "read_text",
]

PROOFS = ("OPTIMAL", "UPPER_BOUND")
TIERS = ("easy", "medium", "hard", "expert")


@dataclass(frozen=True, slots=True)
class PlanStep:
    """One action of a plan: its name and its arguments, as the document has them."""

    name: str
    arguments: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Plan:
    """Solution that a level claims.

    Attributes:
        proof: ``OPTIMAL`` or ``UPPER_BOUND``.
        lower_bound: no plan is said to have fewer actions.
        steps: the actions.
    """

    proof: str
    lower_bound: int
    steps: tuple[PlanStep, ...]


def read_mapping(value: object, what: str) -> Mapping[str, object]:
    """Return the value, which has to be an object."""
    if not isinstance(value, Mapping) or not all(isinstance(key, str) for key in value):
        raise ValueError(f"{what} is an object, not {value!r:.80}")
    return value


def read_sequence(value: object, what: str) -> Sequence[object]:
    """Return the value, which has to be a list."""
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise ValueError(f"{what} is a list, not {value!r:.80}")
    return value


def read_text(value: object, what: str) -> str:
    """Return the value, which has to be a text."""
    if not isinstance(value, str):
        raise ValueError(f"{what} is a text, not {value!r:.80}")
    return value


def read_int(value: object, what: str) -> int:
    """Return the value, which has to be a whole number."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise ValueError(f"{what} is a whole number, not {value!r:.80}")
    return value


def get_puzzle(document: Mapping[str, object]) -> Mapping[str, object]:
    """Return the part of a level document that is the family's own."""
    return read_mapping(document.get("puzzle"), "the puzzle")


def get_facts(document: Mapping[str, object]) -> Mapping[str, object]:
    """Return the facts of a level; none if it has none."""
    return read_mapping(document.get("facts") or {}, "facts")


def get_budget(document: Mapping[str, object]) -> int:
    """Return the steps that an agent has."""
    return read_int(document.get("budget"), "the budget")


def plan_of(document: Mapping[str, object]) -> Plan | None:
    """Return the plan of a level, or None if it has none."""
    if document.get("plan") is None:
        return None
    plan = read_mapping(document["plan"], "the plan")
    proof = read_text(plan.get("proof"), "the proof of the plan")
    if proof not in PROOFS:
        raise ValueError(f"a proof is one of {', '.join(PROOFS)}, not {proof!r:.80}")
    steps = tuple(
        _step(action) for action in read_sequence(plan.get("actions"), "a plan's actions")
    )
    return Plan(proof, read_int(plan.get("lower_bound"), "the lower bound of the plan"), steps)


def _step(value: object) -> PlanStep:
    action = read_mapping(value, "an action")
    arguments = read_mapping(action.get("arguments") or {}, "the arguments of an action")
    return PlanStep(read_text(action.get("name"), "the name of an action"), arguments)


def get_tier(document: Mapping[str, object]) -> str:
    """Return the tier that a level claims."""
    tier = read_text(document.get("tier"), "the tier")
    if tier not in TIERS:
        raise ValueError(f"a tier is one of {', '.join(TIERS)}, not {tier!r:.80}")
    return tier


def get_generator(document: Mapping[str, object]) -> str:
    """Return the generator of a level, with its version; empty if no generator made it."""
    source = read_mapping(document.get("source") or {}, "the source")
    return read_text(source.get("generator") or "", "the generator")
