"""What can be asked of the generator of jigsaw cubes; what makes them is loaded when needed."""

from dataclasses import dataclass, field

from pysim.generation import Generator, GeneratorOffer
from pysim.puzzle import Tier
from pysim.scene import Colour

__all__ = ["OFFER", "JigsawOptions"]


@dataclass(frozen=True, slots=True)
class JigsawOptions:
    """See :class:`pysim.families.jigsaw.generate.JigsawGenerator`."""

    tier: Tier = field(
        metadata={
            "help": "How hard they are; easy: four pieces in place, medium: none, hard: pieces "
            "turned over, too."
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


def _make(options: JigsawOptions, seed: int, colours: tuple[Colour, ...]) -> Generator:
    from pysim.families.jigsaw.generate import JigsawGenerator

    return JigsawGenerator(options.tier, seed, colours, options.unique, options.whole)


OFFER = GeneratorOffer(
    "Make hollow cubes of six jigsaw pieces, each with a plan, facts and a picture sheet.",
    JigsawOptions,
    _make,
)
