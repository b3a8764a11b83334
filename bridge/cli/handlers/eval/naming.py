"""The levels that ``luban eval`` is asked to have played."""

import difflib

from bridge.cli.failing import CommandError
from bridge.runs.protocol import benches
from pysim.catalog import AnyLevel
from pysim.limits import MAX_PATTERN
from pysim.selecting import select_levels
from pysim.suites import SuiteError

__all__ = ["levels_named"]


def levels_named(name: str) -> tuple[AnyLevel, ...]:
    """A suite, or levels by id, by a pattern of ids or by file, separated by commas.

    Raises:
        CommandError: there is none, or one is named twice.
    """
    try:
        found = tuple(level for part in name.split(",") for level in select_levels(part))
    except SuiteError as error:
        known = [*benches(), *(suite for b in benches().values() for suite in b.suites.values())]
        close = difflib.get_close_matches(name[:MAX_PATTERN], known, n=1, cutoff=0.6)
        hint = f"; did you mean {close[0]}?" if close and close[0] not in str(error) else ""
        raise CommandError(f"{error}{hint}") from None
    if len({level.id for level in found}) < len(found):
        raise CommandError("a level is named twice; --k plays each several times")
    return found
