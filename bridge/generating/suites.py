"""Drawing a whole suite of four tiers, by several processes, into a folder that resumes."""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from bridge.generating.folder import BatchError
from bridge.generating.ladder import LEVELS_PER_TIER, LadderDraw, TierStep, draw_step
from bridge.jobs.processes import Processes
from bridge.jobs.work import WorkerLost
from bridge.recording.files import write_whole
from pysim.catalog import AnyLevel, decode_level, encode_level

__all__ = ["draw_suite"]

Tell = Callable[[int, int], None]
"""Is told how many levels there are, and how many there will be."""


def draw_suite(
    draw: LadderDraw,
    steps: Sequence[TierStep],
    folder: Path,
    *,
    workers: int = 1,
    tell: Tell = lambda done, total: None,
) -> tuple[AnyLevel, ...]:
    """Return the levels of some steps, in their order.

    Args:
        draw: determines the levels.
        steps: what is drawn.
        folder: keeps the levels of finished steps; a second call reads them.
        workers: number of processes.

    Raises:
        BatchError: the folder can't be used.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        found = {step: levels for step in steps if (levels := _kept(folder, step)) is not None}
        for step, levels in _drawn([s for s in steps if s not in found], draw, workers):
            write_whole(_path(folder, step), _text(levels))
            found[step] = levels
            tell(LEVELS_PER_TIER * len(found), LEVELS_PER_TIER * len(steps))
    except OSError as error:
        raise BatchError(f"{folder} can't keep levels: {error.strerror}") from None
    return tuple(level for step in steps for level in found[step])


def _drawn(
    steps: list[TierStep], draw: LadderDraw, workers: int
) -> Iterator[tuple[TierStep, tuple[AnyLevel, ...]]]:
    """Yield each step with its levels, as it is finished."""
    with closing(Processes(workers).run(_StepWork(draw), steps)) as drawn:
        for step, documents in drawn:
            yield step, tuple(map(decode_level, documents))


@dataclass(frozen=True, slots=True)
class _StepWork:
    """Draws the levels of steps; see :class:`~bridge.jobs.work.Work`."""

    draw: LadderDraw
    can_pause: ClassVar[bool] = False

    def open(self, stopped: Callable[[], bool]) -> "_StepWork":
        return self

    def perform(self, step: TierStep) -> list[dict[str, object]]:
        return [encode_level(level) for level in draw_step(step, self.draw)]

    def close(self) -> None:
        """Free nothing."""

    def report_lost(self, step: TierStep, message: str) -> list[dict[str, object]]:
        raise WorkerLost(
            f"{step.family}, tier {step.tier}: {message}; run the command again to resume"
        )


def _kept(folder: Path, step: TierStep) -> tuple[AnyLevel, ...] | None:
    """Return the levels of a step that was finished before; None if it was not."""
    path = _path(folder, step)
    if not path.exists():
        return None
    try:
        return tuple(map(decode_level, json.loads(path.read_bytes())))
    except ValueError:
        return None


def _path(folder: Path, step: TierStep) -> Path:
    return folder / f"{step.family}-{step.tier}.json"


def _text(levels: tuple[AnyLevel, ...]) -> bytes:
    return json.dumps([encode_level(level) for level in levels]).encode()
