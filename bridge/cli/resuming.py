"""Commands that an interrupt ends with a report, and that the same command resumes."""

from collections.abc import Callable, Mapping
from typing import TypeVar

__all__ = ["print_resumable", "run_resumable"]

Summary = TypeVar("Summary")


def run_resumable(
    work: Callable[[Callable[[Summary], None]], object], show: Callable[[Summary], None]
) -> tuple[Summary, bool]:
    """Do work that tells how far it is; return what it told last, and whether it was interrupted.

    Args:
        work: is given a function to tell summaries to.
        show: shows a summary to people.

    Raises:
        KeyboardInterrupt: nothing has been told yet.
    """
    told: list[Summary] = []

    def tell(summary: Summary) -> None:
        told[:] = [summary]
        show(summary)

    try:
        work(tell)
    except KeyboardInterrupt:
        if not told:
            raise
        return told[-1], True
    return told[-1], False


def print_resumable(line: str, rejected: Mapping[str, int], *, interrupted: bool) -> None:
    """Print how far a command is, and why attempts came to nothing."""
    if interrupted:
        print("interrupted; the same command resumes it:")
    print(line)
    for reason, number in rejected.items():
        print(f"{number:>8,} x {reason}")
