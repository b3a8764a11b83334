"""What damaged files are made of, and which commands read them."""

import json
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from pysim.catalog import compute_content_hash, discover_families, encode_level, find_level
from pysim.puzzle import InvalidAction
from tests.previous.kept import HERE, commands
from tests.soak.commands import Runner
from tests.soak.mutating import bytes_of, document_of, lines_of, numbers_of

__all__ = ["Kit", "Task"]

LEVELS = (
    "burr-three-bars",
    "burr-half-lap",
    "burr-piston-key",
    "burr-chinese-cross-assemble",
    "packing-easy-01",
    "cubebench-d02-1-full-symbolic",
)
FINISHED = HERE / "finished"
PLAYED = ("interactive", "chance", "refused", "one-shot", "beam", "no-code", "no-code-chance")
ASKED = ("items", "items-chance", "items-pictures")
PUZ = b"# a cube of two pieces\n2 2 2\n1\n1 1\n1 1\n2 2\n2 2\n"
BOX = ("generate", "burr", "--kind", "cube", "--level", "2", "--seed", "3", "--count", "1",
       "--workers", "1")  # fmt: skip
SMALL = ("--observation", "state", "--budget", "5", "--json")


@dataclass(frozen=True, slots=True)
class Task:
    """A damaged file, and the command that reads it.

    Attributes:
        searches: whether the command may take long, if it stops when it is told to.
    """

    file: Path
    arguments: list[str]
    searches: bool = False


Making = Callable[["Kit", Random, Path], Task]


@dataclass(frozen=True, slots=True)
class Kit:
    """Whole files to be damaged.

    Attributes:
        place: where they are; each case has a folder there.
        levels: documents of levels.
        designs: files of designs.
    """

    place: Path
    levels: Sequence[dict[str, object]]
    designs: Sequence[tuple[str, bytes]]

    @staticmethod
    def made(runner: Runner, place: Path) -> "Kit":
        """Make those that commands have to make."""
        designs = [("x.puz", PUZ)]
        for level in LEVELS[:3]:
            ended = runner.run(["export", level, "--out", f"{level}.xmpuzzle"], place)
            assert ended.status == 0, ended.words
            designs.append(("x.xmpuzzle", (place / f"{level}.xmpuzzle").read_bytes()))
        for command in (
            [*BOX, "--out", "batch"],
            ["verify", LEVELS[0], "--no-films", "--certificates", "certificates.jsonl"],
        ):
            ended = runner.run(command, place, 60)
            assert ended.status == 0, ended.words
        levels = [encode_level(find_level(level)) for level in LEVELS]
        return Kit(place, levels, designs)

    def task(self, random: Random, folder: Path) -> Task:
        """Damage one of them in a new folder."""
        making = random.choices([m for m, _ in _MAKING], [weight for _, weight in _MAKING])[0]
        return making(self, random, folder)


# -- levels and designs ---------------------------------------------------------------------------


def _level(kit: Kit, random: Random, folder: Path) -> Task:
    file = folder / "level.json"
    whole = random.choice(kit.levels)
    if random.random() < 0.2:
        file.write_bytes(bytes_of(random, json.dumps(whole).encode()))
    else:
        made = document_of(random, whole)
        file.write_text(json.dumps(_sealed(made) if random.random() < 0.8 else made))
    ways, weights = [way for way, _ in _READS_LEVELS], [weight for _, weight in _READS_LEVELS]
    arguments = random.choices(ways, weights)[0]
    searches = arguments[0] in ("solve", "verify")
    return Task(file, [word.replace("FILE", file.name) for word in arguments], searches)


def _sealed(document: dict[str, object]) -> dict[str, object]:
    """A document whose hash is right, if it is that of a level at all."""
    try:
        family = discover_families()[str(document["family"])]
        puzzle, budget = family.read(document["puzzle"]), document["budget"]  # type: ignore[arg-type]
        return {**document, "hash": compute_content_hash(family, puzzle, budget)}  # type: ignore[arg-type]
    except (KeyError, TypeError, ValueError, InvalidAction, RecursionError, AttributeError):
        return document


_PLAY = ("play", "FILE", *SMALL, "--video", "none")
_VERIFY = ("verify", "FILE", "--worlds", "lattice", "--workers", "1")
_READS_LEVELS: Sequence[tuple[Sequence[str], int]] = (
    (("show", "FILE", "--image-size", "32", "--views", "iso4", "--out", "x.png"), 8),
    ((*_PLAY, "--agent", "oracle"), 8),
    ((*_PLAY, "--agent", "first-legal"), 8),
    ((*_PLAY, "--agent", "random"), 8),
    ((*_PLAY, "--agent", "greedy"), 4),
    ((*_VERIFY, "--no-films"), 4),
    (_VERIFY, 1),
    (("solve", "FILE"), 15),
    (("export", "FILE", "--out", "x.xmpuzzle"), 15),
    (("levels", "--suite", "FILE"), 15),
    (("eval", "FILE", *SMALL, "--workers", "1", "--out", "run"), 4),
)
"""Commands with how often they are taken: most are quick, and quick ones come often."""


def _design(kit: Kit, random: Random, folder: Path) -> Task:
    name, data = random.choice(kit.designs)
    damage = random.choice((bytes_of, numbers_of, numbers_of))
    file = folder / name
    file.write_bytes(damage(random, data))
    arguments = random.choice((["solve", name], ["import", name, "--out", "level.json"]))
    return Task(file, arguments, searches=True)


# -- logs and runs --------------------------------------------------------------------------------


def _log(kit: Kit, random: Random, folder: Path) -> Task:
    logs = sorted((FINISHED / "runs").glob("*/episodes/*/*/episode.jsonl"))
    file = folder / "episode.jsonl"
    file.write_bytes(_damaged(random, random.choice(logs)))
    dataset = [
        "dataset",
        file.name,
        "--format",
        "parquet",
        "--observation",
        "state",
        "--out",
        "set",
    ]
    script = ["play", LEVELS[0], *SMALL, "--video", "none", "--agent", f"scripted:{file.name}"]
    replay = ["replay", file.name]
    return Task(file, random.choices([replay, dataset, script], [8, 1, 1])[0])


def _damaged(random: Random, path: Path) -> bytes:
    """The content of a file, damaged as suits it."""
    data = path.read_bytes()
    if random.random() < 0.3:
        return bytes_of(random, data)
    if path.suffix == ".json":
        return json.dumps(document_of(random, json.loads(data))).encode()
    return lines_of(random, data)


def _run(kit: Kit, random: Random, folder: Path) -> Task:
    name = random.choice((*PLAYED, "model", "filmed", "code"))
    run = _copied(name, folder)
    file = random.choice([path for path in sorted(run.rglob("*.json*")) if path.name not in _MADE])
    file.write_bytes(_damaged(random, file))
    reading = [
        ["report", f"runs/{name}", "--out", "page.html"],
        ["select", f"runs/{name}", "--by", "random", "--by", "progress"],
        [
            "dataset",
            f"runs/{name}",
            "--format",
            "parquet",
            "--observation",
            "state",
            "--out",
            "set",
        ],
        *([commands("finished")[name]] if name in PLAYED else []),
    ]
    return Task(file, random.choice(reading))


_MADE = ("results.json",)
"""Files that are written and never read."""


def _copied(name: str, folder: Path) -> Path:
    run = folder / "runs" / name
    shutil.copytree(FINISHED / "runs" / name, run)
    for needed in ("moves", "prices.json"):
        if (FINISHED / needed).is_dir():
            shutil.copytree(FINISHED / needed, folder / needed)
        else:
            shutil.copy(FINISHED / needed, folder / needed)
    return run


def _items(kit: Kit, random: Random, folder: Path) -> Task:
    name = random.choice(ASKED)
    file = _copied(name, folder) / "items.jsonl"
    file.write_bytes(_damaged(random, file))
    reading = [
        ["report", f"runs/{name}"],
        ["report", f"runs/{name}", "--out", "page.html"],
        commands("finished")[name],
    ]
    # A header may ask for a million trials, which takes its time.
    return Task(file, random.choice(reading), searches=True)


def _other(kit: Kit, random: Random, folder: Path) -> Task:
    """Summaries of batches, certificates, prices, moves."""
    kind = random.randrange(4)
    if kind == 0:
        shutil.copytree(kit.place / "batch", folder / "batch")
        file = folder / "batch" / "summary.json"
        words = [*BOX, "--out", "batch"]
    elif kind == 1:
        file = folder / "certificates.jsonl"
        shutil.copy(kit.place / file.name, file)
        words = ["verify", LEVELS[0], "--no-films", "--workers", "1", "--certificates", file.name]
    elif kind == 2:
        _copied("model", folder)
        file = folder / "prices.json"
        words = ["report", "runs/model", "--prices", file.name, "--out", "page.html"]
    else:
        file = folder / "moves.txt"
        shutil.copy(FINISHED / "moves" / f"{LEVELS[0]}.txt", file)
        words = ["play", LEVELS[0], *SMALL, "--video", "none", "--agent", f"scripted:{file.name}"]
    damaged = bytes_of if file.suffix == ".txt" else None
    file.write_bytes(damaged(random, file.read_bytes()) if damaged else _damaged(random, file))
    return Task(file, words, searches=kind < 2)


_MAKING: Sequence[tuple[Making, int]] = (
    (_level, 46), (_log, 29), (_design, 18), (_run, 3), (_items, 2), (_other, 2),
)  # fmt: skip
