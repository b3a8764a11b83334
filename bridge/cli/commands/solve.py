"""``luban solve``."""

from dataclasses import dataclass, field

from bridge.cli.dataclass_options import make_command
from bridge.cli.options import AS_JSON

__all__ = ["SolveRequest", "command"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SolveRequest:
    """Options of ``luban solve``."""

    target: str = field(
        metadata={
            "argument": True,
            "metavar": "FILE|LEVEL|MOVES|STATE",
            "help": "A design or a level; of a cube also moves from solved, or its 54 letters.",
        }
    )
    problem: int = field(default=0, metadata={"help": "Number of the problem in the file."})
    everything: bool = field(
        default=False,
        metadata={
            "option": "--all",
            "help": "All assemblies or shortest solutions, not just one.",
        },
    )
    rotations: bool = field(
        default=False, metadata={"help": "Also try turns where pieces don't slide apart."}
    )
    metric: str = field(
        default="",
        metadata={"help": "How a cube's moves are counted: htm (face turns) or qtm."},
    )
    seconds: float | None = field(
        default=None,
        metadata={"least": 0, "help": "Of a cube: most seconds; then what is known."},
    )
    as_json: bool = field(default=False, metadata=AS_JSON)


command = make_command(
    "solve",
    SolveRequest,
    run="bridge.cli.handlers.solve.shortest:run_solve",
    about="Find the assemblies of a design and how they come apart, a cube's shortest solutions, "
    "or a level's plan.",
)
