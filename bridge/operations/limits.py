"""Runs that stop before their end: failed, refused by a server, or at a limit of spending."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol, TypeVar

from bridge.agents.usage import Usage
from bridge.runs.folders import RunError
from bridge.scoring.spending import SpendingLimits

__all__ = ["check_complete"]


class _Failure(Protocol):
    """Failure of a part of a run."""

    @property
    def message(self) -> str: ...

    @property
    def ends_run(self) -> bool: ...


F = TypeVar("F", bound=_Failure)


def check_complete(
    failures: Sequence[F],
    parts: tuple[int, int, str],
    out: Path,
    *,
    locate: Callable[[F], str],
    limits: SpendingLimits | None,
    read_usage: Callable[[], Usage],
) -> None:
    """Raise the error of a run that is not complete.

    Args:
        failures: in order.
        parts: how many are finished, how many there are, and what they are called.
        out: folder of the run.
        locate: returns where a failure was, in a few words.
        limits: of spending; None for any amount.
        read_usage: returns what was used up.

    Raises:
        RunError: parts failed, or a limit of spending was reached.
    """
    finished, total, name = parts
    done = f"{finished} of {total} {name}"
    if ending := next((one for one in failures if one.ends_run), None):
        ends = f"{done} are finished; --out {out} goes on"
        if not finished:
            ends = f"nothing is finished; --out {out} takes the corrected command"
        raise RunError(f"stopped at the first refusal: {ending.message}; {ends}")
    if failures:
        raise RunError(
            f"{len(failures)} of {total} {name} failed, the first {locate(failures[0])}: "
            f"{failures[0].message}; the same command with --out {out} tries them again"
        )
    if limits is not None and finished < total:
        raise RunError(
            f"stopped after {limits.told(read_usage())}: {done} are finished; the same command "
            f"with --out {out} and more goes on"
        )
