"""Shortest solutions, one or all, against two breadth-first searches and the published ones."""

import math
import os
import stat
from collections.abc import Iterator
from itertools import pairwise, product
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from bridge.referee.rubik.stickers import HOME, TURNS, apply_turns
from pysim.families.rubik.cube import Cube, make_cube
from pysim.families.rubik.moves import Metric, format_moves, list_moves, parse_moves
from pysim.families.rubik.shortest import CubeSolver
from pysim.families.rubik.solver.arrays import pack_arrays, unpack_arrays
from pysim.families.rubik.solver.building import (
    build_corner_classes,
    build_edge_classes,
    compute_distances,
)
from pysim.families.rubik.solver.coordinates import build_coordinates
from pysim.families.rubik.solver.distance_table import load_distance_table
from pysim.families.rubik.solver.ida_star.places import TableSize, build_places
from pysim.families.rubik.solver.ida_star.search import PausableSearch, search_briefly
from pysim.families.rubik.solver.ida_star.tables import Tables
from pysim.families.rubik.solver.mapping import choose_size, has_tables, load_tables
from pysim.families.rubik.solver.meet_in_middle import create_meet_in_middle
from pysim.families.rubik.solver.states import search_tables, start_of
from pysim.families.rubik.solver.storing import TableDraft, find_table_path, load_table
from pysim.families.rubik.strings import Letters, Order, format_cube
from pysim.shortest import Searched
from tests.interpreting import interpreting

SOLVER = CubeSolver()
SUPERFLIP = "U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2"


def last_of(search: Iterator[Searched]) -> Searched:
    *_, last = search
    return last


def brute(moves: str, length: int) -> set[str]:
    """All ways home of a length, by the referee's stickers; opposite faces in one order."""
    start, order = apply_turns(HOME, moves.split()), "URFDLB"
    ways = set()
    for names in product(TURNS, repeat=length):
        faces = [order.index(name[0]) for name in names]
        steps = list(pairwise(faces))
        if all(a != b and b != a - 3 for a, b in steps) and apply_turns(start, list(names)) == HOME:
            ways.add(" ".join(names))
    return ways


@pytest.mark.parametrize(("moves", "length"), [("R U", 2), ("R L'", 2), ("R2 L2 U2", 3)])
def test_all_ways_home_are_those_that_trying_all_finds(moves: str, length: int) -> None:
    found = last_of(SOLVER.search(make_cube(parse_moves(moves)), "htm", everything=True))
    assert (found.lower, found.upper, found.over) == (length, length, True)
    assert set(found.solutions) == brute(moves, length)


@pytest.mark.parametrize("metric", Metric)
def test_near_cubes_need_no_tables_and_their_solutions_are_shortest(
    metric: Metric, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("LUBAN_CACHE", str(tmp_path))
    rng, oracle = Random(2), create_meet_in_middle(metric, 4)
    for length in range(9):
        cube = make_cube(rng.choices(metric.moves, k=length))
        expected = oracle.find_distance(cube)
        SOLVER.prepare(cube, metric, lambda share: None)
        one = last_of(SOLVER.search(cube, metric, everything=False))
        every = last_of(SOLVER.search(cube, metric, everything=True))
        assert one.lower == every.lower == expected
        assert len(one.solutions) == 1 <= len(set(every.solutions)) == len(every.solutions)
        for solution in (*one.solutions, *every.solutions):
            moves = parse_moves(solution)
            assert metric.measure(moves) == expected and cube.turn(moves).solved
    assert not list(tmp_path.iterdir())


def far_cube(metric: Metric, length: int, seed: int) -> Cube:
    rng = Random(seed)
    while True:
        cube = make_cube(rng.choices(metric.moves, k=length))
        if load_distance_table(metric).find_distance(cube, length - 1) == length:
            return cube


@pytest.mark.parametrize(("metric", "length"), [(Metric.HTM, 12), (Metric.QTM, 13)])
def test_far_cubes_are_searched_in_parts_and_are_as_far_as_near_says(
    metric: Metric, length: int
) -> None:
    if not has_tables(metric):
        pytest.skip(f"NOT TESTED: the {metric} tables are not made (perf.rubik makes them)")
    cube = far_cube(metric, length, 4)
    found = last_of(SOLVER.search(cube, metric, everything=True))
    assert (found.lower, found.upper, found.over) == (length, length, True)
    for solution in found.solutions:
        moves = parse_moves(solution)
        assert metric.measure(moves) == length and cube.turn(moves).solved
    # The first moves of all solutions are those that lead nearer, of opposite faces one order.
    ahead = {
        str(m)
        for m, left in load_distance_table(metric).list_progress(cube).items()
        if left < length
    }
    firsts = {solution.split()[0] for solution in found.solutions}
    assert firsts <= ahead | {f"{name[0]}2" for name in ahead} and firsts


@pytest.mark.parametrize("metric", Metric)
def test_near_home_all_solutions_are_those_that_the_tables_find(metric: Metric) -> None:
    if not has_tables(metric):
        pytest.skip(f"NOT TESTED: the {metric} tables are not made (perf.rubik makes them)")
    for moves in ("U2 D2 R2 L2 F2 B2", "R U2 D' L F2 B", "U D R2"):
        cube = make_cube(parse_moves(moves))
        near_home = last_of(SOLVER.search(cube, metric, everything=True))
        one = PausableSearch(
            load_tables(metric), start_of(cube, choose_size(metric)), near_home.lower
        )
        found = set()
        while not one.over:
            found |= {format_moves(list_moves()[k] for k in way) for way in one.run(1 << 40)}
        assert found == set(near_home.solutions)


@pytest.mark.by_day(2)
@pytest.mark.parametrize(("moves", "length"), [("R U", 2), ("R L'", 2), ("R2 L2 U2", 3)])
def test_interpreted_all_ways_are_found_that_trying_all_finds(moves: str, length: int) -> None:
    """With a table that says of no state how far it is, so that none is dropped."""
    numbers, small = build_coordinates(), TableSize.SMALL
    edges, corners = build_edge_classes(numbers), build_corner_classes(numbers)
    arrays = search_tables(numbers, build_places(small), Metric.HTM, edges, corners)
    nothing = np.zeros(len(edges.rows) * 2187 // 2 + 1, dtype=np.uint8)
    others: dict[str, Any] = {
        name: array if array.ndim else int(array) for name, array in arrays.items()
    }
    tables = Tables(edges=nothing, nearest=nothing, corners=nothing, **others)
    start = start_of(make_cube(parse_moves(moves)), small)
    with interpreting(math.inf):
        found, _ = search_briefly(tables, start, length, everything=True)
    assert found is not None
    assert {format_moves(list_moves()[k] for k in way) for way in found} == brute(moves, length)


@pytest.mark.parametrize(
    ("metric", "length", "pattern"),
    [(Metric.HTM, 10, "U2 D2 R2 L2 F2 B2"), (Metric.QTM, 12, "U D' R L' F B' U D'")],
)
def test_interpreted_and_compiled_the_tables_find_the_same_ways(
    metric: Metric, length: int, pattern: str
) -> None:
    if not has_tables(metric):
        pytest.skip(f"NOT TESTED: the {metric} tables are not made (perf.rubik makes them)")
    tables, rng = load_tables(metric), Random(8)
    for cube in (
        make_cube(parse_moves(pattern)),
        *(make_cube(rng.choices(metric.moves, k=length)) for _ in range(4)),
    ):
        start, distance = (
            start_of(cube, choose_size(metric)),
            load_distance_table(metric).find_distance(cube),
        )
        for bound in range(max(distance - 1, 1), distance + 1):
            with interpreting(0):
                one, expected = PausableSearch(tables, start, bound), set()
                while not one.over:
                    expected |= set(map(tuple, one.run(1 << 40)))
                assert search_briefly(tables, start, bound, everything=True) == (None, 0)
            with interpreting(math.inf):
                found, looked = search_briefly(tables, start, bound, everything=True)
            assert found is not None and set(map(tuple, found)) == expected
            assert len(found) == len(expected) and bool(found) == (bound == distance)
            assert looked == one.nodes


def test_a_search_that_stops_and_goes_on_finds_the_same() -> None:
    if not has_tables(Metric.HTM):
        pytest.skip("NOT TESTED: the htm tables are not made (perf.rubik makes them)")
    cube, size = make_cube(parse_moves("R2 L2 U2 D2 F2 B2")), choose_size(Metric.HTM)
    tables, start = load_tables(Metric.HTM), start_of(cube, size)
    ways: dict[int, set[tuple[int, ...]]] = {}
    for most in (1, 700, 1 << 40):
        one, ways[most] = PausableSearch(tables, start, 8), set()
        while not one.over:
            ways[most] |= set(map(tuple, one.run(most)))
    assert ways[1] == ways[700] == ways[1 << 40] and ways[1]


def test_a_cube_is_read_from_moves_and_from_letters_of_both_orders() -> None:
    cube = make_cube(parse_moves("R U2 F'"))
    solver = format_cube(cube, Order.SOLVER, Letters.FACES)
    for text in ("R U2 F'", "RU2F'", format_cube(cube), solver, f" {solver[:27]} {solver[27:]}"):
        assert SOLVER.read(text) == cube
    for text in ("checkerboard", "", "x y", "runs/one", "A" * 54):
        assert SOLVER.read(text) is None
    with pytest.raises(ValueError, match="is no move"):
        SOLVER.read("R U7")
    with pytest.raises(ValueError, match=r"flipped|parity|twisted|no cubie|colour"):
        SOLVER.read(solver[1] + solver[0] + solver[2:])


def test_arrays_come_back_as_they_were() -> None:
    rng = np.random.default_rng(0)
    made = {
        "words": rng.integers(0, 9, (3, 5, 7)).astype(np.uint16),
        "one": np.array(True),
        "none": np.zeros((0, 4), dtype=np.int64),
        "row": rng.integers(-9, 9, 100),
    }
    packed = pack_arrays(made)
    packed.flags.writeable = False
    found = unpack_arrays(packed)
    assert list(found) == list(made)
    for name, array in made.items():
        assert found[name].dtype == array.dtype and np.array_equal(found[name], array)


@pytest.mark.slow
def test_a_table_that_was_begun_goes_on_where_it_was(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    numbers, shares = build_coordinates(), []
    classes = build_corner_classes(numbers)

    class Broken(Exception):
        pass

    def told(share: float) -> None:
        shares.append(share)
        if len(shares) == 6:
            raise Broken

    whole, counts = compute_distances(classes, numbers, Metric.HTM)
    with pytest.raises(Broken):
        compute_distances(classes, numbers, Metric.HTM, told, TableDraft("try", every=0.0))
    table, again = compute_distances(classes, numbers, Metric.HTM, shares.append, TableDraft("try"))
    assert np.array_equal(table, whole) and again == counts
    assert shares[6] == shares[5] > shares[0]  # It went on; it did not begin anew.
    (draft,) = tmp_path.rglob("*.draft")
    assert TableDraft("try").read(whole.shape) is not None
    draft.write_bytes(draft.read_bytes()[:-100])
    assert TableDraft("try").read(whole.shape) is None  # It is begun anew.
    TableDraft("try").drop()
    assert not list(tmp_path.rglob("*.draft"))


def test_a_table_of_ones_own_is_for_everybody_to_read(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("LUBAN_CACHE", str(tmp_path))
    load_table("small", lambda: np.arange(9, dtype=np.uint8))
    path = find_table_path("small")
    path.chmod(0o600)
    assert load_table("small", lambda: np.zeros(1, dtype=np.uint8)).tolist() == list(range(9))
    assert stat.S_IMODE(path.stat().st_mode) == 0o644
    assert path.stat().st_uid == os.getuid()
