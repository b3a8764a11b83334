"""Settings of the generator of nets; the generator itself is loaded when it is needed."""

from dataclasses import dataclass, field

from pysim.generation import Generator, GeneratorPlugin, Rung
from pysim.puzzle import Tier
from pysim.scene import Colour

__all__ = ["GENERATOR", "NetOptions"]


@dataclass(frozen=True, slots=True)
class NetOptions:
    """See :class:`pysim.families.nets.generate.NetGenerator`."""

    tier: Tier = field(
        default=Tier.EASY,
        metadata={
            "help": "easy: a net and at most one turn; medium: two turns; hard: two nets that make "
            "the same cube; expert is for suites."
        },
    )
    turns: int | None = field(
        default=None,
        metadata={"help": "Turns of the plan, instead of the tier's.", "least": 0, "most": 2},
    )


def _make(options: NetOptions, seed: int, colours: tuple[Colour, ...]) -> Generator:
    from pysim.families.nets.generate import NetGenerator

    return NetGenerator(options.tier, seed, options.turns)


GENERATOR = GeneratorPlugin(
    "Make nets of cubes to be folded, each with a plan, facts and a picture sheet.",
    NetOptions,
    _make,
    {
        Tier.EASY: Rung((NetOptions(Tier.EASY),), (5, 6)),
        Tier.MEDIUM: Rung((NetOptions(Tier.MEDIUM),), (7, 7)),
        Tier.HARD: Rung((NetOptions(Tier.HARD, turns=1),), (11, 11)),
        Tier.EXPERT: Rung((NetOptions(Tier.HARD, turns=2),), (12, 12)),
    },
    (
        (NetOptions(Tier.EASY, turns=0),),
        (NetOptions(Tier.EASY, turns=1),),
        (NetOptions(Tier.MEDIUM),),
        (NetOptions(Tier.HARD, turns=1),),
        (NetOptions(Tier.HARD, turns=2),),
    ),
    {"no such turns": "leave out --turns"},
)
