"""Sources of tasks: prepared ones of a pool, and then fresh ones without an end."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import count
from numbers import Integral
from pathlib import Path

from pysim.catalog import AnyLevel
from pysim.limits import quote
from pysim.options import build_options, is_whole
from pysim.tasks.pool import Pool, TaskCertificate, find_pool
from pysim.tasks.recipe import CHECKED, MAX_BARREN, Candidate, TaskRecipe, count_difficulties
from pysim.tasks.splits import PUBLIC, Split, TaskError

__all__ = ["Task", "TaskSettings", "TaskSource"]

MAX_AHEAD = 1_000_000
"""Tasks that are made for the sake of one behind them, at most: days of work."""


@dataclass(frozen=True, slots=True)
class Task:
    """A task.

    Attributes:
        level: the level to be played. Of a secret seed, nothing in it tells seed or index.
        split: split to which it belongs.
        index: its place in the split, from 0.
        difficulty: from 1.
        certificate: claims of the level that were checked.
    """

    level: AnyLevel
    split: Split
    index: int
    difficulty: int
    certificate: TaskCertificate


@dataclass(frozen=True, slots=True)
class TaskSettings:
    """Settings of a source.

    Attributes:
        difficulties: tasks go through these in turn, each from 1; empty for all of the family.
    """

    difficulties: tuple[int, ...] = field(
        default=(), metadata={"help": "Difficulties of the tasks, from 1; all by default."}
    )


@dataclass
class _Stream:
    """Tasks of one difficulty that were drawn after those of a pool.

    Attributes:
        attempts: number of attempts that were made.
        seen: digests of all tasks so far.
        found: new tasks by split.
    """

    attempts: int
    seen: set[bytes]
    found: dict[Split, list[Candidate]] = field(default_factory=dict)


class TaskSource:
    """Tasks of a family, without an end, parted into splits.

    Task i of a split follows from the versions of the family's generators, the settings, the seed
    and i: it is the i-th new puzzle of the split in the order of attempts. Of several difficulties
    i goes through them in turn. Tasks that are the same up to symmetry are in one split, whatever
    their source is, and a source has only one of them in each difficulty. None is the same as a
    level that ships. A copy by ``pickle`` has the same tasks. It holds a secret seed as it is, and
    reads the pool anew.

    Args:
        family: name of the family.
        settings: as :class:`TaskSettings`, or its values by name.
        seed: of the random numbers. Bytes are a secret, and make tasks of the split ``private``.
            None for that of the pool.
        pool: file of prepared tasks with the same family and seed; None for the one that ships. Of
            a pool with a secret seed that is not given, there are the prepared tasks only.

    Attributes:
        family: name of the family.
        difficulties: of the tasks, in turn.

    Raises:
        TaskError: there are no such tasks, or the pool does not fit.
    """

    def __init__(
        self,
        family: str,
        settings: TaskSettings | Mapping[str, object] | None = None,
        seed: int | bytes | None = None,
        *,
        pool: Path | str | None = None,
    ) -> None:
        self.family = family
        self._most = count_difficulties(family)
        self.difficulties = self._check_difficulties(_read_settings(settings).difficulties)
        self._pool = find_pool(family) if pool is None else Pool(Path(pool))
        self._recipe = _find_recipe(family, seed, self._pool)
        if self._pool is not None and (flaw := self._find_flaw(self._pool)):
            if pool is not None:
                raise TaskError(f"{pool}: {flaw}")
            self._pool = None
        self._streams: dict[int, _Stream] = {}
        file = None if pool is None else Path(pool).absolute()
        self._arguments = (family, {"difficulties": self.difficulties}, seed, file)

    def __reduce__(self) -> tuple[object, ...]:
        return _create_source, self._arguments

    @property
    def version(self) -> str | None:
        """Version of the prepared tasks, see :class:`~pysim.tasks.pool.Pool`; None without some."""
        return None if self._pool is None else self._pool.version

    @property
    def splits(self) -> tuple[Split, ...]:
        """Splits that it has tasks of."""
        return PUBLIC if self._recipe and not self._recipe.is_secret else (Split.PRIVATE,)

    def count_prepared(self, split: Split | str) -> int:
        """Return how many of the first tasks of a split are read from a pool.

        Raises:
            TaskError: there is no such split.
        """
        chosen = self._check_split(split, tuple(Split))
        counts = [len(self._list_prepared(chosen, one)) for one in self.difficulties]
        rounds = min(counts)
        full = next((k for k, one in enumerate(counts) if one == rounds), 0)
        return rounds * len(counts) + full

    def get_task(self, split: Split | str, index: int) -> Task:
        """Return a task; one that is not prepared is made, with all tasks before it.

        Raises:
            TaskError: there is no such split or index, or the family has not so many tasks.
        """
        chosen = self._check_split(split)
        if not is_whole(index, 0):
            raise TaskError(f"tasks are counted from 0 in whole numbers, not {quote(index)}")
        index = int(index)
        rank, turn = divmod(index, len(self.difficulties))
        difficulty = self.difficulties[turn]
        prepared = self._list_prepared(chosen, difficulty)
        if self._pool is not None and rank < len(prepared):
            number = prepared[rank]
            level_id = self._make_id(chosen, difficulty, rank, self._pool.digests[number])
            level, certificate = self._pool.read_task(number, level_id)
            return Task(level, chosen, index, difficulty, certificate)
        candidate = self._draw(chosen, difficulty, rank - len(prepared))
        level_id = self._make_id(chosen, difficulty, rank, candidate.digest)
        level = replace(candidate.level, id=level_id)
        return Task(level, chosen, index, difficulty, TaskCertificate(CHECKED))

    def iterate(self, split: Split | str, first: int = 0) -> Iterator[Task]:
        """Yield the tasks of a split in order, without an end."""
        return (self.get_task(split, index) for index in count(first))

    def draw_task(self, split: Split | str, draw: Callable[[int], int]) -> Task:
        """Return a random one of the prepared tasks of a split.

        Args:
            draw: a whole number below its argument.

        Raises:
            TaskError: none is prepared.
        """
        prepared = self.count_prepared(self._check_split(split))
        if not prepared:
            raise TaskError(f"no task of {self.family}:{split} is prepared; name a pool")
        return self.get_task(split, draw(prepared))

    def _check_split(self, split: Split | str, taken: Sequence[Split] = ()) -> Split:
        if split in (taken or self.splits):
            return Split(split)
        known = ", ".join(self.splits)
        raise TaskError(f"there is no split {quote(split)} of these tasks; they have {known}")

    def _check_difficulties(self, chosen: Sequence[int]) -> tuple[int, ...]:
        """Return the difficulties that are chosen, all of them if none is."""
        known = range(1, self._most + 1)
        if wrong := [one for one in chosen if one not in known]:
            raise TaskError(
                f"{self.family} has difficulties from 1 to {self._most}, not {quote(wrong[0])}"
            )
        if len(set(chosen)) < len(chosen):
            raise TaskError("a difficulty is named twice, whose tasks would be equal: name it once")
        return tuple(map(int, chosen)) or tuple(known)

    def _list_prepared(self, split: Split, difficulty: int) -> Sequence[int]:
        return () if self._pool is None else self._pool.places.get((split, difficulty), ())

    def _find_flaw(self, pool: Pool) -> str:
        """Return the reason why a pool does not fit; empty if it does."""
        if pool.family != self.family:
            return f"these are tasks of {pool.family}, not of {self.family}"
        if self._recipe is not None and pool.seed != self._recipe.fingerprint:
            return "these are tasks of another seed"
        if len(pool.attempts) != self._most:
            return "these are tasks of another version of the family: make the pool again"
        return ""

    def _make_id(self, split: Split, difficulty: int, rank: int, digest: bytes) -> str:
        """Return the id of a task, which does not depend on the difficulties that are chosen."""
        if self._recipe is None or self._recipe.is_secret:
            return f"{self.family}-{split}-{digest.hex()[:16]}"
        own = f"-s{self._recipe.seed!s}" if self._recipe.seed else ""
        return f"{self.family}{own}-{split}-{rank * self._most + difficulty - 1}"

    def _draw(self, split: Split, difficulty: int, place: int) -> Candidate:
        """Return a task that is not prepared, by its place among those of its split."""
        if self._recipe is None:
            raise TaskError("the pool has no more tasks, and its seed is a secret")
        if difficulty not in self._streams:
            self._streams[difficulty] = self._begin_stream(difficulty)
        stream, barren = self._streams[difficulty], 0
        found = stream.found.setdefault(split, [])
        if (ahead := place - len(found)) > MAX_AHEAD:
            raise TaskError(
                f"{quote(ahead)} tasks of {self.family}:{split} would have to be made before this "
                f"one: take one of the {self.count_prepared(split):,} that are prepared, or of a "
                "pool that `luban generate --pool` makes"
            )
        while len(found) <= place:
            if barren == MAX_BARREN:
                raise TaskError(
                    f"{self.family}:{split} has no more tasks of difficulty {difficulty}"
                )
            before = len(found)
            self._attempt(stream, self._recipe, difficulty)
            barren = 0 if len(found) > before else barren + 1
        return found[place]

    def _attempt(self, stream: _Stream, recipe: TaskRecipe, difficulty: int) -> None:
        """Make the next attempt of a stream."""
        result = recipe.attempt(difficulty, stream.attempts)
        stream.attempts += 1
        if isinstance(result, Candidate) and result.digest not in stream.seen:
            stream.seen.add(result.digest)
            stream.found.setdefault(result.split, []).append(result)

    def _begin_stream(self, difficulty: int) -> _Stream:
        if self._pool is None:
            return _Stream(0, set())
        places = self._pool.places
        seen = {
            self._pool.digests[number]
            for (_, one), numbers in places.items()
            if one == difficulty
            for number in numbers
        }
        return _Stream(self._pool.attempts[difficulty - 1], seen)


def _create_source(
    family: str, settings: Mapping[str, object], seed: int | bytes | None, pool: Path | None
) -> TaskSource:
    return TaskSource(family, settings, seed, pool=pool)


def _read_settings(settings: TaskSettings | Mapping[str, object] | None) -> TaskSettings:
    values = asdict(settings) if isinstance(settings, TaskSettings) else settings or {}
    if not isinstance(values, Mapping):
        raise TaskError(
            "settings are a dictionary such as {'difficulties': (1, 2)}, not of type "
            f"{type(values).__name__}: give a seed as seed=7"
        )
    return build_options(TaskSettings, values)


def _find_recipe(family: str, seed: int | bytes | None, pool: Pool | None) -> TaskRecipe | None:
    """Return the recipe of tasks; None if it is that of a pool with a secret seed."""
    if seed is not None:
        return TaskRecipe(family, int(seed) if isinstance(seed, Integral) else seed)
    if pool is None:
        return TaskRecipe(family)
    return None if pool.is_secret else TaskRecipe(family, int(pool.seed))
