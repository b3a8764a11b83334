"""``luban export``."""

from dataclasses import dataclass, field
from pathlib import Path

from bridge.cli.dataclass_options import make_command
from bridge.cli.options import AS_JSON, LEVEL

__all__ = ["ExportRequest", "command"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportRequest:
    """Options of ``luban export``."""

    level: str = field(metadata=LEVEL)
    out: Path = field(metadata={"help": "File to write, such as .xmpuzzle."})
    force: bool = field(default=False, metadata={"help": "Replace a file that exists."})
    as_json: bool = field(default=False, metadata=AS_JSON)


command = make_command(
    "export",
    ExportRequest,
    run="bridge.cli.handlers.export:run_export",
    about="Write a level as a file that designers' programs open.",
)
