"""The referee for locks agrees with Luban's rules, planner and solver, and finds what is false.

Locks are drawn with fixed seeds: two or three winding pieces in a box of 3 x 3 x 3, with voids, and
four pieces in other small boxes; 400 in `make test`, 12,000 in the nightly.
"""

import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, product
from typing import Any

import pytest

from bridge.episode.episode import Episode
from bridge.episode.records import Obs, Options
from bridge.referee.burr import judging as locks
from bridge.referee.burr.counts import enumerate_assemblies, find_target
from bridge.referee.burr.levels import Levels
from bridge.referee.burr.lock import read_lock
from bridge.referee.burr.play import DIRECTIONS, IllegalAction, LockPlay
from bridge.referee.burr.shortest_plan import Objective, ShortestPlanSearch
from bridge.referee.burr.state_space import Assembly, Group, TooManyStates
from bridge.referee.documents import PlanStep
from bridge.referee.polycubes import Cell, Shape, translate
from pysim.catalog import encode_level, find_family, find_level
from pysim.families.burr.actions import Bring, Slide
from pysim.families.burr.lock import Goal
from pysim.families.burr.planner import plan_lock
from pysim.families.burr.solver.assembled import compute_level as measured_level
from pysim.families.burr.state import Held, LockState
from pysim.field_types import Out
from pysim.physics.lattice import LatticeWorld
from pysim.puzzle import Action, ActionError, InvalidAction, Outcome, Proof
from pysim.suites import find_suite
from tests.families.burr.locks import LockLevel, drawn, level_of, random_lock
from tests.families.burr.walks import levels_to_play, random_slide
from tests.referee.locks import document_of, small_lock
from tests.sampling import by_day, these_by_day

MANY = [
    *(range(100 * k, 100 * k + 100) for k in range(4)),
    *(pytest.param(range(1000 * k, 1000 * k + 1000), marks=pytest.mark.slow) for k in range(1, 13)),
]
NEVER = 1_000


def start_of(level: LockLevel) -> tuple[Group, Assembly]:
    lock = read_lock(document_of(level))
    return Group.at_home(range(len(lock.homes))), Assembly(lock.homes, 10**6)


@pytest.mark.by_day(2)
@pytest.mark.parametrize("seeds", MANY, ids=str)
def test_plans_are_as_short_as_the_referee_says(seeds: range) -> None:
    given_up = 0
    for seed in seeds:
        try:
            check_plan_of(small_lock(seed), seed)
        except TooManyStates:
            given_up += 1
    assert given_up <= len(seeds) // 100


def check_plan_of(level: LockLevel, seed: int) -> None:
    """Hold the plan of a level against the referee's own search."""
    lock, plan = read_lock(document_of(level)), plan_lock(level.puzzle)
    start, assembly = start_of(level)
    search = ShortestPlanSearch(assembly, Objective(lock.goal), lock.may_stay)
    first = lock.goal == "assemble"
    if plan is None:
        assert search.compute_cost(start, NEVER) is None, seed
        return
    answer = search.search_below(start, len(plan) - first)
    if plan.proof is Proof.OPTIMAL:
        assert not answer.is_exact and answer.lower_bound == len(plan) - first, seed
    else:
        assert lock.goal == "assemble", "small locks are searched to the end"
        assert answer.lower_bound == plan.lower_bound - first < len(plan) - first, seed


@pytest.mark.by_day(1)
@pytest.mark.parametrize("seeds", MANY, ids=str)
def test_levels_and_whether_a_lock_comes_apart_are_what_the_referee_finds(seeds: range) -> None:
    apart = 0
    for seed in seeds:
        level = small_lock(seed, Goal.DISASSEMBLE)
        start, assembly = start_of(level)
        levels = Levels(assembly, level.puzzle.may_stay)
        found = measured_level(level.puzzle)
        assert levels.is_separable(start) == bool(found), seed
        assert (plan_lock(level.puzzle) is not None) == bool(found), seed
        if found:
            apart += 1
            assert levels.is_possible(start, found), seed
            assert not levels.is_possible(start, (found[0] + 1, *found[1:])), seed
    assert apart > 0


BOX = ["###/###/###", "###/#.#/###", "###/###/###"]


@pytest.mark.parametrize("lids", [0, 1])
def test_a_lock_with_a_pin_that_is_walled_in_does_not_come_apart(lids: int) -> None:
    """The pin stays, whether a lid is taken off the box or nothing moves at all."""
    lid = (["###/###/###"], (0, 0, 3))
    level = drawn(Goal.DISASSEMBLE, (BOX, (0, 0, 0)), (["#"], (1, 1, 1)), *[lid] * lids)
    start, assembly = start_of(level)
    assert not Levels(assembly, level.puzzle.may_stay).is_separable(start)


@pytest.mark.parametrize("seeds", by_day(range(25 * k, 25 * k + 25) for k in range(4)))
def test_plans_are_played_alike_by_rules_lattice_and_referee(seeds: range) -> None:
    """Each state has the same pieces in the same cells, and the same actions are listed."""
    for seed in seeds:
        level = small_lock(seed)
        plan = plan_lock(level.puzzle)
        if plan is None:
            continue
        planned = replace(level, plan=plan)
        play = LockPlay.start(read_lock(document_of(planned)))
        state = find_family(level).rules.initial(level)
        world = LatticeWorld()
        episode = Episode(level, world, options=Options(obs=Obs.STATE))
        for action in plan.actions:
            assert not play.solved
            assert_alike(level, state, play)
            state = find_family(level).rules.apply(level, state, action).state
            play = play.apply(step_of(action))
            episode.step(action)
        assert play.solved and episode.outcome is Outcome.SOLVED and not episode.disagreements
        assert_alike(level, state, play)


def assert_alike(
    level: LockLevel, state: LockState, play: LockPlay, *, listed: bool = True
) -> None:
    for piece, place, held in zip(level.puzzle.pieces, state.places, play.places, strict=True):
        if isinstance(place, Held):
            assert held is not None and held.bench == place.bench
            assert held.cells == place.pose.place(piece.shape).cell_set
        else:
            assert held is None
    if listed:
        legal = {as_text(level, a) for a in find_family(level).rules.legal(level, state)}
        assert legal == {as_text(level, action) for action, _ in play.list_actions()}


def as_text(level: LockLevel, action: Any) -> str:
    """A listed action of the rules or of the referee, the same for both."""
    if isinstance(action, Slide):
        distance = "out" if isinstance(action.distance, Out) else str(action.distance)
        return f"slide {sorted(action.pieces)} {action.direction} {distance}"
    if isinstance(action, Bring):
        shape = level.puzzle.pieces[level.puzzle.index[action.piece]].shape
        x, y, z = shape.rotate(action.rotation).move_to_origin(), action.cell, action.direction
        return f"bring {action.piece} {sorted(translate(x.cell_set, y))} {z}"
    if isinstance(action[0], frozenset):
        pieces, direction, distance = action
        return f"slide {sorted(level.colours[i] for i in pieces)} {direction} {distance}"
    piece, cells, direction = action
    return f"bring {level.colours[piece]} {sorted(cells)} {direction}"


def step_of(action: Action) -> PlanStep:
    if isinstance(action, Slide):
        distance = "out" if isinstance(action.distance, Out) else int(action.distance)
        pieces = [str(colour) for colour in action.pieces]
        return PlanStep(
            "slide", {"pieces": pieces, "direction": str(action.direction), "distance": distance}
        )
    assert isinstance(action, Bring)
    return PlanStep(
        "bring",
        {
            "piece": str(action.piece),
            "rotation": action.rotation.name,
            "cell": list(action.cell),
            "direction": str(action.direction),
        },
    )


@pytest.mark.by_day(4)
@pytest.mark.parametrize("number", range(9))
def test_random_slides_are_allowed_and_refused_alike(number: int) -> None:
    """The reasons agree too, and so does where all pieces are afterwards."""
    level = levels_to_play()[number]
    rules = find_family(level).rules
    rng = random.Random(number)
    seen = {"done": 0, "refused": 0}
    for _ in range(3):
        state, play = rules.initial(level), LockPlay.start(read_lock(document_of(level)))
        for _ in range(40):
            action: Action = random_slide(rng, level, state)
            if rng.random() < 0.4:
                action = rng.choice(list(rules.legal(level, state)) or [action])
            try:
                after: LockState | ActionError = rules.apply(level, state, action).state
            except InvalidAction:
                continue
            except ActionError as error:
                after = error
            try:
                played: LockPlay | IllegalAction = play.apply(step_of(action))
            except IllegalAction as refusal:
                played = refusal
            if isinstance(after, ActionError):
                assert isinstance(played, IllegalAction) and str(played).startswith(after.reason)
                seen["refused"] += 1
                continue
            assert isinstance(played, LockPlay)
            state, play = after, played
            assert_alike(level, state, play, listed=seen["done"] % 6 == 0)
            seen["done"] += 1
            if not state.list_benches():
                break
    assert min(seen.values()) >= 2, seen


def pin_under_a_bolt() -> LockLevel:
    """The bolt comes out first, alone and sideways, then the pin."""
    case = ["#####/#####/#####", "#####/##.##/#####", "#####/##.../#####", "#####/##.##/#####"]
    pin, bolt = (["#"], (2, 1, 1)), (["###"], (2, 1, 2))
    return drawn(Goal.ASSEMBLE, (case, (0, 0, 0)), pin, bolt)


@pytest.mark.parametrize("first", range(3))
def test_a_shortest_way_together_does_not_depend_on_the_order_of_the_pieces(first: int) -> None:
    lock = read_lock(document_of(pin_under_a_bolt()))
    assembly = Assembly((*lock.homes[first:], *lock.homes[:first]), 10**6)
    search = ShortestPlanSearch(assembly, Objective.TOGETHER, lock.may_stay)
    assert search.compute_cost(Group.at_home(range(3)), NEVER) == 2


@pytest.mark.parametrize("way", DIRECTIONS)
def test_no_piece_is_brought_to_a_place_outside_the_workspace(way: str) -> None:
    """One side of the workspace is enough: the piece is within the other five."""
    play = LockPlay.start(read_lock(document_of(pin_in_a_case())))
    home = play.lock.homes[1]
    with pytest.raises(IllegalAction, match=r"^OUT_OF_BOUNDS"):
        play.bring(1, translate(home, DIRECTIONS[way], 500), "-z")
    assert play.bring(1, home, "-z")


def shorter_way_together(homes: tuple[Shape, ...], actions: int) -> bool:
    """Whether fewer actions could put pieces together, tried backwards with sets of cells.

    A piece leaves straight, and any set of those that are left slides anywhere nearby, also to
    where nothing overlaps; nothing is assumed of groups.
    """
    start = frozenset(enumerate(homes))
    seen, layer = {start}, [start]
    for done in range(1, actions):
        following = set()
        for there in layer:
            for after in backwards(there):
                if not after:
                    return True
                # Each piece that is left has to leave yet.
                if done + len(after) < actions:
                    following.add(after)
        layer = list(following - seen)
        seen.update(layer)
    return False


Placed = frozenset[tuple[int, Shape]]


def backwards(there: Placed) -> Iterator[Placed]:
    steps = [s for s in product((-1, 0, 1), repeat=3) if sum(map(abs, s)) == 1]
    for size in range(1, len(there) + 1):
        for moving in map(frozenset, combinations(sorted(there, key=str), size)):
            rest = there - moving
            taken = frozenset[Cell]().union(*(cells for _, cells in rest))
            for step in steps:
                for units in range(1, 9):
                    mine = {(i, translate(cells, step, units)) for i, cells in moving}
                    if any(cells & taken for _, cells in mine):
                        break
                    if units == 8 and size == 1:
                        yield rest
                    if rest and units <= 4:
                        yield frozenset(mine) | rest


def slid_together(seed: int) -> LockLevel:
    """A random lock that can't be put together by bringing each piece to its place at once."""
    rng = random.Random(f"slid {seed}")
    return level_of(random_lock(rng, Goal.ASSEMBLE, rng.choice((2, 3)), (4, 3, 3)))


def pin_in_a_case() -> LockLevel:
    case = (["####/####/####", "####/#..#/####", "####/##.#/####"], (0, 0, 0))
    return drawn(Goal.ASSEMBLE, case, (["#"], (1, 1, 1)))


@pytest.mark.parametrize(
    "level",
    [pin_in_a_case(), *map(slid_together, (2317, 2415, 3857))],
    ids=["pin in a case", "2317", "2415", "3857"],
)
def test_no_shorter_way_to_put_pieces_together_is_found_by_trying_all(level: LockLevel) -> None:
    plan = plan_lock(level.puzzle)
    assert plan is not None and plan.proof is Proof.OPTIMAL
    assert len(plan) == len(level.colours) + 1, "there is a slide in it"
    homes = tuple(p.home.place(p.shape).cell_set for p in level.puzzle.pieces)
    assert not shorter_way_together(homes, len(plan))
    assert shorter_way_together(homes, len(plan) + 1)


SAMPLE = [
    "burr-half-lap", "burr-tusk-tenon", "burr-labyrinth", "burr-cabinet-2", "burr-piston-key",
    "burr-diabolical-structure", "burr-generated-box-8", "burr-generated-sticks-4",
    "burr-eleven-bars-deep", "burr-loves-dozen",
]  # fmt: skip


def names() -> list[Any]:
    suites = map(find_suite, ("locks-32", "locks-ladder"))
    return these_by_day(SAMPLE, [name for suite in suites for name in suite.level_ids])


@pytest.mark.by_day(2)
@pytest.mark.parametrize("name", names())
def test_every_claim_of_a_shipped_lock_holds(name: str) -> None:
    judgement = locks.judge(encode_level(find_level(name)))
    assert not judgement.false and not judgement.undecided
    assert {"plan", "proof", "lower_bound", "facts.level", "facts.choices", "tier"} <= set(
        judgement.confirmed
    )


def test_ways_to_put_a_large_box_together_are_counted() -> None:
    document = encode_level(find_level("burr-ladder-99"))
    lock = read_lock(document)
    goal = find_target(lock, document["source"]["generator"])
    assert goal is not None
    assert len(list(enumerate_assemblies(lock, goal))) == document["facts"]["assemblies"]


def broken(change: str) -> dict[str, Any]:
    """A shipped lock's document with one claim made false."""
    document = dict(encode_level(find_level("burr-generated-box-8")))
    plan, facts = dict(document["plan"]), dict(document["facts"])
    actions = list(plan["actions"])
    match change:
        case "plan":
            plan["actions"] = actions[:-1]
            plan["lower_bound"] = facts["moves"] = len(actions) - 1
        case "proof":
            # A detour: one piece back and forth before the plan begins.
            first = actions[0]
            sign = {"+": "-", "-": "+"}[first["arguments"]["direction"][0]]
            axis = first["arguments"]["direction"][1]
            back = {**first, "arguments": {**first["arguments"], "direction": sign + axis}}
            plan |= {"actions": [first, back, *actions], "lower_bound": len(actions) + 2}
        case "lower_bound":
            plan |= {"proof": "UPPER_BOUND", "lower_bound": len(actions) + 1}
        case "tier":
            document["tier"] = "easy"
        case fact:
            value = facts[fact.removeprefix("facts.")]
            changed = value + "." + "2" if isinstance(value, str) else value + 1
            facts[fact.removeprefix("facts.")] = changed
    return document | {"plan": plan, "facts": facts}


@pytest.mark.by_day(6)
@pytest.mark.parametrize(
    "change",
    [
        "plan", "proof", "lower_bound", "tier", "facts.level", "facts.legal_moves", "facts.moves",
        "facts.dead_ends", "facts.choices", "facts.assemblies", "facts.solutions", "facts.cells",
        "facts.pieces",
    ],
)  # fmt: skip
def test_a_claim_that_is_made_false_is_found(change: str) -> None:
    judgement = locks.judge(broken(change))
    assert change in {finding.claim for finding in judgement.false}


def test_a_search_with_too_little_to_look_at_leaves_the_claim_undecided(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(locks, "_STATES", 3)
    judgement = locks.judge(encode_level(find_level("burr-piston")))
    assert not judgement.false
    assert {"proof", "lower_bound"} <= {finding.claim for finding in judgement.undecided}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"puzzle": None}, "the puzzle is an object"),
        ({"puzzle": {"goal": "win", "pieces": []}}, "a goal is one of"),
        ({"puzzle": {"goal": "key", "pieces": 3}}, "the pieces is a list"),
        ({"plan": {"proof": "SURE", "lower_bound": 1, "actions": []}}, "a proof is one of"),
        ({"tier": "odd"}, "a tier is one of"),
    ],
)
def test_documents_that_are_no_locks_are_refused(change: dict[str, Any], message: str) -> None:
    document = dict(encode_level(find_level("burr-piston"))) | change
    with pytest.raises(ValueError, match=message):
        locks.judge(document)
