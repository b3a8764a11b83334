"""The results of a run of items, from its log alone: ``results.json`` and ``tables.csv``."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from bridge.agents.journal import JOURNAL_NAME, read_costs, sum_usage
from bridge.agents.usage import Usage
from bridge.items.log import ItemLog, ItemRunSettings
from bridge.items.rescore import rescore_run
from bridge.items.suites import EndedTrial, ItemSuite, ScoredRun, Subset
from bridge.recording.files import write_whole
from bridge.report.formats import build_tables_document, format_tables_csv
from bridge.report.parts import Table
from bridge.scoring.judged import Tally
from pysim.field_types import Json

__all__ = ["RESULTS_FORMAT", "ItemResults", "compute_results", "score_run"]

RESULTS_FORMAT = "luban-item-results/1"


@dataclass(frozen=True, slots=True)
class ItemResults:
    """Results of a run.

    Attributes:
        settings: of the run.
        scores: of each subset, in order.
        usage: what a model was asked and said.
        tables: in the layout of the suite's paper.
        tally: of all answers together, whatever they are to.
    """

    settings: ItemRunSettings
    scores: Sequence[tuple[Subset, Mapping[str, Json]]]
    usage: Usage
    tables: Sequence[Table]
    tally: Tally

    def to_document(self) -> dict[str, Json]:
        """Shares are from 0 to 1; what is undefined is null."""
        return {
            "format": RESULTS_FORMAT,
            "suite": self.settings.suite,
            "version": self.settings.version,
            "agent": self.settings.agent,
            "parts": [{**subset.to_document(), "scores": scores} for subset, scores in self.scores],
            "usage": asdict(self.usage),
            "tables": build_tables_document(self.tables),
        }

    def make_summary(self) -> dict[str, Json]:
        """Return what ``luban eval --json`` prints: the document, and the share that is right."""
        interval = self.tally.interval
        return {
            **self.to_document(),
            "items": len(self.tally.answers),
            "accuracy": self.tally.accuracy,
            "interval": None if interval is None else [interval.low, interval.high],
        }

    def write(self, folder: Path) -> None:
        """Write both files, each whole.

        Raises:
            OSError: one can't be written.
        """
        document = json.dumps(self.to_document(), indent=1) + "\n"
        write_whole(folder / "results.json", document.encode())
        write_whole(folder / "tables.csv", format_tables_csv(self.tables).encode())


def compute_results(folder: Path, suite: ItemSuite) -> ItemResults:
    """Return the results of the run in a folder, as far as it is done.

    Raises:
        RunError: there is none, or it is damaged.
    """
    log = ItemLog.read(folder)
    ended = rescore_run(log, suite)
    run = _scored(log, suite, ended)
    tally = Tally([one for _, trials in ended for trial in trials for one in trial.judged])
    return ItemResults(log.settings, run.scores, run.usage, suite.tables([run]), tally)


def score_run(log: ItemLog, suite: ItemSuite) -> ScoredRun:
    """Return the scores of a run, as far as it is done.

    Raises:
        RunError: its items are not those of this version of the suite.
    """
    return _scored(log, suite, rescore_run(log, suite))


def _scored(
    log: ItemLog, suite: ItemSuite, ended: Sequence[tuple[Subset, Sequence[EndedTrial]]]
) -> ScoredRun:
    scores = [(subset, suite.scores(subset, trials)) for subset, trials in ended]
    journal = log.path / JOURNAL_NAME
    agent = log.settings.agent
    return ScoredRun(agent, scores, sum_usage(journal), read_costs(journal), agent)
