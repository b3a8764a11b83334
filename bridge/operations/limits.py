"""Runs that stop before their end: at a limit of spending, or refused by a server."""

from pathlib import Path

from bridge.runs.folders import RunError

__all__ = ["make_refused_error", "make_spent_error"]


def make_spent_error(used: str, done: str, out: Path) -> RunError:
    """Return the error for a run that has used up what it may."""
    return RunError(
        f"stopped after {used}: {done} are finished; the same command with --out {out} and more "
        "goes on"
    )


def make_refused_error(message: str, done: str, out: Path) -> RunError:
    """Return the error for a run that would be refused everywhere."""
    ends = f"{done} are finished; --out {out} goes on"
    if done.startswith("0 "):
        ends = f"nothing is finished; --out {out} takes the corrected command"
    return RunError(f"stopped at the first refusal: {message}; {ends}")
