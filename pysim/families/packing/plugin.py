"""Settings of the generator of boxes; the generator itself is loaded when it is needed."""

import re
from dataclasses import dataclass, field
from math import inf

from pysim.errors import InputError
from pysim.generation import Generator, GeneratorPlugin, Rung
from pysim.geometry import Cell
from pysim.puzzle import Tier
from pysim.scene import Colour

__all__ = ["GENERATOR", "BoxOptions"]


def read_size(text: str) -> Cell:
    """``3x3x4``.

    Raises:
        InputError: it is not written so.
    """
    found = re.fullmatch(r"(-?\d{1,4})x(-?\d{1,4})x(-?\d{1,4})", text.lower(), re.ASCII)
    if found is None:
        raise InputError(f"a size is written as in 3x3x4, not {text[:60]!r}")
    x, y, z = map(int, found.groups())
    return (x, y, z)


@dataclass(frozen=True, slots=True)
class BoxOptions:
    """See :class:`pysim.families.packing.generator.generate.PackingGenerator`."""

    size: Cell | None = field(
        default=None,
        metadata={
            "read": read_size,
            "help": "Cells of the box along x, y and z, as in 3x3x4; by default the tier's, 2x3x3, "
            "2x3x4 or 3x3x3.",
        },
    )
    tier: Tier = field(default=Tier.EASY, metadata={"help": "How hard they are"})
    linear: bool = field(
        default=True,
        metadata={"help": "Built from the open top, under gravity; or from all sides, without."},
    )


def _make(options: BoxOptions, seed: int, colours: tuple[Colour, ...]) -> Generator:
    from pysim.families.packing.generator.generate import SAMPLINGS, PackingGenerator

    if options.tier not in SAMPLINGS:
        raise InputError(f"boxes are made {', '.join(SAMPLINGS)}, not {options.tier}")
    sampling = SAMPLINGS[options.tier]
    size = _SIZES[options.tier] if options.size is None else options.size
    return PackingGenerator(size, sampling, seed, colours, options.linear)


_SIZES = {Tier.EASY: (2, 3, 3), Tier.MEDIUM: (2, 3, 4), Tier.HARD: (3, 3, 3)}
"""Box of each tier, where none is given."""

GENERATOR = GeneratorPlugin(
    "Make boxes to be filled with polycubes, each with a plan, facts and a picture sheet.",
    BoxOptions,
    _make,
    {
        Tier.EASY: Rung(
            (BoxOptions((2, 2, 5), Tier.MEDIUM), BoxOptions((2, 3, 3), Tier.MEDIUM)), (4, 4)
        ),
        Tier.MEDIUM: Rung(
            (BoxOptions((2, 3, 4), Tier.MEDIUM), BoxOptions((2, 3, 4), Tier.HARD)), (5, 5)
        ),
        Tier.HARD: Rung((BoxOptions((3, 3, 3), Tier.MEDIUM),), (6, 6)),
        Tier.EXPERT: Rung((BoxOptions((3, 3, 4), Tier.HARD),), (7, 9), (100.0, inf)),
    },
    (
        (
            BoxOptions((2, 2, 5), Tier.MEDIUM),
            BoxOptions((2, 3, 3), Tier.MEDIUM),
            BoxOptions((2, 3, 4), Tier.MEDIUM),
        ),
        (BoxOptions((3, 3, 3), Tier.MEDIUM),),
        (BoxOptions((2, 4, 4), Tier.MEDIUM),),
        (BoxOptions((3, 3, 4), Tier.HARD),),
        (BoxOptions((3, 4, 4), Tier.MEDIUM),),
    ),
    {
        "a piece can't lie on a table": "ask for another --size",
        "a piece contains a 2 x 3 plate": "ask for another --size or --tier hard",
        "a piece found no room to grow": "ask for a larger --size",
        "a piece is hidden": "ask for a smaller --size",
        "a piece touches no other": "ask for another --size",
        "duplicate": "ask for a larger --size: few puzzles are so small",
        "more pieces than colours": "ask for a smaller --size",
        "no cuboid has the volume that is left": "ask for another --size or --tier medium",
        "no linear assembly": "ask for --no-linear or a smaller --size",
        "the cuboids do not pack": "ask for another --size or --tier medium",
        "too easy": "ask for a larger --size or --tier medium",
        "too few pieces": "ask for a larger --size",
        "too many solutions": "ask for a smaller --size or --tier medium",
        "two pieces stayed equal": "ask for a larger --size or --tier medium",
    },
    extras=("solve",),
)
