"""Runs of items in a report: the suite's tables, and trials with their pictures drawn again."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

from bridge.agents.journal import JOURNAL_NAME, read_notes
from bridge.episode.rendering import SharedRenderer
from bridge.items.log import LOG_NAME, ItemLog
from bridge.items.people import make_people_table
from bridge.items.pictures import draw
from bridge.items.results import compute_results, score_run
from bridge.items.suites import Charting, find_suite
from bridge.report.entries import Entry, Shown
from bridge.report.parts import Exhibit
from bridge.report.tables import build_preset_table, build_session_table
from bridge.report.transcript_view import format_cost
from bridge.report.transcripts import read_exchange
from pysim.field_types import Json
from pysim.items import Item, Trial
from pysim.render.renderer import Renderer, RendererUnavailable

__all__ = ["ListedItems", "is_item_run", "list_items"]

MOST = 100
"""Trials of a run that are shown."""
SIZE = 160
"""Edge of their pictures in pixels."""


def is_item_run(folder: Path) -> bool:
    """Return whether a folder is that of a run of items."""
    return (folder / LOG_NAME).exists()


@dataclass(frozen=True, slots=True)
class ListedItems:
    """Runs of one suite; see :class:`~bridge.report.entries.Listed`.

    Attributes:
        suite: its name.
        runs: their logs, by the runs' names.
        renderer: what draws the pictures, as for
            :class:`~bridge.episode.rendering.SharedRenderer`.
        with_pictures: whether there are to be any.
    """

    suite: str
    runs: Mapping[str, ItemLog]
    renderer: str = "auto"
    with_pictures: bool = True

    @property
    def title(self) -> str:
        """Of their section."""
        return f"Questions of {self.suite}"

    def build_parts(self) -> list[Exhibit]:
        """Return the suite's tables, a row for each run, its charts, and how the runs were made."""
        suite = find_suite(self.suite)
        scored = [replace(score_run(log, suite), name=n) for n, log in self.runs.items()]
        charts = suite.charts(scored) if isinstance(suite, Charting) else []
        folders = {name: log.path for name, log in self.runs.items()}
        people = make_people_table(self.runs, suite)
        made = [people, build_preset_table(folders), build_session_table(folders)]
        return [*suite.tables(scored), *charts, *(table for table in made if table.rows)]

    def documents(self) -> dict[str, dict[str, Json]]:
        """Return the results of each run."""
        suite = find_suite(self.suite)
        return {
            name: compute_results(log.path, suite).make_summary() for name, log in self.runs.items()
        }

    def list_entries(self) -> Iterator[tuple[str, Sequence[Entry], int]]:
        """Yield the first trials of each run that were answered."""
        suite = find_suite(self.suite)
        with closing(SharedRenderer(self.renderer)) as renderer:
            for name, log in self.runs.items():
                asked = (t for s in log.settings.parts for t in suite.trials(s) if _answers(log, t))
                drawer = renderer if self.with_pictures else None
                notes = _notes_by_item(log)
                shown = [_entry(log, trial, drawer, notes) for trial in islice(asked, MOST)]
                yield name, shown, len(log.answers)


def list_items(folders: Mapping[str, Path], *, with_pictures: bool = True) -> list[ListedItems]:
    """Return the runs in some folders, by suite.

    Args:
        folders: by the runs' names.
        with_pictures: whether pictures are to be drawn.

    Raises:
        RunError: a folder holds no run of items.
    """
    logs = {name: ItemLog.read(path) for name, path in folders.items()}
    suites = dict.fromkeys(log.settings.suite for log in logs.values())
    return [
        ListedItems(
            suite,
            {n: log for n, log in logs.items() if log.settings.suite == suite},
            with_pictures=with_pictures,
        )
        for suite in suites
    ]


def _answers(log: ItemLog, trial: Trial[Any]) -> Sequence[str]:
    return [answered.text for answered in log.answers.get(trial.id, ())]


Notes = Mapping[str, list[Mapping[str, Json]]]
"""The notes of a journal by the item that they are on."""


def _notes_by_item(log: ItemLog) -> Notes:
    notes: dict[str, list[Mapping[str, Json]]] = {}
    for note in read_notes(log.path / JOURNAL_NAME):
        notes.setdefault(str(note.get("item", "")), []).append(note)
    return notes


def _entry(log: ItemLog, trial: Trial[Any], renderer: Renderer | None, notes: Notes) -> Entry:
    state, steps = trial.start(), list[Shown]()
    for text in _answers(log, trial):
        item = trial.ask(state)
        if item is None:
            break
        told = next((n for n in notes.get(item.id, ()) if n.get("text") == text), {})
        steps.append(_step(item, text, renderer, told, is_first=not steps))
        state = trial.after(state, text)
    return Entry(trial.id, steps)


def _step(
    item: Item[Any],
    text: str,
    renderer: Renderer | None,
    note: Mapping[str, Json],
    *,
    is_first: bool,
) -> Shown:
    """Return a question as it was asked, its answer, and how that was read and judged."""
    pictures, problem = _pictures(item, renderer)
    exchange = read_exchange(note)
    texts = [("System prompt", item.system)] * is_first + [("Question", item.text)]
    texts += [("Pictures", problem)] * bool(problem)
    texts += [("Reasoning", exchange.reasoning)] * bool(exchange.reasoning)
    texts += [("Answer", text)]
    if item.counts:
        read = item.form.parse(text)
        understood = "nothing that is an answer" if read is None else item.form.format(read)
        texts += [("Read as", understood), ("Gold", item.form.format(item.gold))]
    paid = " · ".join(format_cost(exchange))
    texts += [("Took", paid)] * bool(paid)
    return Shown(pictures, texts, item.check(text) if item.counts else None)


def _pictures(
    item: Item[Any], renderer: Renderer | None
) -> tuple[tuple[tuple[str, bytes], ...], str]:
    """Return the pictures of an item, and why some of them can't be drawn."""
    if renderer is None:
        return (), f"{len(item.pictures)} not drawn" if item.pictures else ""
    try:
        views = [view for picture in item.pictures for view in draw(renderer, picture, SIZE)]
    except RendererUnavailable as error:
        return (), f"{len(item.pictures)} not drawn: {error}"
    return tuple((view.name, view.data) for view in views), ""
