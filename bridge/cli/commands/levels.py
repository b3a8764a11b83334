"""``luban levels``."""

from dataclasses import dataclass, field
from pathlib import Path

from bridge.cli.dataclass_options import make_command
from bridge.cli.options import AS_JSON, RENDERER
from pysim.errors import InputError
from pysim.limits import quote

__all__ = ["TIERS", "LevelsRequest", "command"]


TIERS = ("easy", "medium", "hard", "expert")
"""Of :class:`pysim.puzzle.Tier`, which takes long to load."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LevelsRequest:
    """Options of ``luban levels``."""

    target: str = field(
        default="",
        metadata={
            "argument": True,
            "metavar": "[SUITE]",
            "help": "A suite, tasks as in FAMILY:test, a file of levels or a folder of them.",
        },
    )
    family: str = field(default="", metadata={"help": "Only levels of this family."})
    tier: str = field(
        default="",
        metadata={
            "metavar": "|".join(TIERS),
            "help": "Only levels of this tier.",
        },
    )
    suite: str = field(
        default="",
        metadata={"help": "The same as SUITE."},
    )
    gallery: Path | None = field(
        default=None, metadata={"metavar": "OUT.html", "help": "Draw them all into one page."}
    )
    force: bool = field(default=False, metadata={"help": "Replace a page that is there."})
    renderer: str = field(default="auto", metadata=RENDERER)
    as_json: bool = field(default=False, metadata=AS_JSON)

    def __post_init__(self) -> None:
        if self.tier and self.tier not in TIERS:
            raise InputError(f"--tier is one of {', '.join(TIERS)}, not {quote(self.tier)}")
        if self.target and self.suite and self.target != self.suite:
            raise InputError(
                f"two suites are named, {quote(self.target)} and {quote(self.suite)}: give one"
            )

    @property
    def chosen(self) -> str:
        """Return the suite, however it was given."""
        return self.target or self.suite


command = make_command(
    "levels",
    LevelsRequest,
    run="bridge.cli.handlers.levels:run_levels",
    about="List the levels that ship with Luban, or draw a page of them.",
)
