"""The larger tables of the optimal search, against published counts and the small table."""

from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given
from numpy.typing import NDArray

from pysim.families.rubik.cube import SOLVED, Cube, make_cube
from pysim.families.rubik.moves import Metric, list_moves
from pysim.families.rubik.solver import storing
from pysim.families.rubik.solver.building import build_edge_classes, compute_distances
from pysim.families.rubik.solver.coordinates import TWISTS, build_coordinates
from pysim.families.rubik.solver.distance_table import load_distance_table
from pysim.families.rubik.solver.ida_star.places import (
    SIZE_VARIABLE,
    TableSize,
    build_places,
    index_places,
    read_chosen_size,
)
from pysim.families.rubik.solver.ida_star.table_builder import count_row_entries, fill_table
from pysim.families.rubik.solver.mapping import choose_size, has_tables
from pysim.families.rubik.solver.optimal import solve_optimally
from pysim.families.rubik.solver.storing import Bytes, TableDraft, find_table_path, load_table
from pysim.families.rubik.solver.symmetry import (
    list_axis_symmetries,
    stack_facelets,
    transform_states,
)
from tests.families.rubik.sequences import cubes
from tests.families.rubik.test_solver import FIRST_PHASE


def entries(table: Bytes, kinds: int) -> NDArray[np.uint8]:
    """(rows, kinds, 2187) the values of a packed table."""
    rows = table.reshape(-1, count_row_entries(kinds) // 4)
    apart = np.stack([rows >> shift & 3 for shift in (0, 2, 4, 6)], axis=2)
    return apart.reshape(len(rows), -1)[:, : kinds * TWISTS].reshape(len(rows), kinds, TWISTS)


@pytest.mark.slow
@pytest.mark.parametrize("size", [TableSize.MEDIUM, TableSize.HUGE])
@given(cube=cubes)
def test_places_after_moves_and_through_symmetries_are_those_of_the_states(
    size: TableSize, cube: Cube
) -> None:
    tables = build_places(size)
    states = stack_facelets([cube, *(cube.turn([move]) for move in list_moves())])
    place, *after = index_places(states, size).tolist()
    assert tables.moves[place].tolist() == after
    seen = [
        int(index_places(transform_states(states[:1], s), size)[0]) for s in list_axis_symmetries()
    ]
    assert tables.seen[place].tolist() == [number % size.kinds for number in seen]
    assert index_places(stack_facelets([SOLVED]), size).tolist() == [0]
    assert len(tables.moves) == 495 * size.kinds


@pytest.mark.slow
def test_a_table_that_is_cut_off_has_as_many_entries_of_each_value_as_is_published(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    numbers, shares = build_coordinates(), []
    classes, own = build_edge_classes(numbers), build_places(TableSize.SMALL)

    class Broken(Exception):
        pass

    def told(share: float) -> None:
        shares.append(share)
        if share > 0.01:
            raise Broken

    with pytest.raises(Broken):
        fill_table(classes, numbers, own, Metric.HTM, told, TableDraft("try", every=0.0))
    table, counts = fill_table(classes, numbers, own, Metric.HTM, shares.append, TableDraft("try"))
    broken = next(k for k, share in enumerate(shares) if share > 0.01)
    assert 0.0 < shares[broken + 1] <= shares[broken]  # It went on; it did not begin anew.
    values = entries(table, 1)[:, 0]
    found = [int(((values == value).sum(axis=1) * classes.sizes).sum()) for value in range(4)]
    assert found == [sum(FIRST_PHASE[:9]), *FIRST_PHASE[9:11], sum(FIRST_PHASE[11:])]
    assert counts[:5] == [1, 1, 5, 44, 487]


@pytest.mark.slow
@pytest.mark.parametrize("size", [TableSize.MEDIUM, TableSize.LARGE])
def test_of_all_kinds_the_nearest_is_as_far_as_the_small_table_says(size: TableSize) -> None:
    """Telling less apart gives the distance of the nearest of those that are not told apart."""
    numbers = build_coordinates()
    classes = build_edge_classes(numbers)
    small, _ = compute_distances(classes, numbers, Metric.HTM)
    cut = np.maximum(np.minimum(small, size.base + 3), size.base) - size.base
    table, _ = fill_table(classes, numbers, build_places(size), Metric.HTM)
    rows = table.reshape(len(classes.rows), -1)
    for first in range(0, len(rows), 1000):
        part = entries(rows[first : first + 1000], size.kinds)
        assert np.array_equal(part.min(axis=1), cut[first : first + 1000])


@pytest.mark.by_day(1)
@pytest.mark.parametrize("size", [TableSize.MEDIUM, TableSize.LARGE, TableSize.HUGE])
def test_each_size_finds_solutions_of_the_same_length(
    size: TableSize, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(SIZE_VARIABLE, size)
    if not has_tables(Metric.HTM):
        pytest.skip(f"NOT TESTED: the {size} tables are not made (perf.rubik makes them)")
    for seed in range(12):
        cube = make_cube(Random(seed).choices(list_moves(), k=seed + 2))
        found = solve_optimally(cube)
        assert found.moves is not None and cube.turn(found.moves).solved
        assert len(found.moves) == load_distance_table(Metric.HTM).find_distance(cube)


def test_the_size_is_chosen_by_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(SIZE_VARIABLE, raising=False)
    assert read_chosen_size() is TableSize.SMALL
    monkeypatch.setenv(SIZE_VARIABLE, "large")
    assert choose_size(Metric.HTM) is TableSize.LARGE and choose_size(Metric.QTM) is TableSize.SMALL
    monkeypatch.setenv(SIZE_VARIABLE, "vast")
    with pytest.raises(ValueError, match="small, medium, large, huge, not 'vast'"):
        read_chosen_size()


def test_a_large_table_is_checked_in_parts(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LUBAN_CACHE", str(tmp_path))
    monkeypatch.setattr(storing, "_LARGE", 1000)
    monkeypatch.setattr(storing, "_SAMPLED", storing._PARTS)
    made = np.arange(5000).astype(np.uint8)
    load_table("some", lambda: made)
    path = find_table_path("some")
    assert np.array_equal(load_table("some", lambda: pytest.fail("made again")), made)
    data = bytearray(path.read_bytes())
    for damaged in (data[:-1], data[:-9] + bytes([data[-9] ^ 1]) + data[-8:]):
        path.write_bytes(damaged)
        assert np.array_equal(load_table("some", lambda: made), made)
        assert path.read_bytes() == bytes(data)
