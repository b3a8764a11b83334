"""Prices of models: a table in a file."""

from collections.abc import Mapping
from pathlib import Path

from bridge.scoring.metrics import Price
from pysim.errors import InputError
from pysim.untrusted import MIB, FileKind, parse_json, read_untrusted

__all__ = ["Prices", "find_price", "read_prices"]

PRICE_FILE = FileKind("a price table", 16 * MIB)
MOST = 1e6
"""USD for a million tokens at most: sums of such prices stay finite."""
Prices = Mapping[str, Price]
"""Agent or model -> its price."""


def read_prices(file: Path) -> Prices:
    """Return the price table in a file: ``{MODEL: {"input", "output"}}``, USD for a million tokens.

    A price may have ``cached`` as well, of tokens that the provider had in its cache.

    Raises:
        InputError: it can't be read, is none, or a price is no number from 0 to a million.
    """
    try:
        document = parse_json(read_untrusted(file, PRICE_FILE))
        prices = {
            str(name): Price(
                float(price["input"]),
                float(price["output"]),
                float(price["cached"]) if "cached" in price else None,
            )
            for name, price in document.items()
        }
    except OSError as error:
        raise InputError(f"{file}: {error.strerror}") from None
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError):
        raise InputError(
            f'{file}: a price table is a JSON object like {{"MODEL": {{"input": 1.25, "output": '
            "10}}, in USD for a million tokens"
        ) from None
    for name, price in prices.items():
        numbers = (price.tokens_in, price.tokens_out, price.tokens_cached or 0.0)
        if not all(0 <= number <= MOST for number in numbers):
            raise InputError(
                f"{file}: the prices of {name[:60]} are not numbers from 0 to {MOST:,.0f}"
            )
    return prices


def find_price(prices: Prices, name: str) -> Price | None:
    """The price of an agent or scorer: by its whole name, or by what stands behind its colons."""
    if name in prices or ":" not in name:
        return prices.get(name)
    return find_price(prices, name.partition(":")[2])
