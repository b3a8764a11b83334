"""Making a batch of levels: the same ones for a seed, however many processes make them.

Attempts are numbered, and taken in the order of their numbers; a puzzle that counts as the same as
one before it is dropped. A run that was stopped is resumed.
"""

import json
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from socket import gethostname
from time import monotonic
from typing import Any

from bridge.generating.attempts import AttemptDone, AttemptWork
from bridge.generating.folder import SUMMARY, TIMINGS, BatchSummary, LevelEntry, open_folder
from bridge.generating.registry import Registry
from bridge.jobs.interrupts import interrupt_later
from bridge.jobs.processes import Processes
from bridge.jobs.work import Executor, yield_in_order
from bridge.recording.files import write_whole
from pysim.catalog import check_id, compute_content_hash, discover_families, encode_level
from pysim.generation import Draft, Generator
from pysim.puzzle import Level, Source

__all__ = ["Batch", "Draw", "Progress", "make_level", "run_batch"]

SAVING_SECONDS = 1.0
"""How often rejected attempts are written down."""
DUPLICATE = "duplicate"
TAKEN = "made by another batch"

Draw = Callable[[Level[Any]], bytes]
"""Draws a level's picture sheet as a PNG."""
Progress = Callable[[BatchSummary], None]
"""Is told after every attempt how far the batch is."""


@dataclass(frozen=True, slots=True)
class Batch:
    """The levels to be made.

    Attributes:
        generator: makes the attempts.
        count: how many levels there shall be.
        out: the folder for them.
        workers: number of processes.
        most_attempts: where to give up; None for nowhere.
        registry: folder of the puzzles that no batch is to make again, see
            :mod:`bridge.generating.registry`; None for none. What comes out then depends on what
            other batches have made.
    """

    generator: Generator
    count: int
    out: Path
    workers: int = 1
    most_attempts: int | None = None
    registry: Path | None = None


def run_batch(
    batch: Batch,
    draw: Draw,
    tell: Progress = lambda summary: None,
    executor: Executor | None = None,
) -> BatchSummary:
    """Make the levels that are missing in a folder; how far it is then.

    An interrupt is passed on after the summary was written.

    Args:
        batch: what is to be made.
        draw: makes the pictures.
        tell: is told how far the batch is.
        executor: makes the attempts; None for processes of this machine.

    Raises:
        BatchError: the folder can't be used.
        WorkerLost: a process was killed.
    """
    with open_folder(batch.out, batch.generator) as summary:
        tell(summary)
        if _is_done(batch, summary):
            return summary
        return _Run(batch, draw, tell, summary, executor).run()


def _is_done(batch: Batch, summary: BatchSummary) -> bool:
    most = batch.most_attempts
    return len(summary.levels) >= batch.count or (most is not None and summary.attempts >= most)


class _Run:
    """One run of a batch, from where the last one stopped."""

    def __init__(
        self,
        batch: Batch,
        draw: Draw,
        tell: Progress,
        summary: BatchSummary,
        executor: Executor | None,
    ) -> None:
        self._batch = batch
        self._executor = executor or Processes(batch.workers)
        self._draw = draw
        self._tell = tell
        self._summary = summary
        self._registry = _registry(batch)
        self._keys = {entry.key for entry in summary.levels}
        self._before = summary.seconds
        self._began = self._saved = monotonic()

    def run(self) -> BatchSummary:
        batch = self._batch
        # The folder is known as this batch's before there is anything else in it.
        self._save()
        try:
            first = self._summary.attempts
            work = AttemptWork(batch.generator, first)
            with closing(self._executor.run(work, count(first))) as results:
                for _, done in yield_in_order(results, count(first)):
                    with interrupt_later():
                        self._take(done)
                        self._tell(self._summary)
                    if _is_done(batch, self._summary):
                        break
        finally:
            self._save()
        return self._summary

    def _take(self, done: AttemptDone) -> None:
        """Write the level of an attempt, or count why there is none."""
        attempt, summary = done.attempt, self._summary
        reason = None
        levels = summary.levels
        if not isinstance(attempt, Draft):
            reason = attempt.reason
        elif attempt.key in self._keys:
            reason = DUPLICATE
        else:
            level = make_level(self._batch.generator, attempt, done.number)
            if self._is_free(attempt.key, level):
                levels = (*levels, self._write(attempt, done.number, level))
                self._keys.add(attempt.key)
            else:
                reason = TAKEN
        rejected = Counter(summary.rejected) + Counter([] if reason is None else [reason])
        self._summary = replace(
            summary,
            attempts=done.number + 1,
            rejected=dict(sorted(rejected.items())),
            best=max(summary.best, attempt.score),
            levels=levels,
            attempt_seconds=summary.attempt_seconds + done.seconds,
        )
        if reason is None or monotonic() - self._saved > SAVING_SECONDS:
            self._save()

    def _is_free(self, key: str, level: Level[Any]) -> bool:
        return self._registry is None or self._registry.reserve(key, encode_level(level))

    def _write(self, draft: Draft, number: int, level: Level[Any]) -> LevelEntry:
        write_whole(self._batch.out / f"{level.id}.png", self._draw(level))
        write_whole(self._batch.out / f"{level.id}.json", _text(encode_level(level)))
        return LevelEntry(level.id, number, draft.key, level.hash, draft.score)

    def _save(self) -> None:
        self._saved = monotonic()
        self._summary = replace(self._summary, seconds=self._before + self._saved - self._began)
        write_whole(self._batch.out / SUMMARY, _text(self._summary.to_document()))
        write_whole(self._batch.out / TIMINGS, _text(self._summary.list_timings()))


def _registry(batch: Batch) -> Registry | None:
    if batch.registry is None:
        return None
    return Registry(batch.registry, f"{gethostname()}:{batch.out.resolve()}")


def make_level(generator: Generator, draft: Draft, number: int) -> Level[Any]:
    """Return the level that attempt ``number`` of a generator made."""
    family = discover_families()[generator.family]
    return Level(
        id=check_id(f"{generator.family}-{generator.slug}-s{generator.seed}-{number}"),
        family=family.name,
        name=draft.title,
        tier=draft.tier,
        budget=draft.budget,
        puzzle=draft.puzzle,
        colours=family.colours(draft.puzzle),
        plan=draft.plan,
        source=Source(
            "luban", f"{generator.command}, attempt {number}", generator.seed, generator.name
        ),
        hash=compute_content_hash(family, draft.puzzle, draft.budget),
        facts=dict(draft.facts),
    )


def _text(document: dict[str, object]) -> bytes:
    return (json.dumps(document, indent=1, ensure_ascii=False) + "\n").encode()
