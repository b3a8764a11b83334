"""Settings of the generators of locks, which are loaded when they are needed."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from math import inf
from typing import Any

from pysim.errors import InputError
from pysim.families.burr.lock import LockKind
from pysim.generation import Generator, GeneratorPlugin, Rung, TierGenerator
from pysim.puzzle import Tier
from pysim.scene import Colour

__all__ = ["GENERATOR", "LockOptions"]


def read_size(text: str) -> tuple[int, ...]:
    """``4`` or ``4x4x5``; empty text for what is usual.

    Raises:
        InputError: it is neither.
    """
    if not text:
        return ()
    words = text.lower().split("x")
    if not all(word.isascii() and word.isdecimal() and len(word) < 5 for word in words):
        raise InputError(f"a size is written as in 6 or 4x4x5, not {text[:60]!r}")
    return tuple(map(int, words))


@dataclass(frozen=True, slots=True)
class LockOptions:
    """See :class:`pysim.families.burr.generator.Settings`, which has the same fields."""

    kind: LockKind | None = field(
        default=None, metadata={"help": "Kind of locks, instead of the tier's"}
    )
    pieces: int = field(
        default=0, metadata={"least": 0, "help": "Number of pieces; 0 for the usual number."}
    )
    level: int = field(
        default=1, metadata={"help": "Minimum number of moves to the first separation."}
    )
    size: tuple[int, ...] = field(
        default=(),
        metadata={
            "read": read_size,
            "help": "Length of sticks, or edges of a box as in 4 or 4x4x5.",
        },
    )
    thickness: int = field(default=1, metadata={"help": "Of boards: 1 or 2."})
    sequential: bool = field(
        default=False,
        metadata={
            "help": "A box that comes apart in one order only; with --climb, a box of a high level "
            "that is searched for from there."
        },
    )
    reflections: bool = field(
        default=False, metadata={"help": "Mirror images count as the same lock."}
    )
    climb: int = field(
        default=0,
        repr=False,  # Recipes of suites have none.
        metadata={
            "least": 0,
            "help": "Rounds of a longer search for high levels; 0 for a short one.",
        },
    )
    stacked: bool = field(
        default=False,
        repr=False,
        metadata={"help": "18 rods in two stacks along each axis, for high levels."},
    )
    tier: Tier | None = field(
        default=None,
        repr=False,  # Recipes of suites name the other options.
        metadata={"help": "Only those that are so hard; without --kind of a kind that often is"},
    )


def _make(options: LockOptions, seed: int, colours: tuple[Colour, ...]) -> Generator:
    from pysim.families.burr.generator import LockGenerator, Settings

    wanted = {name: value for name, value in asdict(options).items() if name != "tier"}
    if options.kind is None:
        if options.tier is None or options.tier not in _USUAL:
            raise InputError(f"give --kind ({', '.join(LockKind)}) or --tier ({', '.join(_USUAL)})")
        wanted |= _USUAL[options.tier]
    made = LockGenerator(Settings(**wanted, seed=seed), colours)
    return made if options.tier is None else TierGenerator(made, options.tier)


_USUAL: Mapping[Tier, Mapping[str, Any]] = {
    Tier.EASY: {"kind": LockKind.CUBE, "pieces": 4},
    Tier.MEDIUM: {"kind": LockKind.BOARD, "pieces": 4, "level": 2},
    Tier.HARD: {"kind": LockKind.SIX_PIECE, "level": 7},
}
"""Settings whose locks are mostly of a tier, where no kind is given."""


GENERATOR = GeneratorPlugin(
    "Make interlocking locks, each with a plan, facts and a picture sheet.",
    LockOptions,
    _make,
    {
        Tier.EASY: Rung((LockOptions(LockKind.BOARD, 4, 3),), (6, 7), (0.0, 10.5)),
        Tier.MEDIUM: Rung((LockOptions(LockKind.BOARD, 5, 3),), (8, 10), (9.5, 12.0)),
        Tier.HARD: Rung((LockOptions(LockKind.SIX_PIECE, level=5),), (11, 12), (12.0, 14.5)),
        Tier.EXPERT: Rung((LockOptions(LockKind.SIX_PIECE, level=8),), (13, 16), (13.5, inf)),
    },
    (
        (LockOptions(LockKind.CUBE, 4),),
        (LockOptions(LockKind.BOARD, 4, 2),),
        (LockOptions(LockKind.SIX_PIECE, level=3),),
        (LockOptions(LockKind.SIX_PIECE, level=5),),
        (LockOptions(LockKind.SIX_PIECE, level=8),),
    ),
    {
        "a piece can't be laid on a table": "ask for another --size",
        "another tier": "leave out --tier, or ask for another --level",
        "dead end": "ask for fewer --pieces or a larger --size",
        "duplicate": "ask for more --pieces or a larger --size: there are few locks so small",
        "level too low": "ask for a lower --level or a longer --climb",
        "no plan within the limits": "ask for fewer --pieces",
        "nothing to start from": "ask for a larger --size",
        "several pieces can move": "ask for fewer --pieces or a larger --size",
        "several solutions": "ask for a higher --level: tight locks have fewer solutions",
        "too loose to be measured": "ask for fewer --pieces or a shorter --size",
        "too many ways to build": "ask for a higher --level or fewer --pieces",
    },
    extras=("solve",),
)
