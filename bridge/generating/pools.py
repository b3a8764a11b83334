"""Making pools of tasks: the same ones for a seed, however many processes make them.

Attempts are made in the order of their numbers, difficulty by difficulty, until each split has
enough new tasks. Then a judge may certify them. All of it is noted in a journal beside the pool,
from which a run that was stopped is resumed. A pool that is there is added to, and loses tasks that
equal levels that ship by now.
"""

import fcntl
import json
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from time import monotonic
from typing import Any, ClassVar

from bridge.generating.folder import BatchError
from bridge.jobs.interrupts import interrupt_later
from bridge.jobs.work import Executor, WorkerLost, yield_in_order
from bridge.recording.errors import reason_of
from bridge.recording.files import append_line, whole_lines, write_whole
from pysim.catalog import AnyLevel, LevelError, decode_level, encode_level
from pysim.generation import Rejected
from pysim.tasks.pool import Pool, PoolStream, SealedTask, TaskCertificate, seal_pool
from pysim.tasks.recipe import CHECKED, MAX_BARREN, SHIPPED_LEVEL, Candidate, TaskRecipe
from pysim.tasks.splits import Split, list_shipped_digests
from pysim.untrusted import GIB, FileKind, parse_json

__all__ = ["Judge", "PoolOrder", "PoolSummary", "make_pool"]

FORMAT = "luban-pool-journal/1"
JOURNAL_FILE = FileKind("a journal of a pool", GIB)
SAVING_SECONDS = 1.0
"""Seconds between two notes of rejected attempts."""
_SHARE = 8
"""One task of so many is for validation, and one for tests."""
Judge = Callable[[AnyLevel], TaskCertificate]
"""Derives the claims of a level anew; raises BatchError if one is false. It can be pickled."""


@dataclass(frozen=True, slots=True)
class PoolOrder:
    """The pool to be made.

    Attributes:
        recipe: of the tasks.
        count: how many there shall be at least, of all difficulties and splits.
        out: the file.
        judge: certifies each task; None for the checks that the recipe makes.
    """

    recipe: TaskRecipe
    count: int
    out: Path
    judge: Judge | None = None

    @property
    def journal(self) -> Path:
        """The file from which a run that was stopped is resumed."""
        return self.out.with_name(f"{self.out.name}.journal")

    @property
    def quotas(self) -> Mapping[Split, int]:
        """The tasks that each split has at least, of each difficulty."""
        each = -(-self.count // len(self.recipe.generators))
        if self.recipe.is_secret:
            return {Split.PRIVATE: each}
        least = -(-each // _SHARE)
        return {Split.TRAIN: each - 2 * least, Split.VAL: least, Split.TEST: least}


@dataclass(frozen=True, slots=True)
class PoolSummary:
    """The progress of a pool.

    Attributes:
        family: name of the family.
        attempts: number of attempts that were made.
        tasks: number of tasks by split.
        difficulty: difficulty that is being made.
        judged: number of tasks that a judge has certified.
        rejected: reason -> attempts that came to nothing because of it in this run.
    """

    family: str
    attempts: int
    tasks: Mapping[str, int]
    difficulty: int
    judged: int
    rejected: Mapping[str, int]


Progress = Callable[[PoolSummary], None]


def make_pool(
    order: PoolOrder, executor: Executor, tell: Progress = lambda summary: None
) -> PoolSummary:
    """Make the tasks that a pool lacks, and seal it.

    An interrupt is passed on; the journal has all that is done.

    Raises:
        BatchError: the files can't be used, the family has not so many tasks, or a judge refutes
            one.
        WorkerLost: a process was killed.
    """
    journal = order.journal
    try:
        journal.parent.mkdir(parents=True, exist_ok=True)
        if journal.exists() and not journal.is_file():
            raise BatchError(f"{journal}: this is no file; remove it or choose another name")
        with journal.open("ab") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            try:
                return _Run(order, executor, tell).run()
            finally:
                if journal.exists() and not journal.stat().st_size:
                    journal.unlink()
    except BlockingIOError:
        raise BatchError(f"another run makes {order.out}; choose another file") from None
    except OSError as error:
        raise BatchError(f"{order.out} can't be written: {reason_of(error)}") from None


@dataclass
class _Stream:
    """Tasks of one difficulty so far, by their attempts.

    Attributes:
        left_out: attempts of an earlier run whose tasks equal levels that ship by now.
    """

    attempts: int = 0
    tasks: dict[int, SealedTask] = field(default_factory=dict)
    left_out: set[int] = field(default_factory=set)
    seen: set[bytes] = field(default_factory=set)
    counts: Counter[Split] = field(default_factory=Counter)
    judged: int = 0

    def add(self, task: SealedTask) -> None:
        self.tasks[task.candidate.attempt] = task
        self.seen.add(task.candidate.digest)
        self.counts[task.candidate.split] += 1
        self.judged += task.is_judged

    def set_certificate(self, attempt: int, certificate: TaskCertificate) -> None:
        if attempt in self.left_out:
            return
        self.tasks[attempt] = replace(self.tasks[attempt], certificate=certificate)
        self.judged += 1


class _Run:
    """One run, from where the last one stopped."""

    def __init__(self, order: PoolOrder, executor: Executor, tell: Progress) -> None:
        self._order, self._executor, self._tell = order, executor, tell
        self._streams = [_Stream() for _ in order.recipe.generators]
        self._rejected: Counter[str] = Counter()
        self._now, self._noted = 1, monotonic()

    def run(self) -> PoolSummary:
        self._read_pool()
        self._read_journal()
        for difficulty, stream in enumerate(self._streams, 1):
            self._now = difficulty
            self._fill(difficulty, stream)
        if self._order.judge is not None:
            self._certify(self._order.judge)
        if self._order.journal.stat().st_size or any(s.left_out for s in self._streams):
            streams = [PoolStream(s.attempts, tuple(s.tasks.values())) for s in self._streams]
            write_whole(self._order.out, seal_pool(self._order.recipe, streams))
            self._order.journal.unlink()
        return self._summarize()

    def _fill(self, difficulty: int, stream: _Stream) -> None:
        """Make attempts until each split has enough tasks of a difficulty."""
        if self._is_full(stream):
            return
        barren = 0
        jobs = ((difficulty, number) for number in count(stream.attempts))
        order = ((difficulty, number) for number in count(stream.attempts))
        with closing(self._executor.run(_AttemptWork(self._order.recipe), jobs)) as results:
            for (_, number), found in yield_in_order(results, order):
                with interrupt_later():
                    task = self._take(difficulty, stream, number, found)
                barren = barren + 1 if task is None else 0
                if barren == MAX_BARREN:
                    raise BatchError(
                        f"{self._order.recipe.family} has only {len(stream.tasks)} tasks of "
                        f"difficulty {difficulty}: ask for fewer with --count"
                    )
                if self._is_full(stream):
                    return

    def _is_full(self, stream: _Stream) -> bool:
        return all(stream.counts[split] >= least for split, least in self._order.quotas.items())

    def _take(
        self, difficulty: int, stream: _Stream, number: int, found: Candidate | Rejected
    ) -> SealedTask | None:
        """Note an attempt; the task that it made, if it is new."""
        entry: dict[str, object] = {"difficulty": difficulty, "attempt": number}
        stream.attempts, task = number + 1, None
        if isinstance(found, Candidate) and found.digest not in stream.seen:
            task = SealedTask(found, TaskCertificate(CHECKED))
            stream.add(task)
            entry |= {"level": encode_level(found.level), "digest": found.digest.hex()}
        else:
            reason = found.reason if isinstance(found, Rejected) else "duplicate"
            self._rejected[reason] += 1
        if task is not None or monotonic() - self._noted > SAVING_SECONDS:
            self._note(entry)
        self._tell(self._summarize())
        return task

    def _certify(self, judge: Judge) -> None:
        """Have all tasks judged that are not yet."""
        left = {
            (difficulty, number): task.candidate.level
            for difficulty, stream in enumerate(self._streams, 1)
            for number, task in stream.tasks.items()
            if not task.is_judged
        }
        jobs = [_JudgeJob(*place, level) for place, level in left.items()]
        with closing(self._executor.run(_JudgeWork(judge), jobs)) as results:
            for job, certificate in results:
                with interrupt_later():
                    verdict = [certificate.confirmed, certificate.undecided]
                    place = {"difficulty": job.difficulty, "attempt": job.attempt}
                    self._note({**place, "certificate": verdict})
                    stream = self._streams[job.difficulty - 1]
                    stream.set_certificate(job.attempt, certificate)
                    self._tell(self._summarize())

    def _note(self, entry: Mapping[str, object]) -> None:
        if not self._order.journal.stat().st_size:
            append_line(self._order.journal, _line(self._head))
        append_line(self._order.journal, _line(entry))
        self._noted = monotonic()

    @property
    def _head(self) -> dict[str, object]:
        recipe = self._order.recipe
        return {
            "format": FORMAT,
            "family": recipe.family,
            "seed": recipe.fingerprint,
            "generators": recipe.list_names(),
        }

    def _read_pool(self) -> None:
        """Take over the tasks of a pool that is there."""
        out, recipe = self._order.out, self._order.recipe
        if not out.exists():
            return
        pool = Pool(out)
        same = (pool.family, pool.seed) == (recipe.family, recipe.fingerprint)
        if not same or pool.generators != recipe.list_names():
            raise BatchError(
                f"{out} holds tasks of another family, seed or version; choose another file"
            )
        for stream, attempts in zip(self._streams, pool.attempts, strict=True):
            stream.attempts = attempts
        for task in pool.read_sealed():
            self._take_over(task)

    def _take_over(self, task: SealedTask) -> None:
        """Add a task of an earlier run, unless it equals a level that ships by now."""
        candidate, stream = task.candidate, self._streams[task.candidate.difficulty - 1]
        if candidate.digest in list_shipped_digests(self._order.recipe.family):
            stream.left_out.add(candidate.attempt)
            self._rejected[SHIPPED_LEVEL] += 1
        else:
            stream.add(task)

    def _read_journal(self) -> None:
        """Take over all that was noted."""
        journal = self._order.journal
        if not (noted := whole_lines(journal, JOURNAL_FILE)):
            return
        head, *lines = noted
        if head + b"\n" != _line(self._head):
            raise BatchError(
                f"{journal} is of another family, seed or version; remove it or choose another file"
            )
        try:
            for line in lines:
                self._take_noted(parse_json(line))
        except (LevelError, ValueError, KeyError, TypeError, IndexError) as error:
            raise BatchError(f"{journal} is damaged ({error}); remove it") from None

    def _take_noted(self, entry: Mapping[str, Any]) -> None:
        difficulty, number = entry["difficulty"], entry["attempt"]
        stream = self._streams[difficulty - 1]
        if "certificate" in entry:
            confirmed, undecided = map(tuple, entry["certificate"])
            stream.set_certificate(number, TaskCertificate(confirmed, undecided))
            return
        stream.attempts = number + 1
        if "level" in entry:
            level, digest = decode_level(entry["level"]), bytes.fromhex(entry["digest"])
            candidate = Candidate(difficulty, number, level, digest)
            self._take_over(SealedTask(candidate, TaskCertificate(CHECKED)))

    def _summarize(self) -> PoolSummary:
        splits: Counter[Split] = sum((stream.counts for stream in self._streams), Counter())
        return PoolSummary(
            family=self._order.recipe.family,
            attempts=sum(stream.attempts for stream in self._streams),
            tasks={split.value: splits[split] for split in self._order.recipe.splits},
            difficulty=self._now,
            judged=sum(stream.judged for stream in self._streams),
            rejected=dict(sorted(self._rejected.items())),
        )


def _line(entry: Mapping[str, object]) -> bytes:
    return json.dumps(entry, separators=(",", ":")).encode() + b"\n"


@dataclass(frozen=True, slots=True)
class _AttemptWork:
    """Makes attempts by difficulty and number; see :class:`~bridge.jobs.work.Work`."""

    recipe: TaskRecipe
    can_pause: ClassVar[bool] = False

    def open(self, stopped: Callable[[], bool]) -> "_AttemptWork":
        return self

    def perform(self, job: tuple[int, int]) -> Candidate | Rejected:
        return self.recipe.attempt(*job)

    def close(self) -> None:
        """Free nothing."""

    def report_lost(self, job: tuple[int, int], message: str) -> Candidate | Rejected:
        raise WorkerLost(
            f"difficulty {job[0]}, attempt {job[1]}: {message}; run the command again to resume, "
            "with fewer workers if memory was short"
        )


@dataclass(frozen=True, slots=True)
class _JudgeJob:
    """A task to be judged."""

    difficulty: int
    attempt: int
    level: AnyLevel


@dataclass(frozen=True, slots=True)
class _JudgeWork:
    """Judges tasks; see :class:`~bridge.jobs.work.Work`."""

    judge: Judge
    can_pause: ClassVar[bool] = False

    def open(self, stopped: Callable[[], bool]) -> "_JudgeWork":
        return self

    def perform(self, job: _JudgeJob) -> TaskCertificate:
        return self.judge(job.level)

    def close(self) -> None:
        """Free nothing."""

    def report_lost(self, job: _JudgeJob, message: str) -> TaskCertificate:
        raise WorkerLost(
            f"difficulty {job.difficulty}, attempt {job.attempt}: {message}; what was judged is "
            "kept: run the command again to resume"
        )
