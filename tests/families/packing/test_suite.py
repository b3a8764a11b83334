"""The 77 boxes that ship: what was promised of them is measured again."""

import re
from dataclasses import replace

import numpy as np
import pytest

from bridge.report.floors import ATTEMPTS, PASSES
from pysim.catalog import encode_level, find_family
from pysim.families.packing.figures import measure_figures
from pysim.families.packing.generator.generate import PackingGenerator
from pysim.families.packing.generator.sampling import Sampling
from pysim.families.packing.generator.signature import compute_signature
from pysim.families.packing.support import is_steady
from pysim.generation import Draft
from pysim.puzzle import Outcome, Proof, Tier
from pysim.suites import find_suite, load_levels
from tests.families.packing.puzzles import COLOURS, PackingLevel
from tests.sampling import these_by_day
from tools.build_packing import EASY, HARD, MEDIUM, level_of

LEVELS: list[PackingLevel] = list(load_levels(find_suite("packing-77")))
FEW = LEVELS[::9]
"""Nine levels, some of each tier."""
BANDS = {Tier.EASY: EASY, Tier.MEDIUM: MEDIUM, Tier.HARD: HARD}


def few_and_all(levels: list[PackingLevel]) -> list[object]:
    """Some levels now, the others in the slow run."""
    return these_by_day(FEW, levels, name=lambda level: level.id)


def test_there_are_ten_easy_twenty_medium_and_47_hard_levels() -> None:
    tiers = [level.tier for level in LEVELS]
    assert {tier: tiers.count(tier) for tier in set(tiers)} == {
        Tier.EASY: 10,
        Tier.MEDIUM: 20,
        Tier.HARD: 47,
    }
    assert tiers == sorted(tiers, key=list(Tier).index)


def test_chain_109_is_the_locks_and_the_boxes() -> None:
    parts = (find_suite(name).level_ids for name in ("locks-32", "packing-77"))
    found = find_suite("chain-109").level_ids
    assert found == tuple(level_id for part in parts for level_id in part) and len(found) == 109


def test_tiers_are_separated_by_measured_difficulty() -> None:
    efforts = [int(level.facts["nodes_per_solution"]) for level in LEVELS]
    assert efforts == sorted(efforts)
    for level, effort in zip(LEVELS, efforts, strict=True):
        least, most = BANDS[level.tier]
        assert least <= effort <= most
    assert EASY[1] < MEDIUM[0] <= MEDIUM[1] < HARD[0]


def test_no_two_levels_have_the_same_pieces() -> None:
    signatures = {compute_signature(p.shape for p in level.puzzle.pieces) for level in LEVELS}
    assert len(signatures) == 77
    assert signatures == {level.facts["signature"] for level in LEVELS}


@pytest.mark.parametrize("level", LEVELS, ids=[level.id for level in LEVELS])
def test_every_plan_builds_the_box_steadily_and_is_as_short_as_it_can_be(
    level: PackingLevel,
) -> None:
    rules = find_family(level).rules
    assert level.plan is not None and level.plan.proof is Proof.OPTIMAL
    assert len(level.plan) == len(level.puzzle.pieces) and level.puzzle.gravity
    state = rules.initial(level)
    for action in level.plan.actions:
        assert rules.outcome(level, state) is None
        state = rules.apply(level, state, action).state
        assert is_steady(level.puzzle.size, state.list_masks())
    assert rules.outcome(level, state) is Outcome.SOLVED


@pytest.mark.by_day(2)
@pytest.mark.parametrize("level", few_and_all(LEVELS))
def test_a_level_comes_again_from_its_seed_and_attempt(level: PackingLevel) -> None:
    found = re.fullmatch(
        r"luban generate packing --size (\d)x(\d)x(\d) --mode (\w+) --seed (\d+), attempt (\d+)",
        level.source.reference,
    )
    assert found is not None
    *size, mode, seed, attempt = found.groups()
    sides = (int(size[0]), int(size[1]), int(size[2]))
    generator = PackingGenerator(sides, Sampling(mode), int(seed), COLOURS)
    draft = generator.attempt(int(attempt))
    assert isinstance(draft, Draft)
    again = level_of(generator, draft, int(attempt), int(level.id[-2:]))
    measured = {name: level.facts[name] for name in (PASSES, ATTEMPTS) if name in level.facts}
    again = replace(again, facts={**again.facts, **measured})
    assert encode_level(again) == encode_level(level)


@pytest.mark.by_day(5)
@pytest.mark.parametrize("level", few_and_all(LEVELS))
def test_the_figures_of_a_level_are_measured_again(level: PackingLevel) -> None:
    figures = measure_figures(level.puzzle.size, [piece.shape for piece in level.puzzle.pieces])
    facts = level.facts
    # The pieces are in another order than when they were sampled, and the search goes another way.
    assert figures.complete == (facts["solutions_complete"] == "yes")
    if figures.complete:
        assert figures.solutions == facts["solutions"]
        assert figures.linear_solutions == facts["linear_solutions"]


@pytest.mark.by_day(2)
@pytest.mark.parametrize("level", few_and_all(LEVELS))
def test_pieces_that_are_all_free_stay_for_a_second_after_each_placement(
    level: PackingLevel,
) -> None:
    pybullet = pytest.importorskip("pybullet")
    from pysim.physics.engine import STEP, BulletClient
    from pysim.physics.solids import BodyPose, Solid

    rules = find_family(level).rules
    engine = BulletClient(pybullet)
    state = rules.initial(level)
    assert level.plan is not None
    for action in level.plan.actions:
        state = rules.apply(level, state, action).state
        engine.clear()
        engine.add_table(-0.5)
        bodies = [
            b
            for b in rules.scene(level, state).bodies
            if state.places[level.puzzle.index[b.colour]] is not None
        ]
        solids = [Solid.from_shape(body.shape) for body in bodies]
        ids = [
            engine.add(solid, BodyPose.from_pose(body.pose), free=True)
            for solid, body in zip(solids, bodies, strict=True)
        ]
        for _ in range(round(1.0 / STEP)):
            engine.step()
        for body, solid, number in zip(bodies, solids, ids, strict=True):
            now = engine.place(number, solid).transform()
            corners = np.array([(*cell, 1.0) for cell in body.shape.cells])
            moved = (now - body.pose.transform()) @ corners.T
            assert np.linalg.norm(moved[:3], axis=0).max() < 0.1, body.name
    engine.close()
