"""``luban import``."""

from dataclasses import dataclass, field
from pathlib import Path

from bridge.cli.dataclass_options import make_command
from bridge.cli.options import AS_JSON

__all__ = ["ImportRequest", "command"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportRequest:
    """Options of ``luban import``."""

    file: Path = field(
        metadata={
            "argument": True,
            "help": "A designer's file; with --bench authors' files.",
        }
    )
    out: Path = field(metadata={"help": "Level or suite file to write, .json."})
    bench: str = field(
        default="",
        metadata={"help": "Make a suite of files that authors of this bench publish."},
    )
    levels: Path | None = field(
        default=None, metadata={"help": "With --bench: folder for its levels as files, too."}
    )
    problem: int = field(default=0, metadata={"help": "Number of the problem in the file."})
    solution: int = field(
        default=0, metadata={"help": "Number of the assembly among those that come apart."}
    )
    stored: bool = field(
        default=False, metadata={"help": "Count the assemblies stored in the file instead."}
    )
    goal: str = field(
        default="",
        metadata={"help": "Goal, as disassemble, key or assemble; else the usual one."},
    )
    id: str = field(default="", metadata={"help": "Id; by default made from the file's name."})
    name: str = field(
        default="", metadata={"help": "Name; by default the problem's or the file's."}
    )
    tier: str = field(
        default="",
        metadata={"help": "easy, medium, hard or expert; by default it follows from the plan."},
    )
    designer: str = field(default="", metadata={"help": "Who designed it."})
    budget: int | None = field(
        default=None,
        metadata={
            "least": 1,
            "most": 10_000,
            "help": "Number of steps; by default three per planned step.",
        },
    )
    force: bool = field(default=False, metadata={"help": "Replace a file that exists."})
    as_json: bool = field(default=False, metadata=AS_JSON)


command = make_command(
    "import",
    ImportRequest,
    run="bridge.cli.handlers.import_:run_import",
    about="Make a level from a designer's file, or a suite from authors' files.",
)
