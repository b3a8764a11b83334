"""The metrics of M-Cube."""

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
"""Metrics by name: shares from 0 to 1, counts; None is undefined."""


def compute_scores(condition: CubeCondition, ended: Sequence[EndedTrial]) -> MCubeScores:
    """Return all metrics of a condition, with the value that each has by chance."""
    common = compute_common_scores(ended)
    if condition.task is Subtask.PERCEPTION:
        return common | _score_perception(ended)
    return common | _score_assembly(condition, ended)


def _score_perception(ended: Sequence[EndedTrial]) -> MCubeScores:
    pairs = [
        (one.trial.answer(one.state), one.trial.piece)
        for one in ended
        if isinstance(one.trial, ReadingTrial)
    ]
    return {
        "cell_accuracy": compute_mean(_share_of_cells(read, gold) for read, gold in pairs),
        "piece_accuracy": compute_mean(float(read == gold) for read, gold in pairs),
        "cell_chance": CHANCE_CELLS,
        "cell_blind": BLIND_CELLS,
        "piece_chance": CHANCE_PIECES,
    }


def _share_of_cells(read: PieceRows | None, gold: PieceRows) -> float:
    """Return the share of cells that are right; none of an array that can't be read."""
    if read is None:
        return 0.0
    pairs = list(zip("".join(read), "".join(gold), strict=True))
    return sum(a == b for a, b in pairs) / len(pairs)


def _score_assembly(condition: CubeCondition, ended: Sequence[EndedTrial]) -> MCubeScores:
    from pysim.families.jigsaw.solving import search_space  # Not above: it takes half a second.

    trials = [(one.trial, one.state) for one in ended if isinstance(one.trial, CubeTrial)]
    after = [trial.count_answers_until_solved(state) for trial, state in trials]
    seeds = [trial.seed for trial, _ in trials]
    solved = [k for k in after if k is not None]
    rate = compute_mean(float(k is not None) for k in after)
    scores: MCubeScores = {
        "solve_rate": rate,
        "solve_interval": _interval(len(solved), len(after)),
        "std": None if rate is None else sqrt(rate * (1 - rate) / len(after)),
        "chance": compute_mean_chance(condition, seeds),
        "search_space": search_space(condition.missing, flips=condition.flips),
    }
    if condition.rounds > 1:
        rounds = range(1, condition.rounds + 1)
        within = [compute_mean(float(k is not None and k <= r) for k in after) for r in rounds]
        scores["solved_within"] = within
        scores["chance_within"] = [compute_mean_chance(condition, seeds, r) for r in rounds]
    return scores


def _interval(solved: int, trials: int) -> Json:
    if not trials:
        return None
    interval = compute_wilson_interval(solved, trials)
    return [interval.low, interval.high]
