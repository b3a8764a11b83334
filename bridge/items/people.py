"""Rows of people: the answers of several persons together, with intervals over persons."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from statistics import median

from bridge.agents.journal import JOURNAL_NAME, read_notes
from bridge.items.log import ItemLog, ItemRunSettings
from bridge.items.person import AGENT, NOTE
from bridge.items.rescore import rescore_run
from bridge.items.suites import ItemSuite, Subset
from bridge.report.cells import NOTHING, format_percent
from bridge.report.parts import Table
from bridge.scoring.judged import Judged
from bridge.scoring.statistics import bootstrap_clusters, compute_mean, compute_wilson_interval

__all__ = ["make_people_table"]

_PERSON = "person"
_HEAD = ("Row", "Subset", "Persons", "Items", "Acc. (%)", "95% CI", "Parse (%)", "Median (s)")
_NOTE = (
    "Answers of all persons together. Intervals are from drawing whole persons; those of one "
    "person alone are Wilson's. Seconds are from the question to the answer that counts."
)


@dataclass(frozen=True, slots=True)
class _PooledAnswers:
    """The answers to one subset, by person, and the seconds that they took."""

    answers: dict[str, list[Judged]] = field(default_factory=dict)
    seconds: list[float] = field(default_factory=list)


def make_people_table(logs: Mapping[str, ItemLog], suite: ItemSuite) -> Table:
    """Return the pooled answers of the persons among some runs; no rows if there are none.

    Args:
        logs: by the runs' names. A run without the id of a person is a person of its own.
    """
    pools: dict[str, _PooledAnswers] = {}
    for name, log in logs.items():
        if log.settings.agent == AGENT:
            _add(pools, _person(log.settings, name), log, suite)
    rows = [_row(subset, pool) for subset, pool in pools.items() if any(pool.answers.values())]
    return Table("People", _NOTE, _HEAD, rows)


def _person(settings: ItemRunSettings, name: str) -> str:
    return settings.options.get(_PERSON) or f"run {name}"


def _add(pools: dict[str, _PooledAnswers], person: str, log: ItemLog, suite: ItemSuite) -> None:
    seconds = dict(_seconds(log))
    for subset, ended in rescore_run(log, suite):
        pool = pools.setdefault(_label(subset), _PooledAnswers())
        for one in ended:
            pool.answers.setdefault(person, []).extend(one.judged)
            told = log.answers.get(one.trial.id, ())
            pool.seconds.extend(seconds[answer.item] for answer in told if answer.item in seconds)


def _seconds(log: ItemLog) -> Iterator[tuple[str, float]]:
    """Yield items with the seconds of their answers; the last note of an item counts."""
    for note in read_notes(log.path / JOURNAL_NAME):
        found = note.get("seconds")
        if note.get("type") == NOTE and isinstance(found, int | float):
            yield str(note.get("item", "")), float(found)


def _label(subset: Subset) -> str:
    """Return a subset as tables name it: by its variant and whatever else tells it apart."""
    others = (f"{name}={value}" for name, value in subset.options.items() if name != _PERSON)
    return ", ".join([subset.variant, *others])


def _row(subset: str, pool: _PooledAnswers) -> list[str]:
    persons = [answers for answers in pool.answers.values() if answers]
    answers = [one for each in persons for one in each]
    rights = [[float(one.right) for one in each] for each in persons]
    if len(persons) > 1:
        interval = bootstrap_clusters(rights)
    else:
        interval = compute_wilson_interval(int(sum(rights[0])), len(answers))
    return [
        "Human",
        subset,
        str(len(persons)),
        str(len(answers)),
        format_percent(compute_mean(float(one.right) for one in answers)),
        f"{format_percent(interval.low)}–{format_percent(interval.high)}",
        format_percent(compute_mean(float(one.read) for one in answers)),
        f"{median(pool.seconds):.1f}" if pool.seconds else NOTHING,
    ]
