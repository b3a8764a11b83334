"""The option sets of the move-effect probe, balanced over a sequence of items (A.7.2)."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random

from bridge.benches.cube_bench.answer_options import label_options
from bridge.benches.cube_bench.forms import OPTIONS, Effect, OptionLetter
from pysim.families.rubik.moves import Move

__all__ = ["Balance", "classify_effect"]

ALPHA = 1.0
_CLASSES = tuple(Effect)


def classify_effect(after: int, before: int) -> Effect:
    """Return the class of a change of the distance; a move that solves lowers it to 0."""
    if after == before:
        return Effect.NO_CHANGE
    return Effect.DECREASE if after < before else Effect.INCREASE


@dataclass(slots=True)
class Balance:
    """Options of the items of one depth so far; it chooses the next one's options.

    Attributes:
        items: how many there were.
        feasible: for each class, in how many of them it had two moves or more.
        labels: how often each class was among the options.
        slots: how often each letter had each class.
    """

    items: int = 0
    feasible: Counter[Effect] = field(default_factory=Counter)
    labels: Counter[Effect] = field(default_factory=Counter)
    slots: Counter[tuple[OptionLetter, Effect]] = field(default_factory=Counter)

    def compute_target(self) -> dict[Effect, float]:
        """Return the mix of classes to aim at: a quarter each, and the last quarter by feasibility.

        The estimate of how often a class can be doubled is smoothed by ``ALPHA``, and counts the
        items so far.
        """
        chance = {c: (self.feasible[c] + ALPHA) / (self.items + 2 * ALPHA) for c in _CLASSES}
        return {c: 0.25 + 0.25 * chance[c] / sum(chance.values()) for c in _CLASSES}

    def draw(
        self, after: Mapping[Move, int], distance: int, random: Random
    ) -> dict[OptionLetter, Move]:
        """Return the next item's options: one move of each class there is, and doubles up to four.

        Args:
            after: the distance after each move.
            distance: before it.
        """
        buckets: dict[Effect, list[Move]] = {c: [] for c in _CLASSES}
        for move, left in after.items():
            buckets[classify_effect(left, distance)].append(move)
        self.items += 1
        self.feasible.update(c for c in _CLASSES if len(buckets[c]) >= 2)
        wanted = self._classes({c: len(bucket) for c, bucket in buckets.items()})
        moves = {c: random.sample(buckets[c], wanted[c]) for c in _CLASSES}
        chosen = self._letters(wanted)
        self.labels.update(wanted)
        self.slots.update(chosen.items())
        return label_options([moves[chosen[letter]].pop() for letter in OPTIONS])

    def _classes(self, sizes: Mapping[Effect, int]) -> Counter[Effect]:
        """Count the options of each class; a class is doubled that is farthest below its target."""
        wanted = Counter({c: 1 for c in _CLASSES if sizes[c]})
        target, total = self.compute_target(), max(1, self.labels.total())
        while wanted.total() < 4:
            free = [c for c in _CLASSES if sizes[c] > wanted[c]]
            most = max(free, key=lambda c: target[c] - self.labels[c] / total)
            wanted[most] += 1
        return wanted

    def _letters(self, wanted: Counter[Effect]) -> dict[OptionLetter, Effect]:
        """Return the class of each letter.

        The doubled class has the letter whose turn it is (A, B, C, D, A, ...); then each of the
        others takes the free letter at which it has been least often.
        """
        left = list(wanted.elements())
        doubled = max(_CLASSES, key=wanted.__getitem__)
        chosen = {OPTIONS[(self.items - 1) % 4]: doubled}
        left.remove(doubled)
        for effect in left:
            free = [letter for letter in OPTIONS if letter not in chosen]
            chosen[min(free, key=lambda letter: self.slots[letter, effect])] = effect
        return chosen
