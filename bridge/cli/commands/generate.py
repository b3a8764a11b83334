"""``luban generate``: a command for each family that offers a generator."""

from collections.abc import Callable, Mapping
from typing import Any

import typer

from bridge.cli.dataclass_options import derive_options
from bridge.cli.lazy import make_lazy_group
from bridge.cli.requests import BatchRequest

__all__ = ["generate"]


def _summaries() -> Mapping[str, str]:
    """Return the families with generators, and what these make."""
    from pysim.manifests import list_family_manifests

    manifests = list_family_manifests().values()
    return {one.name: one.generator for one in manifests if one.generator is not None}


def _command(name: str) -> Callable[..., None] | None:
    from pysim.catalog import discover_families
    from pysim.generation import load_generator

    family = discover_families().get(name)
    offer = None if family is None else load_generator(family)
    if offer is None:
        return None

    def run(*, options: Any, batch: BatchRequest) -> None:
        from bridge.cli.handlers.generate import run_generate

        run_generate(offer, options, batch)

    run.__doc__ = offer.summary
    return derive_options(run, options=offer.options, batch=BatchRequest)


generate = typer.Typer(
    name="generate",
    help="Generate any number of new levels, each with its certificate.",
    no_args_is_help=True,
    cls=make_lazy_group(_summaries, _command),
)
