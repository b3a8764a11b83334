"""Pools: certified tasks of a family in one sealed file, from which they are read quickly.

A pool is one file::

    luban-pool/1 SHA256-OF-ALL-THAT-FOLLOWS
    {"family", "seed", "secret", "streams": [{"attempts", "tasks", "generators"}]}
    hashes (32 bytes each), digests (16 bytes each), compressed rows

``seed`` is the fingerprint of the recipe. There is a stream for each difficulty, with its tasks in
the order of their attempts; a generator is its name, command and seed, of secret seeds the name
alone. The first row holds what many tasks share, each other row one task::

    {"values": [[tool, field, value]], "actions": [[tool, numbers of values]],
     "certificates": [[confirmed, undecided]]}
    [attempt, name, budget, puzzle, proof, lower bound, numbers of actions, facts,
     number of certificate]

``hashes`` and ``digests`` are the levels' content hashes and the digests of their canonical forms.
What is read from a file with a right seal was checked when it was written, and isn't checked again.
"""

import hashlib
import json
import lzma
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from pysim.catalog import AnyLevel, discover_families, find_family, list_asset_folders
from pysim.field_types import encode_arguments, list_fields
from pysim.generation import Generator
from pysim.limits import quote
from pysim.puzzle import Action, Level, Plan, Proof, Source
from pysim.tasks.recipe import (
    CHECKED,
    DIFFICULTY,
    Candidate,
    TaskRecipe,
    find_tier,
    make_secret_source,
)
from pysim.tasks.splits import DIGEST_BYTES, Split, TaskError, assign_split
from pysim.untrusted import GIB, FileKind, parse_json, read_untrusted

__all__ = [
    "SUFFIX",
    "Pool",
    "PoolStream",
    "SealedTask",
    "TaskCertificate",
    "find_pool",
    "seal_pool",
]

FORMAT = "luban-pool/1"
SUFFIX = ".pool"
"""Files whose names end so are pools."""
SHIPPED = f"tasks{SUFFIX}"
"""Name of the pool in the folder of a family's levels."""
HASH_BYTES = 32
MAX_BYTES = GIB
"""Bytes of a pool, compressed or not."""
POOL_FILE = FileKind("a pool of tasks", MAX_BYTES)


@dataclass(frozen=True, slots=True)
class TaskCertificate:
    """Claims of a task that were checked; one with a false claim becomes no task.

    Attributes:
        confirmed: claims that hold, by the names that ``luban verify`` gives them.
        undecided: claims that the referee could not derive anew.
    """

    confirmed: tuple[str, ...]
    undecided: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SealedTask:
    """A task to be sealed in a pool."""

    candidate: Candidate
    certificate: TaskCertificate

    @property
    def is_judged(self) -> bool:
        """Whether a referee has certified it, besides the checks of its recipe."""
        return self.certificate.confirmed != CHECKED


@dataclass(frozen=True, slots=True)
class PoolStream:
    """Tasks of one difficulty.

    Attributes:
        attempts: number of attempts that were made.
        tasks: those that made a task, in order.
    """

    attempts: int
    tasks: tuple[SealedTask, ...]


def seal_pool(recipe: TaskRecipe, streams: Sequence[PoolStream]) -> bytes:
    """Return the file of a pool; the same bytes for the same tasks."""
    tasks = [task for stream in streams for task in stream.tasks]
    shared = _Shared()
    rows = [json.dumps(_write_row(task, shared), separators=(",", ":")) for task in tasks]
    text = "\n".join([json.dumps(shared.to_document(), separators=(",", ":")), *rows])
    header = {
        "family": recipe.family,
        "seed": recipe.fingerprint,
        "secret": recipe.is_secret,
        "streams": [
            {
                "attempts": stream.attempts,
                "tasks": len(stream.tasks),
                "generators": [_write_generator(one, recipe) for one in generators],
            }
            for stream, generators in zip(streams, recipe.generators, strict=True)
        ],
    }
    levels = [task.candidate.level for task in tasks]
    content = b"".join(
        (
            json.dumps(header).encode() + b"\n",
            *(bytes.fromhex(level.hash.removeprefix("sha256:")) for level in levels),
            *(task.candidate.digest for task in tasks),
            lzma.compress(text.encode(), preset=9),
        )
    )
    return f"{FORMAT} {hashlib.sha256(content).hexdigest()}\n".encode() + content


def _write_generator(generator: Generator, recipe: TaskRecipe) -> list[object]:
    if recipe.is_secret:
        return [generator.name]
    return [generator.name, generator.command, generator.seed]


@dataclass
class _Shared:
    """Values that many rows share, numbered as they come."""

    values: dict[str, int] = field(default_factory=dict)
    actions: dict[str, int] = field(default_factory=dict)
    certificates: dict[str, int] = field(default_factory=dict)

    def number_action(self, action: Action) -> int:
        texts = [json.dumps([action.tool, *pair]) for pair in encode_arguments(action).items()]
        values = [self.values.setdefault(text, len(self.values)) for text in texts]
        return self.actions.setdefault(json.dumps([action.tool, values]), len(self.actions))

    def number_certificate(self, certificate: TaskCertificate) -> int:
        text = json.dumps([certificate.confirmed, certificate.undecided])
        return self.certificates.setdefault(text, len(self.certificates))

    def to_document(self) -> dict[str, object]:
        return {
            "values": [json.loads(text) for text in self.values],
            "actions": [json.loads(text) for text in self.actions],
            "certificates": [json.loads(text) for text in self.certificates],
        }


def _write_row(task: SealedTask, shared: _Shared) -> list[object]:
    level = task.candidate.level
    assert level.plan is not None
    return [
        task.candidate.attempt,
        level.name,
        level.budget,
        find_family(level).write(level.puzzle),
        level.plan.proof.value,
        level.plan.lower_bound,
        [shared.number_action(action) for action in level.plan.actions],
        {name: fact for name, fact in level.facts.items() if name != DIFFICULTY},
        shared.number_certificate(task.certificate),
    ]


class Pool:
    """Tasks of a sealed file. Tasks have numbers: by difficulty, and then by attempt.

    Args:
        path: the file.

    Attributes:
        family: name of the family.
        seed: fingerprint of the recipe's seed.
        is_secret: whether the seed is a secret.
        attempts: number of attempts that were made, by difficulty.
        digests: of the canonical form of each task.
        version: 12 hex digits that are others whenever a name stands for another task.

    Raises:
        TaskError: it can't be read, is no pool, or its seal is broken.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        content = _read_sealed(path)
        head, _, body = content.partition(b"\n")
        with _explain(path):
            header = parse_json(head)
            self.family = str(header["family"])
            self.seed = str(header["seed"])
            self.is_secret = bool(header["secret"])
            if not self.is_secret:
                int(self.seed)
            streams: list[Mapping[str, Any]] = header["streams"]
            self.attempts = tuple(int(stream["attempts"]) for stream in streams)
            self._generators = [stream["generators"] for stream in streams]
            counts = [int(stream["tasks"]) for stream in streams]
        if self.family not in discover_families():
            raise TaskError(f"{path}: there is no family {quote(self.family)}; install its package")
        count = sum(counts)
        if min(counts, default=0) < 0 or (HASH_BYTES + DIGEST_BYTES) * count > len(body):
            raise TaskError(f"{path}: {_MALFORMED}")
        self._difficulties = [
            difficulty for difficulty, tasks in enumerate(counts, 1) for _ in range(tasks)
        ]
        self._hashes = body[: HASH_BYTES * count]
        order = json.dumps([self.family, self._difficulties]).encode() + self._hashes
        self.version = hashlib.sha256(order).hexdigest()[:12]
        self._packed = body[(HASH_BYTES + DIGEST_BYTES) * count :]
        digests = body[HASH_BYTES * count : (HASH_BYTES + DIGEST_BYTES) * count]
        self.digests = [
            digests[k : k + DIGEST_BYTES] for k in range(0, DIGEST_BYTES * count, DIGEST_BYTES)
        ]
        self._family = discover_families()[self.family]
        self._read_puzzle = self._family.restore or self._family.read

    def __len__(self) -> int:
        return len(self.digests)

    @cached_property
    def places(self) -> Mapping[tuple[Split, int], Sequence[int]]:
        """Numbers of the tasks of each split and difficulty, in order."""
        found: dict[tuple[Split, int], list[int]] = {}
        for number, digest in enumerate(self.digests):
            key = assign_split(digest), self._difficulties[number]
            found.setdefault(key, []).append(number)
        return found

    def read_task(self, number: int, level_id: str) -> tuple[AnyLevel, TaskCertificate]:
        """Return the level of a task, and its certificate.

        Args:
            number: of the task.
            level_id: id that the level gets.
        """
        with _explain(self._path):
            return self._read_row(number, level_id)

    def _read_row(self, number: int, level_id: str) -> tuple[AnyLevel, TaskCertificate]:
        row = json.loads(self._rows[number])
        attempt, name, budget, document, proof, bound, actions, facts, certificate = row
        difficulty = self._difficulties[number]
        puzzle = self._read_puzzle(document)
        level = Level(
            level_id,
            self.family,
            name,
            find_tier(difficulty),
            budget,
            puzzle,
            self._family.colours(puzzle),
            Plan(tuple(map(self._read_action, actions)), _PROOFS[proof], bound),
            self._make_source(difficulty, attempt),
            "sha256:" + self._hashes[HASH_BYTES * number : HASH_BYTES * (number + 1)].hex(),
            {**facts, DIFFICULTY: difficulty},
        )
        return level, self._certificates[certificate]

    @property
    def generators(self) -> list[list[str]]:
        """Names and versions of the generators of each difficulty."""
        return [[one[0] for one in stream] for stream in self._generators]

    def read_sealed(self) -> Iterator[SealedTask]:
        """Yield all tasks as they were sealed, in order."""
        for number, digest in enumerate(self.digests):
            level, certificate = self.read_task(number, "task")
            attempt = json.loads(self._rows[number])[0]
            candidate = Candidate(self._difficulties[number], attempt, level, digest)
            yield SealedTask(candidate, certificate)

    def _make_source(self, difficulty: int, attempt: int) -> Source:
        generators = self._generators[difficulty - 1]
        if self.is_secret:
            return make_secret_source(generators[attempt % len(generators)][0])
        name, command, seed = generators[attempt % len(generators)]
        return Source("luban", f"{command}, attempt {attempt // len(generators)}", seed, name)

    @cached_property
    def _unpacked(self) -> list[str]:
        unpacking = lzma.LZMADecompressor()
        rows = unpacking.decompress(self._packed, MAX_BYTES)
        if not unpacking.eof:
            raise ValueError("the rows are cut short, or more than a pool may have")
        return rows.decode().split("\n")

    @cached_property
    def _rows(self) -> list[str]:
        return self._unpacked[1:]

    @cached_property
    def _shared(self) -> Mapping[str, Any]:
        shared: Mapping[str, Any] = json.loads(self._unpacked[0])
        return shared

    @cached_property
    def _read_action(self) -> Callable[[int], Action]:
        """Return a function that builds each of the actions once."""
        types = {one.tool: one for one in self._family.actions}
        kinds = {
            (tool, spec.name): spec.kind for tool, one in types.items() for spec in list_fields(one)
        }
        values = [kinds[tool, name].parse(value) for tool, name, value in self._shared["values"]]
        actions = self._shared["actions"]

        @cache
        def read_action(number: int) -> Action:
            tool, numbers = actions[number]
            return types[tool](*[values[one] for one in numbers])

        return read_action

    @cached_property
    def _certificates(self) -> list[TaskCertificate]:
        found = self._shared["certificates"]
        return [TaskCertificate(tuple(held), tuple(open_)) for held, open_ in found]


_PROOFS = {proof.value: proof for proof in Proof}
_MALFORMED = "its seal is right, but it holds no tasks of this version: remove it and make it again"


@contextmanager
def _explain(path: Path) -> Iterator[None]:
    """Say of a file that somebody else sealed that its content is not that of a pool."""
    try:
        yield
    except (AttributeError, LookupError, TypeError, ValueError, lzma.LZMAError):
        raise TaskError(f"{path}: {_MALFORMED}") from None


def _read_sealed(path: Path) -> bytes:
    """Return all that the seal of a pool covers."""
    try:
        data = read_untrusted(path, POOL_FILE)
    except OSError as error:
        raise TaskError(f"{path}: {error.strerror or error}") from None
    line, _, content = data.partition(b"\n")
    said, _, seal = line[:200].decode("ascii", "replace").partition(" ")
    if not said.startswith("luban-pool/"):
        raise TaskError(f"{path}: this is no pool of tasks; `luban generate --pool` makes them")
    if said != FORMAT:
        raise TaskError(f"{path}: its format is {quote(said)}; this version reads {FORMAT}")
    if seal != hashlib.sha256(content).hexdigest():
        raise TaskError(
            f"{path}: the seal is broken: the file was changed or damaged; remove it and make it "
            "again"
        )
    return content


@cache
def find_pool(family: str) -> Pool | None:
    """Return the pool that ships with a family; None if there is none."""
    folder = list_asset_folders().get(family)
    path = None if folder is None else folder / SHIPPED
    return Pool(path) if path is not None and path.is_file() else None
