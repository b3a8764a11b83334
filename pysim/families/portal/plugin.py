"""Settings of the generator of chambers; the generator itself is loaded when it is needed."""

from dataclasses import dataclass, field

from pysim.errors import InputError
from pysim.generation import Generator, GeneratorPlugin, Rung
from pysim.puzzle import Tier
from pysim.scene import Colour

__all__ = ["GENERATOR", "ChamberOptions"]


@dataclass(frozen=True, slots=True)
class ChamberOptions:
    """See :class:`pysim.families.portal.generator.generate.ChamberGenerator`."""

    difficulty: int | None = field(
        default=None,
        metadata={
            "help": "1: one mechanic; 2: two; 3: three; 4: five; 5: seven, one after another; by "
            "default the tier's, 1, 3 or 5.",
            "least": 1,
            "most": 5,
        },
    )
    tier: Tier = field(
        default=Tier.EASY,
        repr=False,
        metadata={"help": "How hard they are; no expert ones are made"},
    )


def _make(options: ChamberOptions, seed: int, colours: tuple[Colour, ...]) -> Generator:
    from pysim.families.portal.generator.generate import ChamberGenerator

    difficulty = options.difficulty
    if difficulty is None:
        if options.tier not in _DIFFICULTIES:
            raise InputError(f"chambers are made {', '.join(_DIFFICULTIES)}, not {options.tier}")
        difficulty = _DIFFICULTIES[options.tier]
    return ChamberGenerator(difficulty, seed)


_DIFFICULTIES = {Tier.EASY: 1, Tier.MEDIUM: 3, Tier.HARD: 5}
"""Difficulty of each tier, where none is given."""


GENERATOR = GeneratorPlugin(
    "Make chambers that need a chain of mechanics, each with a plan and facts.",
    ChamberOptions,
    _make,
    {
        Tier.EASY: Rung((ChamberOptions(2),), (7, 8)),
        Tier.MEDIUM: Rung((ChamberOptions(3),), (10, 12)),
        Tier.HARD: Rung((ChamberOptions(4),), (15, 18)),
        Tier.EXPERT: Rung((ChamberOptions(5),), (22, 27)),
    },
    (
        (ChamberOptions(2),),
        (ChamberOptions(3),),
        (ChamberOptions(4),),
        (ChamberOptions(5),),
    ),
    {
        "a module needs no mechanic": "ask for another --seed or a lower --difficulty",
        "duplicate": "ask for a higher --difficulty: there are few chains of so few mechanics",
        "it is symmetric": "ask for another --seed or a higher --difficulty",
        "the plan is too short": "ask for another --seed or a lower --difficulty",
    },
)
