"""The long commands, and what each leaves behind that has to be the same however it went."""

import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.cli.runs import logs
from tests.needs import QUICK_RENDERER
from tests.soak.commands import TIMED, Ended, Runner

__all__ = ["KILLED", "LONG", "QUICK", "Long", "prepared"]

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
        has_folder: whether the folder ``out`` has to be there before.
    """

    name: str
    arguments: Sequence[str]
    content: Callable[[Path], Content]
    force: Sequence[str] = ()
    has_folder: bool = False

    def words(self, folder: Path) -> list[str]:
        """The words with which it is begun or resumed in a folder."""
        if self.has_folder:
            (folder / "out").mkdir(exist_ok=True)
        there = (folder / "out").exists()
        return [*self.arguments, *(self.force if there else ())]

    def run(self, runner: Runner, folder: Path) -> Ended:
        """Run it to its end."""
        return runner.wait(runner.start(self.words(folder), folder))


def prepared(runner: Runner, folder: Path) -> None:
    """Make what the commands need: a run of which a dataset is made, a bundle and two videos.

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
    film = [
        "--film-size",
        "256x192",
        "--fps",
        "6",
        "--renderer",
        QUICK_RENDERER,
        "--first-steps",
        "1",
    ]
    for words in (
        ["eval", levels, *options, "--out", "played"],
        ["bundle", "burr-half-lap", *film, "--out", "bundles"],
    ):
        ended = runner.run(words, folder, 60)
        assert ended.status == 0, ended.words
    (folder / "bundles/burr-half-lap").rename(folder / "bundle")
    (folder / "model").mkdir()
    for name in ("one", "two"):
        shutil.copy(folder / "bundle/video.mp4", folder / "model" / f"{name}.mp4")


def _run(out: Path) -> Content:
    return logs(out) | {name: (out / name).read_bytes() for name in ("results.json", "results.csv")}


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
    Long("generate", ("generate", "burr", *_BOXES, "--out", "out"), _files),
    Long(
        "dataset",
        ("dataset", "../played", "--image-size", "32", "--out", "out"),
        _dataset,
        force=("--force",),
    ),
    Long("items", ("eval", "cube-bench", "--task", "all", "--n", "12", *_NOISY), _files),
)
"""Commands of which two may be begun in one folder."""

_VERIFIED = ("burr-half-lap", "burr-three-bars", "packing-easy-01", "nets-easy-01")
_ALONE = ("--workers", "1", "--no-films", "--certificates", "out/certificates.jsonl")
KILLED: Sequence[Long] = (
    *LONG,
    Long("verify", ("verify", *_VERIFIED, *_ALONE), _files, has_folder=True),
    Long(
        "score-video",
        ("score-video", "../bundle", "../model", "--workers", "1", "--annotate", "--out", "out"),
        _files,
    ),
)
"""Commands that may be killed and resumed."""
QUICK: Sequence[Long] = (
    Long(
        "show",
        (
            "show",
            "burr-half-lap",
            "--image-size",
            "64",
            "--renderer",
            QUICK_RENDERER,
            "--out",
            "out/x.png",
        ),
        _files,
        has_folder=True,
    ),
    Long("init", ("init", "family", "out"), _files),
)
"""Commands that write once, and make what they make anyway if they could not."""
