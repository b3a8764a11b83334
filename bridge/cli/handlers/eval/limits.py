"""Runs that stop before their end: at ``--max-tokens`` or ``--max-usd``, or refused by a server."""

from pathlib import Path

from bridge.cli.errors import CommandError
from bridge.cli.requests import SharedRequest
from bridge.scoring.metrics import Price
from bridge.scoring.spending import SpendingLimits

__all__ = ["build_limits", "make_refused_error", "make_spent_error"]


def build_limits(shared: SharedRequest, price: Price | None) -> SpendingLimits | None:
    """Return the limits of a run's spending; None for any amount.

    Raises:
        InputError: USD can't be counted without a price.
    """
    if shared.max_tokens is None and shared.max_usd is None:
        return None
    return SpendingLimits(shared.max_tokens, shared.max_usd, price)


def make_spent_error(used: str, done: str, out: Path) -> CommandError:
    """Return the error for a run that has used up what it may."""
    return CommandError(
        f"stopped after {used}: {done} are finished; the same command with --out {out} and more "
        "goes on"
    )


def make_refused_error(message: str, done: str, out: Path) -> CommandError:
    """Return the error for a run that would be refused everywhere."""
    ends = f"{done} are finished; --out {out} goes on"
    if done.startswith("0 "):
        ends = f"nothing is finished; --out {out} takes the corrected command"
    return CommandError(f"stopped at the first refusal: {message}; {ends}")
