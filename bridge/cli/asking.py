"""``luban eval`` of a suite of items."""

import json
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path

from bridge.agents.journal import JOURNAL_NAME, Journal
from bridge.cli.columns import terminal_width
from bridge.cli.engines import open_engines
from bridge.cli.eval import SharedRequest, read_option
from bridge.cli.evaluating import cost_words
from bridge.cli.failing import CommandError
from bridge.cli.progress import frame_progress
from bridge.cli.tables import table_text
from bridge.cluster import cores
from bridge.episode.rendering import SharedRenderer
from bridge.items.log import ItemLog, ItemRunSettings
from bridge.items.options import AskOptions
from bridge.items.responders import make_responder
from bridge.items.results import ItemResults, results_of
from bridge.items.runner import Failed, Finished, run_items
from bridge.items.suites import ItemSuite, Part, find_suite
from bridge.recording.folders import new_run_folder
from bridge.scoring.metrics import Price
from bridge.scoring.prices import price_of, read_prices

__all__ = ["run_ask"]


def run_ask(shared: SharedRequest, name: str, options: AskOptions) -> None:
    """Ask the items of a task, or what is left of them, and print its table.

    Raises:
        CommandError: some questions got no answer.
    """
    suite = find_suite(name)
    price = None
    if shared.prices is not None:
        price = price_of(read_prices(shared.prices), shared.agent)
    settings = _settings(shared, options, suite)
    out = shared.out or new_run_folder(shared.runs, _default_name(name, options.task, shared.agent))
    log = ItemLog.begin(out, settings)
    failures = _ask(shared, suite, log)
    results = results_of(out, suite)
    results.write(out)
    total = sum(part.count for part in settings.parts)
    if failures:
        raise CommandError(
            f"{len(failures)} of {total} trials failed, the first {failures[0].trial}: "
            f"{failures[0].message}; the same command with --out {out} tries them again"
        )
    _show(results, price, out, shared.as_json)


def _ask(shared: SharedRequest, suite: ItemSuite, log: ItemLog) -> list[Failed]:
    settings, out = log.settings, log.path
    journal = Journal(out / JOURNAL_NAME)
    respond, waits = make_responder(settings.agent, settings.seed, settings.options, journal)
    # What only computes is quickest in one thread.
    workers = (shared.workers or cores()) if waits else max(1, shared.workers)
    total, finished = sum(part.count for part in settings.parts), 0
    with (
        _renderer(shared) as renderer,
        frame_progress(f"{suite.name} ", quiet=shared.as_json, unit="trials") as show,
    ):

        def watch(done: Finished | Failed) -> None:
            nonlocal finished
            finished += isinstance(done, Finished)
            show(finished, total)

        try:
            return run_items(log, suite, respond, renderer, workers=workers, watch=watch)
        except KeyboardInterrupt:
            print(
                f"luban: interrupted after {finished} of {total} trials; the same command with "
                f"--out {out} resumes the run",
                file=sys.stderr,
            )
            raise SystemExit(130) from None


@contextmanager
def _renderer(shared: SharedRequest) -> Iterator[SharedRenderer]:
    with open_engines(shared.unity_player, shared.renderer) as engines:
        renderer = SharedRenderer(shared.renderer, engines)
        try:
            yield renderer
        finally:
            renderer.close()


def _settings(shared: SharedRequest, options: AskOptions, suite: ItemSuite) -> ItemRunSettings:
    return ItemRunSettings(
        suite=suite.name,
        version=suite.version,
        parts=_parts(shared, options, suite),
        agent=shared.agent,
        seed=shared.seed,
        picture_size=shared.size,
        options=shared.agent_options,
        luban=version("luban"),
    )


def _parts(shared: SharedRequest, options: AskOptions, suite: ItemSuite) -> tuple[Part, ...]:
    known = ", ".join((*suite.tasks, "all"))
    if options.task not in (*suite.tasks, "all"):
        raise CommandError(f"{suite.name} has no task {options.task[:60]!r}; --task is {known}")
    given = dict(read_option(text, "--with") for text in options.task_options)
    if options.obs:
        given["mode"] = options.obs
    tasks = suite.tasks if options.task == "all" else (options.task,)
    count = min(options.n, shared.limit or options.n)
    found = [suite.parts(task, options.depth, given, count) for task in tasks]
    return tuple(part for parts in found for part in parts)


def _default_name(suite: str, task: str, agent: str) -> str:
    name = f"{suite}-{task}-{agent}"
    return re.sub(r"[^A-Za-z0-9.-]+", "-", name).strip("-.")[:90]


def _show(results: ItemResults, price: Price | None, out: Path, as_json: bool) -> None:
    if as_json:
        print(json.dumps({**results.document(), "out": str(out)}))
        return
    for table in results.tables:
        print(table_text(table, terminal_width()), end="\n\n")
    for words in cost_words(results.usage, price):
        print(f"cost: {words}")
    print(f"files: {out}")
