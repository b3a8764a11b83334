"""``luban generate``: a command for each family that offers a generator, and one for pools."""

from collections.abc import Mapping
from typing import Any

import click

from bridge.cli.dataclass_options import HELP_OPTIONS, load_function, make_command
from bridge.cli.groups import LazyGroup
from bridge.cli.requests import BatchRequest, PoolRequest

__all__ = ["command"]

POOL = "--pool"
_POOL_SUMMARY = "Make a pool of tasks of a family, in splits for training and tests."


def _summarize() -> Mapping[str, str]:
    """Return the families with generators, and what these make."""
    from pysim.manifests import list_family_manifests

    manifests = list_family_manifests().values()
    made = {one.name: one.generator for one in manifests if one.generator is not None}
    return {**made, POOL: _POOL_SUMMARY}


def _load(name: str) -> click.Command:
    if name == POOL:
        return make_command(
            POOL,
            PoolRequest,
            run="bridge.cli.handlers.pools:run_generate_pool",
            about=_POOL_SUMMARY,
        )
    from pysim.catalog import discover_families
    from pysim.generation import load_generator

    plugin = load_generator(discover_families()[name])
    assert plugin is not None, name

    def run(options: Any, batch: BatchRequest) -> None:
        load_function("bridge.cli.handlers.generate:run_generate")(plugin, options, batch)

    return make_command(name, plugin.options, BatchRequest, run=run, about=plugin.summary)


class _GenerateGroup(LazyGroup):
    """Takes ``--pool`` anywhere among its arguments for the command that makes pools."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Return the arguments that are left."""
        if POOL in args:
            args = ["--", POOL, *(one for one in args if one != POOL)]
        return super().parse_args(ctx, args)


command = _GenerateGroup(
    "generate",
    summaries=_summarize,
    load=_load,
    about="Generate any number of new levels, each with its certificate.",
    context_settings={"help_option_names": [*HELP_OPTIONS]},
)
