"""Rewards of an episode, the same on all surfaces: in sum never below 0 and never above 1.

A reward is the difference that a step makes to the episode's *return*, which is

- a potential of the state: for ``sparse`` 1 if the level is solved, else 0; for ``progress`` 1 if
  it is solved, else the share of the certified plan that leads to the state, 0 off that plan;
- times ``1 - price`` for each action that was refused.

The potential depends on the state alone (Ng, Harada and Russell 1999). So whatever a loop earns on
the way out it loses on the way back, and what a policy earns in all is what it has reached.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from numbers import Real
from typing import Any, NoReturn

from bridge.episode.episode import state_hash
from bridge.episode.progress import compute_milestones
from pysim.catalog import find_family
from pysim.errors import InputError
from pysim.limits import quote
from pysim.puzzle import Level

__all__ = ["EpisodeReturn", "Reward", "RewardRule"]


class Reward(StrEnum):
    """Reason for which an episode is rewarded."""

    SPARSE = "sparse"
    """To have solved the level."""
    PROGRESS = "progress"
    """To be on the certified plan, the farther the more."""

    @classmethod
    def _missing_(cls, value: object) -> NoReturn:
        raise InputError(f"a reward is sparse or progress, not {quote(value)}")


@dataclass(frozen=True, slots=True)
class RewardRule:
    """Rule by which episodes are rewarded.

    Attributes:
        kind: what for.
        refusal_price: share of the return that each refused action costs, from 0 to 1.

    Raises:
        InputError: the price is out of range.
    """

    kind: Reward = Reward.SPARSE
    refusal_price: float = 0.0

    def __post_init__(self) -> None:
        if not isinstance(self.refusal_price, Real) or not 0 <= self.refusal_price <= 1:
            raise InputError(f"a price of refusals is from 0 to 1, not {quote(self.refusal_price)}")

    def begin(self, level: Level[Any]) -> "EpisodeReturn":
        """Return the return of a new episode.

        Raises:
            InputError: progress is rewarded, and the level has no plan.
        """
        milestones = compute_milestones(level) if self.kind is Reward.PROGRESS else {}
        # A plan that comes back to where it began has done nothing yet.
        milestones.pop(state_hash(level, find_family(level).rules.initial(level)), None)
        return EpisodeReturn(milestones, self.refusal_price)


class EpisodeReturn:
    """Return of one episode so far.

    Args:
        milestones: potential of states by their hashes; 0 for others that are not solved.
        refusal_price: share of the return that each refused action costs.

    Attributes:
        total: the sum of all rewards.
    """

    def __init__(self, milestones: Mapping[str, float], refusal_price: float) -> None:
        self._milestones, self._kept = milestones, 1.0 - refusal_price
        self._left = 1.0
        self.total = 0.0

    def reward(self, after: str, *, solved: bool, refused: bool) -> float:
        """Return the reward of a step.

        Args:
            after: hash of the state after it.
            solved: whether the level is solved.
            refused: whether the action was refused.
        """
        if refused:
            self._left *= self._kept
        before = self.total
        potential = 1.0 if solved else self._milestones.get(after, 0.0)
        self.total = potential * self._left
        return self.total - before
