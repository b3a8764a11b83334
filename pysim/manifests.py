"""Manifests of families: what is known of a family before its code is loaded.

A family may keep a file ``family.json`` in its package, one JSON object::

    {"generator": summary or null, "batches": bool}

``generator`` is the summary of its :class:`~pysim.generation.GeneratorPlugin`. A family without a
manifest is loaded to learn the same.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from pysim.discovery import DiscoveryError, EntryPoint, discover

__all__ = ["MANIFEST_NAME", "FamilyManifest", "derive_manifest", "list_family_manifests"]

MANIFEST_NAME = "family.json"


@dataclass(frozen=True, slots=True)
class FamilyManifest:
    """Description of a family.

    Attributes:
        name: of its folder or entry point.
        generator: summary of its generator, a sentence; None if it has none.
        batches: whether it offers a :class:`pysim.learning.batches.PuzzleBatch`.
    """

    name: str
    generator: str | None
    batches: bool


@cache
def list_family_manifests() -> Mapping[str, FamilyManifest]:
    """Return the manifest of every family that is installed, by name.

    Raises:
        DiscoveryError: two have the same name, a manifest is damaged, or a family without one can't
            be loaded.
    """
    found = discover("luban.families", _no_check, package="pysim.families", attribute="FAMILY")
    points = found.entry_points
    return {name: _read(point) or derive_manifest(name) for name, point in points.items()}


def derive_manifest(name: str) -> FamilyManifest:
    """Return the manifest of a family as its code has it."""
    from pysim.catalog import discover_families
    from pysim.generation import load_generator

    family = discover_families()[name]
    plugin = load_generator(family)
    summary = None if plugin is None else plugin.summary
    return FamilyManifest(name, summary, family.batch is not None)


def _no_check(name: str, thing: object) -> object:
    return thing


def _read(point: EntryPoint) -> FamilyManifest | None:
    path = point.find_file(MANIFEST_NAME)
    return None if path is None else _parse(point.name, path)


def _parse(name: str, path: Path) -> FamilyManifest:
    try:
        document = json.loads(path.read_bytes())
        summary, batches = document["generator"], document["batches"]
        if not isinstance(summary, str | None) or not isinstance(batches, bool):
            raise TypeError("generator is a sentence or null, batches true or false")
        return FamilyManifest(name, summary, batches)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise DiscoveryError(f"{path} is damaged ({type(error).__name__}: {error})") from None
