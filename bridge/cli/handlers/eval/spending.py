"""``luban eval --max-tokens --max-usd``."""

from pathlib import Path

from bridge.cli.failing import CommandError
from bridge.cli.requests import SharedRequest
from bridge.scoring.metrics import Price
from bridge.scoring.spending import SpendingLimits

__all__ = ["limits_of", "spent"]


def limits_of(shared: SharedRequest, price: Price | None) -> SpendingLimits | None:
    """What a run may use up; None for any amount.

    Raises:
        InputError: USD can't be counted without a price.
    """
    if shared.max_tokens is None and shared.max_usd is None:
        return None
    return SpendingLimits(shared.max_tokens, shared.max_usd, price)


def spent(used: str, done: str, out: Path) -> CommandError:
    """What is said of a run that has stopped because it has used up what it may."""
    return CommandError(
        f"stopped after {used}: {done} are finished; the same command with --out {out} and more "
        "goes on"
    )
