"""Benches and levels that ``luban eval`` is given by name."""

import difflib
from collections.abc import Sequence
from pathlib import Path

from bridge.runs.manifests import (
    Manifest,
    find_manifest,
    find_named_manifest,
    list_manifests,
    list_targets,
)
from bridge.runs.protocol import Bench, PlayedBench, load_benches
from pysim.catalog import AnyLevel
from pysim.catalog.suite_files import read_suite_file
from pysim.level_selection import select_levels
from pysim.limits import MAX_PATTERN
from pysim.suites import SuiteError

__all__ = ["find_levels", "find_main_suite", "find_manifest_of_levels", "resolve_bench"]


def resolve_bench(target: str) -> Bench:
    """Return the bench that is meant by its name, by a suite or by levels.

    Raises:
        SuiteError: there is no such bench, suite or level.
    """
    manifest = find_manifest(target) or find_manifest_of_levels(target)
    return load_benches()[manifest.name]


def find_manifest_of_levels(target: str) -> Manifest:
    """Return the manifest of the bench that plays levels, or whose suite a file holds.

    Raises:
        SuiteError: there is no such suite or level.
    """
    by_file = _find_file_manifest(target) if target.endswith(".json") else None
    return by_file or _find_level_manifest(find_levels(target))


def _find_file_manifest(target: str) -> Manifest | None:
    """Return the bench of a suite of one's own; None if the file holds something else."""
    own = None if "," in target else read_suite_file(Path(target))
    if own is None:
        return None
    manifest = find_named_manifest(own.bench)
    if manifest is None:
        raise SuiteError(f"{target}: there is no bench {own.bench[:60]!r}; install its package")
    return manifest


def _find_level_manifest(levels: Sequence[AnyLevel]) -> Manifest:
    """Return the bench that claims all of some levels; else one that plays anything."""
    families = {level.family for level in levels}
    manifests = sorted(list_manifests().values(), key=lambda one: one.is_general)
    for manifest in (one for one in manifests if all(map(one.may_play, families))):
        if manifest.plays is not None or _plays_all(manifest, levels):
            return manifest
    raise SuiteError("no bench plays these levels")


def find_main_suite(target: str, bench: Bench) -> str:
    """Return the suite that is meant: the main one, if only the bench is named."""
    is_bench = list_manifests()[bench.name].is_named(target) and bench.suites
    return next(iter(bench.suites.values())) if is_bench else target


def find_levels(name: str) -> tuple[AnyLevel, ...]:
    """Return a suite, or levels by id, by a pattern of ids or by file, separated by commas.

    Raises:
        SuiteError: there is none, or one is named twice.
    """
    try:
        found = tuple(level for part in name.split(",") for level in select_levels(part))
    except SuiteError as error:
        close = difflib.get_close_matches(name[:MAX_PATTERN], list_targets(), n=1, cutoff=0.6)
        hint = f"; did you mean {close[0]}?" if close and close[0] not in str(error) else ""
        raise SuiteError(f"{error}{hint}") from None
    if len({level.id for level in found}) < len(found):
        raise SuiteError("a level is named twice; --k plays each several times")
    return found


def _plays_all(manifest: Manifest, levels: Sequence[AnyLevel]) -> bool:
    """Return whether a bench without a manifest claims all of some levels."""
    bench = load_benches()[manifest.name]
    return isinstance(bench, PlayedBench) and all(map(bench.plays, levels))
