"""A whole file of every kind that a command reads, and a command that reads it.

The kinds are listed from the code: :func:`list_kinds`. ``tests/soak/test_samples.py`` fails for one
without a sample, and for a sample whose command does not read it.
"""

import ast
import json
import shutil
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random

from bridge.generating.pools import PoolOrder, PoolSummary, make_pool
from bridge.jobs.threads import Inline
from bridge.runs.presets import PresetNote, write_preset_note
from bridge.video.reference.bundle import FILES, MANIFEST, file_hash
from bridge.web.study import Event, StudyFolder, read_study
from pysim.tasks.recipe import TaskRecipe
from tests.agents.server import calling, chat_server
from tests.needs import QUICK_RENDERER
from tests.previous.kept import HERE, commands
from tests.soak.commands import Runner

__all__ = ["SAMPLES", "SCORING", "UNREAD", "Sample", "list_kinds", "make_all"]

ROOT = Path(__file__).resolve().parents[2]
UNREAD = {
    "a file of an episode": "its bytes are sent to a cluster and back",
    "a description of clips": "its bytes are compared with those that would be written",
}
"""Kinds of which nothing is read, so that no damage can matter."""

LEVEL = "burr-three-bars"
FINISHED = HERE / "finished"
PLAYED = ("interactive", "chance", "refused", "one-shot", "beam", "no-code", "no-code-chance")
ASKED = ("items", "items-chance", "items-pictures")
BATCH = ("generate", "burr", "--kind", "cube", "--level", "2", "--seed", "3", "--count", "1",
         "--workers", "1")  # fmt: skip
SMALL = ("--observation", "state", "--budget", "5", "--json")
VERIFY = ("verify", LEVEL, "--no-films", "--workers", "1", "--certificates", "certificates.jsonl")
FILM = ("--film-size", "128x112", "--fps", "6", "--renderer", QUICK_RENDERER)
FILMED_LEVEL = "burr-piston"
POOL = ("generate", "--pool", "rubik", "--count", "8", "--seed", "3", "--workers", "1",
        "--out", "noted.pool")  # fmt: skip
SCORING = ("score-video", "bundle", "model/film.mp4", "--workers", "1", "--annotate",
           "--out", "out")  # fmt: skip
PAGE = ("--out", "page.html", "--force")
DATA = ("--format", "parquet", "--observation", "state", "--out", "set")
STUDY = ("web", "--study", "study.json", "--check", "--runs", "studied")
NOWHERE = "http://127.0.0.1:9/v1"
ASKING = ("eval", "burr-half-lap", "--agent", "openai:x", *SMALL, "--workers", "1",
          "--set", "cache=answers", "--set", "retries=0")  # fmt: skip

Command = Sequence[str]


@cache
def list_kinds() -> Mapping[str, str]:
    """Return the kinds of files that commands read, and the module of each.

    They are the values ``FileKind(...)`` in the source.
    """
    found = {}
    for top in ("bridge", "luban", "pysim"):
        for path in sorted((ROOT / top).rglob("*.py")):
            text = path.read_text(encoding="utf-8")
            for node in ast.walk(ast.parse(text if "FileKind(" in text else "")):
                if isinstance(node, ast.Call) and ast.unparse(node.func) == "FileKind":
                    title = ast.literal_eval(node.args[0])
                    assert title not in found, f"two kinds are called {title}"
                    found[title] = path.relative_to(ROOT).as_posix()
    return found


@dataclass(frozen=True, slots=True)
class Sample:
    """Where a kind of file lies, and what reads it.

    Attributes:
        copied: what :func:`make_all` has made, of which a case gets a copy.
        file: the file, or a pattern of several.
        reading: commands that read it.
        searches: whether they may take long, if they stop when they are told to.
        finish: done to the copy after the damage.
        prepare: done to the copy before.
    """

    copied: Sequence[str]
    file: str
    reading: Sequence[Command]
    searches: bool = False
    finish: Callable[[Path], None] = lambda folder: None
    prepare: Callable[[Path], None] = lambda folder: None

    def put(self, place: Path, folder: Path, random: Random) -> Path:
        """Copy what is needed into a new folder; gives the file to damage there."""
        for name in self.copied:
            source = place / name
            if source.is_dir():
                shutil.copytree(source, folder / name, dirs_exist_ok=True)
            else:
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(source, folder / name)
        self.prepare(folder)
        return random.choice(sorted(folder.glob(self.file)))


def seal(folder: Path) -> None:
    """Make the hashes of a bundle right again, as whoever passes one on can."""
    bundle = folder / "bundle"
    if not (bundle / MANIFEST).is_file() or (bundle / MANIFEST).stat().st_size > 2**20:
        return
    try:
        document = json.loads((bundle / MANIFEST).read_text())
        document["sha256"] = {name: file_hash(bundle / name) for name in FILES}
        (bundle / MANIFEST).write_text(json.dumps(document))
    except (ValueError, TypeError, OSError, RecursionError):
        pass  # It can't be made right.


def _drop_batch(folder: Path) -> None:
    shutil.rmtree(folder / "reserved")  # The registry is asked of a level that is there.


def _run(name: str, *more: Command) -> tuple[Command, ...]:
    again = (commands("finished")[name],) if name in PLAYED + ASKED else ()
    return (("report", f"runs/{name}", *PAGE), *again, *more)


_BUNDLED = ("bundle", "model")
_ITEMS = {name: _run(name, ("report", f"runs/{name}")) for name in ASKED}
_MADE = ("report", "made", *PAGE)
_FILMED = ("report", "runs/filmed", *PAGE, "--pictures", "0")
_FOLDER = ("verify", "levels", "--no-films", "--workers", "1")
_SELECT = ("select", "runs/chance", "--by", "random", "--by", "progress", "--seed", "3")

SAMPLES: Mapping[str, Sequence[Sample]] = {
    "an episode log": [
        Sample(
            [f"runs/{name}", "moves", "prices.json"],
            "runs/*/episodes/*/*/episode.jsonl",
            _run(
                name,
                ("select", f"runs/{name}", "--by", "random"),
                ("dataset", f"runs/{name}", *DATA),
            ),
        )
        for name in (*PLAYED, "model", "filmed", "code")
    ],
    "a file of settings": [
        Sample([f"runs/{name}", "moves", "prices.json"], "runs/*/run.json", _run(name))
        for name in (*PLAYED, "model")
    ],
    "a journal": [
        Sample([f"runs/{name}", "prices.json"], "runs/*/**/agent.jsonl", _run(name))
        for name in ("model", "code", "items-model")
    ],
    "a journal of a search": [
        Sample(["runs/beam"], "runs/*/episodes/*/*/search.jsonl", _run("beam"))
    ],
    "a file of times": [Sample(["made"], "made/episodes/*/*/times.jsonl", [_MADE])],
    "a file of sessions": [Sample(["made"], "made/about.jsonl", [_MADE])],
    "a note of a preset": [Sample(["made"], "made/preset.json", [_MADE])],
    "a file of a selection": [
        Sample(["runs/chance", "moves"], "runs/chance/selections/[pr]*.jsonl", [_SELECT])
    ],
    "a file of scores": [
        Sample(
            ["runs/chance", "scores.jsonl"],
            "scores.jsonl",
            [("select", "runs/chance", "--by", "file:scores.jsonl")],
        )
    ],
    "a PNG picture": [
        Sample(["runs/filmed"], "runs/filmed/episodes/*/*/*.png", [_FILMED, (*_FILMED, "--embed")])
    ],
    "an MP4 video": [
        Sample(["runs/filmed"], "runs/filmed/episodes/*/*/*.mp4", [_FILMED, (*_FILMED, "--embed")])
    ],
    "an index of pictures": [
        Sample(
            ["made", "page_files"],
            "page_files/pictures.json",
            [("report", "made", *PAGE, "--pictures", "2")],
        )
    ],
    "a log of items": [
        Sample([f"runs/{name}"], "runs/*/items.jsonl", reading, searches=True)
        for name, reading in _ITEMS.items()
    ],
    "an answer of a model": [
        Sample(
            ["answers"],
            "answers/**/*.json",
            [(*ASKING, "--set", f"base_url={NOWHERE}", "--out", "run")],
        )
    ],
    "a summary of a batch": [
        Sample(["batch"], "batch/summary.json", [(*BATCH, "--out", "batch")], searches=True)
    ],
    "a file of timings": [Sample(["batch"], "batch/timings.json", [(*BATCH, "--out", "batch")])],
    "an entry of a registry": [
        Sample(
            ["registry", "reserved"],
            "registry/*.json",
            [(*BATCH, "--registry", "registry", "--out", "reserved")],
            searches=True,
            prepare=_drop_batch,
        )
    ],
    "a file of certificates": [
        Sample(["certificates.jsonl"], "certificates.jsonl", [VERIFY], searches=True)
    ],
    "a file in a folder of levels": [
        Sample(
            ["levels"],
            "levels/*.json",
            [_FOLDER],
            searches=True,
        )
    ],
    "a pool of tasks": [Sample(["tasks.pool"], "tasks.pool", [("levels", "tasks.pool")])],
    "a journal of a pool": [
        Sample(["noted.pool.journal"], "noted.pool.journal", [POOL], searches=True)
    ],
    "a price table": [
        Sample(
            ["runs/model", "prices.json"],
            "prices.json",
            [("report", "runs/model", "--prices", "prices.json", *PAGE)],
        )
    ],
    "a script": [
        Sample(
            ["moves"],
            f"moves/{LEVEL}.txt",
            [("play", LEVEL, *SMALL, "--video", "none", "--agent", f"scripted:moves/{LEVEL}.txt")],
        )
    ],
    "a manifest of a bundle": [Sample(_BUNDLED, "bundle/manifest.json", [SCORING], finish=seal)],
    "a true film": [Sample(_BUNDLED, "bundle/lossless.mp4", [SCORING], finish=seal)],
    "an archive of arrays": [
        Sample(_BUNDLED, "bundle/*.npz", [SCORING], finish=seal),
        Sample(
            [*_BUNDLED, "tracks.npz"],
            "tracks.npz",
            [(*SCORING, "--tracks", "tracks.npz")],
        ),
    ],
    "a file of a bundle": [
        Sample(_BUNDLED, "bundle/[lr]*.*", [SCORING]),
        Sample(_BUNDLED, "bundle/l*.json*", [SCORING], finish=seal),
    ],
    "a video": [Sample(_BUNDLED, "model/film.mp4", [SCORING])],
    "a score of a video": [Sample([*_BUNDLED, "out"], "out/*/score.json", [SCORING])],
    "a study": [Sample(["study.json"], "study.json", [STUDY])],
    "the journal of a study": [Sample(["study.json", "studied"], "studied/*/study.jsonl", [STUDY])],
    "an annotation": [
        Sample([*_BUNDLED, "out", "a.json"], "a.json", [(*SCORING, "--annotations", "a.json")])
    ],
}


def make_all(runner: Runner, place: Path) -> None:
    """Make the whole files of all samples in a folder."""
    shutil.copytree(FINISHED / "runs", place / "runs")
    shutil.copytree(FINISHED / "moves", place / "moves")
    shutil.copy(FINISHED / "prices.json", place)
    for command in (
        (*BATCH, "--out", "batch"),
        (*BATCH, "--registry", "registry", "--out", "reserved"),
        VERIFY,
        ("eval", "burr-half-lap", *SMALL, "--workers", "1", "--out", "made"),
        ("report", "made", *PAGE, "--pictures", "2"),
        ("bundle", FILMED_LEVEL, *FILM, "--first-steps", "1", "--out", "bundles"),
    ):
        _do(runner, place, command)
    write_preset_note(place / "made", PresetNote("paper", "a paper", ("other seeds",), ()))
    shutil.move(place / "bundles" / FILMED_LEVEL, place / "bundle")
    (place / "model").mkdir()
    shutil.copy(place / "bundle/video.mp4", place / "model/film.mp4")
    _do(runner, place, SCORING)
    shutil.copy(next(place.glob("out/*/tracks.npz")), place)
    document = json.loads(next(place.glob("out/*/score.json")).read_text())
    marks = {document["video"]: [{"kind": "teleport", "first": 0, "last": 1}]}
    annotation = {"format": "luban-annotation/1", "annotator": "a", "marks": marks}
    (place / "a.json").write_text(json.dumps(annotation))
    _note_pool(place)
    _begin_study(place)
    (place / "levels").mkdir()
    shutil.copy(next(place.glob("batch/burr-*.json")), place / "levels/one.json")
    (place / "scores.jsonl").write_text(_scores(place / "runs/chance"))
    with chat_server(lambda request, number: calling("finish", "{}")) as chat:
        _do(runner, place, (*ASKING, "--set", f"base_url={chat.url}", "--out", "asked"))


def _begin_study(place: Path) -> None:
    """Write a study that has one participant."""
    texts = {"consent": "Stop at any time.", "instructions": "Solve it."}
    study = {"format": "luban-study/1", "title": "study", "levels": LEVEL, "shown": "scene"}
    document = json.dumps({**study, **texts, "participants": 2})
    (place / "study.json").write_text(document, encoding="utf-8")
    folder = StudyFolder(read_study(place / "study.json"), place / "studied/study")
    _, participant = folder.join()
    folder.note(participant, Event.AGREED)


def _note_pool(place: Path) -> None:
    """Make a pool, and stop another one half way, so that its journal stays."""
    recipe = TaskRecipe("rubik", 3)
    make_pool(PoolOrder(recipe, 8, place / "tasks.pool"), Inline())

    def stop(summary: PoolSummary) -> None:
        if sum(summary.tasks.values()) >= 3:
            raise KeyboardInterrupt

    with suppress(KeyboardInterrupt):
        make_pool(PoolOrder(recipe, 8, place / "noted.pool"), Inline(), stop)
    assert (place / "noted.pool.journal").stat().st_size


def _scores(run: Path) -> str:
    lines = [
        {"level": path.parent.name, "attempt": int(path.name), "score": 0.5}
        for path in sorted(run.glob("episodes/*/*"))
        if path.name.isdecimal()
    ]
    return "".join(f"{json.dumps(line)}\n" for line in lines)


def _do(runner: Runner, place: Path, command: Command) -> None:
    ended = runner.run(list(command), place, 120)
    assert ended.status == 0, f"{' '.join(command)}: {ended.words}"
