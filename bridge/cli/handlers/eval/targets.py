"""The levels that ``luban eval`` is asked to have played."""

import difflib
from pathlib import Path

from bridge.cli.errors import CommandError
from bridge.cli.progress import draw_progress
from bridge.cli.requests import SharedRequest
from bridge.generating.twin import SUITE, derive_twin, draw_twin, read_seed
from bridge.runs.protocol import load_benches
from pysim.catalog import AnyLevel
from pysim.level_selection import select_levels
from pysim.limits import MAX_PATTERN
from pysim.machine import count_cores
from pysim.suites import SuiteError

__all__ = ["find_levels", "resolve_levels"]


def resolve_levels(
    suite: str, seed_file: Path | None, shared: SharedRequest
) -> tuple[str, tuple[AnyLevel, ...]]:
    """Return the name of a suite and its levels, or those of its private twin, up to the limit.

    Args:
        suite: as the user wrote it.
        seed_file: with the seed of the twin; None for the suite itself.

    Raises:
        CommandError: there is no such suite, or it has no twin.
        InputError: the seed can't be read.
        BatchError: the twin's levels can't be kept.
    """
    if seed_file is None:
        return suite, find_levels(suite)[: shared.limit or None]
    if suite != SUITE:
        raise CommandError(f"--private draws a twin of {SUITE}; {suite[:60]} has none")
    twin = derive_twin(read_seed(seed_file))
    with draw_progress(quiet=shared.as_json) as tell:
        workers = shared.workers or count_cores()
        return twin.name, draw_twin(twin, limit=shared.limit, workers=workers, tell=tell)


def find_levels(name: str) -> tuple[AnyLevel, ...]:
    """Return a suite, or levels by id, by a pattern of ids or by file, separated by commas.

    Raises:
        CommandError: there is none, or one is named twice.
    """
    try:
        found = tuple(level for part in name.split(",") for level in select_levels(part))
    except SuiteError as error:
        known = [
            *load_benches(),
            *(suite for b in load_benches().values() for suite in b.suites.values()),
        ]
        close = difflib.get_close_matches(name[:MAX_PATTERN], known, n=1, cutoff=0.6)
        hint = f"; did you mean {close[0]}?" if close and close[0] not in str(error) else ""
        raise CommandError(f"{error}{hint}") from None
    if len({level.id for level in found}) < len(found):
        raise CommandError("a level is named twice; --k plays each several times")
    return found
