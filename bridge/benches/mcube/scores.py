"""Metrics of M-Cube."""

from collections.abc import Sequence
from math import sqrt

from bridge.benches.mcube.chance import (
    BLIND_CELLS,
    CHANCE_CELLS,
    CHANCE_PIECES,
    compute_mean_chance,
)
from bridge.benches.mcube.condition import CubeCondition, Subtask
from bridge.benches.mcube.trials import CubeTrial, ReadingTrial
from bridge.items.suites import EndedTrial
from bridge.items.tables import compute_common_scores
from bridge.scoring.statistics import compute_mean, compute_wilson_interval
from pysim.families.jigsaw.shell import PieceRows
from pysim.field_types import Json

__all__ = ["MCubeScores", "compute_scores"]

MCubeScores = dict[str, Json]
"""Metrics by name: fractions from 0 to 1 and counts; None if undefined."""


def compute_scores(condition: CubeCondition, ended: Sequence[EndedTrial]) -> MCubeScores:
    """Return all metrics of a condition, with their values at chance."""
    common = compute_common_scores(ended)
    if condition.task is Subtask.PERCEPTION:
        return common | _score_perception(ended)
    return common | _score_assembly(condition, ended)


def _score_perception(ended: Sequence[EndedTrial]) -> MCubeScores:
    pairs = [
        (item.trial.answer(item.state), item.trial.piece)
        for item in ended
        if isinstance(item.trial, ReadingTrial)
    ]
    return {
        "cell_accuracy": compute_mean(
            _compute_cell_accuracy(answer, truth) for answer, truth in pairs
        ),
        "piece_accuracy": compute_mean(float(answer == truth) for answer, truth in pairs),
        "cell_chance": CHANCE_CELLS,
        "cell_blind": BLIND_CELLS,
        "piece_chance": CHANCE_PIECES,
    }


def _compute_cell_accuracy(answer: PieceRows | None, truth: PieceRows) -> float:
    """Return the fraction of correct cells; 0 for an unreadable answer."""
    if answer is None:
        return 0.0
    pairs = list(zip("".join(answer), "".join(truth), strict=True))
    return sum(a == b for a, b in pairs) / len(pairs)


def _score_assembly(condition: CubeCondition, ended: Sequence[EndedTrial]) -> MCubeScores:
    from pysim.families.jigsaw.solving import search_space  # Imported late: it takes 0.5 s.

    trials = [(item.trial, item.state) for item in ended if isinstance(item.trial, CubeTrial)]
    attempts = [trial.count_answers_until_solved(state) for trial, state in trials]
    seeds = [trial.seed for trial, _ in trials]
    solved = [k for k in attempts if k is not None]
    rate = compute_mean(float(k is not None) for k in attempts)
    scores: MCubeScores = {
        "solve_rate": rate,
        "solve_interval": _compute_interval(len(solved), len(attempts)),
        "std": None if rate is None else sqrt(rate * (1 - rate) / len(attempts)),
        "chance": compute_mean_chance(condition, seeds),
        "search_space": search_space(condition.missing, flips=condition.flips),
    }
    if condition.rounds > 1:
        rounds = range(1, condition.rounds + 1)
        solve_rates = [
            compute_mean(float(k is not None and k <= r) for k in attempts) for r in rounds
        ]
        scores["solved_within"] = solve_rates
        scores["chance_within"] = [compute_mean_chance(condition, seeds, r) for r in rounds]
    return scores


def _compute_interval(solved: int, trials: int) -> Json:
    if not trials:
        return None
    interval = compute_wilson_interval(solved, trials)
    return [interval.low, interval.high]
