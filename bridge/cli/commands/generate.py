"""``luban generate``: a command for each family that offers a generator."""

from collections.abc import Mapping
from typing import Any

import click

from bridge.cli.dataclass_options import HELP_OPTIONS, load_function, make_command
from bridge.cli.groups import LazyGroup
from bridge.cli.requests import BatchRequest

__all__ = ["command"]


def _summarize() -> Mapping[str, str]:
    """Return the families with generators, and what these make."""
    from pysim.manifests import list_family_manifests

    manifests = list_family_manifests().values()
    return {one.name: one.generator for one in manifests if one.generator is not None}


def _load(name: str) -> click.Command:
    from pysim.catalog import discover_families
    from pysim.generation import load_generator

    plugin = load_generator(discover_families()[name])
    assert plugin is not None, name

    def run(options: Any, batch: BatchRequest) -> None:
        load_function("bridge.cli.handlers.generate:run_generate")(plugin, options, batch)

    return make_command(name, plugin.options, BatchRequest, run=run, about=plugin.summary)


command = LazyGroup(
    "generate",
    summaries=_summarize,
    load=_load,
    about="Generate any number of new levels, each with its certificate.",
    context_settings={"help_option_names": [*HELP_OPTIONS]},
)
