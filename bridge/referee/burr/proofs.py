"""Proofs that a lock's plan is shortest, as data that a small program checks by itself.

A proof is a list of lemmas, each of which says that a group of pieces costs at least so many moves.
For a lemma of ``at_least`` moves every separation matters that could lead to fewer: those from the
layers of configurations that are listed with it, each with its size and a digest of its
configurations. The parts of each must cost enough together, by lemmas of their own or by their
number of pieces. The last lemma is about the whole lock. ``tools/check_proof.py`` checks proofs and
imports nothing of this.
"""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from bridge.referee.documents import read_text

from .lock import Lock, read_lock
from .shortest_plan import Objective, ShortestPlanSearch
from .state_space import (
    Assembly,
    Expansion,
    Group,
    Split,
    TooManyStates,
)

__all__ = ["FORMAT", "MOST_STATES", "prove"]

FORMAT = "luban-proof/1"
MOST_STATES = 20_000
"""Configurations in all the lemmas of a proof, at most."""
_MOST_PIECES = 12
"""Pieces of a group in a lemma, at most: the program that checks it tries every set of them."""


def prove(document: Mapping[str, object]) -> dict[str, object]:
    """Return the proof that no plan of a lock is shorter than the one that its document has.

    Returns:
        A JSON document; docs/referee.md says what is in it.

    Raises:
        ValueError: it is no lock with a plan that can be proven to be shortest, or the proof would
            be larger than is written down; the message says which.
    """
    lock = read_lock(document)
    if lock.plan is None or lock.plan.proof != "OPTIMAL":
        raise ValueError("only plans marked OPTIMAL have a proof")
    length = len(lock.plan.steps) - (lock.goal == "assemble")
    writer = _Writer(lock)
    try:
        writer.require(Group.at_home(range(len(lock.homes))), length)
    except TooManyStates:
        raise ValueError(f"the proof has more than {MOST_STATES:,} configurations") from None
    return {
        "format": FORMAT,
        "level": read_text(document.get("id"), "the id"),
        "hash": read_text(document.get("hash"), "the hash"),
        "goal": lock.goal,
        "actions": len(lock.plan.steps),
        "lemmas": writer.lemmas,
    }


@dataclass
class _Writer:
    """Writes lemmas, those that others rest on first."""

    lock: Lock
    lemmas: list[dict[str, object]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._workshop = Assembly(self.lock.homes, MOST_STATES)
        self._search = ShortestPlanSearch(
            self._workshop, Objective(self.lock.goal), self.lock.may_stay
        )
        self._written: set[Group] = set()

    def require(self, group: Group, at_least: int) -> None:
        """Write the lemma that a group costs so many moves, with all that it rests on.

        Raises:
            ValueError: it costs fewer.
            TooManyStates: there is too much to write.
        """
        if group in self._written or at_least <= self._search.compute_lower_bound(group):
            return
        if len(group) > _MOST_PIECES:
            raise ValueError(f"proofs are written for groups of up to {_MOST_PIECES} pieces")
        if (found := self._search.compute_cost(group, at_least)) is not None:
            raise ValueError(f"{found} moves are enough, not {at_least}")
        bound = max(at_least, self._search.bounds.get(group, 0))
        self._written.add(group)
        layers = []
        for depth, expansion in self._relevant(group, bound):
            layers.append({"size": len(expansion.layer), "digest": _digest(expansion)})
            for split in expansion.splits:
                self._require_parts(split, bound - depth - 1)
        self.lemmas.append(
            {
                "pieces": [self.lock.colours[i] for i in group.pieces],
                "offsets": group.to_array().tolist(),
                "at_least": bound,
                "layers": layers,
            }
        )

    def _relevant(self, group: Group, bound: int) -> Iterator[tuple[int, Expansion]]:
        """Yield the layers from which a separation could lead to fewer moves than the bound."""
        after = max(0, self._search.compute_lower_bound(group) - 1)
        if after + 1 < bound:
            for depth, expansion in enumerate(self._workshop.generate_layers(group)):
                yield depth, expansion
                if depth + 2 + after >= bound:
                    return

    def _require_parts(self, split: Split, left: int) -> None:
        """Write what makes the parts of a separation cost ``left`` moves together."""
        first, second = split
        if self._search.compute_split_bound(split) >= left:
            for part in (first, second):
                self.require(part, self._search.bounds.get(part, 0))
            return
        raise ValueError("the search left a separation open")


def _digest(expansion: Expansion) -> str:
    """SHA-256 over the layer's configurations as lines of numbers, sorted."""
    rows = sorted(" ".join(map(str, row.ravel().tolist())) for row in expansion.layer)
    return hashlib.sha256("\n".join(rows).encode()).hexdigest()
