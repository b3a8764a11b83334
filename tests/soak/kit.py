"""What damaged files are made of, and which commands read them."""

import json
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from pysim.catalog import compute_content_hash, discover_families, encode_level, find_level
from pysim.catalog.suite_files import OwnSuite, format_suite_file
from pysim.puzzle import InvalidAction
from tests.soak.commands import Runner
from tests.soak.mutating import arrays_of, bytes_of, document_of, lines_of, numbers_of
from tests.soak.samples import SAMPLES, SCORING, make_all

__all__ = ["REPLACING", "Kit", "Task", "choose_kind", "make_task", "put_pipe"]

LEVELS = (
    "burr-three-bars",
    "burr-half-lap",
    "burr-piston-key",
    "burr-chinese-cross-assemble",
    "packing-easy-01",
    "cubebench-d02-1-full-symbolic",
)
PUZ = b"# a cube of two pieces\n2 2 2\n1\n1 1\n1 1\n2 2\n2 2\n"
SMALL = ("--observation", "state", "--budget", "5", "--json")


@dataclass(frozen=True, slots=True)
class Task:
    """A damaged file, and the command that reads it.

    Attributes:
        kind: of the file, see :func:`tests.soak.samples.list_kinds`.
        searches: whether the command may take long, if it stops when it is told to.
    """

    kind: str
    file: Path
    arguments: list[str]
    searches: bool = False


Making = Callable[["Kit", Random, Path], Task]


@dataclass(frozen=True, slots=True)
class Kit:
    """Whole files to be damaged.

    Attributes:
        place: where they are; each case has a folder there.
        levels: documents of levels, and of a suite of one's own.
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
        make_all(runner, place)
        found = [find_level(level) for level in LEVELS]
        suite = OwnSuite("mine", "Mine", "chain", {"reader": "a person"}, tuple(found[:2]))
        levels = [*map(encode_level, found), json.loads(format_suite_file(suite))]
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
    return Task("a level file", file, [w.replace("FILE", file.name) for w in arguments], searches)


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
    return Task("a design", file, arguments, searches=True)


# -- all other kinds ------------------------------------------------------------------------------


def _sample(kit: Kit, random: Random, folder: Path) -> Task:
    return make_task(kit, choose_kind(random), random, folder, _damage)


def choose_kind(random: Random) -> str:
    """Choose a kind with a sample: logs often, what takes a second to read seldom."""
    return random.choices(list(SAMPLES), list(map(_weigh, SAMPLES)))[0]


def _weigh(kind: str) -> float:
    is_slow = any(command[0] == SCORING[0] for command in SAMPLES[kind][0].reading)
    return 0.25 if is_slow else {"an episode log": 30, "a log of items": 2}.get(kind, 1)


def make_task(
    kit: Kit, kind: str, random: Random, folder: Path, damage: Callable[[Random, Path], None]
) -> Task:
    """Damage a file of a kind in a new folder, and choose a command that reads it."""
    sample = random.choice(SAMPLES[kind])
    file = sample.put(kit.place, folder, random)
    damage(random, file)
    sample.finish(folder)
    return Task(kind, file, list(random.choice(sample.reading)), sample.searches)


def _damage(random: Random, file: Path) -> None:
    """Damage a file as suits it, or put something in its place that never ends."""
    if random.random() < 0.1:
        random.choice(REPLACING)(file)
    else:
        file.write_bytes(_damaged(random, file))


def _damaged(random: Random, path: Path) -> bytes:
    """The content of a file, damaged as suits it."""
    data = path.read_bytes()
    if random.random() < 0.3 or path.suffix not in (".json", ".jsonl", ".npz"):
        return bytes_of(random, data)
    if path.suffix == ".json":
        return json.dumps(document_of(random, json.loads(data))).encode()
    return arrays_of(random, data) if path.suffix == ".npz" else lines_of(random, data)


def put_pipe(file: Path) -> None:
    """Put a pipe in the place of a file, whose other end nobody has."""
    file.unlink()
    os.mkfifo(file)


def _put_link(file: Path) -> None:
    file.unlink()
    file.symlink_to("/dev/zero")


def _put_terabyte(file: Path) -> None:
    with file.open("r+b") as opened:
        opened.truncate(2**40)


REPLACING: Sequence[Callable[[Path], None]] = (put_pipe, _put_link, _put_terabyte)

_MAKING: Sequence[tuple[Making, int]] = ((_level, 42), (_design, 16), (_sample, 42))
