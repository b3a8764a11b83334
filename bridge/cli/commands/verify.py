"""``luban verify``."""

from dataclasses import dataclass, field
from pathlib import Path

from bridge.cli.dataclass_options import make_command
from bridge.cli.options import AS_JSON, RAY, UNITY_PLAYER, WORKERS

__all__ = ["VerifyRequest", "command"]


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifyRequest:
    """Options of ``luban verify``."""

    targets: tuple[str, ...] = field(
        metadata={
            "argument": True,
            "metavar": "LEVEL|SUITE|DIR...",
            "help": "Ids, patterns, files, suites, folders.",
        }
    )
    deep: bool = field(
        default=False, metadata={"help": "Search ten times as far where a search has a limit."}
    )
    worlds: str = field(
        default="",
        metadata={"help": "Play the plans in these worlds only: lattice,bullet,unity."},
    )
    films: bool = field(default=True, metadata={"help": "Check the films of the plans, too."})
    emit_proof: Path | None = field(
        default=None,
        metadata={"metavar": "DIR", "help": "Write proofs for tools/check_proof.py here."},
    )
    certificates: Path | None = field(
        default=None,
        metadata={
            "metavar": "FILE",
            "help": "Keep certificates here; levels in it are not checked again.",
        },
    )
    workers: int = field(default=0, metadata=WORKERS)
    unity_player: str = field(default="", metadata=UNITY_PLAYER)
    ray: str = field(default="", metadata=RAY)
    as_json: bool = field(default=False, metadata=AS_JSON)


command = make_command(
    "verify",
    VerifyRequest,
    run="bridge.cli.handlers.verify:run_verify",
    about="Check every claim of a level with independent code.",
)
