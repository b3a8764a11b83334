"""Locks that are built by code: what holds for all, and that they are built as they ship."""

import random
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pysim.catalog import find_family, find_level, list_shipped_levels
from pysim.families.burr.actions import Slide
from pysim.families.burr.generator.carving import Bar, carve
from pysim.families.burr.generator.stacks import crossing_bars
from pysim.families.burr.lock import Goal, Lock
from pysim.families.burr.planner import plan_lock
from pysim.geometry import IDENTITY, Voxels
from pysim.geometry.resting import is_stable
from pysim.suites import find_suite
from tests.sampling import more
from tests.waiting import PATIENCE
from tools.locks.building import lock_of
from tools.locks.built import BURRS, JOINTS, Burr, Joint
from tools.locks.frames import boards, box
from tools.locks.generated import GENERATED, KEPT
from tools.locks.joints import cabinet, half_lap, labyrinth
from tools.locks.known import DESIGNS
from tools.locks.ladder import LADDER
from tools.locks.tightening import climb, depth_cost, looseness

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "tools" / "build_assets.py"
FRAME = crossing_bars((1, 2, 1), (3, 2, 2))
FRAMES = (FRAME, boards(6, 4, 2), crossing_bars((1, 3, 1), (5, 1, 1)))


def home_cells(lock: Lock) -> list[Bar]:
    return [piece.home.place(piece.shape).cell_set for piece in lock.pieces]


def built(name: str) -> Lock:
    lock: Lock = find_level(f"burr-{name}").puzzle
    return lock


def check(*ids: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(SCRIPT), "--check", *ids]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=10 * PATIENCE)


def test_the_six_piece_burr_is_the_smallest_closed_frame() -> None:
    bars = crossing_bars((1, 1, 1), (2, 2, 2))
    assert len(bars) == 6 and {len(bar) for bar in bars} == {24}
    # The published counts of the assembled shape: 72 cells of one bar, 32 that bars share.
    shared = Counter(cell for bar in bars for cell in bar)
    assert sum(n == 1 for n in shared.values()) == 72
    assert sum(n > 1 for n in shared.values()) == 32


@settings(max_examples=more(8, night=100))
@given(frame=st.sampled_from(FRAMES), seed=st.integers(0, 10**6))
def test_carved_bars_share_the_frame_and_come_apart(frame: tuple[Bar, ...], seed: int) -> None:
    pieces = carve(frame, random.Random(seed))
    if pieces is None:
        return
    assert pieces == carve(frame, random.Random(seed))
    assert all(piece <= bar for piece, bar in zip(pieces, frame, strict=True))
    assert all(Voxels.from_cells(piece).is_connected for piece in pieces)
    assert sum(map(len, pieces)) == len(frozenset().union(*frame))
    assert frozenset().union(*pieces) == frozenset().union(*frame)
    assert looseness(pieces) < float("inf")
    plan = plan_lock(lock_of(pieces))
    assert plan is not None and len(plan) == len(pieces) - 1


@pytest.mark.parametrize("holes", [False, True])
def test_climbing_makes_a_lock_tighter_and_keeps_it_whole(holes: bool) -> None:
    carved = carve(FRAME, random.Random(4))
    assert carved is not None
    before = looseness(carved)
    after = climb(FRAME, carved, looseness, 200, random.Random(1), holes=holes)
    assert looseness(after) < before
    assert after == climb(FRAME, carved, looseness, 200, random.Random(1), holes=holes)
    assert all(Voxels.from_cells(piece).is_connected for piece in after)
    if not holes:
        assert sum(map(len, after)) == sum(map(len, carved))
    assert plan_lock(lock_of(after)) is not None


def test_pieces_that_do_not_come_apart_are_not_wanted() -> None:
    ring = box((0, 0, 0), (3, 3, 1)) - {(1, 1, 0)}
    link = box((1, 1, -1), (2, 2, 2)) | box((1, 1, -1), (2, 5, 0)) | box((1, 1, 1), (2, 5, 2))
    link |= box((1, 4, -1), (2, 5, 2))
    assert looseness([ring, link]) == depth_cost([ring, link]) == float("inf")
    assert looseness(half_lap()) < float("inf") and depth_cost(half_lap()) < 0


def test_pieces_stand_where_they_were_given_and_are_drawn_lying_down() -> None:
    pieces = cabinet((1, 2))
    lock = lock_of(pieces, Goal.KEY)
    assert lock.goal is Goal.KEY and lock.bounds.low == (0, 0, 0)
    # The knobs of the drawers stick out by one unit, the floor is one unit thick.
    assert [Voxels.from_cells(cells).translate((0, -1, -1)) for cells in home_cells(lock)] == [
        Voxels.from_cells(cells) for cells in pieces
    ]
    for piece in lock.pieces:
        x, y, z = piece.shape.bounds.size
        assert is_stable(piece.shape, IDENTITY) and z <= max(x, y)
    with pytest.raises(ValueError, match="48 colours for 52 pieces"):
        lock_of([box((i, 0, 0), (i + 1, 1, 1)) for i in range(52)])


@pytest.mark.parametrize("heights", [(1,), (1, 2), (1, 2, 3), (2, 1, 3)])
def test_a_cabinet_takes_two_moves_for_each_drawer_and_two_for_its_bolt(
    heights: tuple[int, ...],
) -> None:
    """Less one move of the bolt where a drawer is pulled while another one waits for its height."""
    plan = plan_lock(lock_of(cabinet(heights)))
    assert plan is not None and len(plan) == 2 * len(heights) + 2 - (len(heights) > 1)


@pytest.mark.parametrize(
    ("maze", "moves"),
    [
        (("##.##", "##.##", "##o##", "#####", "#####"), 1),
        (("##.####", "##.####", "##..o##", "#######", "#######"), 2),
        (("##.####", "##.####", "##.#o##", "##...##", "#######", "#######"), 3),
    ],
)
def test_a_labyrinth_takes_a_move_for_each_straight_part_of_its_way(
    maze: tuple[str, ...], moves: int
) -> None:
    plan = plan_lock(lock_of(labyrinth(maze)))
    assert plan is not None and len(plan) == moves


@pytest.mark.parametrize("made", [*JOINTS, *BURRS], ids=lambda made: made.id)
def test_built_locks_interlock(made: Joint | Burr) -> None:
    """Of what stands assembled few pieces can move at all without others."""
    level = find_level(f"burr-{made.id}")
    rules = find_family(level).rules
    legal = list(rules.legal(level, rules.initial(level)))
    movable = {
        slide.pieces for slide in legal if isinstance(slide, Slide) and len(slide.pieces) == 1
    }
    assert len(movable) <= max(2, len(level.colours) // 5)


@pytest.mark.parametrize("burr", BURRS, ids=lambda burr: burr.id)
def test_a_built_burr_is_cut_from_its_bars(burr: Burr) -> None:
    pieces = home_cells(built(burr.id))
    everything = frozenset().union(*burr.bars)
    low = Voxels.from_cells(everything).bounds.low
    bars = [
        Voxels.from_cells(bar).translate((-low[0], -low[1], -low[2])).cell_set for bar in burr.bars
    ]
    assert all(piece <= bar for piece, bar in zip(pieces, bars, strict=True))
    assert burr.deep or sum(map(len, pieces)) == len(everything)


def test_every_lock_that_ships_is_made_by_the_script_or_kept() -> None:
    made = {f"burr-{made.id}" for made in (*JOINTS, *BURRS, *GENERATED, *LADDER)}
    made |= {f"burr-{name}" for name in KEPT}
    for design in DESIGNS:
        suffixes = ("" if goal is Goal.DISASSEMBLE else f"-{goal}" for goal in design.goals)
        made |= {f"burr-{design.id}{suffix}" for suffix in suffixes}
    drawn = set(find_suite("luban-120").level_ids)
    assert made == {v.id for v in list_shipped_levels() if v.family == "burr"} - drawn


def test_some_levels_are_built_again_byte_for_byte() -> None:
    names = ("half-lap", "ladder-10", "cabinet-2", "generated-box-8", "five-bars", "double-cross")
    names = names[: more(2, night=6)]
    done = check(*(f"burr-{name}" for name in names))
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) == len(names)


def test_a_level_that_is_made_elsewhere_is_refused_by_name() -> None:
    done = check("burr-half-lap", "packing-soma")
    assert done.returncode == 1 and "no such levels are made here: packing-soma" in done.stderr


@pytest.mark.slow
def test_all_levels_are_built_again_byte_for_byte() -> None:
    done = check()
    assert done.returncode == 0, done.stderr
