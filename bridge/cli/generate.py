"""``luban generate``: a command for each family that offers a generator."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import typer

from bridge.cli.derived import with_options
from bridge.cli.lazy import lazy_group
from bridge.cli.options import JsonFlag, RayAddress, RendererName

__all__ = ["BatchRequest", "generate"]


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchRequest:
    """What every ``luban generate`` is asked for."""

    out: Path = field(metadata={"help": "Folder for the levels; resumes the batch in it."})
    count: int = field(
        default=1, metadata={"least": 1, "most": 1_000_000, "help": "Number of levels."}
    )
    seed: int = field(default=0, metadata={"help": "Seed of the random numbers."})
    workers: int = field(
        default=1, metadata={"least": 1, "most": 256, "help": "Number of processes."}
    )
    attempts: int = field(
        default=0, metadata={"least": 0, "help": "Attempts after which to give up; 0 for never."}
    )
    registry: Path | None = field(
        default=None,
        metadata={"help": "Folder shared by batches, so that no puzzle is made twice."},
    )
    renderer: RendererName = "auto"
    ray: RayAddress = ""
    as_json: JsonFlag = False


def _names() -> Iterator[str]:
    from pysim.catalog import families

    return (name for name, family in families().items() if family.generator is not None)


def _command(name: str) -> Callable[..., None] | None:
    from pysim.catalog import families
    from pysim.generation import offer_of

    family = families().get(name)
    offer = None if family is None else offer_of(family)
    if offer is None:
        return None

    def run(*, options: Any, batch: BatchRequest) -> None:
        from bridge.cli.generating import run_generate

        run_generate(offer, options, batch)

    run.__doc__ = offer.summary
    return with_options(run, options=offer.options, batch=BatchRequest)


generate = typer.Typer(
    name="generate",
    help="Generate any number of new levels, each with its certificate.",
    no_args_is_help=True,
    cls=lazy_group(_names, _command),
)
