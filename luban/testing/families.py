"""Contract of families, over the levels that ship with them."""

import dataclasses
import inspect
import json
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import ClassVar

import pytest

from bridge.episode.episode import state_hash
from bridge.episode.tools import ActionSpace
from luban.testing.contract import Contract, check, is_frozen, over
from luban.testing.playing import attempts, first_legal
from pysim.catalog import AnyFamily, AnyLevel, discover_families, find_family, list_shipped_levels
from pysim.field_types import build_action, encode_arguments, list_fields
from pysim.generation import load_generator
from pysim.geometry import Bounds, Voxels
from pysim.manifests import derive_manifest, list_family_manifests
from pysim.motion import Carry, Sweep, Turn
from pysim.physics.lattice import LatticeWorld
from pysim.physics.requests import check_motions, check_scene
from pysim.puzzle import (
    Action,
    ActionError,
    Flaw,
    IllegalMove,
    InvalidAction,
    Outcome,
    Proof,
    Transition,
    parse_reason,
)
from pysim.scene import Body, Scene
from pysim.tasks import TaskSource

__all__ = ["FamilyContract", "check_family"]


class FamilyContract(Contract):
    """The tests of a family.

    Attributes:
        family: its name; empty for all that are installed.
    """

    family: ClassVar[str] = ""

    def families(self) -> list[AnyFamily]:
        """Return the one with that name, or all."""
        return [discover_families()[self.family]] if self.family else super().families()

    @over("families")
    def test_a_family_is_found_by_its_name_and_ships_levels(self, family: AnyFamily) -> None:
        assert discover_families()[family.name] is family
        assert any(level.family == family.name for level in list_shipped_levels())
        assert list_family_manifests()[family.name] == derive_manifest(family.name)

    @over("families")
    def test_actions_are_frozen_dataclasses_of_known_kinds_with_documents(
        self, family: AnyFamily
    ) -> None:
        assert family.actions
        names = [action_type.tool for action_type in family.actions]
        assert len(set(names)) == len(names)
        for action_type in family.actions:
            assert issubclass(action_type, Action) and dataclasses.is_dataclass(action_type)
            assert is_frozen(action_type)
            assert action_type.tool.isidentifier() and action_type.tool.islower()
            assert len(inspect.cleandoc(action_type.__doc__ or "")) > 20
            assert all(spec.doc.strip() for spec in list_fields(action_type))

    @over("few")
    def test_a_damaged_puzzle_is_refused_in_the_words_that_are_declared(
        self, level: AnyLevel
    ) -> None:
        family = find_family(level)
        document = family.write(level.puzzle)
        assert family.flaws, "the family declares what is damaged"
        for flaw in family.flaws:
            with pytest.raises(ValueError, match=re.escape(flaw.refusal)):
                family.read(flaw.apply(document))

    @over("one_level")
    def test_an_odd_value_anywhere_in_a_puzzle_is_refused_with_value_error(
        self, level: AnyLevel
    ) -> None:
        family = find_family(level)
        document = family.write(level.puzzle)
        with pytest.raises(ValueError, match=r"\w"):
            family.read({})
        for place in _list_places(document):
            for value in _ODD:
                with suppress(ValueError):  # Some are taken, as a piece that is left out.
                    family.read(Flaw(place, "", value).apply(document))

    @over("levels")
    def test_a_puzzle_reads_back_as_it_was_written(self, level: AnyLevel) -> None:
        family = find_family(level)
        document = family.write(level.puzzle)
        assert family.read(json.loads(json.dumps(document))) == level.puzzle
        assert family.colours(level.puzzle) == level.colours
        assert len(set(level.colours)) == len(level.colours) > 0

    @over("levels")
    def test_a_puzzle_is_restored_as_it_was_written_and_keeps_its_form(
        self, level: AnyLevel
    ) -> None:
        family = find_family(level)
        document = json.loads(json.dumps(family.write(level.puzzle)))
        again = family.read(document)
        if family.restore is not None:
            assert family.restore(document) == again
        if family.canonical_form is not None:
            assert family.canonical_form(again) == family.canonical_form(level.puzzle)

    @over("families")
    def test_a_generator_with_difficulties_makes_tasks(self, family: AnyFamily) -> None:
        plugin = load_generator(family)
        if plugin is None or not plugin.difficulties:
            return
        assert family.canonical_form is not None, "tasks are parted by their canonical forms"
        source = TaskSource(family.name)
        for difficulty in source.difficulties:
            assert source.get_task("train", difficulty - 1).difficulty == difficulty

    @over("levels")
    def test_the_start_is_the_same_every_time_and_is_not_the_end(self, level: AnyLevel) -> None:
        family = find_family(level)
        again = family.read(family.write(level.puzzle))
        twin = dataclasses.replace(level, puzzle=again)
        first, second = family.rules.initial(level), family.rules.initial(twin)
        assert first == second and family.rules.encode(first) == family.rules.encode(second)
        assert state_hash(level, first) == state_hash(twin, second)
        assert family.rules.outcome(level, first) is None

    @over("levels")
    def test_states_are_frozen_and_hashable(self, level: AnyLevel) -> None:
        state = find_family(level).rules.initial(level)
        hash(state)
        assert dataclasses.is_dataclass(state)
        assert is_frozen(type(state))

    @over("few")
    def test_every_listed_action_is_accepted_and_listed_once(self, level: AnyLevel) -> None:
        rules = find_family(level).rules
        for attempt in attempts(level, seed=1, count=6, share=1.0):
            listed = first_legal(level, attempt.state, most=500)
            assert len(set(listed)) == len(listed)
            assert listed == first_legal(level, attempt.state, most=500), "the order is fixed"
            for action in listed:
                rules.apply(level, attempt.state, action)

    @over("few")
    def test_applying_depends_on_nothing_but_its_arguments(self, level: AnyLevel) -> None:
        rules = find_family(level).rules
        for attempt in attempts(level, seed=2, count=30):
            before = rules.encode(attempt.state)
            try:
                again = rules.apply(level, attempt.state, attempt.action)
            except ActionError as error:
                assert isinstance(attempt.result, ActionError)
                assert (error.reason, error.message) == (
                    attempt.result.reason,
                    attempt.result.message,
                )
            else:
                assert again == attempt.result
            assert rules.encode(attempt.state) == before

    @over("few")
    def test_refusals_name_a_reason_and_real_culprits(self, level: AnyLevel) -> None:
        refused, listed = 0, True
        refusals = find_family(level).refusals
        for attempt in attempts(level, seed=3, count=40, share=0.2):
            listed = listed and attempt.action in first_legal(level, attempt.state)
            if isinstance(attempt.result, Transition):
                continue
            error = attempt.result
            assert not attempt.listed and isinstance(error, IllegalMove | InvalidAction)
            assert parse_reason(error.reason) == error.reason
            assert error.message and "\n" not in error.message
            assert error.travel is None or error.travel >= 0
            if isinstance(error, IllegalMove):
                assert set(error.culprits) <= set(level.colours)
                assert error.reason in refusals, "the family declares the reasons of its refusals"
            refused += 1
        assert refused or listed, "either something is refused or every action is legal"

    @over("few")
    def test_texts_are_equal_exactly_if_states_are(self, level: AnyLevel) -> None:
        rules = find_family(level).rules
        by_text: dict[str, object] = {}
        for seed in range(3):
            for attempt in attempts(level, seed, count=25, share=0.7):
                text = rules.encode(attempt.state)
                assert by_text.setdefault(text, attempt.state) == attempt.state
                assert text.isprintable()
        assert len(set(by_text.values())) == len(by_text) > 1

    @over("few")
    def test_scenes_hold_one_body_for_each_piece_and_no_two_in_one_place(
        self, level: AnyLevel
    ) -> None:
        rules = find_family(level).rules
        for attempt in attempts(level, seed=4, count=25, share=0.8):
            scene = rules.scene(level, attempt.state)
            check_scene(scene)
            pieces = [body for body in scene.bodies if body.name in level.colours]
            assert sorted(body.name for body in pieces) == sorted(level.colours)
            assert all(body.colour == body.name for body in pieces if not body.stickers)
            assert scene == rules.scene(level, attempt.state)

    @over("few")
    def test_motions_lead_from_scene_to_scene(self, level: AnyLevel) -> None:
        rules = find_family(level).rules
        for attempt in attempts(level, seed=5, count=25, share=0.8):
            if not isinstance(attempt.result, Transition):
                continue
            before = rules.scene(level, attempt.state)
            after = rules.scene(level, attempt.result.state)
            shapes = {body.name: body.shape for body in before.bodies}
            check_motions(before, shapes, attempt.result.motions)
            poses = {body.name: (body.pose, body.loose) for body in before.bodies}
            travel = 0
            for motion in attempt.result.motions:
                if isinstance(motion, Carry):
                    for name in motion.bodies:
                        poses[name] = (motion.path.apply(poses[name][0]), motion.loose)
                elif isinstance(motion, Turn):
                    for name in motion.bodies:
                        poses[name] = (motion.apply(poses[name][0]), poses[name][1])
                else:
                    assert isinstance(motion, Sweep)
                    step = tuple(motion.distance * k for k in motion.direction.vector)
                    travel = motion.distance
                    for name in motion.bodies:
                        pose, loose = poses[name]
                        poses[name] = (pose.translate((step[0], step[1], step[2])), loose)
            assert poses == {body.name: (body.pose, body.loose) for body in after.bodies}
            assert (attempt.result.travel or 0) == travel

    @over("few")
    def test_every_legal_move_has_a_way_that_the_exact_world_can_go(self, level: AnyLevel) -> None:
        rules = find_family(level).rules
        world = LatticeWorld()
        for seed in range(2):
            world.reset(rules.scene(level, rules.initial(level)))
            for attempt in attempts(level, seed=20 + seed, count=30, share=1.0):
                if isinstance(attempt.result, Transition):
                    assert world.execute(attempt.result.motions).completed
                    scene = rules.scene(level, attempt.result.state)
                    for name, transform in world.transforms().items():
                        assert (scene.find_body(name).pose.transform() == transform).all()

    @over("few")
    def test_actions_come_back_from_their_arguments(self, level: AnyLevel) -> None:
        family = find_family(level)
        space = ActionSpace(family.actions, level.colours)
        for attempt in attempts(level, seed=6, count=15):
            action = attempt.action
            arguments = json.loads(json.dumps(encode_arguments(action)))
            assert build_action(type(action), arguments) == action
            assert space.parse(space.parse_line(space.line(action))) == action

    @over("few")
    def test_words_name_every_piece(self, level: AnyLevel) -> None:
        rules = find_family(level).rules
        instruction = rules.instruction(level)
        assert len(instruction) < 4000
        for colour in level.colours:
            assert colour in instruction
        if rules.scene(level, rules.initial(level)).views is not None:
            return  # How much is told in words is then up to the level, as what is seen is.
        for attempt in attempts(level, seed=7, count=8, share=1.0):
            lines = rules.describe(level, attempt.state).splitlines()
            assert len(lines) >= len(level.colours)
            for colour, line in zip(level.colours, lines, strict=False):
                assert line.startswith(f"{colour}:")

    @over("few")
    def test_the_shipped_plan_and_the_one_that_is_found_solve_the_level(
        self, level: AnyLevel
    ) -> None:
        rules = find_family(level).rules
        assert level.plan is not None
        found = rules.plan(level)
        assert found is not None and found == rules.plan(level)
        for plan in (level.plan, found):
            state = rules.initial(level)
            for action in plan.actions:
                assert rules.outcome(level, state) is None
                state = rules.apply(level, state, action).state
            assert rules.outcome(level, state) is Outcome.SOLVED
        assert len(level.plan) <= level.budget
        assert len(found) <= len(level.plan) or found.proof is Proof.UPPER_BOUND

    @over("levels")
    def test_the_goal_is_shown_with_the_levels_own_pieces(self, level: AnyLevel) -> None:
        goal = find_family(level).rules.goal_scene(level)
        if goal is not None:
            check_scene(goal)
            assert {body.name for body in goal.bodies} <= set(level.colours)

    @over("few")
    def test_solid_pieces_fit_together_and_are_those_of_the_start(self, level: AnyLevel) -> None:
        family = find_family(level)
        bodies = None if family.assembly is None else family.assembly(level)
        if bodies is not None:
            held = tuple(dataclasses.replace(body, loose=False) for body in bodies)
            check_scene(Scene(held, Bounds.cover(body.place().bounds for body in bodies)))
            start = family.rules.scene(level, family.rules.initial(level)).bodies
            assert _list_shapes(bodies) == _list_shapes(start)


def _list_shapes(bodies: Iterable[Body]) -> list[tuple[str, Voxels]]:
    """Return the names and shapes of bodies, in order."""
    return [(body.name, body.shape) for body in bodies]


_ODD: tuple[object, ...] = (
    None,
    True,
    -1,
    1e308,
    float("nan"),
    "",
    "x" * 10**5,
    [],
    {},
    [[]],
    {"x": {}},
)


def _list_places(
    value: object, place: tuple[str | int, ...] = ()
) -> Iterator[tuple[str | int, ...]]:
    """Yield the places of all values of a document, but of two of each list."""
    inner = value.items() if isinstance(value, dict) else ()
    for key, one in enumerate(value[:2]) if isinstance(value, list) else inner:
        yield (*place, key)
        yield from _list_places(one, (*place, key))


def check_family(name: str) -> None:
    """Run the tests of :class:`FamilyContract` for one family.

    Raises:
        AssertionError: something does not hold; the message says what, and for which level.
    """
    assert name in discover_families(), (
        f"there is no family {name!r}; there are {', '.join(discover_families())}"
    )
    check(type("Chosen", (FamilyContract,), {"family": name})())
