"""The suite luban-120: what was promised of it is measured again."""

from collections.abc import Iterator
from itertools import pairwise
from statistics import mean

import pytest

from bridge.generating.ladder import TierStep, draw_step
from bridge.generating.walks import is_solved_by_first_legal, plan_shape, random_passes
from bridge.report.floors import ATTEMPTS, PASSES
from pysim.catalog import AnyLevel, find_family
from pysim.puzzle import Tier
from pysim.render.legibility import LEAST_PIXELS, measure_observed_coverage
from pysim.render.renderer import Renderer
from pysim.suites import find_suite, load_levels
from tests.needs import usable_renderer
from tests.sampling import these_by_day
from tools.make_luban_120 import DRAW, FAMILIES

LEVELS = load_levels(find_suite("luban-120"))
FEW = LEVELS[::10]
STEPS = [TierStep(family, tier) for family in FAMILIES for tier in Tier]
QUICK = [TierStep("rubik", Tier.EASY)]
FORMER = [TierStep("burr", tier) for tier in (Tier.HARD, Tier.EXPERT)]
"""Steps whose generator has a newer version than that which made them."""


def of(step: TierStep) -> list[AnyLevel]:
    return [one for one in LEVELS if (one.family, one.tier) == (step.family, step.tier)]


def few_and_all() -> list[object]:
    return these_by_day(FEW, LEVELS, name=lambda level: level.id)


@pytest.fixture(scope="module")
def renderer() -> Iterator[Renderer]:
    with usable_renderer() as made:
        yield made


def test_suite_has_five_levels_of_each_tier_of_six_families_in_order() -> None:
    expected = [f"{step.family}-l120-{step.tier}-{n:02}" for step in STEPS for n in range(1, 6)]
    assert [level.id for level in LEVELS] == expected
    assert len({level.hash for level in LEVELS}) == 120


@pytest.mark.parametrize("step", STEPS, ids=str)
def test_tier_random_actions_pass_at_most_one_in_twenty(step: TierStep) -> None:
    levels = of(step)
    passes = sum(int(level.facts[PASSES]) for level in levels)
    attempts = sum(int(level.facts[ATTEMPTS]) for level in levels)
    assert attempts >= 500 and passes <= 0.05 * attempts


@pytest.mark.by_day(6)
@pytest.mark.parametrize("level", few_and_all())
def test_level_random_passes_are_those_that_are_stored(level: AnyLevel) -> None:
    stored = int(level.facts[PASSES]) / int(level.facts[ATTEMPTS])
    # Beyond five standard deviations of a share of a twentieth.
    assert random_passes(level, 20, seed=77) <= 20 * (stored + 0.05) + 5


@pytest.mark.parametrize("level", few_and_all())
def test_level_first_legal_actions_do_not_solve_it(level: AnyLevel) -> None:
    assert not is_solved_by_first_legal(level)
    assert level.plan is not None and level.budget == 2 * len(level.plan)


@pytest.mark.parametrize("family", FAMILIES)
def test_family_plans_grow_from_tier_to_tier(family: str) -> None:
    moves = [[len(one.plan or ()) for one in of(TierStep(family, tier))] for tier in Tier]
    for easier, harder in pairwise(moves):
        assert max(easier) < min(harder)


@pytest.mark.parametrize("family", ["jigsaw", "rubik"])
def test_family_choices_grow_from_tier_to_tier(family: str) -> None:
    bits = [mean(plan_shape(one).bits for one in of(TierStep(family, tier))) for tier in Tier]
    assert bits == sorted(bits) and len(set(bits)) == 4


@pytest.mark.slow
@pytest.mark.parametrize("family", FAMILIES)
def test_every_familys_choices_grow_from_tier_to_tier(family: str) -> None:
    test_family_choices_grow_from_tier_to_tier(family)


@pytest.mark.by_day(6)
@pytest.mark.parametrize("level", few_and_all())
def test_level_each_piece_is_seen_at_the_start(renderer: Renderer, level: AnyLevel) -> None:
    rules = find_family(level).rules
    scene = rules.scene(level, rules.initial(level))
    # A liquid is the floor of a chamber: no action names it, and no pixel is its own.
    seen = {
        k: n for k, n in measure_observed_coverage(renderer, scene, 256).items() if k != "liquid"
    }
    assert {name: count for name, count in seen.items() if count < LEAST_PIXELS} == {}


@pytest.mark.parametrize(
    "step",
    [
        pytest.param(step, marks=[] if step in QUICK else [pytest.mark.slow], id=str(step))
        for step in STEPS
    ],
)
def test_step_is_drawn_again_as_it_ships(step: TierStep) -> None:
    drawn = list(draw_step(step, DRAW))
    if step in FORMER:
        versions = [{one.source.generator for one in some} for some in (of(step), drawn)]
        assert versions[0] != versions[1]
        pytest.skip("NOT TESTED: an older version of its generator made it")
    assert [(one.id, one.hash) for one in drawn] == [(one.id, one.hash) for one in of(step)]
