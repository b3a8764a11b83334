"""What is done while disks and memory fail: each of it small, and the same every time."""

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from tests.needs import QUICK_RENDERER
from tests.soak.children import Act
from tests.soak.commands import TIMED

__all__ = ["SCENARIOS", "Files", "Scenario"]

Files = Mapping[str, bytes]
"""The files of a result, by name; what differs from run to run is taken out."""
Fair = Callable[[Files, Files, Files, str], bool]
"""Whether what is there after a fault may be: what was before, what is now, what is made if nothing
fails, and what was printed."""


def _anything(before: Files, now: Files, whole: Files, out: str) -> bool:
    """The same command goes on, so that only what comes then can be judged."""
    return True


def _all_or_nothing(before: Files, now: Files, whole: Files, out: str) -> bool:
    return now in (before, whole)


def _no_answer_lost(before: Files, now: Files, whole: Files, out: str) -> bool:
    """A log is as long as what was answered, or has one step more that was not answered."""
    if not now:
        return not out
    lines, answered = now["log"].splitlines(keepends=True), len(out.splitlines())
    steps = [line for line in lines if line.startswith(b'{"type":"step"') and line.endswith(b"\n")]
    return whole["log"].startswith(now["log"]) and answered <= len(steps) <= answered + 1


LOCKS = "burr-half-lap,burr-three-bars"
BATCH = ("burr", "--kind", "cube", "--level", "2", "--seed", "3", "--count", "2")


@dataclass(frozen=True)
class Scenario:
    """Something that writes files.

    Attributes:
        act: does it, in the working folder.
        out: the file or folder that it makes there.
        prepare: makes what has to be there before, in a folder.
        is_fair: judges what is there after a fault.
        resumes: whether the same again goes on, and makes the same as if nothing had failed; if
            not, it is refused in one line once the result is there.
    """

    act: Act
    out: str
    prepare: Callable[[Path], None] = lambda folder: None
    is_fair: Fair = _anything
    resumes: bool = True

    def files(self, folder: Path) -> Files:
        """What was made; nothing if it is not there."""
        path = folder / self.out
        found = [path, *path.rglob("*")]
        kept = (p for p in found if p.is_file() and not _is_private(p.relative_to(folder)))
        return {p.relative_to(folder).as_posix(): p.read_bytes() for p in kept}

    def litter(self, folder: Path) -> list[str]:
        """Drafts that were left behind."""
        hidden = (path.relative_to(folder) for path in folder.rglob(".*"))
        return [path.as_posix() for path in hidden if not _is_private(path)]


def _is_private(path: Path) -> bool:
    """Whether a file is no result: a lock, a date, what was set aside, what went wrong before."""
    return path.name in (".lock", "error.txt", *TIMED) or "-cut-off-" in path.as_posix()


def _luban(*arguments: str) -> Act:
    """A command, as the program runs it."""

    def act() -> int:
        from bridge.cli import main

        sys.argv = ["luban", *arguments]
        main()
        return 0

    return act


def _episode() -> int:
    """Play a plan, with a refused action before each step."""
    import luban
    from bridge.cli.errors import exit_on_errors
    from bridge.episode.tools import ToolCall

    blocked = ToolCall("slide", {"pieces": ["red"], "direction": "+x", "distance": 9})
    with (
        exit_on_errors(),
        luban.start("burr-chinese-cross", observation="state", log="log") as episode,
    ):
        plan = episode.level.plan
        assert plan is not None
        for action in plan.actions:
            for call in (blocked, action):
                _step(episode, call)
    return 0


def _step(episode: Any, call: object) -> None:
    """Make a step and print it; what can't be written down is tried again, three times in all."""
    from luban.errors import ActionError, RecordingError

    for left in (2, 1, 0):
        try:
            print(episode.step(call).state_hash, flush=True)
            return
        except ActionError:
            print("refused", flush=True)
            return
        except RecordingError:
            if not left:
                raise


def _logs(folder: Path) -> None:
    """Two logs to make datasets of."""
    from tests.recording.plays import play_plan

    for name in ("burr-half-lap", "burr-three-bars"):
        play_plan(folder / f"{name}.jsonl", name)


def _dataset(*more: str) -> Act:
    logs = ("burr-half-lap.jsonl", "burr-three-bars.jsonl")
    return _luban("dataset", *logs, "--out", "set", "--json", *more)


def _old_set(folder: Path) -> None:
    """Logs, and a dataset that is to be replaced."""
    _logs(folder)
    (folder / "set").mkdir()
    (folder / "set" / "dataset.json").write_text("old")


EVAL = ("eval", LOCKS, "--observation", "state", "--workers", "1", "--out", "run", "--json")
# One film, and a short one: to make it takes a hundred times as long as all else.
EVAL_FILMED = ("eval", "burr-half-lap", *EVAL[2:], "--video", "all", "--renderer", QUICK_RENDERER)
ITEMS = ("eval", "cube-bench", "--task", "move-prediction", "--mode", "text", "--n", "4")
PLAIN = ("--observation", "state", "--format", "parquet")
FILMED = ("--image-size", "64", "--camera", "table", "--renderer", QUICK_RENDERER)

_set = partial(Scenario, out="set", is_fair=_all_or_nothing)

SCENARIOS: Mapping[str, Scenario] = {
    "episode": Scenario(_episode, "log", is_fair=_no_answer_lost, resumes=False),
    "eval": Scenario(_luban(*EVAL), "run"),
    "filmed eval": Scenario(_luban(*EVAL_FILMED), "run"),
    "items": Scenario(_luban(*ITEMS, "--workers", "1", "--out", "run", "--json"), "run"),
    "generate": Scenario(_luban("generate", *BATCH, "--out", "batch", "--json"), "batch"),
    "dataset": _set(_dataset(*PLAIN), prepare=_logs, resumes=False),
    "filmed dataset": _set(_dataset(*FILMED), prepare=_logs, resumes=False),
    "dataset --force": _set(_dataset(*PLAIN, "--force"), prepare=_old_set),
}
