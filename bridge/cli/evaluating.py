"""``luban eval``."""

import difflib
import fnmatch
import json
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from importlib.metadata import version
from itertools import chain
from pathlib import Path

from bridge.agents.registry import agent_kind
from bridge.agents.usage import Usage
from bridge.cli.clusters import optional_cluster
from bridge.cli.columns import print_pairs
from bridge.cli.engines import open_engines
from bridge.cli.failing import CommandError
from bridge.cli.turns import TurnRequest, check_turns, print_cubes
from bridge.cluster import cores
from bridge.episode.engines import OpenEngines
from bridge.episode.records import ObservationMode
from bridge.recording.folders import new_run_folder
from bridge.report.documents import brief_document, write_results
from bridge.runs.play import Mode
from bridge.runs.playing import Watch, play_run
from bridge.runs.results import EpisodeResult
from bridge.runs.store import RunFolder, RunSettings
from bridge.runs.worker import Done, Failure, VideoPolicy
from bridge.scoring.metrics import Price, Score, score
from bridge.scoring.prices import price_of, read_prices
from bridge.scoring.selection.beam import BeamSettings
from bridge.scoring.selection.scorers import scorer_kind
from pysim.catalog import AnyLevel, LevelError, find_level, level_paths
from pysim.suites import find_suite, levels_of, suite_names

__all__ = ["EvalRequest", "cores", "cost_words", "read_option", "run_eval"]


@dataclass(frozen=True, slots=True)
class EvalRequest:
    """What ``luban eval`` was asked for; see its options."""

    suite: str
    agent: str
    attempts: int = 1
    workers: int = 0
    budget: int | None = None
    mode: str = "interactive"
    observation: str = "image+state"
    world: str = "lattice"
    seed: int = 0
    size: int = 512
    window: int = 5
    options: Sequence[str] = field(default_factory=tuple)
    turns: TurnRequest = field(default_factory=TurnRequest)
    video: str = "none"
    out: Path | None = None
    runs: Path = Path("runs")
    renderer: str = "auto"
    unity_player: str = ""
    beam: int = 0
    branch: int = 0
    scorer: str = "progress"
    prices: Path | None = None
    ray: str = ""


def run_eval(request: EvalRequest, as_json: bool) -> None:
    """Play a suite, or what is left of it, and print the score.

    Raises:
        CommandError: some episodes could not be played.
    """
    if agent_kind(request.agent).name == "human":
        raise CommandError("a person plays one level at a time: `luban play LEVEL --agent human`")
    levels = _levels(request.suite)
    engines = partial(open_engines, request.unity_player, request.world, request.renderer)
    _check_world(request.world, engines)
    settings = _settings(request, levels)
    check_turns(request.turns, settings, levels)
    price = None
    if request.prices is not None:
        price = price_of(read_prices(request.prices), request.agent)
    video = VideoPolicy(request.video)
    out = request.out or new_run_folder(request.runs, _default_name(request))
    folder = RunFolder.begin(out, settings)
    total = len(levels) * settings.attempts
    try:
        with (
            optional_cluster(request.ray, request.workers) as cluster,
            _progress(total, price, quiet=as_json) as watch,
        ):
            done = play_run(
                folder,
                levels,
                workers=request.workers or cores(),
                cluster=cluster,
                video=video,
                renderer=request.renderer,
                watch=watch,
                open_engines=engines,
            )
    except KeyboardInterrupt:
        finished = len(folder.results())
        print(
            f"luban: interrupted after {finished} of {total} episodes; the same command with "
            f"--out {out} goes on from there",
            file=sys.stderr,
        )
        raise SystemExit(130) from None
    results = [one for one in done if isinstance(one, EpisodeResult)]
    write_results(out, settings, results, price)
    _complain([one for one in done if isinstance(one, Failure)], total, out)
    if as_json:
        print(json.dumps(brief_document(settings, results, out)))
    else:
        _print(score(results), settings, out, price)
        print_cubes(results)


def _levels(name: str) -> tuple[AnyLevel, ...]:
    """A suite, or levels by id, by a pattern of ids or by file, separated by commas."""
    if name in suite_names():
        return levels_of(find_suite(name))
    try:
        found = tuple(map(find_level, chain.from_iterable(map(_ids, name.split(",")))))
    except LevelError as error:
        close = difflib.get_close_matches(name, suite_names(), n=1, cutoff=0.5)
        hint = f"did you mean {close[0]}" if close else f"there are {', '.join(suite_names())}"
        raise CommandError(f"there is no suite {name[:80]!r} ({hint}?), and {error}") from None
    ids = [level.id for level in found]
    if len(set(ids)) < len(ids):
        raise CommandError("a level is named twice; --k plays each several times")
    return found


def _ids(part: str) -> list[str]:
    """The shipped levels that a pattern like ``cubebench-d0?-*`` means; else the part itself."""
    part = part.strip()
    if not any(sign in part for sign in "*?["):
        return [part]
    found = fnmatch.filter((path.stem for path in level_paths()), part)
    return sorted(found) or [part]


def _check_world(name: str, opened: OpenEngines) -> None:
    with opened() as engines:
        if name not in engines.worlds():
            known = ", ".join(engines.worlds())
            raise CommandError(f"there is no world {name!r}; known are {known}")


def _settings(request: EvalRequest, levels: Sequence[AnyLevel]) -> RunSettings:
    mode = Mode(request.mode)
    return RunSettings(
        suite=request.suite,
        levels=tuple((level.id, level.hash) for level in levels),
        agent=request.agent,
        attempts=request.attempts,
        mode=mode,
        observation=ObservationMode(request.observation),
        world=request.world,
        budget=request.budget,
        seed=request.seed,
        picture_size=request.size,
        history_window=request.window,
        options=dict(map(read_option, request.options)),
        luban=version("luban"),
        search=_search(request),
        protocol=request.turns.protocol() if mode.in_turns else None,
    )


def _search(request: EvalRequest) -> BeamSettings | None:
    if not request.beam:
        if request.branch:
            raise CommandError("--branch is of a beam search; give --beam too")
        return None
    scorer_kind(request.scorer)
    return BeamSettings(request.beam, request.branch or request.beam, request.scorer)


def read_option(text: str, option: str = "--set") -> tuple[str, str]:
    """Name and value of a ``--set``, or of another option of its form.

    Raises:
        CommandError: it is not written so.
    """
    name, equals, value = text.partition("=")
    if not (name and equals):
        raise CommandError(f"{option} is written NAME=VALUE, not {text[:60]!r}")
    return name, value


def _default_name(request: EvalRequest) -> str:
    name = re.sub(r"[^A-Za-z0-9.-]+", "-", f"{request.suite}-{request.agent}").strip("-.")
    return name[:90]


def _complain(failures: Sequence[Failure], total: int, out: Path) -> None:
    if failures:
        first = failures[0]
        raise CommandError(
            f"{len(failures)} of {total} episodes failed, the first at {first.level}, attempt "
            f"{first.attempt}: {first.message}; the same command with --out {out} tries them again"
        )


@contextmanager
def _progress(total: int, price: Price | None, *, quiet: bool) -> Iterator[Watch]:
    """Draws a bar with the running score in a terminal; elsewhere prints a line an episode."""
    if quiet:
        yield lambda done: None
    elif not sys.stderr.isatty():
        tally = _Tally(price)
        yield lambda done: print(
            f"{_line(done):<72} [{tally.with_one_more(done)}]", file=sys.stderr, flush=True
        )
    else:
        with _bar(total, _Tally(price)) as watch:
            yield watch


def _line(done: Done) -> str:
    name = f"{done.level} #{done.attempt}"
    if isinstance(done, Failure):
        return f"{name:<44} FAILED: {done.message}"
    plan = "" if done.plan is None else f", plan {done.plan}"
    return f"{name:<44} {done.outcome.value} after {done.steps} steps{plan}"


class _Tally:
    """The running score and cost, in words."""

    def __init__(self, price: Price | None) -> None:
        self._price = price
        self._usage = Usage()
        self._solved = self._played = self._failed = 0

    def with_one_more(self, done: Done) -> str:
        """The tally, one episode later."""
        if isinstance(done, Failure):
            self._failed += 1
        else:
            self._played, self._solved = self._played + 1, self._solved + done.solved
            self._usage += done.usage
        share = self._solved / max(1, self._played)
        words = [f"{self._solved} solved ({share:.1%})"]
        words += [f"{self._failed} failed"] * bool(self._failed)
        return ", ".join(words + cost_words(self._usage, self._price))


@contextmanager
def _bar(total: int, tally: _Tally) -> Iterator[Watch]:
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = (BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}"))
    console = Console(stderr=True)
    with Progress(*columns, TimeRemainingColumn(), console=console, transient=True) as bar:
        task = bar.add_task("", total=total)
        yield lambda done: bar.update(task, advance=1, description=tally.with_one_more(done))


def cost_words(usage: Usage, price: Price | None) -> list[str]:
    """What models were asked so far, in words; nothing if there was none."""
    if not usage.tokens:
        return []
    return [f"{usage.tokens:,} tokens"] + ([f"{price.cost(usage):.2f} USD"] if price else [])


def _print(found: Score, settings: RunSettings, out: Path, price: Price | None) -> None:
    rows = [("suite", settings.suite), ("agent", settings.agent)]
    rows += [("episodes", str(found.episodes)), ("solved", str(found.solved))]
    if found.pass_at_1 is not None and found.bootstrap is not None:
        interval = f"{found.bootstrap.low:.1%} to {found.bootstrap.high:.1%}"
        rows.append(("Pass@1", f"{found.pass_at_1:.1%} ({interval})"))
    for name, distance in (("Dist2Opt", found.dist2opt), ("NormDist", found.normdist)):
        if distance is not None:
            upper = "" if distance.exact else f" to {distance.high:.2f}"
            rows.append((name, f"{distance.low:.2f}{upper}"))
    if settings.search is not None:
        rows.append(("steps tried", str(found.tried)))
    if found.scorer_usage.tokens:
        rows.append(("scorer", f"{found.scorer_usage.tokens:,} tokens"))
    for cost in cost_words(found.usage, price):
        rows.append(("cost", cost))
    rows.append(("disagreements", str(found.disagreements)))
    rows.append(("files", str(out)))
    print_pairs(rows)
