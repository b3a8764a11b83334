"""``luban levels``."""

from dataclasses import dataclass, field
from pathlib import Path

from bridge.cli.dataclass_options import make_command
from bridge.cli.options import AS_JSON, RENDERER

__all__ = ["LevelsRequest", "command"]


@dataclass(frozen=True, slots=True, kw_only=True)
class LevelsRequest:
    """Options of ``luban levels``."""

    family: str = field(default="", metadata={"help": "Only levels of this family."})
    suite: str = field(
        default="",
        metadata={"help": "The levels of this suite, in its order, or tasks as in FAMILY:test."},
    )
    gallery: Path | None = field(
        default=None, metadata={"metavar": "OUT.html", "help": "Draw them all into one page."}
    )
    force: bool = field(default=False, metadata={"help": "Replace a page that is there."})
    renderer: str = field(default="auto", metadata=RENDERER)
    as_json: bool = field(default=False, metadata=AS_JSON)


command = make_command(
    "levels",
    LevelsRequest,
    run="bridge.cli.handlers.levels:run_levels",
    about="List the levels that ship with Luban, or draw a page of them.",
)
