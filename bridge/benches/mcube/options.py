"""Options of M-Cube."""

from dataclasses import dataclass, field

from bridge.benches.mcube.presentation import Presentation, Style
from bridge.items.options import AskOptions

__all__ = ["MCubeOptions"]


@dataclass(frozen=True, slots=True)
class MCubeOptions(AskOptions):
    """A choice of cubes, and their presentation."""

    n: int = field(
        default=1000,
        metadata={"help": "Number of trials of each condition.", "least": 1, "most": 1_000_000},
    )
    observation: Presentation = field(
        default=Presentation.USUAL,
        metadata={"help": "How the pieces are shown, usual is as in the paper."},
    )
    look: Style = field(
        default=Style.LUBAN,
        metadata={"help": "Whose pictures: Luban's, or as the paper's plots of voxels."},
    )
    missing: tuple[int, ...] = field(
        default=(),
        metadata={
            "help": "Of CUBE-easy, pieces that are not given, 1 to 6 and usually 2; may be "
            "repeated.",
            "least": 1,
            "most": 6,
        },
    )
    flips: bool = field(
        default=False,
        metadata={"help": "Of CUBE-easy, turn pieces over at random, too.", "option": "--flips"},
    )
    unique: bool = field(
        default=False,
        metadata={"help": "Only cubes with one solution.", "option": "--unique"},
    )
    item_seed: int = field(
        default=0,
        metadata={
            "help": "Seed of the cubes and viewpoints.",
            "least": 0,
            "most": 2**63 - 1,
        },
    )
