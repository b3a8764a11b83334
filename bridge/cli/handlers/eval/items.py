"""``luban eval`` of a suite of items."""

import json
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from importlib.metadata import version
from pathlib import Path

from bridge.agents.journal import JOURNAL_NAME, sum_paid_usage
from bridge.agents.plugins import refuse_unknown_settings
from bridge.cli.clusters import open_optional_cluster
from bridge.cli.engines import open_engines
from bridge.cli.errors import CommandError
from bridge.cli.handlers.eval.human import (
    build_person_options,
    make_person_prompter,
    print_thanks,
    refuse_person,
)
from bridge.cli.handlers.eval.levels import format_cost
from bridge.cli.handlers.eval.limits import build_limits, make_refused_error, make_spent_error
from bridge.cli.handlers.eval.presets import (
    describe_preset,
    format_preset,
    print_preset,
    print_refused_settings,
)
from bridge.cli.interactive.questions import QuestionPrompter
from bridge.cli.permissions import make_files_private
from bridge.cli.progress import show_frame_progress
from bridge.cli.requests import SharedRequest
from bridge.cli.tables import format_table
from bridge.cli.terminal import measure_terminal
from bridge.items.answerers import find_answerer_kind
from bridge.items.log import ItemLog, ItemRunSettings
from bridge.items.options import AskOptions
from bridge.items.person import AGENT
from bridge.items.results import ItemResults, compute_results
from bridge.items.runner import Failed, Finished, run_items
from bridge.items.suite_files import make_suite
from bridge.items.suites import Asker, ItemSuite, find_suite, limit_subsets
from bridge.recording.folders import new_run_folder
from bridge.scoring.metrics import Price
from bridge.scoring.prices import find_price, read_prices
from bridge.scoring.spending import SpendingLimits
from pysim.catalog.suite_files import read_suite_file
from pysim.machine import count_cores

__all__ = ["run_ask"]


@make_files_private()
def run_ask(bench: Asker, shared: SharedRequest, name: str, options: AskOptions) -> None:
    """Ask the items of a task, or what is left of them, and print its table.

    Raises:
        CommandError: some questions got no answer.
    """
    refuse_person(shared)
    suite = _suite(name)
    takers = {f"the agent {shared.agent}": find_answerer_kind(shared.agent)}
    refuse_unknown_settings(shared.agent_options, takers)
    price = None
    if shared.prices is not None:
        price = find_price(read_prices(shared.prices), shared.agent)
    settings = _settings(shared, options, suite)
    limits = build_limits(shared, price)
    out = shared.out or new_run_folder(
        shared.runs,
        _default_name(
            Path(name).stem if name.endswith(".json") else name, options.task, shared.agent
        ),
    )
    log = ItemLog.begin(out, settings)
    note = describe_preset(bench, shared, options)
    print_preset(note, out, quiet=shared.as_json)
    total = sum(part.count for part in settings.parts)
    finished, failures = _ask(shared, suite, log, limits)
    print_refused_settings(shared)
    results = compute_results(out, suite)
    results.write(out)
    if ending := next((one for one in failures if one.ends_run), None):
        raise make_refused_error(ending.message, f"{finished} of {total} trials", out)
    if failures:
        raise CommandError(
            f"{len(failures)} of {total} trials failed, the first {failures[0].trial}: "
            f"{failures[0].message}; the same command with --out {out} tries them again"
        )
    if limits is not None and finished < total:
        used = limits.told(sum_paid_usage(out / JOURNAL_NAME))
        raise make_spent_error(used, f"{finished} of {total} trials", out)
    if shared.agent == AGENT:
        print_thanks(total, out)
        return
    _show(results, price, out, shared.as_json)
    if not shared.as_json:
        print("".join(f"{line}\n" for line in format_preset(note)), end="")


def _suite(name: str) -> ItemSuite:
    """Return the suite of a name, or the one of a file."""
    own = read_suite_file(Path(name)) if name.endswith(".json") else None
    return find_suite(name) if own is None else make_suite(own)


def _ask(
    shared: SharedRequest, suite: ItemSuite, log: ItemLog, limits: SpendingLimits | None
) -> tuple[int, list[Failed]]:
    """Run the trials, and return the number of finished ones and those that failed."""
    settings, out = log.settings, log.path
    # What only computes is quickest in one thread, unless somebody knows better.
    workers = shared.workers or (count_cores() if find_answerer_kind(settings.agent).waits else 1)
    person = make_person_prompter(settings.agent, out)
    total, finished = sum(subset.count for subset in settings.parts), 0
    with (
        open_optional_cluster(shared.ray, shared.workers) as cluster,
        _progress(suite.name, person, quiet=shared.as_json) as show,
    ):

        def watch(done: Finished | Failed) -> None:
            nonlocal finished
            finished += isinstance(done, Finished)
            show(finished, total)

        show(finished, total)
        try:
            failures = run_items(
                log,
                suite,
                workers=workers,
                renderer=shared.renderer,
                watch=watch,
                open_engines=partial(open_engines, shared.unity_player, shared.renderer),
                cluster=cluster,
                allowance=limits,
                person=person,
            )
            return finished, failures
        except KeyboardInterrupt:
            print(
                f"luban: interrupted after {finished} of {total} trials; the same command with "
                f"--out {out} resumes the run",
                file=sys.stderr,
            )
            raise SystemExit(130) from None


@contextmanager
def _progress(
    suite: str, person: QuestionPrompter | None, *, quiet: bool
) -> Iterator[Callable[[int, int], None]]:
    """Show how many trials are finished: on a line of its own, or with a person's questions."""
    if person is not None:
        yield person.follow
        return
    with show_frame_progress(f"{suite} ", quiet=quiet, unit="trials") as show:
        yield show


def _settings(shared: SharedRequest, options: AskOptions, suite: ItemSuite) -> ItemRunSettings:
    return ItemRunSettings(
        suite=suite.name,
        version=suite.version,
        parts=limit_subsets(suite.subsets(options), shared.limit),
        agent=shared.agent,
        seed=shared.seed,
        picture_size=shared.image_size,
        options={**shared.agent_options, **build_person_options(options)},
        luban=version("luban"),
    )


def _default_name(suite: str, task: str, agent: str) -> str:
    name = f"{suite}-{task}-{agent}"
    return re.sub(r"[^A-Za-z0-9.-]+", "-", name).strip("-.")[:90]


def _show(results: ItemResults, price: Price | None, out: Path, as_json: bool) -> None:
    if as_json:
        print(json.dumps({**results.make_summary(), "out": str(out)}))
        return
    for table in results.tables:
        print(format_table(table, measure_terminal()), end="\n\n")
    for words in format_cost(results.usage, price):
        print(f"cost: {words}")
    print(f"files: {out}")
