"""Judges locks: plays the plan, searches for a shorter one, measures every fact anew."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from math import log2

from bridge.referee.documents import Plan, get_generator, read_int, read_text
from bridge.referee.findings import Judgement, JudgementBuilder
from bridge.referee.ladders import is_rung, judge_rung
from bridge.referee.progress import report

from .counts import enumerate_assemblies, find_target
from .levels import Levels, parse_level
from .lock import Lock, compute_bounds, read_lock
from .play import IllegalAction, LockPlay
from .shortest_plan import Objective, ShortestPlanSearch
from .state_space import Assembly, Group, TooManyStates

__all__ = ["judge"]

_STATES, _DEEP_STATES = 200_000, 2_000_000
"""Configurations that are looked at for one question."""
_EASY, _HARD = 18.0, 40.0
"""Scores up to which a lock is easy, and from which on it is hard (docs/suites.md)."""

_LADDER = {"easy": (6, 7), "medium": (8, 10), "hard": (11, 12), "expert": (13, 16)}
"""Actions of the plans of a ladder's tiers."""


def judge(document: Mapping[str, object], *, deep: bool = False) -> Judgement:
    """Judge the claims of a lock's level document.

    Args:
        document: the level.
        deep: look at ten times as many configurations.

    Raises:
        ValueError: it is no document of a lock.
    """
    lock = read_lock(document)
    builder = JudgementBuilder()
    states = _DEEP_STATES if deep else _STATES
    if lock.plan is not None:
        walk = _judge_plan(lock, lock.plan, builder)
        _judge_length(lock, lock.plan, builder, states)
        if walk is not None:
            _judge_choices(lock, walk, builder)
    _judge_level(lock, builder, states)
    _judge_sizes(lock, builder)
    _judge_counts(lock, get_generator(document), builder, states)
    if is_rung(document):
        judge_rung(document, lock.plan, _LADDER, builder)
    else:
        _judge_tier(lock, builder)
    return builder.build()


def _judge_plan(lock: Lock, plan: Plan, builder: JudgementBuilder) -> list[LockPlay] | None:
    """Play the plan; where the pieces are before each action and in the end, if it gets there."""
    walk = [LockPlay.start(lock)]
    for number, step in enumerate(plan.steps, start=1):
        if walk[-1].solved:
            builder.refute("plan", f"the goal is met before action {number}")
            return None
        try:
            walk.append(walk[-1].apply(step))
        except IllegalAction as refusal:
            builder.refute("plan", f"action {number} is refused: {refusal}")
            return None
        except ValueError as error:
            builder.refute("plan", f"action {number} can't be read: {error}")
            return None
    builder.decide("plan", walk[-1].solved, "the goal is not met in the end")
    return walk if walk[-1].solved else None


def _judge_length(lock: Lock, plan: Plan, builder: JudgementBuilder, states: int) -> None:
    """Search for a shorter plan than is said to be possible."""
    task = Objective(lock.goal)
    # Whatever way pieces are put together, one of them comes first.
    first = 1 if task is Objective.TOGETHER else 0
    bound, length = plan.lower_bound, len(plan.steps)
    if plan.proof == "OPTIMAL" and bound != length:
        builder.refute("proof", f"{length} actions, with a lower bound of {bound}")
        return
    search = ShortestPlanSearch(Assembly(lock.homes, states, "lower bound"), task, lock.may_stay)
    start = Group.at_home(range(len(lock.homes)))
    answer = search.search_below(start, bound - first)
    known = answer.lower_bound + first
    for claim in ("lower_bound", "proof"):
        if answer.is_exact:
            builder.refute(claim, f"{known} actions are enough, not {bound}")
        elif known >= bound:
            builder.confirm(claim)
        else:
            builder.mark_undecided(
                claim, f"no plan has fewer than {known} actions; {answer.reason}"
            )


def _judge_choices(lock: Lock, walk: Sequence[LockPlay], builder: JudgementBuilder) -> None:
    """The facts that are measured along the plan."""
    facts = lock.facts
    if "moves" in facts:
        builder.decide("facts.moves", facts["moves"] == len(walk) - 1, f"{len(walk) - 1} actions")
    if not {"legal_moves", "dead_ends", "choices"} & facts.keys():
        return
    report("actions along the plan")
    steps = [_choices(before, after) for before, after in pairwise(walk)]
    found: dict[str, object] = {
        "legal_moves": steps[0].legal,
        "dead_ends": sum(step.legal - step.good for step in steps),
        "choices": round(sum(log2(step.legal / step.good) for step in steps), 1),
    }
    for name, value in found.items():
        if name in facts:
            builder.decide(f"facts.{name}", facts[name] == value, f"{value}")


@dataclass(frozen=True, slots=True)
class _Choice:
    """Actions that are listed in a state, and those that do what the plan does there."""

    legal: int
    good: int


def _choices(before: LockPlay, after: LockPlay) -> _Choice:
    parts = [there.parts for _, there in before.list_actions()]
    good = sum(n > before.parts for n in parts) if after.parts > before.parts else 1
    # The plan may join two of the listed actions in one.
    return _Choice(max(len(parts), good, 1), max(good, 1))


def _judge_level(lock: Lock, builder: JudgementBuilder, states: int) -> None:
    if "level" not in lock.facts:
        return
    said = parse_level(read_text(lock.facts["level"], "the level"))
    levels = Levels(Assembly(lock.homes, states, "level"), lock.may_stay)
    start = Group.at_home(range(len(lock.homes)))

    def decide() -> None:
        first, _ = levels.find_first_separation(start)
        words = (
            f"the first separation takes {first} moves"
            if first != said[0]
            else ("no choice of earliest separations gives the numbers after the first")
        )
        builder.decide("facts.level", levels.is_possible(start, said), words)

    _within_limits("facts.level", builder, decide)


def _judge_sizes(lock: Lock, builder: JudgementBuilder) -> None:
    low, high = compute_bounds(frozenset().union(*lock.homes))
    found: dict[str, object] = {
        "pieces": len(lock.homes),
        "cells": sum(map(len, lock.homes)),
        "size": "x".join(str(b - a + 1) for a, b in zip(low, high, strict=True)),
    }
    for name, value in found.items():
        if name in lock.facts:
            builder.decide(f"facts.{name}", lock.facts[name] == value, f"{value}")


def _judge_counts(lock: Lock, generator: str, builder: JudgementBuilder, states: int) -> None:
    """Count the ways to put the pieces together, and those that come apart."""
    facts = lock.facts
    names = [n for n in ("assemblies", "solutions", "assemblies_at_least") if n in facts]
    goal = find_target(lock, generator) if names else None
    if goal is None:
        for name in names:
            builder.mark_undecided(f"facts.{name}", "it is not known what the pieces have to fill")
        return

    def decide() -> None:
        report("assemblies")
        if "assemblies_at_least" in facts:
            least = read_int(facts["assemblies_at_least"], "assemblies_at_least")
            # The lock itself is one.
            found = (
                1 if least == 1 else sum(1 for _ in islice(enumerate_assemblies(lock, goal), least))
            )
            builder.decide("facts.assemblies_at_least", found == least, f"only {found}")
            return
        ways_found = list(enumerate_assemblies(lock, goal))
        count, solutions = len(ways_found), sum(_comes_apart(lock, w, states) for w in ways_found)
        builder.decide("facts.assemblies", facts.get("assemblies") == count, f"{count}")
        builder.decide("facts.solutions", facts.get("solutions") == solutions, f"{solutions}")

    _within_limits(f"facts.{names[0]}", builder, decide)


def _comes_apart(
    lock: Lock, pieces: Sequence[frozenset[tuple[int, int, int]]], states: int
) -> bool:
    levels = Levels(Assembly(pieces, states, "solutions"), lock.may_stay)
    return levels.is_separable(Group.at_home(range(len(pieces))))


def _judge_tier(lock: Lock, builder: JudgementBuilder) -> None:
    """The tier follows from the facts; they are judged on their own."""
    moves, choices = lock.facts.get("moves"), lock.facts.get("choices")
    if not isinstance(moves, int) or not isinstance(choices, int | float):
        return
    score = moves + choices
    tier = "easy" if score <= _EASY else "medium" if score < _HARD else "hard"
    builder.decide("tier", lock.tier == tier, f"a score of {score:.1f} is {tier}")


def _within_limits(claim: str, builder: JudgementBuilder, decide: Callable[[], None]) -> None:
    """Decide a claim, or leave it where that would take too long."""
    try:
        decide()
    except (TooManyStates, OverflowError) as limit:
        builder.mark_undecided(claim, str(limit))
