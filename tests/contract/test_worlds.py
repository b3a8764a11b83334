"""Every world says what the rules say, on every level that ships.

The moves go through the controller, which compares at each step: travel and contacts of legal and
of blocked moves, and at the end all poses.
"""

import random
from collections import Counter

import pytest

from bridge.episode.episode import Episode
from bridge.episode.records import (
    Disagreement,
    Ending,
    ObservationMode,
    Options,
    Start,
    StepRecord,
)
from bridge.episode.tools import ToolCall
from bridge.episode.verification import STAYS
from pysim.catalog import AnyLevel, family_of
from pysim.physics.factory import why_unavailable
from pysim.physics.world import World
from pysim.puzzle import Action, ActionError, Outcome
from tests.contract.playing import every_level, first_legal, random_call, turns
from tests.unity.standins import engines

MOVES = 64
"""Random moves on each level and in each world."""
QUIET = Options(mode=ObservationMode.STATE, budget=10_000)

WORLDS = engines().worlds()
every_world = pytest.mark.parametrize("name", WORLDS)


class Tally:
    """A listener that keeps the records."""

    def __init__(self) -> None:
        self.records: list[StepRecord] = []

    def started(self, start: Start) -> None:
        pass

    def stepped(self, record: StepRecord) -> None:
        self.records.append(record)

    def ended(self, ending: Ending) -> None:
        pass


def made(name: str) -> World:
    try:
        return engines().create_world(name)
    except ImportError as error:
        pytest.skip(f"NOT TESTED: world {name} can't be used here: {error}")


def made_for(level: AnyLevel, name: str) -> World:
    if name == "unity" and turns(level):
        pytest.skip("NOT TESTED: players of the Unity wire can't turn layers yet")
    return made(name)


def choose(chance: random.Random, episode: Episode, state: object) -> ToolCall | Action:
    """Half of the time anything that conforms to the schema, else a legal action."""
    if chance.random() < 0.5:
        return random_call(chance, episode.actions)
    legal = first_legal(episode.level, state)
    return chance.choice(legal) if legal else random_call(chance, episode.actions)


def just_balances(level: AnyLevel, state: object, action: Action, found: Disagreement) -> bool:
    """Whether something fell after an action that the family leaves out of its list.

    By exact statics a piece stays whose centre of mass is above the very edge of its support; real
    bodies fall, and that is counted. No family lists such an action.
    """
    return found.rules == STAYS and action not in set(family_of(level).rules.legal(level, state))


def play(level: AnyLevel, name: str, seed: int, moves: int) -> list[StepRecord]:
    """Random play through the controller; a new episode whenever one is solved."""
    chance = random.Random(f"{level.id} {seed}")
    rules = family_of(level).rules
    records: list[StepRecord] = []
    while len(records) < moves:
        tally = Tally()
        episode = Episode(level, made_for(level, name), None, QUIET, tally)
        state = rules.initial(level)
        balanced = 0
        while episode.outcome is None and len(records) + len(tally.records) < moves:
            call = choose(chance, episode, state)
            action = call if isinstance(call, Action) else episode.actions.parse(call)
            try:
                found = episode.step(call).disagreement
            except ActionError:
                continue
            balanced += found is not None and just_balances(level, state, action, found)
            state = rules.apply(level, state, action).state
        episode.close()
        strange = [r.disagreement for r in tally.records if r.disagreement]
        assert episode.disagreements == balanced, strange or "the final poses differ"
        records += tally.records
    return records


@every_world
@every_level
def test_a_world_confirms_the_rules_on_random_moves(level: AnyLevel, name: str) -> None:
    records = play(level, name, seed=1, moves=MOVES)
    counts = Counter(record.reason or "OK" for record in records)
    assert counts["OK"] >= 15, counts
    assert sum(1 for record in records if record.measured is not None) >= 20, counts


@every_world
@every_level
def test_a_world_confirms_the_plan_and_every_pose_on_the_way(level: AnyLevel, name: str) -> None:
    world = made_for(level, name)
    tally = Tally()
    episode = Episode(level, world, None, QUIET, tally)
    assert level.plan is not None
    for action in level.plan.actions:
        result = episode.step(action)
        assert result.disagreement is None
        transforms = world.transforms()
        for body in episode.scene.bodies:
            off = abs(transforms[body.name] - body.pose.transform()).max()
            assert off < 0.1, (body.name, off)
    assert episode.outcome is Outcome.SOLVED and episode.disagreements == 0
    assert all(record.trajectory.duration > 0 for record in tally.records)
    episode.close()


@every_level
def test_all_worlds_lead_to_the_same_states_and_reports(level: AnyLevel) -> None:
    def report(record: StepRecord) -> tuple[object, ...]:
        return (
            record.line,
            record.kind,
            record.reason,
            record.culprits,
            record.travel,
            record.contacts,
            record.state_hash,
        )

    first, *others = (
        [report(record) for record in play(level, name, seed=2, moves=30)]
        for name in WORLDS
        if not why_unavailable(name) and not (name == "unity" and turns(level))
    )
    assert all(other == first for other in others)


@every_world
def test_a_world_follows_the_protocol_and_says_what_it_is(name: str) -> None:
    world = made(name)
    assert isinstance(world, World) and world.name == name and len(world.version) > 3
    with pytest.raises(RuntimeError):
        world.transforms()
    world.close()
    world.close()
    with pytest.raises(RuntimeError):
        world.execute([])
