"""Requests of evaluations: options that runs of levels and of items share."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from bridge.scoring.metrics import Price
from bridge.scoring.prices import read_prices
from bridge.scoring.spending import SpendingLimits

__all__ = ["DEFAULT_IMAGE_SIZE", "EvaluationRequest"]

DEFAULT_IMAGE_SIZE = 512
"""Edge of pictures in pixels, where nothing else is asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationRequest:
    """Options of an evaluation that every bench shares.

    Attributes:
        agent: name of the agent, with its argument, as ``openai:MODEL``.
        settings: of the agent, name -> text.
        limit: only the first so many levels, or trials of each subset; 0 for all.
        workers: attempts at once; 0 for one per core.
        seed: of the run.
        image_size: edge of pictures in pixels.
        prices: JSON file of prices of models; None for none.
        max_tokens, max_usd: limits of spending; None for any amount.
        out: folder of the run, in which an unfinished one is resumed; None for a new one.
        runs: where to make that folder.
        renderer: ``auto``, ``egl``, ``tiny`` or ``unity``.
        unity_player: executable that Unity built; empty for none.
        ray: address of a Ray cluster; empty for none.
    """

    agent: str = "oracle"
    settings: Mapping[str, str] = field(default_factory=dict)
    limit: int = 0
    workers: int = 0
    seed: int = 0
    image_size: int = DEFAULT_IMAGE_SIZE
    prices: Path | None = None
    max_tokens: int | None = None
    max_usd: float | None = None
    out: Path | None = None
    runs: Path = Path("runs")
    renderer: str = "auto"
    unity_player: str = ""
    ray: str = ""

    def read_prices(self) -> Mapping[str, Price]:
        """Return the prices of models; empty without a file."""
        return {} if self.prices is None else read_prices(self.prices)

    def build_limits(self, price: Price | None) -> SpendingLimits | None:
        """Return the limits of spending; None for any amount.

        Args:
            price: of the agent; None where unknown.

        Raises:
            InputError: USD can't be counted without a price.
        """
        if self.max_tokens is None and self.max_usd is None:
            return None
        return SpendingLimits(self.max_tokens, self.max_usd, price)
