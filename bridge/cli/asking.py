"""``luban eval`` of a suite of items."""

import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path

from bridge.agents.journal import JOURNAL_NAME, Journal
from bridge.cli.columns import terminal_width
from bridge.cli.engines import open_engines
from bridge.cli.evaluating import cores, cost_words, read_option
from bridge.cli.failing import CommandError
from bridge.cli.progress import frame_progress
from bridge.cli.tables import table_text
from bridge.episode.rendering import SharedRenderer
from bridge.items.log import ItemLog, ItemRunSettings
from bridge.items.responders import make_responder
from bridge.items.results import ItemResults, results_of
from bridge.items.runner import Failed, Finished, run_items
from bridge.items.suites import ItemSuite, Part, find_suite
from bridge.recording.folders import new_run_folder
from bridge.scoring.metrics import Price
from bridge.scoring.prices import price_of, read_prices

__all__ = ["AskRequest", "run_ask"]


@dataclass(frozen=True, slots=True)
class AskRequest:
    """What ``luban eval`` of items was asked for; see its options."""

    suite: str
    task: str
    agent: str
    depths: Sequence[int] = ()
    count: int = 100
    task_options: Sequence[str] = ()
    agent_options: Sequence[str] = ()
    workers: int = 0
    seed: int = 0
    size: int = 512
    out: Path | None = None
    runs: Path = field(default=Path("runs"))
    renderer: str = "auto"
    unity_player: str = ""
    prices: Path | None = None


def run_ask(request: AskRequest, as_json: bool) -> None:
    """Ask the items of a task, or what is left of them, and print its table.

    Raises:
        CommandError: some questions got no answer.
    """
    suite = find_suite(request.suite)
    price = None
    if request.prices is not None:
        price = price_of(read_prices(request.prices), request.agent)
    settings = _settings(request, suite)
    out = request.out or new_run_folder(request.runs, _default_name(request))
    log = ItemLog.begin(out, settings)
    failures = _ask(request, suite, log, quiet=as_json)
    results = results_of(out, suite)
    results.write(out)
    total = sum(part.count for part in settings.parts)
    if failures:
        raise CommandError(
            f"{len(failures)} of {total} trials failed, the first {failures[0].trial}: "
            f"{failures[0].message}; the same command with --out {out} tries them again"
        )
    _show(results, price, out, as_json)


def _ask(request: AskRequest, suite: ItemSuite, log: ItemLog, *, quiet: bool) -> list[Failed]:
    settings, out = log.settings, log.path
    journal = Journal(out / JOURNAL_NAME)
    respond, waits = make_responder(settings.agent, settings.seed, settings.options, journal)
    # What only computes is quickest in one thread.
    workers = (request.workers or cores()) if waits else max(1, request.workers)
    total, finished = sum(part.count for part in settings.parts), 0
    with (
        _renderer(request) as renderer,
        frame_progress(f"{suite.name} ", quiet=quiet, unit="trials") as show,
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
                f"--out {out} goes on from there",
                file=sys.stderr,
            )
            raise SystemExit(130) from None


@contextmanager
def _renderer(request: AskRequest) -> Iterator[SharedRenderer]:
    with open_engines(request.unity_player, request.renderer) as engines:
        renderer = SharedRenderer(request.renderer, engines)
        try:
            yield renderer
        finally:
            renderer.close()


def _settings(request: AskRequest, suite: ItemSuite) -> ItemRunSettings:
    return ItemRunSettings(
        suite=suite.name,
        version=suite.version,
        parts=_parts(request, suite),
        agent=request.agent,
        seed=request.seed,
        picture_size=request.size,
        options=dict(map(read_option, request.agent_options)),
        luban=version("luban"),
    )


def _parts(request: AskRequest, suite: ItemSuite) -> tuple[Part, ...]:
    known = ", ".join((*suite.tasks, "all"))
    if request.task not in (*suite.tasks, "all"):
        raise CommandError(f"{suite.name} has no task {request.task[:60]!r}; --task is {known}")
    options: Mapping[str, str] = dict(read_option(text, "--with") for text in request.task_options)
    tasks = suite.tasks if request.task == "all" else (request.task,)
    found = [suite.parts(task, request.depths, options, request.count) for task in tasks]
    return tuple(part for parts in found for part in parts)


def _default_name(request: AskRequest) -> str:
    name = f"{request.suite}-{request.task}-{request.agent}"
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
