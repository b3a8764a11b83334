"""Scores and tables that all suites of items have in common."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from bridge.items.suites import EndedTrial, ScoredRun, Subset
from bridge.report.cells import NOTHING, format_percent
from bridge.report.parts import Table
from bridge.scoring.judged import Tally
from bridge.scoring.statistics import Interval
from pysim.field_types import Json

__all__ = [
    "compute_common_scores",
    "format_range",
    "format_share",
    "format_small_share",
    "make_common_table",
]


def compute_common_scores(ended: Iterable[EndedTrial]) -> dict[str, Json]:
    """Trials, items, accuracy with its interval, and the share of answers that could be read.

    Where items stand in groups, in contrastive pairs for instance, also how many there are, and the
    share of those in which all is right, with its interval.
    """
    trials = list(ended)
    tally = Tally([one for trial in trials for one in trial.judged])
    scores: dict[str, Json] = {
        "trials": len(trials),
        "items": len(tally.answers),
        "accuracy": tally.accuracy,
        "interval": _pair(tally.interval),
        "parse_rate": tally.parse_rate,
    }
    if tally.groups:
        scores |= {
            "groups": tally.groups,
            "group_accuracy": tally.group_accuracy,
            "group_interval": _pair(tally.group_interval),
        }
    return scores


def make_common_table(
    title: str,
    note: str,
    runs: Sequence[ScoredRun],
    name: Callable[[Subset], str] = lambda subset: subset.variant,
) -> Table:
    """Return the common scores of some runs, a row for each run and subset.

    Args:
        name: what a subset is called.
    """
    found = [(run.name, name(subset), scores) for run in runs for subset, scores in run.scores]
    grouped = any("groups" in scores for _, _, scores in found)
    head = ["Run", "Subset", "Items", "Acc. (%)", "95% CI", "Parse (%)"]
    head += ["Groups (%)", "95% CI"] if grouped else []
    rows = [
        [run, subset, str(scores["items"]), *_cells(scores, grouped=grouped)]
        for run, subset, scores in found
    ]
    return Table(title, note, head, rows)


def _cells(scores: Mapping[str, Json], *, grouped: bool) -> list[str]:
    cells = [
        format_share(scores["accuracy"]),
        format_range(scores["interval"]),
        format_share(scores["parse_rate"]),
    ]
    if grouped:
        cells += [
            format_share(scores.get("group_accuracy")),
            format_range(scores.get("group_interval")),
        ]
    return cells


def format_share(value: Json) -> str:
    """Return a share in scores, in per cent; a dash where it is not known."""
    return format_percent(float(value)) if isinstance(value, int | float) else NOTHING


def format_small_share(value: Json) -> str:
    """Return a share in per cent with three significant digits, however small it is."""
    if not isinstance(value, int | float):
        return NOTHING
    return f"{float(f'{value * 100:.3g}'):.12f}".rstrip("0").rstrip(".")


def format_range(value: Json) -> str:
    """Return an interval of shares in scores, in per cent; a dash where it is not known."""
    return (
        f"{format_share(value[0])}–{format_share(value[1])}" if isinstance(value, list) else NOTHING
    )


def _pair(interval: Interval | None) -> Json:
    return None if interval is None else [interval.low, interval.high]
