"""The options that every bench has whose levels are played.

They are fields of a dataclass, which benches extend with their own; ``luban eval`` makes its
options of them. Metadata of a field: see :mod:`bridge.cli.dataclass_options`.
"""

from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import NoReturn

from bridge.episode.choices import MAX_BUDGET, Feedback, Obs
from pysim.errors import InputError
from pysim.viewpoints import Views

__all__ = ["Mode", "PlayOptions", "VideoPolicy"]


class Mode(StrEnum):
    """Number of times that an agent is asked; benches may have modes of their own."""

    INTERACTIVE = "interactive"
    ONE_SHOT = "one-shot"


class VideoPolicy(StrEnum):
    """Of which episodes pictures and videos are made."""

    ALL = "all"
    FAILED = "failed"
    NONE = "none"

    @classmethod
    def _missing_(cls, value: object) -> NoReturn:
        raise InputError(f"videos are made of {', '.join(cls)}, not of {value!r}")

    def needs_video(self, *, solved: bool) -> bool:
        """Return whether one is made of an episode."""
        return self is VideoPolicy.ALL or (self is VideoPolicy.FAILED and not solved)


@dataclass(frozen=True, slots=True)
class PlayOptions:
    """Options of play in levels, for every bench."""

    k: int = field(
        default=1, metadata={"help": "Attempts at each level.", "least": 1, "most": 1000}
    )
    notes: bool = field(
        default=False,
        metadata={"help": "With --k: the agent keeps notes from attempt to attempt at a level."},
    )
    mode: str = field(default="interactive", metadata={"help": "How the agent is asked."})
    observation: Obs = field(default=Obs.IMAGE_STATE, metadata={"help": "What the agent is shown."})
    feedback: Feedback = field(
        default=Feedback.FULL, metadata={"help": "What the agent is told of its actions."}
    )
    world: str = field(default="lattice", metadata={"help": "lattice (exact), bullet or unity."})
    budget: int | None = field(
        default=None,
        metadata={
            "help": "Number of steps, instead of each level's own.",
            "least": 1,
            "most": MAX_BUDGET,
        },
    )
    views: Views | None = field(
        default=None,
        metadata={
            "help": "Pictures: composed (usual), one sheet, a single view, or classic as before; a "
            "run that goes on keeps its own."
        },
    )
    history: int = field(
        default=5, metadata={"help": "Number of past turns that an agent is shown."}
    )
    private: Path | None = field(
        default=None,
        metadata={
            "help": "File with a secret seed: play the private twin of the suite.",
            "metavar": "SEEDFILE",
        },
    )
    most_budget: int | None = field(
        default=None,
        metadata={
            "help": "Most steps of a level; budgets above that are cut.",
            "least": 1,
            "most": MAX_BUDGET,
        },
    )
    video: VideoPolicy = field(
        default=VideoPolicy.NONE, metadata={"help": "Episodes to make videos of."}
    )
