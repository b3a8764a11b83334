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

    moves: int = field(
        default=4,
        metadata={
            "help": "Quarter turns of a shortest solution.",
            "least": 1,
            "most": 10,
        },
    )
    setting: Setting = field(
        default=Setting.FULL_VISUAL, metadata={"help": "How much of the cube is seen."}
    )


def _make(options: ScrambleOptions, seed: int, colours: tuple[Colour, ...]) -> Generator:
    from pysim.families.rubik.generate import CubeGenerator

    return CubeGenerator(options.moves, options.setting, seed)


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
)
