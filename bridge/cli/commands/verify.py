"""``luban verify``: its options."""

from pathlib import Path
from typing import Annotated

import typer

from bridge.cli.options import (
    JsonFlag,
    UnityPlayer,
)

__all__ = ["verify"]


def verify(
    targets: Annotated[
        list[str],
        typer.Argument(metavar="LEVEL|SUITE|DIR...", help="Ids, patterns, files, suites, folders."),
    ],
    deep: Annotated[
        bool, typer.Option("--deep", help="Search ten times as far where a search has a limit.")
    ] = False,
    worlds: Annotated[
        str, typer.Option(help="Play the plans in these worlds only: lattice,bullet,unity.")
    ] = "",
    films: Annotated[bool, typer.Option(help="Check the films of the plans, too.")] = True,
    emit_proof: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Write proofs for tools/check_proof.py here."),
    ] = None,
    certificates: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Keep certificates here; levels in it are not checked again."
        ),
    ] = None,
    workers: Annotated[
        int, typer.Option(min=0, help="Number of processes; 0 for one per core.")
    ] = 0,
    unity_player: UnityPlayer = "",
    as_json: JsonFlag = False,
) -> None:
    """Check every claim of a level with independent code."""
    from bridge.cli.handlers.verify import VerifyRequest, run_verify

    run_verify(
        VerifyRequest(
            tuple(targets), deep, worlds, films, emit_proof, certificates, workers, unity_player
        ),
        as_json,
    )
