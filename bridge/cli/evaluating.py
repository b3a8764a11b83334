"""``luban eval``."""

import difflib
import json
import os
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from importlib.metadata import version
from pathlib import Path

from bridge.cli.engines import open_engines
from bridge.cli.failing import CommandError
from bridge.episode.engines import OpenEngines
from bridge.episode.records import ObservationMode
from bridge.evals.metrics import Score, score
from bridge.evals.play import Mode
from bridge.evals.registry import agent_kind
from bridge.evals.results import EpisodeResult
from bridge.evals.runner import Done, Watch, play_run
from bridge.evals.runs import RunFolder, RunSettings
from bridge.evals.summary import brief_document, write_results
from bridge.evals.worker import Failure, VideoPolicy
from bridge.recording.folders import new_run_folder
from pysim.catalog import AnyLevel, LevelError, find_level
from pysim.suites import find_suite, levels_of, suite_names

__all__ = ["EvalRequest", "run_eval"]


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
    video: str = "none"
    out: Path | None = None
    runs: Path = Path("runs")
    renderer: str = "auto"
    unity_player: str = ""


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
    video = VideoPolicy(request.video)
    out = request.out or new_run_folder(request.runs, _default_name(request))
    folder = RunFolder.begin(out, settings)
    total = len(levels) * settings.attempts
    try:
        with _progress(total, quiet=as_json) as watch:
            done = play_run(
                folder,
                levels,
                workers=request.workers or _cores(),
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
    write_results(out, settings, results)
    _complain([one for one in done if isinstance(one, Failure)], total, out)
    if as_json:
        print(json.dumps(brief_document(settings, results, out)))
    else:
        _print(score(results), settings, out)


def _levels(name: str) -> tuple[AnyLevel, ...]:
    """A suite, or levels by id or file, separated by commas."""
    if name in suite_names():
        return levels_of(find_suite(name))
    try:
        found = tuple(find_level(part.strip()) for part in name.split(","))
    except LevelError as error:
        close = difflib.get_close_matches(name, suite_names(), n=1, cutoff=0.5)
        hint = f"did you mean {close[0]}" if close else f"there are {', '.join(suite_names())}"
        raise CommandError(f"there is no suite {name[:80]!r} ({hint}?), and {error}") from None
    ids = [level.id for level in found]
    if len(set(ids)) < len(ids):
        raise CommandError("a level is named twice; --k plays each several times")
    return found


def _check_world(name: str, opened: OpenEngines) -> None:
    with opened() as engines:
        if name not in engines.worlds():
            known = ", ".join(engines.worlds())
            raise CommandError(f"there is no world {name!r}; known are {known}")


def _settings(request: EvalRequest, levels: Sequence[AnyLevel]) -> RunSettings:
    return RunSettings(
        suite=request.suite,
        levels=tuple((level.id, level.hash) for level in levels),
        agent=request.agent,
        attempts=request.attempts,
        mode=Mode(request.mode),
        observation=ObservationMode(request.observation),
        world=request.world,
        budget=request.budget,
        seed=request.seed,
        picture_size=request.size,
        history_window=request.window,
        options=dict(map(_option, request.options)),
        luban=version("luban"),
    )


def _option(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not (name and equals):
        raise CommandError(f"--set is written NAME=VALUE, not {text[:60]!r}")
    return name, value


def _default_name(request: EvalRequest) -> str:
    name = re.sub(r"[^A-Za-z0-9.-]+", "-", f"{request.suite}-{request.agent}").strip("-.")
    return name[:90]


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _complain(failures: Sequence[Failure], total: int, out: Path) -> None:
    if failures:
        first = failures[0]
        raise CommandError(
            f"{len(failures)} of {total} episodes failed, the first at {first.level}, attempt "
            f"{first.attempt}: {first.message}; the same command with --out {out} tries them again"
        )


@contextmanager
def _progress(total: int, *, quiet: bool) -> Iterator[Watch]:
    """Draws a bar with the running score in a terminal; elsewhere prints a line an episode."""
    if quiet:
        yield lambda done: None
    elif not sys.stderr.isatty():
        yield lambda done: print(_line(done), file=sys.stderr, flush=True)
    else:
        with _bar(total) as watch:
            yield watch


def _line(done: Done) -> str:
    name = f"{done.level} #{done.attempt}"
    if isinstance(done, Failure):
        return f"{name:<44} FAILED: {done.message}"
    plan = "" if done.plan is None else f", plan {done.plan}"
    return f"{name:<44} {done.outcome.value} after {done.steps} steps{plan}"


@contextmanager
def _bar(total: int) -> Iterator[Watch]:
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    solved = played = failed = tokens = 0
    columns = (BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}"))
    console = Console(stderr=True)
    with Progress(*columns, TimeRemainingColumn(), console=console, transient=True) as bar:
        task = bar.add_task("", total=total)

        def watch(done: Done) -> None:
            nonlocal solved, played, failed, tokens
            if isinstance(done, Failure):
                failed += 1
            else:
                played, solved = played + 1, solved + done.solved
                tokens += done.usage.tokens
            words = [f"{solved} solved ({solved / max(1, played):.1%})"]
            words += [f"{failed} failed"] * bool(failed) + [f"{tokens:,} tokens"] * bool(tokens)
            bar.update(task, advance=1, description=", ".join(words))

        yield watch


def _print(found: Score, settings: RunSettings, out: Path) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, show_header=False)
    table.add_row("suite", settings.suite)
    table.add_row("agent", settings.agent)
    table.add_row("episodes", str(found.episodes))
    table.add_row("solved", str(found.solved))
    if found.pass_at_1 is not None and found.bootstrap is not None:
        interval = f"{found.bootstrap.low:.1%} to {found.bootstrap.high:.1%}"
        table.add_row("Pass@1", f"{found.pass_at_1:.1%} ({interval})")
    for name, distance in (("Dist2Opt", found.dist2opt), ("NormDist", found.normdist)):
        if distance is not None:
            upper = "" if distance.exact else f" to {distance.high:.2f}"
            table.add_row(name, f"{distance.low:.2f}{upper}")
    table.add_row("disagreements", str(found.disagreements))
    table.add_row("files", str(out))
    Console().print(table)
