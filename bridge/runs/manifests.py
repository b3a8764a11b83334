"""Manifests of benches: what is known of a bench before its code is loaded.

A bench may keep a file ``bench.json`` in its package, one JSON object::

    {"title", "suites": {short name: suite}, "options": "module:class", "former_names": [...],
     "plays": [families], "columns": [...], "extras": [...],
     "former_options": {former option: option}}

All keys but the first three may be missing. ``plays`` lists the families whose levels the bench
claims where they are named without a suite, or ``"*"`` for a bench that plays what no other claims.
A bench without a manifest is loaded to learn the same.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache, partial
from pathlib import Path
from typing import Any

from pysim.discovery import (
    DiscoveryError,
    EntryPoint,
    discover_entry_points,
    read_manifest_file,
)

__all__ = [
    "ANY_FAMILY",
    "MANIFEST_NAME",
    "Manifest",
    "find_manifest",
    "find_named_manifest",
    "list_manifests",
    "list_targets",
    "read_manifest",
]

MANIFEST_NAME = "bench.json"
ANY_FAMILY = "*"


@dataclass(frozen=True, slots=True)
class Manifest:
    """Description of a bench.

    Attributes:
        name: of its folder or entry point.
        title: what people call it, with the paper that it comes from.
        suites: its suites by a short name, the main one first.
        options: where the dataclass of its own options is.
        former_names: names that it had in earlier versions.
        plays: families that it claims; ``("*",)`` for any; None where only the bench itself can
            tell, because it has no manifest.
        columns: of what it measures, unlike those of every other bench.
        extras: the keys of :attr:`~bridge.runs.settings.RunSettings.extras` that it may set.
        former_options: its options of earlier versions, and today's.
    """

    name: str
    title: str
    suites: Mapping[str, str]
    options: EntryPoint
    former_names: tuple[str, ...] = ()
    plays: tuple[str, ...] | None = ()
    columns: tuple[str, ...] = ()
    extras: tuple[str, ...] = ()
    former_options: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_general(self) -> bool:
        """Return whether the bench plays what no other bench claims."""
        return self.plays == (ANY_FAMILY,)

    def may_play(self, family: str) -> bool:
        """Return False where the bench certainly plays no level of a family."""
        return self.plays is None or self.is_general or family in self.plays

    def is_named(self, target: str) -> bool:
        """Return whether a text is the bench's name or a former one, with ``-`` for ``_``."""
        return target.replace("-", "_") in (self.name, *self.former_names)


@cache
def list_manifests() -> Mapping[str, Manifest]:
    """Return the manifest of every bench that is installed; those that play any level come first.

    Raises:
        DiscoveryError: two have the same name, or a manifest is damaged.
    """
    points = discover_entry_points(
        "luban.benches", package="bridge.benches", module="bench", attribute="BENCH"
    )
    manifests = [_read(point) or _derive(point) for point in points.values()]
    ordered = sorted(manifests, key=lambda one: not one.is_general)
    return {one.name: one for one in ordered}


def find_manifest(target: str) -> Manifest | None:
    """Return the manifest of a bench by its name, a former name or one of its suites."""
    by_suite = (m for m in list_manifests().values() if target in m.suites.values())
    return find_named_manifest(target) or next(by_suite, None)


def find_named_manifest(name: str) -> Manifest | None:
    """Return the manifest of a bench by its name or a former name."""
    return next((one for one in list_manifests().values() if one.is_named(name)), None)


def list_targets() -> list[str]:
    """Return the names of all benches and of their suites."""
    known = list_manifests()
    return [*known, *(suite for one in known.values() for suite in one.suites.values())]


def _read(point: EntryPoint) -> Manifest | None:
    """Return the manifest in the package of a bench; None if it has none."""
    path = point.find_file(MANIFEST_NAME)
    return None if path is None else read_manifest(point.name, path)


def read_manifest(name: str, path: Path) -> Manifest:
    """Read the manifest of a bench.

    Raises:
        DiscoveryError: it is damaged, or lacks a title or suites.
    """
    return read_manifest_file(path, partial(_parse, name))


def _parse(name: str, document: Any) -> Manifest:
    lists = {
        key: tuple(map(str, document.get(key, ())))
        for key in ("former_names", "plays", "columns", "extras")
    }
    return Manifest(
        name=name,
        title=str(document["title"]),
        suites={str(short): str(suite) for short, suite in document["suites"].items()},
        options=_read_place(name, str(document["options"])),
        former_options={str(k): str(v) for k, v in document.get("former_options", {}).items()},
        **lists,
    )


def _read_place(name: str, text: str) -> EntryPoint:
    """Return the place that ``module:class`` names."""
    module, colon, attribute = text.partition(":")
    if not (module and colon and attribute):
        raise ValueError(f"options are module:class, not {text[:60]!r}")
    return EntryPoint(name, "", module, attribute)


def _derive(point: EntryPoint) -> Manifest:
    """Return the manifest of a bench that keeps none, from the bench itself."""
    bench: Any = point.load()
    if any(not hasattr(bench, part) for part in ("name", "title", "suites", "options")):
        raise DiscoveryError(
            f"{point.name!r} is no bench: it lacks a name, a title, suites or options"
        )
    return Manifest(
        point.name,
        bench.title,
        bench.suites,
        replace(point, attribute=f"{point.attribute}.options"),
        tuple(getattr(bench, "former_names", ())),
        (ANY_FAMILY,) if getattr(bench, "general", False) else None,
        tuple(getattr(bench, "columns", ())),
        tuple(getattr(bench, "extras", ())),
    )
