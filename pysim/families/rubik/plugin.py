"""Options of the generator of scrambled cubes; the generator itself is loaded when needed."""

from dataclasses import dataclass, field

from pysim.families.rubik.puzzle import Setting
from pysim.generation import Generator, GeneratorPlugin, Rung
from pysim.puzzle import Tier
from pysim.scene import Colour

__all__ = ["GENERATOR", "ScrambleOptions"]


@dataclass(frozen=True, slots=True)
class ScrambleOptions:
    """See :class:`pysim.families.rubik.generate.CubeGenerator`."""

    moves: int | None = field(
        default=None,
        metadata={
            "help": "Quarter turns of a shortest solution, instead of the tier's.",
            "least": 1,
            "most": 10,
        },
    )
    setting: Setting = field(
        default=Setting.FULL_VISUAL, metadata={"help": "How much of the cube is seen."}
    )
    tier: Tier = field(
        default=Tier.EASY,
        repr=False,
        metadata={"help": "How hard they are, by quarter turns: 4, 6, 8 and 10"},
    )


def _make(options: ScrambleOptions, seed: int, colours: tuple[Colour, ...]) -> Generator:
    from pysim.families.rubik.generate import TIERS, CubeGenerator

    moves = TIERS[options.tier] if options.moves is None else options.moves
    return CubeGenerator(moves, options.setting, seed)


GENERATOR = GeneratorPlugin(
    "Make scrambled cubes, each with a shortest plan and a picture sheet.",
    ScrambleOptions,
    _make,
    {
        Tier.EASY: Rung((ScrambleOptions(4),), (4, 4)),
        Tier.MEDIUM: Rung((ScrambleOptions(6),), (6, 6)),
        Tier.HARD: Rung((ScrambleOptions(8),), (8, 8)),
        Tier.EXPERT: Rung((ScrambleOptions(10),), (10, 10)),
    },
    (
        (ScrambleOptions(3), ScrambleOptions(4), ScrambleOptions(5)),
        (ScrambleOptions(6),),
        (ScrambleOptions(7),),
        (ScrambleOptions(8),),
        (ScrambleOptions(9),),
    ),
    {
        "a shorter solution": "ask for fewer --moves",
        "duplicate": "ask for more --moves: few cubes are so near home",
    },
)
