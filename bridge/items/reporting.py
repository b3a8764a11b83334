"""Runs of items in a report: the suite's tables, and trials with their pictures drawn again."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

from bridge.episode.rendering import SharedRenderer
from bridge.items.drawing import draw
from bridge.items.log import LOG_NAME, ItemLog
from bridge.items.results import results_of, scored_run
from bridge.items.suites import Charting, find_suite
from bridge.report.entries import Entry, Shown
from bridge.report.parts import Exhibit
from bridge.report.tables import session_table
from pysim.items import Item, Trial
from pysim.kinds import Json
from pysim.render.renderer import Renderer, RendererUnavailable

__all__ = ["ListedItems", "holds_items", "list_items"]

MOST = 100
"""Trials of a run that are shown."""
SIZE = 160
"""Edge of their pictures in pixels."""


def holds_items(folder: Path) -> bool:
    """Whether a folder is that of a run of items."""
    return (folder / LOG_NAME).exists()


@dataclass(frozen=True, slots=True)
class ListedItems:
    """Runs of one suite; see :class:`~bridge.report.entries.Listed`.

    Attributes:
        suite: its name.
        runs: their logs, by the runs' names.
        renderer: what draws the pictures, as for
            :class:`~bridge.episode.rendering.SharedRenderer`.
    """

    suite: str
    runs: Mapping[str, ItemLog]
    renderer: str = "auto"

    @property
    def title(self) -> str:
        """Of their section."""
        return f"Questions of {self.suite}"

    def parts(self) -> list[Exhibit]:
        """The suite's tables, a row for each run, its charts, and how the runs were made."""
        suite = find_suite(self.suite)
        scored = [replace(scored_run(log, suite), name=n) for n, log in self.runs.items()]
        charts = suite.charts(scored) if isinstance(suite, Charting) else []
        made = session_table({name: log.path for name, log in self.runs.items()})
        return [*suite.tables(scored), *charts, *([made] if made.rows else [])]

    def documents(self) -> dict[str, dict[str, Json]]:
        """The results of each run."""
        suite = find_suite(self.suite)
        return {name: results_of(log.path, suite).brief() for name, log in self.runs.items()}

    def entries(self) -> Iterator[tuple[str, Sequence[Entry], int]]:
        """The first trials of each run that were answered."""
        suite = find_suite(self.suite)
        with closing(SharedRenderer(self.renderer)) as renderer:
            for name, log in self.runs.items():
                asked = (t for s in log.settings.parts for t in suite.trials(s) if _answers(log, t))
                shown = [_entry(log, trial, renderer) for trial in islice(asked, MOST)]
                yield name, shown, len(log.answers)


def list_items(folders: Mapping[str, Path]) -> list[ListedItems]:
    """The runs in some folders, by suite.

    Args:
        folders: by the runs' names.

    Raises:
        RunError: a folder holds no run of items.
    """
    logs = {name: ItemLog.read(path) for name, path in folders.items()}
    suites = dict.fromkeys(log.settings.suite for log in logs.values())
    return [
        ListedItems(suite, {n: log for n, log in logs.items() if log.settings.suite == suite})
        for suite in suites
    ]


def _answers(log: ItemLog, trial: Trial[Any]) -> Sequence[str]:
    return [answered.text for answered in log.answers.get(trial.id, ())]


def _entry(log: ItemLog, trial: Trial[Any], renderer: Renderer) -> Entry:
    state, steps = trial.start(), []
    for text in _answers(log, trial):
        item = trial.ask(state)
        if item is None:
            break
        steps.append(_step(item, text, renderer))
        state = trial.after(state, text)
    return Entry(trial.id, steps)


def _step(item: Item[Any], text: str, renderer: Renderer) -> Shown:
    texts = [("Question", item.text), ("Answer", text)]
    texts += [("Gold", item.form.format(item.gold))] if item.counts else []
    return Shown(tuple(_pictures(item, renderer)), texts, item.check(text) if item.counts else None)


def _pictures(item: Item[Any], renderer: Renderer) -> Iterator[tuple[str, bytes]]:
    try:
        for picture in item.pictures:
            for view in draw(renderer, picture, SIZE):
                yield view.name, view.data
    except RendererUnavailable:
        return  # The tables do not need one.
