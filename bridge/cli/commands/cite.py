"""``luban cite``."""

from dataclasses import dataclass, field

from bridge.cli.dataclass_options import make_command
from bridge.cli.options import AS_JSON

__all__ = ["CiteRequest", "command"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CiteRequest:
    """Options of ``luban cite``."""

    levels: str = field(
        metadata={
            "argument": True,
            "metavar": "LEVEL|SUITE",
            "help": "A level, a suite, tasks, a file, or several with commas between them; or a "
            "benchmark.",
        }
    )
    bibtex: bool = field(default=False, metadata={"help": "Print the BibTeX alone."})
    as_json: bool = field(default=False, metadata=AS_JSON)


command = make_command(
    "cite",
    CiteRequest,
    run="bridge.cli.handlers.cite:run_cite",
    about="Show the origin, licence and BibTeX of levels and of the benchmarks that play them.",
)
