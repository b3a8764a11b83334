"""Manifests of families: what is known of a family before its code is loaded.

A family may keep a file ``family.json`` in its package, one JSON object::

    {"generator": summary or null, "batches": bool,
     "former_options": {former option: option}, "former_values": {option: {former value: value}}}

``generator`` is the summary of its :class:`~pysim.generation.GeneratorPlugin`. The last two, which
may be missing, are about the options of that generator. A family without a manifest is loaded to
learn the same.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, partial
from typing import Any

from pysim.discovery import EntryPoint, discover_entry_points, read_manifest_file

__all__ = ["MANIFEST_NAME", "FamilyManifest", "derive_manifest", "list_family_manifests"]

MANIFEST_NAME = "family.json"


@dataclass(frozen=True, slots=True)
class FamilyManifest:
    """Description of a family.

    Attributes:
        name: of its folder or entry point.
        generator: summary of its generator, a sentence; None if it has none.
        batches: whether it offers a :class:`pysim.learning.batches.PuzzleBatch`.
        former_options: options of its generator in earlier versions, and today's.
        former_values: values of its generator's options in earlier versions, and today's.
    """

    name: str
    generator: str | None
    batches: bool
    former_options: Mapping[str, str] = field(default_factory=dict, compare=False)
    former_values: Mapping[str, Mapping[str, str]] = field(default_factory=dict, compare=False)


@cache
def list_family_manifests() -> Mapping[str, FamilyManifest]:
    """Return the manifest of every family that is installed, by name.

    Raises:
        DiscoveryError: two have the same name, a manifest is damaged, or a family without one can't
            be loaded.
    """
    points = discover_entry_points(
        "luban.families", package="pysim.families", module="family", attribute="FAMILY"
    )
    return {name: _read(point) or derive_manifest(name) for name, point in points.items()}


def derive_manifest(name: str) -> FamilyManifest:
    """Return the manifest of a family as its code has it."""
    from pysim.catalog import discover_families
    from pysim.generation import load_generator

    family = discover_families()[name]
    plugin = load_generator(family)
    summary = None if plugin is None else plugin.summary
    return FamilyManifest(name, summary, family.batch is not None)


def _read(point: EntryPoint) -> FamilyManifest | None:
    path = point.find_file(MANIFEST_NAME)
    return None if path is None else read_manifest_file(path, partial(_parse, point.name))


def _parse(name: str, document: Any) -> FamilyManifest:
    summary, batches = document["generator"], document["batches"]
    if not isinstance(summary, str | None) or not isinstance(batches, bool):
        raise TypeError("generator is a sentence or null, batches true or false")
    options = dict(document.get("former_options", {}))
    values = {option: dict(v) for option, v in document.get("former_values", {}).items()}
    return FamilyManifest(name, summary, batches, options, values)
