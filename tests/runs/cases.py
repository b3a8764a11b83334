"""Results written by hand."""

from bridge.agents.usage import Usage
from bridge.episode.records import StepKind
from bridge.runs.results import EpisodeResult, Refusal
from pysim.puzzle import Outcome

__all__ = ["refused", "result"]

NO_USAGE = Usage()


def result(
    level: str = "lock",
    attempt: int = 1,
    *,
    solved: bool = False,
    steps: int = 10,
    plan: int | None = 5,
    bound: int | None = None,
    family: str = "burr",
    tier: str = "easy",
    refusals: tuple[Refusal, ...] = (),
    repeated: int = 0,
    usage: Usage = NO_USAGE,
) -> EpisodeResult:
    """One attempt; its plan is optimal unless there is a ``bound``."""
    return EpisodeResult(
        level=level,
        family=family,
        tier=tier,
        attempt=attempt,
        outcome=Outcome.SOLVED if solved else Outcome.OUT_OF_BUDGET,
        steps=steps,
        budget=30,
        plan=plan,
        plan_bound=plan if bound is None else bound,
        disagreements=0,
        refusals=refusals,
        repeated=repeated,
        usage=usage,
    )


def refused(step: int, reason: str = "BLOCKED", *culprits: str) -> Refusal:
    """A refused step."""
    return Refusal(step, StepKind.ILLEGAL, reason, culprits)
