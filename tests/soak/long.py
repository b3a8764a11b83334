"""The long commands, and what each leaves behind that has to be the same however it went."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.cli.runs import logs
from tests.soak.commands import TIMED, Ended, Runner

__all__ = ["LONG", "Long", "prepared"]

Content = Mapping[str, bytes]


@dataclass(frozen=True, slots=True)
class Long:
    """A command that takes long and is resumed by the same words.

    Attributes:
        name: of the command.
        arguments: its words, for a folder ``out``.
        content: what counts of that folder.
        tried: whether it is done at a try; what was killed may have to be forced.
        force: what is added to the words where something is there already.
    """

    name: str
    arguments: Sequence[str]
    content: Callable[[Path], Content]
    force: Sequence[str] = ()

    def words(self, folder: Path) -> list[str]:
        """The words with which it is begun or resumed in a folder."""
        there = (folder / "out").exists()
        return [*self.arguments, *(self.force if there else ())]

    def run(self, runner: Runner, folder: Path) -> Ended:
        """Run it to its end."""
        return runner.wait(runner.start(self.words(folder), folder))


def prepared(runner: Runner, folder: Path) -> None:
    """Make what the commands need: a run of which a dataset is made.

    That loads compiled code into the process that forks, which forks need not load then.
    """
    options = [
        "--agent",
        "noisy-oracle:0.3",
        "--observation",
        "state",
        "--workers",
        "1",
        "--k",
        "2",
    ]
    levels = "burr-half-lap,burr-three-bars,burr-piston-key"
    ended = runner.run(["eval", levels, *options, "--out", "played"], folder, 60)
    assert ended.status == 0, ended.words


def _run(out: Path) -> Content:
    return logs(out) | {name: (out / name).read_bytes() for name in ("results.json", "results.csv")}


def _batch(out: Path) -> Content:
    found = _files(out)
    summary = json.loads(found["summary.json"])
    del summary["timings"]
    return {**found, "summary.json": json.dumps(summary).encode()}


def _files(out: Path) -> Content:
    """All but hidden files, such as locks, and but for the date of a run."""
    paths = (path for path in sorted(out.rglob("*")) if path.is_file())
    kept = (path for path in paths if path.name[0] != "." and path.name not in TIMED)
    return {str(path.relative_to(out)): path.read_bytes() for path in kept}


def _dataset(out: Path) -> Content:
    """All that is there, and what can be seen beside it: nothing old may be left."""
    around = {f"../{path.name}": b"" for path in out.parent.iterdir() if path.name[0] != "."}
    return {**_files(out), **around}


_PLAYED = "burr-chinese-cross,burr-piston-key,packing-soma"
_NOISY = ("--agent", "noisy-oracle:0.3", "--seed", "5", "--workers", "1", "--out", "out")
_BOXES = ("--kind", "cube", "--level", "2", "--seed", "3", "--count", "2", "--workers", "1")

LONG: Sequence[Long] = (
    Long("eval", ("eval", _PLAYED, "--observation", "state", "--k", "3", *_NOISY), _run),
    Long("generate", ("generate", "burr", *_BOXES, "--out", "out"), _batch),
    Long(
        "dataset",
        ("dataset", "../played", "--image-size", "32", "--out", "out"),
        _dataset,
        force=("--force",),
    ),
    Long("items", ("eval", "cube-bench", "--task", "all", "--n", "12", *_NOISY), _files),
)
