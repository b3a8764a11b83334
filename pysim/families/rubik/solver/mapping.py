"""The tables of a search: made when they are missing, mapped from their files when they are not.

Nothing here needs compiled code but to make them.
"""

import logging
from collections.abc import Callable
from functools import partial
from typing import Any

from pysim.families.rubik.moves import Metric
from pysim.families.rubik.solver.arrays import pack_arrays, unpack_arrays
from pysim.families.rubik.solver.coordinates import build_coordinates
from pysim.families.rubik.solver.ida_star.places import TableSize, build_places, read_chosen_size
from pysim.families.rubik.solver.ida_star.tables import Tables
from pysim.families.rubik.solver.states import search_tables
from pysim.families.rubik.solver.storing import (
    Bytes,
    TableDraft,
    cache_folder,
    has_table,
    load_table,
)

__all__ = ["choose_size", "describe_preparation", "has_tables", "load_tables", "prepare"]


def has_tables(metric: Metric) -> bool:
    """Return whether the tables of a metric, of the size that is in use, have been made."""
    return all(map(has_table, _names(metric, choose_size(metric))))


def describe_preparation(metric: Metric) -> str:
    """Describe the preparation before the first search: files, folder and duration."""
    size = choose_size(metric)
    megabytes, takes = _COSTS[size]
    return (
        f"making the {size} tables for shortest solutions in {metric.upper()}, once: {megabytes} "
        f"in {cache_folder()}, about {takes}, and as much for compiling at the first time"
    )


def prepare(metric: Metric, progress: Callable[[float], None] = lambda share: None) -> None:
    """Make the tables of a metric if they are missing; it takes a while.

    Args:
        progress: told now and then which share is done.

    Raises:
        OSError: the cache folder can't be written.
    """
    load_tables(metric, progress)


_LOADED: dict[tuple[Metric, TableSize], Tables] = {}
"""The tables of this process."""


def choose_size(metric: Metric) -> TableSize:
    """The size of the tables in use: as it was chosen; of quarter turns there are only small ones.

    Raises:
        InputError: a size was chosen that there is not.
    """
    size = read_chosen_size()
    return size if metric is Metric.HTM else TableSize.SMALL


def load_tables(
    metric: Metric,
    progress: Callable[[float], None] = lambda share: None,
    size: TableSize | None = None,
) -> Tables:
    """Load the tables of a search, mapped from their files; see :func:`prepare`."""
    size = choose_size(metric) if size is None else size
    if (metric, size) not in _LOADED:
        if not all(map(has_table, _names(metric, size))):
            _LOG.warning("%s", describe_preparation(metric))
        small = _edge_table(metric, TableSize.SMALL, progress)
        edges = small if size is TableSize.SMALL else _edge_table(metric, size, progress)
        corners = load_table(f"corners-{metric}", lambda: _corners(metric))
        packed = load_table(f"search-{metric}-{size}", lambda: _numbers(metric, size))
        others: dict[str, Any] = {
            name: array if array.ndim else int(array)
            for name, array in unpack_arrays(packed).items()
        }
        _LOADED[metric, size] = Tables(edges=edges, nearest=small, corners=corners, **others)
    return _LOADED[metric, size]


_LOG = logging.getLogger(__name__)


_COSTS = {
    TableSize.SMALL: ("80 MB", "half a minute of one core"),
    TableSize.MEDIUM: ("291 MB", "half a minute of two cores"),
    TableSize.LARGE: ("925 MB", "a minute of two cores"),
    TableSize.HUGE: ("2.5 GB", "three minutes of two cores"),
}
"""What each size takes of the disk and of time."""


def _names(metric: Metric, size: TableSize) -> set[str]:
    """Return the tables that take time to make."""
    return {_edges(metric), _edges(metric, size), f"corners-{metric}"}


def _edges(metric: Metric, size: TableSize = TableSize.SMALL) -> str:
    return f"edges-{metric}" if size is TableSize.SMALL else f"edges-{metric}-{size}"


def _edge_table(metric: Metric, size: TableSize, progress: Callable[[float], None]) -> Bytes:
    return load_table(_edges(metric, size), partial(_made_edges, metric, size, progress))


def _made_edges(metric: Metric, size: TableSize, progress: Callable[[float], None]) -> Bytes:
    from pysim.families.rubik.solver.building import build_edge_classes, compute_distances, pack
    from pysim.families.rubik.solver.ida_star.table_builder import fill_table

    numbers, draft = build_coordinates(), TableDraft(_edges(metric, size))
    classes = build_edge_classes(numbers)
    if size is TableSize.SMALL:
        table = pack(compute_distances(classes, numbers, metric, progress, draft)[0])
    else:
        table, _ = fill_table(classes, numbers, build_places(size), metric, progress, draft)
    draft.drop()
    return table


def _corners(metric: Metric) -> Bytes:
    from pysim.families.rubik.solver.building import build_corner_classes, compute_distances, pack

    numbers = build_coordinates()
    return pack(compute_distances(build_corner_classes(numbers), numbers, metric)[0])


def _numbers(metric: Metric, size: TableSize) -> Bytes:
    """Return everything that a search reads besides: quickly made, but more quickly read."""
    from pysim.families.rubik.solver.building import build_corner_classes, build_edge_classes

    numbers = build_coordinates()
    edges, corners = build_edge_classes(numbers), build_corner_classes(numbers)
    return pack_arrays(search_tables(numbers, build_places(size), metric, edges, corners))
