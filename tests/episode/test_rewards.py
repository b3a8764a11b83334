"""Rewards: between 0 and 1 in sum, and nothing to be earned by going in circles."""

from random import Random

import pytest

from bridge.episode.episode import state_hash
from bridge.episode.rewards import Reward, RewardRule
from pysim.catalog import AnyLevel, discover_families, find_family
from pysim.catalog.spaces import find_space
from pysim.errors import InputError
from pysim.puzzle import ActionError, Outcome
from pysim.tasks import TaskSource
from tests.sampling import more

FAMILIES = [name for name in discover_families() if discover_families()[name].spaces]
RULES = [
    RewardRule(),
    RewardRule(Reward.PROGRESS),
    RewardRule(Reward.SPARSE, 0.1),
    RewardRule(Reward.PROGRESS, 0.25),
    RewardRule(Reward.PROGRESS, 1.0),
]


class Walk:
    """A walk on a level, with what each rule has paid so far."""

    def __init__(self, level: AnyLevel) -> None:
        self.level, self._family = level, find_family(level)
        self.state = self._family.rules.initial(level)
        self.returns = [rule.begin(level) for rule in RULES]
        self.sums = [0.0] * len(RULES)
        self.refusals = 0

    def step(self, number: int) -> None:
        space = find_space(self.level.family)
        refused = False
        try:
            action = space.make_action(self.level, self.state, number)
            self.state = self._family.rules.apply(self.level, self.state, action).state
        except ActionError:
            refused = True
            self.refusals += 1
        solved = self.is_solved
        here = state_hash(self.level, self.state)
        for k, one in enumerate(self.returns):
            self.sums[k] += one.reward(here, solved=solved, refused=refused)

    @property
    def is_solved(self) -> bool:
        return self._family.rules.outcome(self.level, self.state) is Outcome.SOLVED

    @property
    def place(self) -> str:
        return self._family.rules.encode(self.state)


def draw_levels(family: str, count: int) -> list[AnyLevel]:
    source = TaskSource(family)
    return [source.get_task("train", k).level for k in range(count)]


@pytest.mark.by_day(2)
@pytest.mark.parametrize("family", FAMILIES)
def test_no_cycle_of_a_walk_gains(family: str) -> None:
    """Walks half along the plan and half at random come back, and have gained nothing."""
    rng, closed, space = Random(family), 0, find_space(family)
    for level in draw_levels(family, more(4)):
        assert level.plan is not None
        for _ in range(3):
            walk, ahead = Walk(level), list(level.plan.actions)
            been = {walk.place: list(walk.sums)}
            for _ in range(more(25)):
                if ahead and rng.random() < 0.5:
                    try:
                        numbers = space.find_numbers(level, walk.state, ahead[0])
                        ahead.pop(0)
                    except (ActionError, InputError, ValueError, LookupError):
                        numbers = []
                else:
                    numbers = [rng.randrange(space.actions.count)]
                    legal = space.list_legal(level, walk.state).tolist()
                    if legal and rng.random() < 0.8:
                        numbers = [rng.choice(legal)]
                for number in numbers:
                    walk.step(number)
                assert all(-1e-9 <= one <= 1 + 1e-9 for one in walk.sums)
                if walk.place in been:
                    closed += 1
                    before = been[walk.place]
                    assert all(b - a < 1e-9 for a, b in zip(before, walk.sums, strict=True))
                been[walk.place] = list(walk.sums)
                if walk.is_solved:
                    break
    assert closed > 20


@pytest.mark.by_day(1)
@pytest.mark.parametrize("family", FAMILIES)
def test_going_back_and_forth_along_the_plan_gains_nothing(family: str) -> None:
    """A step of the plan, a way back, and the step again: ten times."""
    tried = 0
    for level in draw_levels(family, 30):
        assert level.plan is not None
        walk, space = Walk(level), find_space(family)
        start, first = walk.place, space.find_numbers(level, walk.state, level.plan.actions[0])
        for number in first:
            walk.step(number)
        back = find_way_back(walk, start)
        if back is None or walk.is_solved:
            continue
        tried += 1
        once = list(walk.sums)
        assert once[1] > 0 and once[0] == 0
        for _ in range(10):
            walk.step(back)
            assert walk.place == start and max(walk.sums) < 1e-9
            for number in first:
                walk.step(number)
            assert walk.sums == pytest.approx(once)
    assert tried > 0


def find_way_back(walk: Walk, place: str) -> int | None:
    """Return a number that leads to a place, None if there is none."""
    level, rules, space = walk.level, find_family(walk.level).rules, find_space(walk.level.family)
    for number in space.list_legal(level, walk.state).tolist():
        action = space.make_action(level, walk.state, number)
        if rules.encode(rules.apply(level, walk.state, action).state) == place:
            return int(number)
    return None


@pytest.mark.parametrize("family", FAMILIES)
def test_plan_earns_one_and_refusals_their_price(family: str) -> None:
    space = find_space(family)
    for level in draw_levels(family, 3):
        assert level.plan is not None
        walk = Walk(level)
        refused = next(
            k for k in range(space.actions.count) if not space.mask(level, walk.state)[k]
        )
        for _ in range(2):
            walk.step(refused)
        for action in level.plan.actions:
            for number in space.find_numbers(level, walk.state, action):
                walk.step(number)
        assert walk.is_solved and walk.refusals == 2
        assert walk.sums == pytest.approx([1, 1, 0.9**2, 0.75**2, 0])


def test_plan_that_comes_back_to_its_start_has_done_nothing_there() -> None:
    level = draw_levels("nets", 1)[0]
    assert level.plan is not None
    walk, space = Walk(level), find_space("nets")
    for quarters in (1, 3):
        walk.step(space.actions.encode("turn", 0, 2, quarters - 1))
    assert walk.place == find_family(level).rules.encode(find_family(level).rules.initial(level))
    assert walk.sums == [0.0] * len(RULES)


@pytest.mark.parametrize("price", [-0.1, 1.5, float("nan")])
def test_price_out_of_range_is_refused(price: float) -> None:
    with pytest.raises(InputError, match="a price of refusals is from 0 to 1"):
        RewardRule(refusal_price=price)


def test_unknown_reward_is_refused() -> None:
    with pytest.raises(InputError, match="a reward is sparse or progress, not 'much'"):
        Reward("much")
