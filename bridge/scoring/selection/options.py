"""Options of acting directly: step by step, in one answer, or with a search."""

from dataclasses import dataclass, field

from bridge.runs.options import Mode, PlayOptions

__all__ = ["DirectOptions"]


@dataclass(frozen=True, slots=True)
class DirectOptions(PlayOptions):
    """The options of acting directly."""

    mode: Mode = field(
        default=Mode.INTERACTIVE, metadata={"help": "Asked for every step, or once for all."}
    )
    beam: int = field(
        default=0,
        metadata={"help": "Beam width of a search; 0 just plays.", "least": 0, "most": 64},
    )
    branch: int = field(
        default=0,
        metadata={
            "help": "Actions tried in each state of the beam; 0 for as many as --beam.",
            "least": 0,
            "most": 64,
        },
    )
    scorer: str = field(
        default="progress",
        metadata={
            "help": "progress, verifier, random, judge:openai:MODEL, pairwise:openai:MODEL, or one "
            "of another package."
        },
    )
