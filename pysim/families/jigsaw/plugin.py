"""Settings of the generator of jigsaw cubes; the generator itself is loaded when it is needed."""

from dataclasses import dataclass, field
from math import inf

from pysim.generation import Generator, GeneratorPlugin, Rung
from pysim.puzzle import Tier
from pysim.scene import Colour

__all__ = ["GENERATOR", "JigsawOptions"]


@dataclass(frozen=True, slots=True)
class JigsawOptions:
    """See :class:`pysim.families.jigsaw.generate.JigsawGenerator`."""

    tier: Tier = field(
        metadata={
            "help": "How hard they are; easy: four pieces in place, medium: none, hard: pieces "
            "turned over, too; expert is for suites."
        }
    )
    unique: bool = field(
        default=True,
        metadata={"help": "Only those with one solution, turned and mirrored cubes left out."},
    )
    whole: bool = field(
        default=True,
        metadata={"help": "Only those of which every piece is in one part."},
    )
    given: int | None = field(
        default=None,
        metadata={
            "help": "Number of pieces in place, instead of the tier's.",
            "least": 0,
            "most": 4,
        },
    )


def _make(options: JigsawOptions, seed: int, colours: tuple[Colour, ...]) -> Generator:
    from pysim.families.jigsaw.generate import JigsawGenerator

    return JigsawGenerator(
        options.tier, seed, colours, options.unique, options.whole, options.given
    )


GENERATOR = GeneratorPlugin(
    "Make hollow cubes of six jigsaw pieces, each with a plan, facts and a picture sheet.",
    JigsawOptions,
    _make,
    {
        Tier.EASY: Rung((JigsawOptions(Tier.EASY, given=3),), (3, 3), (9.0, inf)),
        Tier.MEDIUM: Rung((JigsawOptions(Tier.EASY, given=2),), (4, 4)),
        Tier.HARD: Rung((JigsawOptions(Tier.EASY, given=1),), (5, 5)),
        Tier.EXPERT: Rung((JigsawOptions(Tier.HARD),), (6, 6)),
    },
    (
        (JigsawOptions(Tier.EASY, given=4),),
        (JigsawOptions(Tier.EASY, given=3),),
        (JigsawOptions(Tier.EASY, given=2),),
        (JigsawOptions(Tier.EASY, given=1),),
        (JigsawOptions(Tier.HARD),),
    ),
    {
        "a piece in two parts": "ask for --no-whole",
        "several solutions": "ask for --no-unique",
        "several ways to place the rest": "ask for more pieces --given or --no-unique",
    },
    extras=("solve",),
)
