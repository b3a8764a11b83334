"""``luban eval`` of a suite of items."""

import json
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from importlib.metadata import version
from pathlib import Path

from bridge.cli.clusters import optional_cluster
from bridge.cli.columns import terminal_width
from bridge.cli.engines import open_engines
from bridge.cli.evaluating import cores, cost_words, read_option
from bridge.cli.failing import CommandError
from bridge.cli.progress import frame_progress
from bridge.cli.tables import table_text
from bridge.items.log import ItemLog, ItemRunSettings
from bridge.items.responders import answering_kind
from bridge.items.results import ItemResults, results_of
from bridge.items.runner import Failed, Finished, run_items
from bridge.items.suites import ItemSuite, Subset, asker_of, find_suite, limited
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
    obs: str = ""
    count: int = 100
    limit: int = 0
    task_options: Sequence[str] = ()
    agent_options: Sequence[str] = ()
    workers: int = 0
    ray: str = ""
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
    # What only computes is quickest in one thread, unless somebody knows better.
    workers = request.workers or (cores() if answering_kind(settings.agent).waits else 1)
    total, finished = sum(subset.count for subset in settings.parts), 0
    with (
        optional_cluster(request.ray, request.workers) as cluster,
        frame_progress(f"{suite.name} ", quiet=quiet, unit="trials") as show,
    ):

        def watch(done: Finished | Failed) -> None:
            nonlocal finished
            finished += isinstance(done, Finished)
            show(finished, total)

        try:
            return run_items(
                log,
                suite,
                workers=workers,
                renderer=request.renderer,
                watch=watch,
                open_engines=partial(open_engines, request.unity_player, request.renderer),
                cluster=cluster,
            )
        except KeyboardInterrupt:
            print(
                f"luban: interrupted after {finished} of {total} trials; the same command with "
                f"--out {out} resumes the run",
                file=sys.stderr,
            )
            raise SystemExit(130) from None


def _settings(request: AskRequest, suite: ItemSuite) -> ItemRunSettings:
    return ItemRunSettings(
        suite=suite.name,
        version=suite.version,
        parts=_subsets(request, suite),
        agent=request.agent,
        seed=request.seed,
        picture_size=request.size,
        options=dict(map(read_option, request.agent_options)),
        luban=version("luban"),
    )


def _subsets(request: AskRequest, suite: ItemSuite) -> tuple[Subset, ...]:
    options = asker_of(suite.name).options(
        task=request.task,
        n=request.count,
        depth=tuple(request.depths),
        obs=request.obs,
        task_options=tuple(request.task_options),
    )
    return limited(suite.subsets(options), request.limit)


def _default_name(request: AskRequest) -> str:
    name = f"{request.suite}-{request.task}-{request.agent}"
    return re.sub(r"[^A-Za-z0-9.-]+", "-", name).strip("-.")[:90]


def _show(results: ItemResults, price: Price | None, out: Path, as_json: bool) -> None:
    if as_json:
        print(json.dumps({**results.brief(), "out": str(out)}))
        return
    for table in results.tables:
        print(table_text(table, terminal_width()), end="\n\n")
    for words in cost_words(results.usage, price):
        print(f"cost: {words}")
    print(f"files: {out}")
