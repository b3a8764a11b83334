"""The paper's study of people (appendix G): which statements a person gets, and pooled scores.

Of each of four questions 60 pairs of the bench's 1,200 are drawn, and of each pair one statement.
They are dealt like cards, four to a person: persons 1 to 15 have no statement in common, with
person 16 the pool is shuffled anew. The rows of all persons are pooled. As nobody gets both
statements of a pair, WinoAcc is the paper's Equation 4: accuracy on true statements and on false
ones together, less 1.
"""

from collections.abc import Mapping, Sequence
from random import Random

import numpy as np
from numpy.typing import NDArray

from bridge.benches.euclifold.condition import EuclifoldCondition, EuclifoldTask
from bridge.benches.euclifold.scores import compute_scores
from bridge.benches.euclifold.tables import AskedScores
from bridge.benches.euclifold.trials import Statement, make_pair
from bridge.items.person import AGENT
from bridge.items.suites import EndedTrial, ScoredRun, Subset
from bridge.scoring.statistics import Interval
from pysim.field_types import Json
from pysim.options import check_whole

__all__ = [
    "DEALT",
    "PEOPLE_TASKS",
    "PERSON",
    "compute_person_scores",
    "find_person",
    "merge_people",
    "select_statements",
]

PERSON = "person"
"""Name of the option of a subset that holds the number of the person."""
PEOPLE_TASKS = (
    EuclifoldTask.ORIENTATION,
    EuclifoldTask.OPERATION,
    EuclifoldTask.FOLDING,
    EuclifoldTask.MATCHING,
)
"""The questions of the study; perception is orientation, as in Table 2."""
DEALT = 4
"""Statements of each question that a person gets."""
_POOL = 60
_PAIRS = 1200
_SAMPLES = 10_000

_Scores = Mapping[str, Json]


def find_person(subset: Subset) -> int | None:
    """Return the number of the person whose statements a subset holds; None if it holds pairs.

    Raises:
        InputError: it is no number.
    """
    found = subset.options.get(PERSON)
    if found is None:
        return None
    return check_whole("the number of a person", found, 1)


def select_statements(condition: EuclifoldCondition, seed: int, person: int) -> list[Statement]:
    """Return the statements of a person, in the order in which they are asked.

    They depend on the question, the seed of the items and the person, not on how it is asked.
    """
    stream = f"euclifold people/{seed}/{condition.task}"
    drawn = Random(f"{stream}/pool")
    pool = [(number, drawn.randrange(2)) for number in drawn.sample(range(_PAIRS), _POOL)]
    deck, place = divmod(person - 1, _POOL // DEALT)
    Random(f"{stream}/deck {deck}").shuffle(pool)
    hand = pool[DEALT * place :][:DEALT]
    return [make_pair(condition, seed, number)[which] for number, which in hand]


def compute_person_scores(ended: Sequence[EndedTrial]) -> dict[str, Json]:
    """Return the metrics of one person's answers, and the counts from which they are pooled."""
    found = {n: v for n, v in compute_scores(ended).items() if not n.startswith("group")}
    answered = [one.trial for one in ended]
    golds = [bool(trial.item.gold) for trial in answered if isinstance(trial, Statement)]
    rights = [one.judged[0].right for one in ended]
    read = [one.judged[0].read for one in ended]
    said = [g is r for g, r, is_read in zip(golds, rights, read, strict=True) if is_read]
    return {
        **found,
        "counts": {
            "true": [sum(r for g, r in zip(golds, rights, strict=True) if g), sum(golds)],
            "false": [
                sum(r for g, r in zip(golds, rights, strict=True) if not g),
                len(golds) - sum(golds),
            ],
            "said_true": [sum(said), len(said)],
        },
    }


def merge_people(runs: Sequence[ScoredRun]) -> list[AskedScores]:
    """Return the pooled scores of the persons among some runs, by agent.

    The agent ``human`` is called Human, as in the paper. A model that is asked the statements of
    persons has a row of its own.
    """
    found: dict[str, dict[str, dict[int, NDArray[np.int64]]]] = {}
    for run in runs:
        for subset, scores in run.scores:
            person = find_person(subset)
            if person is None or not scores["items"]:
                continue
            counts = scores["counts"]
            assert isinstance(counts, Mapping)
            by_person = found.setdefault(run.agent, {}).setdefault(subset.variant, {})
            added = np.array([counts["true"], counts["false"], counts["said_true"]])
            by_person[person] = by_person.get(person, 0) + added
    return [
        AskedScores(
            "Human" if agent == AGENT else f"{agent}, dealt",
            [(EuclifoldCondition.parse(v), _pooled(list(p.values()))) for v, p in parts.items()],
        )
        for agent, parts in found.items()
    ]


def _pooled(persons: Sequence[NDArray[np.int64]]) -> _Scores:
    """Return the scores of persons together.

    Args:
        persons: (3, 2) counts of each: right and all of true and of false statements, True and all
            among answers that can be read.
    """
    counts = np.stack(persons)
    (true, trues), (false, falses), (said, read) = counts.sum(axis=0).tolist()
    items = trues + falses
    both = None if not (trues and falses) else true / trues + false / falses - 1
    interval = _interval(counts) if both is not None and len(persons) > 1 else None
    rate = said / read if read else None
    return {
        "persons": len(persons),
        "items": items,
        "accuracy": (true + false) / items,
        "positive_accuracy": true / trues if trues else None,
        "negative_accuracy": false / falses if falses else None,
        "wino_accuracy": both,
        "wino_interval": None if interval is None else [interval.low, interval.high],
        "true_rate": rate,
        "true_bias": None if rate is None else rate - trues / items,
        "parse_rate": read / items,
        "both_answered": dict.fromkeys(("right", "wrong", "true", "false"), 0),
        "counts": {"true": [true, trues], "false": [false, falses]},
    }


def _interval(counts: NDArray[np.int64]) -> Interval:
    """Return the percentile bootstrap of Equation 4, in which whole persons are drawn.

    Draws without a true or without a false statement are left out.
    """
    chosen = np.random.default_rng(0).integers(len(counts), size=(_SAMPLES, len(counts)))
    sums = counts[:, :2][chosen].sum(axis=1)
    whole = sums[(sums[:, :, 1] > 0).all(axis=1)]
    values = (whole[:, :, 0] / whole[:, :, 1]).sum(axis=1) - 1
    low, high = np.quantile(values, [0.025, 0.975]).tolist()
    return Interval(low, high)
