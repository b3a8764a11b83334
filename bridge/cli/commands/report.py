"""``luban report``."""

from dataclasses import dataclass, field
from pathlib import Path

from bridge.cli.dataclass_options import make_command
from bridge.cli.options import AS_JSON, BESIDE, PRICES, Beside

__all__ = ["ReportRequest", "command"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportRequest:
    """Options of ``luban report``."""

    runs: tuple[Path, ...] = field(
        metadata={"argument": True, "metavar": "RUN...", "help": "Folders of runs."}
    )
    out: Path | None = field(
        default=None,
        metadata={
            "help": "Page to write, .html, or file for the tables, .txt, .csv or .tex. By default "
            "the tables are printed."
        },
    )
    tables: tuple[str, ...] = field(
        default=(),
        metadata={
            "option": "--table",
            "metavar": "NAME",
            "help": "Only tables with this in their title, or number.",
        },
    )
    prices: Path | None = field(default=None, metadata=PRICES)
    beside: Beside | None = field(default=None, metadata=BESIDE)
    embed: bool = field(default=False, metadata={"help": "Put pictures and videos into the page."})
    pictures: int | None = field(
        default=None,
        metadata={
            "least": 0,
            "help": "Draw what agents saw, at most so many observations: by default 3000, with "
            "--embed 300. 0 draws none.",
        },
    )
    verify: bool = field(
        default=False,
        metadata={"help": "First play every log again, and stop if one is false."},
    )
    force: bool = field(default=False, metadata={"help": "Replace files that exist."})
    as_json: bool = field(default=False, metadata=AS_JSON)


command = make_command(
    "report",
    ReportRequest,
    run="bridge.cli.handlers.report:run_report",
    about="Print the tables of some runs, or write them or a page with plots and every episode.",
)
