"""The private twin of a suite: as many levels by the same ladders, drawn from a secret seed."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bridge.generating.ladder import (
    LEVELS_PER_TIER,
    LadderDraw,
    TierStep,
    format_recipe,
    list_steps,
)
from bridge.generating.suites import Tell, draw_suite
from pysim.catalog import AnyLevel
from pysim.errors import InputError
from pysim.machine import find_cache
from pysim.suites import find_suite, load_levels

__all__ = ["SUITE", "Twin", "derive_twin", "draw_twin", "read_seed"]

SUITE = "luban-120"
"""The suite that has a twin."""
_LEAST, _MOST = 16, 2**20
_ATTEMPTS = 40


@dataclass(frozen=True, slots=True)
class Twin:
    """A twin.

    Attributes:
        digest: names the seed, and doesn't give it away.
        draw: determines its levels.
    """

    digest: str
    draw: LadderDraw

    @property
    def name(self) -> str:
        """Return the name of the suite in runs and reports."""
        return f"{SUITE}-private-{self.digest[:16]}"


def read_seed(path: Path) -> bytes:
    """Read a secret seed.

    Raises:
        InputError: it can't be read, or has too few bytes or too many.
    """
    make = "make one with `head -c 32 /dev/urandom > seed`"
    if path.is_dir():
        raise InputError(f"--private: {path} is a folder: name a file of at least {_LEAST} bytes")
    try:
        with path.open("rb") as file:
            seed = file.read(_MOST + 1)
    except OSError as error:
        raise InputError(f"--private: {path}: {error.strerror}: {make}") from None
    if len(seed) < _LEAST:
        raise InputError(
            f"--private: {path} has {len(seed)} bytes, and a secret at least {_LEAST}: {make}"
        )
    if len(seed) > _MOST:
        raise InputError(f"--private: {path} has more than {_MOST:,} bytes: {make}")
    return seed


def derive_twin(seed: bytes) -> Twin:
    """Return the twin that a seed determines."""
    key = hashlib.sha256(b"luban private twin\0" + seed).digest()
    return Twin(hashlib.sha256(key).hexdigest(), LadderDraw("private", key, _ATTEMPTS, secret=True))


def draw_twin(
    twin: Twin, *, limit: int = 0, workers: int = 1, tell: Tell = lambda done, total: None
) -> tuple[AnyLevel, ...]:
    """Return the levels of a twin; finished ones are kept in the user's cache.

    Args:
        limit: only so many of the first levels; 0 for all.

    Raises:
        BatchError: the cache can't be written.
    """
    steps = list_steps({level.family for level in load_levels(find_suite(SUITE))})
    wanted = steps[: -(-limit // LEVELS_PER_TIER)] if limit else steps
    folder = _folder(twin, steps)
    levels = draw_suite(twin.draw, wanted, folder, workers=workers, tell=tell)
    return levels[: limit or None]


def _folder(twin: Twin, steps: Sequence[TierStep]) -> Path:
    """Return the folder of a twin's levels; another one whenever the recipe is another."""
    recipe = hashlib.sha256(format_recipe(steps).encode()).hexdigest()
    return find_cache("private") / f"{twin.digest[:32]}-{recipe[:16]}"
