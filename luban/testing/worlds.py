"""Contract of worlds: they agree with the rules on the shipped levels.

The moves go through the controller, which compares at each step: travel and contacts of legal and
of blocked moves, and at the end all poses.
"""

import random
from collections import Counter
from functools import cache
from typing import ClassVar

import pytest

from bridge.agents.random_calls import random_call
from bridge.episode.engines import LOCAL
from bridge.episode.episode import Episode
from bridge.episode.records import (
    STAYS,
    Disagreement,
    Ending,
    LiveStep,
    Obs,
    Options,
    Start,
)
from bridge.episode.tools import ToolCall
from luban.testing.contract import Contract, check, over
from luban.testing.playing import first_legal
from pysim.catalog import AnyLevel, find_family
from pysim.physics.lattice import LatticeWorld
from pysim.physics.world import World
from pysim.puzzle import Action, ActionError, Outcome
from pysim.scene import Pose, Scene

__all__ = ["WorldContract", "check_world"]

COMPARED = 30
"""Random moves on each level that are compared with the exact world's."""
QUIET = Options(obs=Obs.STATE, budget=10_000)

Told = tuple[object, ...]
"""What an agent and a log are told of a step, whatever the world."""


class WorldContract(Contract):
    """The tests of a world.

    Attributes:
        world: its name.
        moves: random moves on each level; a quarter has to be allowed, a third measured, or nearly.
    """

    world: ClassVar[str] = "lattice"
    moves: ClassVar[int] = 64

    def make(self) -> World:
        """Return a new world, without a scene; one that Luban does not know is made here."""
        return LOCAL.create_world(self.world)

    @over("few")
    def test_a_world_confirms_the_rules_on_random_moves(self, level: AnyLevel) -> None:
        records = self._played(level, seed=1, moves=self.moves)
        counts = Counter(record.reason or "OK" for record in records)
        assert counts["OK"] >= self.moves * 15 // 64, counts
        measured = sum(1 for record in records if record.measured is not None)
        assert measured >= self.moves * 20 // 64, counts

    @over("few")
    def test_a_world_confirms_the_plan_and_every_pose_on_the_way(self, level: AnyLevel) -> None:
        world = self._made_for(level)
        tally = _Tally()
        episode = Episode(level, world, None, QUIET, tally)
        assert level.plan is not None
        motions = []
        for action in level.plan.actions:
            before = _places(episode.scene)
            result = episode.step(action)
            motions.append(_places(episode.scene) != before)
            assert result.disagreement is None
            transforms = world.transforms()
            for body in episode.scene.bodies:
                off = abs(transforms[body.name] - body.pose.transform()).max()
                assert off < 0.1, (body.name, off)
        assert episode.outcome is Outcome.SOLVED and episode.disagreements == 0
        for moved, record in zip(motions, tally.records, strict=True):
            assert record.trajectory.duration > 0 or not moved, record.line
        episode.close()

    @over("few")
    def test_a_world_leads_to_the_same_states_and_reports_as_the_exact_one(
        self, level: AnyLevel
    ) -> None:
        expected = _expected(level)  # First: it may be played once for several worlds.
        if self.world != LatticeWorld.name:
            assert tuple(map(_told, self._played(level, seed=2, moves=COMPARED))) == expected

    def test_a_world_follows_the_protocol_and_says_what_it_is(self) -> None:
        world = self._made()
        assert isinstance(world, World) and world.name == self.world and len(world.version) > 3
        with pytest.raises(RuntimeError):
            world.transforms()
        world.close()
        world.close()
        with pytest.raises(RuntimeError):
            world.execute([])

    def _made(self) -> World:
        try:
            return self.make()
        except ImportError as error:
            pytest.skip(f"NOT TESTED: world {self.world} can't be used here: {error}")

    def _made_for(self, level: AnyLevel) -> World:
        if why := self.suits(level):
            pytest.skip(f"NOT TESTED: {why}")
        return self._made()

    def _played(self, level: AnyLevel, seed: int, moves: int) -> list[LiveStep]:
        """Return random play through the controller; a new episode whenever one can't go on."""
        rng = random.Random(f"{level.id} {seed}")
        records: list[LiveStep] = []
        while len(records) < moves:
            records += _episode(level, self._made_for(level), rng, moves - len(records))
        return records


def check_world(name: str) -> None:
    """Run the tests of :class:`WorldContract` for a world that Luban knows.

    Raises:
        AssertionError: something does not hold; the message says what, and for which level.
    """
    known = LOCAL.list_worlds()
    assert name in known, f"there is no world {name!r}; there are {', '.join(known)}"
    check(type("Chosen", (WorldContract,), {"world": name})())


def _places(scene: Scene) -> dict[str, Pose]:
    """Return the pose of each body by the rules, whatever is painted on it."""
    return {body.name: body.pose for body in scene.bodies}


class _Tally:
    """A listener that keeps the records."""

    def __init__(self) -> None:
        self.records: list[LiveStep] = []

    def record_start(self, start: Start) -> None:
        pass

    def record_step(self, record: LiveStep) -> None:
        self.records.append(record)

    def record_end(self, ending: Ending) -> None:
        pass


def _episode(level: AnyLevel, world: World, rng: random.Random, moves: int) -> list[LiveStep]:
    """Return one episode of at most ``moves`` moves, in which the world agrees with the rules."""
    rules = find_family(level).rules
    tally = _Tally()
    episode = Episode(level, world, None, QUIET, tally)
    state = rules.initial(level)
    balanced = 0
    while episode.outcome is None and len(tally.records) < moves:
        call = _choose(rng, episode, state)
        action = call if isinstance(call, Action) else episode.actions.parse(call)
        try:
            found = episode.step(call).disagreement
        except ActionError:
            continue
        balanced += found is not None and _just_balances(level, state, action, found)
        state = rules.apply(level, state, action).state
        if not first_legal(level, state, most=1):
            break  # A dead end, in which there is nothing to compare any more.
    episode.close()
    strange = [r.disagreement for r in tally.records if r.disagreement]
    assert episode.disagreements == balanced, strange or "the final poses differ"
    return tally.records


def _choose(rng: random.Random, episode: Episode, state: object) -> ToolCall | Action:
    """Half of the time anything that conforms to the schema, else a legal action."""
    if rng.random() < 0.5:
        return random_call(rng, episode.actions.schemas())
    legal = first_legal(episode.level, state)
    return rng.choice(legal) if legal else random_call(rng, episode.actions.schemas())


def _just_balances(level: AnyLevel, state: object, action: Action, found: Disagreement) -> bool:
    """Return whether something fell after an action that the family leaves out of its list.

    By exact statics a piece stays whose centre of mass is above the very edge of its support; real
    bodies fall, and that is counted. No family lists such an action.
    """
    return found.rules == STAYS and action not in set(find_family(level).rules.legal(level, state))


@cache
def _expected(level: AnyLevel) -> tuple[Told, ...]:
    """Return the exact world's reports of the same play.

    They are kept, since several worlds are compared with them.
    """
    return tuple(map(_told, WorldContract()._played(level, seed=2, moves=COMPARED)))


def _told(record: LiveStep) -> Told:
    return (
        record.line,
        record.kind,
        record.reason,
        record.culprits,
        record.travel,
        record.contacts,
        record.state_hash,
    )
