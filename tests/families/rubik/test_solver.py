"""Solvers against published counts, against each other, and by play."""

import multiprocessing
import resource
import signal
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings

from pysim.catalog import find_level
from pysim.families.rubik.actions import MakeMove
from pysim.families.rubik.choices import FaceTurn
from pysim.families.rubik.cube import SOLVED, Cube, compute_parity, make_cube
from pysim.families.rubik.family import FAMILY
from pysim.families.rubik.moves import Metric, Move, list_moves, parse_moves, split_half_turns
from pysim.families.rubik.solver.building import (
    build_corner_classes,
    build_edge_classes,
    compute_distances,
    pack,
)
from pysim.families.rubik.solver.coordinates import build_coordinates
from pysim.families.rubik.solver.mapping import has_tables
from pysim.families.rubik.solver.meet_in_middle import MeetInMiddle, create_meet_in_middle
from pysim.families.rubik.solver.optimal import solve_optimally
from pysim.families.rubik.solver.storing import cache_folder, find_table_path, load_table
from pysim.families.rubik.solver.symmetry import (
    list_axis_symmetries,
    list_symmetries,
    stack_facelets,
    transform_states,
)
from pysim.families.rubik.validity import InvalidCube
from pysim.puzzle import Outcome
from tests.families.rubik.sequences import HARDEST, SUPERFLIP, cubes, random_cube, sequences
from tests.sampling import more
from tests.waiting import PATIENCE

BY_DEPTH = {
    Metric.HTM: (1, 18, 243, 3240, 43239, 574908, 7618438),
    Metric.QTM: (1, 12, 114, 1068, 10011, 93840, 878880),
}
"""Positions at each distance (OEIS A080601 and A080583)."""
CORNERS = {
    Metric.HTM: (
        1, 18, 243, 2874, 28000, 205416, 1168516, 5402628, 20776176, 45391616, 15139616, 64736,
    ),
    Metric.QTM: (
        1, 12, 114, 924, 6539, 39528, 199926, 806136, 2761740, 8656152, 22334112, 32420448,
        18780864, 2166720, 6624,
    ),
}  # fmt: skip
"""Positions of the corners alone at each distance: the pattern database of Korf 1997."""
FIRST_PHASE = (
    1, 4, 50, 592, 7156, 87236, 1043817, 12070278, 124946368, 821605960, 1199128738, 58202444, 476,
)  # fmt: skip
"""Cosets of <U, D, R2, L2, F2, B2> at each distance in face turns (Kociemba)."""


@pytest.mark.parametrize(("metric", "depth"), [(Metric.HTM, 4), (Metric.QTM, 5)])
def test_positions_by_depth_are_as_published(metric: Metric, depth: int) -> None:
    assert create_meet_in_middle(metric, depth).counts == BY_DEPTH[metric][: depth + 1]


@pytest.mark.slow
@pytest.mark.parametrize(("metric", "depth"), [(Metric.HTM, 6), (Metric.QTM, 6)])
def test_more_positions_by_depth_are_as_published(metric: Metric, depth: int) -> None:
    assert MeetInMiddle(metric, depth).counts == BY_DEPTH[metric]


def test_five_face_turns_lead_to_574908_positions() -> None:
    assert MeetInMiddle(Metric.HTM, 5).counts == BY_DEPTH[Metric.HTM][:6]


@settings(max_examples=more(20))
@given(sequences)
def test_meeting_in_the_middle_solves_and_never_takes_longer_than_the_scramble(
    made: tuple[Move, ...],
) -> None:
    for metric in Metric:
        near = create_meet_in_middle(metric, 3)
        moves = made[: 6 if metric is Metric.HTM else 3]
        cube = make_cube(moves)
        solution = near.solve(cube)
        assert solution is not None and cube.turn(solution).solved
        assert metric.measure(solution) == near.find_distance(cube) <= metric.measure(moves)


def test_what_is_far_away_is_not_found() -> None:
    assert create_meet_in_middle(Metric.HTM, 3).solve(make_cube(parse_moves(SUPERFLIP))) is None
    assert create_meet_in_middle(Metric.HTM, 3).solve(SOLVED) == ()


@pytest.mark.by_day(1)
@pytest.mark.parametrize("metric", Metric)
def test_corners_are_as_far_as_published(metric: Metric) -> None:
    classes = build_corner_classes(build_coordinates())
    table, _ = compute_distances(classes, build_coordinates(), metric)
    assert len(classes.rows) == 2768 and classes.sizes.sum() == 40320
    counts = [int(((table == d).sum(axis=1) * classes.sizes).sum()) for d in range(table.max() + 1)]
    assert tuple(counts) == CORNERS[metric]
    packed = pack(table)
    low, high = packed & 15, packed >> 4
    assert np.array_equal(np.stack([low, high], axis=1).ravel()[: table.size], table.ravel())


@pytest.mark.slow
def test_the_first_phase_is_as_far_as_published() -> None:
    classes = build_edge_classes(build_coordinates())
    table, _ = compute_distances(classes, build_coordinates(), Metric.HTM)
    assert len(classes.rows) == 64430
    counts = [int(((table == d).sum(axis=1) * classes.sizes).sum()) for d in range(table.max() + 1)]
    assert tuple(counts) == FIRST_PHASE


@given(cubes)
def test_symmetries_are_48_and_keep_products(cube: Cube) -> None:
    assert len(set(list_symmetries())) == 48 and len(set(list_axis_symmetries())) == 16
    assert set(list_axis_symmetries()) <= set(list_symmetries())
    states = stack_facelets([cube, cube.invert()])
    for symmetry in list_symmetries():
        one, other = transform_states(states, symmetry)
        assert np.array_equal(one[other], np.arange(54))


@pytest.fixture(params=list(Metric))
def metric(request: pytest.FixtureRequest) -> Metric:
    metric: Metric = request.param
    if not has_tables(metric):
        pytest.skip(f"NOT TESTED: the {metric} tables are not made (perf.rubik makes them)")
    return metric


def test_shortest_solutions_are_as_short_as_breadth_first_ones(metric: Metric) -> None:
    near = create_meet_in_middle(metric, 4)
    for seed in range(more(16)):
        cube = random_cube(seed, seed % 8)
        distance = near.find_distance(cube)
        solution = solve_optimally(cube, metric)
        assert solution.moves is not None and cube.turn(solution.moves).solved
        assert metric.measure(solution.moves) == solution.lower_bound
        if distance is not None:
            assert solution.lower_bound == distance
        assert solution.lower_bound >= 0 if distance is not None else solution.lower_bound > 8


def test_a_cube_and_its_inverse_are_equally_far(metric: Metric) -> None:
    for seed in range(5):
        cube = random_cube(seed, 11)
        bounds = {solve_optimally(c, metric).lower_bound for c in (cube, cube.invert())}
        assert len(bounds) == 1


def test_nothing_longer_than_allowed_is_searched(metric: Metric) -> None:
    for text in (SUPERFLIP, HARDEST):
        cube = make_cube(parse_moves(text))
        solution = solve_optimally(cube, metric, at_most=11)
        assert solution.moves is None and solution.lower_bound >= 12
        if metric is Metric.QTM:
            assert solution.lower_bound % 2 == compute_parity(cube.corners)


def test_half_turns_and_moves_of_each_face_may_come_first(metric: Metric) -> None:
    for first in list_moves():
        for last in list_moves():
            cube = make_cube([first, Move(first.face.opposite, 1), last])
            solution = solve_optimally(cube, metric)
            assert solution.moves is not None and cube.turn(solution.moves).solved
            assert solution.lower_bound == create_meet_in_middle(metric, 3).find_distance(cube)


def test_shortest_solutions_solve_by_play(metric: Metric) -> None:
    level = find_level("cubebench-d08-1-full-symbolic")
    solution = solve_optimally(level.puzzle.start, metric)
    assert solution.moves is not None
    state = FAMILY.rules.initial(level)
    for move in split_half_turns(solution.moves):
        action = MakeMove(FaceTurn(str(move)))
        state = FAMILY.rules.apply(level, state, action).state
    assert FAMILY.rules.outcome(level, state) is Outcome.SOLVED


@pytest.mark.slow
def test_the_superflip_takes_at_least_19_face_turns() -> None:
    """It is 20 away (Reid 1995); the whole proof takes hours, and this is most of it.

    The superflip commutes with everything, so a solution may begin with any of its moves, and
    looks the same from all sides. Half turns alone flip nothing. So, if there is a solution of n
    moves, there is one that begins with U, and the superflip after U is n - 1 away.
    """
    if not has_tables(Metric.HTM):
        pytest.skip("NOT TESTED: the htm tables are not made (perf.rubik makes them)")
    flipped = make_cube(parse_moves(SUPERFLIP))
    assert all(flipped.turn([move]) == make_cube([move]).compose(flipped) for move in list_moves())
    found = solve_optimally(flipped.turn(parse_moves("U")), at_most=17)
    assert found.moves is None and found.lower_bound + 1 == 19


def test_impossible_cubes_are_not_searched(metric: Metric) -> None:
    with pytest.raises(InvalidCube, match="twist"):
        solve_optimally(Cube(SOLVED.corners, (1, *[0] * 7), SOLVED.edges, SOLVED.flips), metric)
    assert solve_optimally(SOLVED, metric).moves == ()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LUBAN_CACHE", str(tmp_path))
    return tmp_path


def make_table() -> np.ndarray[tuple[int], np.dtype[np.uint8]]:
    return (np.arange(10_000) % 251).astype(np.uint8)


def test_tables_are_made_once_and_read_back(folder: Path) -> None:
    calls: list[int] = []

    def make() -> np.ndarray[tuple[int], np.dtype[np.uint8]]:
        calls.append(1)
        return make_table()

    for _ in range(2):
        assert np.array_equal(load_table("some", make), make_table())
    assert calls == [1] and cache_folder() == folder / "rubik"
    assert {path.suffix for path in cache_folder().iterdir()} == {".table", ".lock"}


@pytest.mark.parametrize("damage", ["byte", "cut", "empty", "other"])
def test_a_damaged_table_is_made_again(folder: Path, damage: str) -> None:
    load_table("some", make_table)
    path = find_table_path("some")
    data = bytearray(path.read_bytes())
    match damage:
        case "byte":
            data[-1] ^= 1
        case "cut":
            del data[-100:]
        case "empty":
            data.clear()
        case "other":
            data[:10] = b"0123456789"
    path.write_bytes(data)
    assert np.array_equal(load_table("some", make_table), make_table())
    assert np.array_equal(load_table("some", lambda: pytest.fail("made again")), make_table())


def test_a_cache_that_is_no_folder_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / "file"
    place.write_text("no folder")
    monkeypatch.setenv("LUBAN_CACHE", str(place))
    with pytest.raises(OSError, match=r"can't be kept .* LUBAN_CACHE"):
        load_table("some", make_table)
    assert place.read_text() == "no folder"


def _fill(outcome: "multiprocessing.SimpleQueue[str]") -> None:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (8192, 8192))
    try:
        load_table("some", make_table)
    except OSError as error:
        outcome.put(str(error))
    else:
        outcome.put("kept")


def test_a_table_that_does_not_fit_leaves_nothing_behind(folder: Path) -> None:
    context = multiprocessing.get_context("fork")
    outcome = context.SimpleQueue()
    process = context.Process(target=_fill, args=(outcome,))
    process.start()
    process.join(PATIENCE)
    assert "can't be kept" in outcome.get()
    assert {path.name for path in cache_folder().iterdir()} == {"some.lock"}
    assert np.array_equal(load_table("some", make_table), make_table())


def test_what_a_killed_process_left_is_swept_away(folder: Path) -> None:
    load_table("other", make_table)
    cache_folder().joinpath("some.abc.part").write_bytes(b"half a table")
    load_table("some", make_table)
    names = {path.name for path in cache_folder().iterdir()}
    assert names == {"some.table", "some.lock", "other.table", "other.lock"}


def _load(folder: str) -> int:
    return int(load_table("shared", make_table).sum())


def test_processes_that_need_a_table_at_once_share_it(folder: Path) -> None:
    with multiprocessing.get_context("fork").Pool(3) as pool:
        sums = pool.map(_load, [str(folder)] * 3)
    assert set(sums) == {int(make_table().sum())}
    assert [path.name for path in cache_folder().glob("*.table")] == ["shared.table"]


def test_the_cache_folder_follows_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LUBAN_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", "/caches")
    assert cache_folder() == Path("/caches/luban/rubik")
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert cache_folder() == Path.home() / ".cache/luban/rubik"
