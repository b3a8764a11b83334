"""Slides: what the rules allow, what they refuse, and what a move leads to."""

import random
from collections import Counter
from dataclasses import astuple
from itertools import product

import pytest

from pysim.catalog import find_family, find_level
from pysim.families.burr.actions import Slide
from pysim.families.burr.lock import Goal, Lock, Piece
from pysim.families.burr.state import LockState, Loose
from pysim.field_types import OUT, Steps
from pysim.geometry import IDENTITY, Direction, Pose, Voxels, list_rotations, scale
from pysim.geometry.resting import is_stable
from pysim.physics.factory import create_world
from pysim.physics.requests import check_scene
from pysim.puzzle import IllegalMove, InvalidAction, Reason
from pysim.scene import Colour
from tests.families.burr.locks import LockLevel, drawn, level_of, six_piece_lock
from tests.families.burr.oracle import disjoint
from tests.families.burr.walks import Play, levels_to_play, naive_slide, verdict_of, walk
from tests.interpreting import interpreting
from tests.sampling import more
from tests.waiting import PATIENCE

LEVELS = levels_to_play()
NAMES = [f"{level.id}-{number}" for number, level in enumerate(LEVELS)]
every_level = pytest.mark.parametrize("level", LEVELS, ids=NAMES)


def place_beside(lock: Lock, rng: random.Random, direction: Direction) -> tuple[int, Pose, int]:
    """Return a piece that goes through the room or starts beside it: its pose, and how far."""
    space, axis = lock.workspace, direction.axis.number
    piece, rotation = rng.randrange(len(lock.pieces)), rng.choice(list_rotations())
    size = lock.pieces[piece].shape.rotate(rotation).bounds.size
    ends = [(low, high - n + 1) for low, high, n in zip(*astuple(space.room), size, strict=True)]
    low, high = ends[axis]
    ends[axis] = (low - size[axis], high) if direction.sign > 0 else (low, high + size[axis])
    corner = [rng.randint(*end) for end in ends]
    left = high - corner[axis] if direction.sign > 0 else corner[axis] - low
    pose = space.find_corner_pose(piece, rotation, (corner[0], corner[1], corner[2]))
    return piece, pose, rng.randint(1, max(1, left + size[axis]))


@pytest.mark.parametrize("name", ["piston", "cabinet-3", "thirty-four-bars", "six-boards"])
def test_pieces_meet_in_and_beside_the_room_where_their_cells_do(name: str) -> None:
    lock, rng = find_level(f"burr-{name}").puzzle, random.Random(name)
    space, met = lock.workspace, 0
    for _ in range(more(400)):
        direction = rng.choice(list(Direction))
        piece, pose, distance = place_beside(lock, rng, direction)
        other, there, _ = place_beside(lock, rng, direction)
        if not space.room.has_block(space.measure_piece(other, there)):
            continue
        filled = there.place(lock.pieces[other].shape).cell_set
        cells = pose.place(lock.pieces[piece].shape)
        steps = (cells.translate(scale(direction.vector, k)) for k in range(1, distance + 1))
        travel = next((k for k, one in enumerate(steps) if one.cell_set & filled), distance)
        obstacles = space.mask(other, there)
        found, hit = space.sweep(space.mask(piece, pose), obstacles, direction, distance)
        assert (found, bool(hit)) == (travel, travel < distance)
        assert obstacles.bit_count() == len(filled)
        met += travel < distance
    assert met


@every_level
def test_a_random_slide_comes_to_what_sets_of_cells_say(level: LockLevel) -> None:
    counts: Counter[Reason | None] = Counter()
    for seed in range(4):
        for play in walk(level, seed, 30):
            if isinstance(play.action, Slide):
                verdict = verdict_of(play)
                assert verdict == naive_slide(level, play.state, play.action), play.action
                counts[verdict[0]] += 1
    assert counts[None] > 8 and counts[Reason.BLOCKED] > 2


def stood_apart(play: Play, slide: Slide) -> bool:
    """Whether the moving pieces did not reach into the others of their group before the move.

    They are still one group if it was another move that brought them there; but whoever moves them
    there separates them, so that a slide back does not restore the group.
    """
    cells = {body.name: body.place().cell_set for body in play.scene.bodies}
    bench = play.state.find_bench(play.level.puzzle.index[slide.pieces[0]])
    assert bench is not None
    group = [play.level.colours[i] for i in play.state.group(bench)]
    moving = frozenset().union(*(cells[colour] for colour in slide.pieces))
    staying = [cells[colour] for colour in group if colour not in slide.pieces]
    return bool(staying) and disjoint(moving, frozenset().union(*staying))


@every_level
def test_a_slide_and_its_reverse_restore_the_state(level: LockLevel) -> None:
    rules = find_family(level).rules
    undone = 0
    for seed in range(4):
        for play in walk(level, seed, 30):
            if play.transition is None or play.transition.travel is None:
                continue
            after, slide = play.transition.state, play.action
            assert isinstance(slide, Slide)
            if len(play.transition.motions) > 1 or stood_apart(play, slide):
                continue
            back = Slide(slide.pieces, slide.direction.opposite, Steps(play.transition.travel))
            restored = rules.apply(level, after, back)
            assert restored.state == play.state
            assert rules.encode(restored.state) == rules.encode(play.state)
            undone += 1
    assert undone > 2


@every_level
def test_a_refused_slide_says_what_could_have_been_done(level: LockLevel) -> None:
    rules = find_family(level).rules
    for seed in range(3):
        for play in walk(level, seed, 30):
            refusal = play.refusal
            if refusal is None or not isinstance(play.action, Slide) or refusal.travel is None:
                continue
            assert refusal.travel >= 0
            if refusal.travel:
                shorter = Slide(play.action.pieces, play.action.direction, Steps(refusal.travel))
                assert rules.apply(level, play.state, shorter).travel == refusal.travel
            longer = Slide(play.action.pieces, play.action.direction, Steps(refusal.travel + 1))
            with pytest.raises(IllegalMove):
                rules.apply(level, play.state, longer)


@every_level
def test_bodies_of_scenes_that_can_be_reached_never_overlap(level: LockLevel) -> None:
    rules, lock = find_family(level).rules, level.puzzle
    for seed in range(5):
        for play in walk(level, seed, 25):
            if play.transition is None:
                continue
            scene = rules.scene(level, play.transition.state)
            check_scene(scene)
            assert scene.table is not None
            places = zip(scene.bodies, play.transition.state.places, lock.pieces, strict=True)
            for body, place, piece in places:
                if isinstance(place, Loose):
                    assert scene.table.has_block(body.place().bounds)
                    assert body.place().bounds.low[2] == scene.table.low[2]
                    assert body.loose and is_stable(piece.shape, place.rotation)
                else:
                    room = lock.workspace.room.translate(
                        lock.workspace.get_bench_offset(place.bench)
                    )
                    assert not body.loose and room.has_block(body.place().bounds)
                    assert scene.work.has_block(body.place().bounds)


@every_level
def test_groups_are_always_two_pieces_or_more_unless_a_goal_is_to_build(level: LockLevel) -> None:
    for play in walk(level, 9, 40):
        if play.transition is not None:
            state = play.transition.state
            assert all(len(state.group(bench)) >= 2 for bench in state.list_benches())


@every_level
def test_slides_listed_without_compiled_code_are_the_same(level: LockLevel) -> None:
    rules = find_family(level).rules
    for state in {play.state for play in walk(level, 1, more(20))}:
        with interpreting(PATIENCE):
            listed = list(rules.legal(level, state))
        with interpreting(0):
            assert list(rules.legal(level, state)) == listed


@pytest.mark.by_day(6)
@pytest.mark.parametrize("direction", list(Direction))
@pytest.mark.parametrize("name", ["burr-chinese-cross", "burr-piston", "burr-six-way-set"])
def test_greedy_leaving_in_one_direction_meets_nothing(name: str, direction: Direction) -> None:
    # Always the most pieces out the same way: the hardest for benches, table and ways out.
    level = find_level(name)
    rules = find_family(level).rules
    world = create_world("lattice")
    for seed in range(3):
        rng = random.Random(f"{name} {direction} {seed}")
        state: LockState = rules.initial(level)
        world.reset(rules.scene(level, state))
        for _ in range(20):
            slides = [a for a in rules.legal(level, state) if isinstance(a, Slide)]
            wanted = []
            for slide in slides:
                bench = state.find_bench(level.puzzle.index[slide.pieces[0]])
                group = [level.colours[i] for i in state.group(bench or 0)]
                others = tuple(c for c in group if c not in slide.pieces)
                if others:
                    wanted.append(Slide(others, slide.direction.opposite, slide.distance))
            wanted = [a for a in wanted if a.direction is direction and len(a.pieces) > 1]
            if not slides:
                break
            try:
                after = rules.apply(level, state, rng.choice(wanted or slides))
            except IllegalMove as refusal:
                assert refusal.reason is Reason.OUT_OF_BOUNDS
                after = rules.apply(level, state, rng.choice(slides))
            report = world.execute(after.motions)
            assert report.completed and report.travel == (after.travel or 0)
            state = after.state


def bars(count: int, length: int = 6) -> LockLevel:
    """Bars side by side along x; nothing holds any of them."""
    layer = "#" * length
    return drawn(Goal.DISASSEMBLE, *(([layer], (0, y, 0)) for y in range(count)))


def colours(level: LockLevel, *pieces: int) -> tuple[Colour, ...]:
    return tuple(level.colours[i] for i in pieces)


def test_several_pieces_that_part_are_put_aside_and_come_apart_there() -> None:
    level = bars(5)
    rules = find_family(level).rules
    world = create_world("lattice")
    state: LockState = rules.initial(level)
    world.reset(rules.scene(level, state))

    def do(*pieces: int, way: Direction) -> None:
        nonlocal state
        transition = rules.apply(level, state, Slide(colours(level, *pieces), way, OUT))
        assert world.execute(transition.motions).completed
        state = transition.state
        check_scene(rules.scene(level, state))

    do(3, 4, way=Direction.PLUS_X)
    assert state.group(0) == (0, 1, 2) and state.group(1) == (3, 4)
    assert "put aside on bench 1" in rules.describe(level, state)
    do(0, 1, way=Direction.MINUS_Y)
    assert state.group(0) == (0, 1) and isinstance(state.places[2], Loose)
    do(0, way=Direction.PLUS_Z)
    assert state.list_benches() == (1,)
    do(4, way=Direction.PLUS_Y)
    assert all(isinstance(place, Loose) for place in state.places)


def test_when_two_pieces_part_both_are_on_the_table() -> None:
    level = bars(2)
    transition = find_family(level).rules.apply(
        level,
        find_family(level).rules.initial(level),
        Slide(colours(level, 0), Direction.PLUS_Z, OUT),
    )
    assert all(isinstance(place, Loose) for place in transition.state.places)
    assert transition.travel == 1 and len(transition.motions) == 3


def test_out_goes_as_far_as_it_takes_to_leave_the_others_behind() -> None:
    level = drawn(Goal.DISASSEMBLE, (["###/#.#/#.#/#.#"], (0, 0, 0)), (["#/#/#/#"], (1, 1, 0)))
    rules = find_family(level).rules
    state = rules.initial(level)
    for way, travel in [(Direction.PLUS_Y, 3), (Direction.PLUS_Z, 1), (Direction.MINUS_Z, 1)]:
        assert rules.apply(level, state, Slide(colours(level, 1), way, OUT)).travel == travel
    by_two = rules.apply(level, state, Slide(colours(level, 1), Direction.PLUS_Y, Steps(2)))
    assert by_two.state.list_benches() == (0,)
    onward = Slide(colours(level, 1), Direction.PLUS_Y, OUT)
    assert rules.apply(level, by_two.state, onward).travel == 1


def test_a_piece_that_only_comes_nearer_is_separated_too_but_never_out_that_way() -> None:
    # Their blocks have no cell in common before and after; the way out leads through the other.
    level = drawn(Goal.KEY, (["#"], (0, 0, 0)), (["#"], (2, 0, 0)))
    rules = find_family(level).rules
    state = rules.initial(level)
    nearer = rules.apply(level, state, Slide(colours(level, 0), Direction.PLUS_X, Steps(1)))
    assert nearer.state.list_benches() == ()
    with pytest.raises(IllegalMove):
        rules.apply(level, state, Slide(colours(level, 0), Direction.PLUS_X, OUT))
    plan = rules.plan(level)
    assert plan is not None and len(plan) == 1
    rules.apply(level, state, plan.actions[0])
    assert nearer.state in [rules.apply(level, state, a).state for a in rules.legal(level, state)]


def test_a_slide_by_number_that_separates_does_what_out_does() -> None:
    level = bars(3, length=3)
    rules = find_family(level).rules
    state = rules.initial(level)
    by_number = rules.apply(level, state, Slide(colours(level, 0), Direction.PLUS_Z, Steps(1)))
    assert by_number == rules.apply(level, state, Slide(colours(level, 0), Direction.PLUS_Z, OUT))


@pytest.mark.parametrize(
    ("pieces", "direction", "distance", "reason", "culprits", "travel"),
    [
        ((0,), "+y", Steps(1), Reason.BLOCKED, (1,), 0),
        ((1,), "+y", Steps(3), Reason.BLOCKED, (2,), 0),
        ((0,), "+x", Steps(9), Reason.OUT_OF_BOUNDS, (0,), 4),
        ((0, 1, 2), "+x", Steps(5), Reason.OUT_OF_BOUNDS, (0, 1, 2), 4),
        ((0, 1, 2), "+x", OUT, Reason.NO_EFFECT, (0, 1, 2), None),
        ((0, 1), "+x", OUT, Reason.OUT_OF_BOUNDS, (0, 1), 4),
    ],
)
def test_refusals_name_reason_culprits_and_travel(
    pieces: tuple[int, ...],
    direction: str,
    distance: Steps,
    reason: Reason,
    culprits: tuple[int, ...],
    travel: int | None,
) -> None:
    level = bars(3)
    rules = find_family(level).rules
    with pytest.raises(IllegalMove) as refused:
        slide = Slide(colours(level, *pieces), Direction(direction), distance)
        rules.apply(level, rules.initial(level), slide)
    assert refused.value.reason is reason
    assert refused.value.culprits == colours(level, *culprits)
    assert refused.value.travel == travel
    assert bool(refused.value.attempt) == (reason is Reason.BLOCKED)


def test_pieces_that_are_free_or_on_another_bench_do_not_slide_along() -> None:
    level = bars(5)
    rules = find_family(level).rules
    state = rules.initial(level)
    state = rules.apply(level, state, Slide(colours(level, 0), Direction.PLUS_Z, OUT)).state
    state = rules.apply(level, state, Slide(colours(level, 1, 2), Direction.PLUS_Z, OUT)).state
    with pytest.raises(IllegalMove) as refused:
        rules.apply(level, state, Slide(colours(level, 0, 3), Direction.PLUS_X, Steps(1)))
    assert (refused.value.reason, refused.value.culprits) == (
        Reason.ALREADY_FREE,
        colours(level, 0),
    )
    with pytest.raises(IllegalMove) as refused:
        rules.apply(level, state, Slide(colours(level, 1, 3), Direction.PLUS_X, Steps(1)))
    assert refused.value.reason is Reason.NOT_TOGETHER
    assert set(refused.value.culprits) == set(colours(level, 1, 3))


def test_an_unknown_colour_is_an_invalid_action_that_names_the_known_ones() -> None:
    level = bars(2)
    rules = find_family(level).rules
    with pytest.raises(InvalidAction) as refused:
        rules.apply(
            level,
            rules.initial(level),
            Slide((level.colours[0], Colour("ultraviolet")), Direction.PLUS_X, Steps(1)),
        )
    assert refused.value.reason is Reason.UNKNOWN_COLOUR
    assert refused.value.culprits == ("ultraviolet",)
    assert all(colour in refused.value.message for colour in level.colours)


def scattered(rng: random.Random) -> LockLevel:
    """Small pieces that stand apart from each other, some in line."""
    cells = rng.sample(list(product(range(0, 9, 2), range(0, 5, 2), range(0, 3, 2))), 5)
    return drawn(Goal.DISASSEMBLE, *((["#"], cell) for cell in cells))


@pytest.mark.slow
@pytest.mark.parametrize(
    "level",
    [
        level_of(six_piece_lock((52, 792, 824, 911, 975, 1024), Goal.DISASSEMBLE)),
        scattered(random.Random(0)),
        scattered(random.Random(1)),
    ],
    ids=["six pieces", "scattered", "scattered otherwise"],
)
def test_every_legal_slide_is_accepted_and_every_piece_alone_is_tried(level: LockLevel) -> None:
    rules = find_family(level).rules
    for play in walk(level, 4, 30):
        listed = list(rules.legal(level, play.state))
        assert len(set(listed)) == len(listed)
        for action in listed:
            rules.apply(level, play.state, action)
        # What one piece can do, some listed slide does.
        for colour in level.colours:
            for direction in Direction:
                slide = Slide((colour,), direction, Steps(1))
                try:
                    single = rules.apply(level, play.state, slide)
                except IllegalMove:
                    continue
                results = [rules.apply(level, play.state, a).state for a in listed]
                alone = rules.encode(single.state)
                if (
                    len(play.state.group(play.state.find_bench(level.puzzle.index[colour]) or 0))
                    > 1
                ):
                    assert alone in map(rules.encode, results), slide


def rows_of_bars(bars: int, rows: int) -> LockLevel:
    """Rows of short bars: a lock much longer than its pieces, with groups just as long."""
    cells = [(2 * k, y, 0) for y in range(rows) for k in range(bars)]
    pieces = [
        Piece(Colour(f"c{i}"), Voxels.make_block((2, 1, 1)), Pose(IDENTITY, corner))
        for i, corner in enumerate(cells)
    ]
    return level_of(Lock(tuple(pieces), Goal.DISASSEMBLE))


@pytest.mark.parametrize("direction", list(Direction))
def test_a_group_much_longer_than_its_pieces_is_blocked_only_by_what_is_there(
    direction: Direction,
) -> None:
    level = rows_of_bars(16, 2)
    rules = find_family(level).rules
    state = rules.initial(level)
    for row in (range(16), range(16, 32)):
        slide = Slide(colours(level, *row), direction, OUT)
        try:
            verdict = (None, rules.apply(level, state, slide).travel, frozenset())
        except IllegalMove as refusal:
            verdict = (refusal.reason, refusal.travel, frozenset(refusal.culprits))
        assert verdict == naive_slide(level, state, slide)


def test_a_long_group_on_its_way_out_meets_no_other_bench() -> None:
    level = rows_of_bars(6, 3)
    rules = find_family(level).rules
    state: LockState = rules.initial(level)
    world = create_world("lattice")
    world.reset(rules.scene(level, state))
    first, second, third = (colours(level, *range(6 * k, 6 * k + 6)) for k in range(3))
    for slide in (
        Slide(first, Direction.MINUS_X, OUT),
        Slide((*second, *third), Direction.MINUS_Y, Steps(1)),
        Slide(second, Direction.PLUS_X, OUT),
    ):
        transition = rules.apply(level, state, slide)
        report = world.execute(transition.motions)
        assert report.completed, report.contacts
        state = transition.state
    assert state.list_benches() == (0, 1, 2)


def test_the_same_lock_has_the_same_room_for_every_goal() -> None:
    lock = six_piece_lock((1, 256, 824, 928, 975, 1024), Goal.KEY)
    other = Lock(lock.pieces, Goal.ASSEMBLE)
    assert lock.workspace.room == other.workspace.room
    assert lock.workspace.table == other.workspace.table
