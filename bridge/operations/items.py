"""Evaluation on items: a run that is begun or resumed, asked and scored."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from pathlib import Path

from bridge.agents.journal import JOURNAL_NAME, sum_paid_usage
from bridge.agents.plugins import check_settings
from bridge.items.answerers import find_answerer_kind
from bridge.items.log import ItemLog, ItemRunSettings
from bridge.items.options import AskOptions
from bridge.items.person import AskPerson
from bridge.items.results import ItemResults, compute_results
from bridge.items.runner import Failed, Finished, run_items
from bridge.items.suite_files import make_suite
from bridge.items.suites import ItemSuite, find_suite, limit_subsets
from bridge.operations.engines import open_engines
from bridge.operations.executors import open_optional_cluster
from bridge.operations.limits import check_complete
from bridge.operations.requests import EvaluationRequest
from bridge.recording.folders import format_folder_name, new_run_folder
from bridge.runs.folders import RunError
from bridge.scoring.metrics import Price
from bridge.scoring.prices import find_price
from bridge.scoring.spending import SpendingLimits
from pysim.catalog.suite_files import read_suite_file
from pysim.machine import count_cores

__all__ = ["PERSON", "AskedRun", "ItemRun", "ask_item_run", "prepare_item_run"]

PERSON = "person"
"""Name under which the header of a run holds the id of the person."""
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}")


@dataclass(frozen=True, slots=True)
class ItemRun:
    """A run of items that is begun or resumed.

    Attributes:
        log: of the run; holds its settings.
        suite: that asks.
        request: options that every bench shares.
        price: of the agent; None where unknown.
        limits: of spending; None for any amount.
    """

    log: ItemLog
    suite: ItemSuite
    request: EvaluationRequest
    price: Price | None
    limits: SpendingLimits | None

    @property
    def path(self) -> Path:
        """Folder of the run."""
        return self.log.path

    @property
    def total(self) -> int:
        """Number of trials."""
        return sum(subset.count for subset in self.log.settings.parts)


@dataclass(frozen=True, slots=True)
class AskedRun:
    """Trials of a run that was asked.

    Attributes:
        run: the run.
        finished: number of trials that are finished.
        failures: trials without an answer.
        results: of the finished ones.
    """

    run: ItemRun
    finished: int
    failures: tuple[Failed, ...]
    results: ItemResults

    def check(self) -> None:
        """Raise the error of a run that is not complete.

        Raises:
            RunError: trials failed, or a limit of spending was reached.
        """
        out = self.run.path
        check_complete(
            self.failures,
            (self.finished, self.run.total, "trials"),
            out,
            locate=lambda failed: failed.trial,
            limits=self.run.limits,
            read_usage=lambda: sum_paid_usage(out / JOURNAL_NAME),
        )


def prepare_item_run(name: str, options: AskOptions, request: EvaluationRequest) -> ItemRun:
    """Begin a run, or resume the one in its folder.

    Args:
        name: of a suite, or the file of one.
        options: of the bench, an instance of its dataclass.
        request: options that every bench shares.

    Raises:
        LubanError: an option, the suite, the agent or the folder does not fit; nothing is asked.
    """
    suite = _read_suite(name)
    takers = {f"the agent {request.agent}": find_answerer_kind(request.agent)}
    check_settings(request.settings, takers)
    price = find_price(request.read_prices(), request.agent)
    settings = _build_settings(request, options, suite)
    limits = request.build_limits(price)
    stem = Path(name).stem if name.endswith(".json") else name
    default = format_folder_name(stem, options.task, request.agent)
    out = request.out or new_run_folder(request.runs, default)
    return ItemRun(ItemLog.begin(out, settings), suite, request, price, limits)


def ask_item_run(
    run: ItemRun,
    watch: Callable[[int, int], None] = lambda finished, total: None,
    *,
    person: AskPerson | None = None,
) -> AskedRun:
    """Ask what is left of a run, and write its results.

    An interrupt is passed on; answers are kept.

    Args:
        run: as :func:`prepare_item_run` returns it.
        watch: called with the number of finished trials and that of all.
        person: asks the person at a terminal, where one answers.
    """
    request, total, finished = run.request, run.total, 0
    # What only computes is quickest in one thread, unless somebody knows better.
    waits = find_answerer_kind(request.agent).waits

    def count(done: Finished | Failed) -> None:
        nonlocal finished
        finished += isinstance(done, Finished)
        watch(finished, total)

    watch(finished, total)
    with open_optional_cluster(request.ray, request.workers) as cluster:
        failures = run_items(
            run.log,
            run.suite,
            workers=request.workers or (count_cores() if waits else 1),
            renderer=request.renderer,
            watch=count,
            open_engines=partial(open_engines, request.unity_player, request.renderer),
            cluster=cluster,
            allowance=run.limits,
            person=person,
        )
    results = compute_results(run.path, run.suite)
    results.write(run.path)
    return AskedRun(run, finished, tuple(failures), results)


def _read_suite(name: str) -> ItemSuite:
    """Return the suite of a name, or the one of a file."""
    own = read_suite_file(Path(name)) if name.endswith(".json") else None
    return find_suite(name) if own is None else make_suite(own)


def _build_settings(
    request: EvaluationRequest, options: AskOptions, suite: ItemSuite
) -> ItemRunSettings:
    return ItemRunSettings(
        suite=suite.name,
        version=suite.version,
        parts=limit_subsets(suite.subsets(options), request.limit),
        agent=request.agent,
        seed=request.seed,
        picture_size=request.image_size,
        options={**request.settings, **_build_person_options(options)},
        luban=version("luban"),
    )


def _build_person_options(options: AskOptions) -> Mapping[str, str]:
    """Return the id of the person as the header of a run holds it; nothing if none is given.

    Raises:
        RunError: it can't be an id.
    """
    if not options.person:
        return {}
    if not _ID.fullmatch(options.person):
        raise RunError(
            "--person is a number or a pseudonym of at most 40 letters, digits, dots, dashes and "
            f"underscores, not {options.person[:60]!r}"
        )
    return {PERSON: options.person}
