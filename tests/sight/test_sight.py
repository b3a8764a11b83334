"""The sight canary, and its way through every adapter and through proxies that lose pictures."""

import random
import socket
from itertools import product
from typing import Any

import pytest

from bridge.episode.choices import Obs
from bridge.episode.records import Options
from bridge.episode.texts import build_instruction
from bridge.operations.sight.check import SUITE, Arrival, SightCheck, check_sight
from bridge.operations.sight.protocol import Received, Route, discover_adapters, find_adapter
from bridge.operations.sight.reader import PixelReader
from pysim.catalog import find_family, find_level, list_shipped_levels
from pysim.level_selection import load_level, select_levels
from pysim.puzzle import Outcome
from pysim.suites import find_suite, load_levels
from tests.sampling import these_by_day
from tests.sight import lossy

LEVELS = load_levels(find_suite(SUITE))
FEW, OTHERS = LEVELS[:2], [find_level("burr-three-bars")]


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


def test_each_level_is_solved_by_one_pair_of_actions_and_no_single_one() -> None:
    firsts, lasts = set(), set()
    for level in LEVELS:
        rules, budget = find_family(level).rules, level.budget
        start = rules.initial(level)
        actions = list(rules.legal(level, start))
        assert budget == 2 and len(actions) == 12
        solving = []
        for pair in product(actions, repeat=2):
            between = rules.apply(level, start, pair[0]).state
            assert rules.outcome(level, between) is None
            after = rules.apply(level, between, pair[1]).state
            if rules.outcome(level, after) is Outcome.SOLVED:
                solving.append(pair)
        assert level.plan is not None and solving == [level.plan.actions]
        firsts.add(solving[0][0])
        lasts.add(solving[0][1])
    assert len(firsts) == len(lasts) == len(LEVELS) == 12


def test_words_tell_nothing() -> None:
    options = Options(Obs.IMAGE)
    assert len({build_instruction(level, options) for level in LEVELS}) == 1
    assert len({level.colours for level in LEVELS}) == 1


def test_canaries_are_found_by_their_ids_and_not_listed() -> None:
    assert not any(level in list_shipped_levels() for level in LEVELS)
    assert select_levels(f"{LEVELS[0].id},{LEVELS[3].id}") == (LEVELS[0], LEVELS[3])
    assert load_level(LEVELS[0].id) == LEVELS[0]


def test_guesses_land_on_chance() -> None:
    reader = PixelReader(FEW, random.Random(7))
    calls = [reader.guess(Received("")) for _ in range(4000)]
    counts = [
        calls.count(call)
        for call in {call.name + call.arguments_json(): call for call in calls}.values()
    ]
    assert len(counts) == 1 / reader.chance
    expected = 4000 * reader.chance
    assert all(abs(count - expected) < 5 * expected**0.5 for count in counts)


@pytest.mark.parametrize("name", these_by_day(["python"], discover_adapters()))
@pytest.mark.filterwarnings("ignore::ResourceWarning")
@pytest.mark.filterwarnings("ignore:The 'initial' parameter is deprecated:DeprecationWarning")
def test_pictures_pass_each_adapter_whole(name: str) -> None:
    with find_adapter(name).open(Route()) as play:
        found = check_sight(play)
    assert found.passed, found
    assert (found.seen, found.levels, found.guessed) == (12, 12, 0)
    whole = Arrival.SAME_PIXELS if name == "gymnasium" else Arrival.IDENTICAL
    assert found.arrivals[whole] == found.drawn > 60


def through(name: str, loss: lossy.Loss) -> SightCheck:
    port = free_port()
    path = "/v1" if name == "chat" else ""
    with (
        lossy.lossy_proxy(f"http://127.0.0.1:{port}", loss) as gateway,
        find_adapter(name).open(Route(port, gateway + path)) as play,
    ):
        return check_sight(play, FEW, OTHERS)


LOSSES: dict[str, tuple[Any, Arrival, int]] = {
    "drop": (lossy.drop, Arrival.LOST, 0),
    "drop-last": (lossy.drop_last, Arrival.LOST, 2),
    "blank": (lossy.blank, Arrival.UNREADABLE, 0),
    "swap": (lossy.swap, Arrival.FOREIGN, 2),
    "delay": (lossy.delay, Arrival.FOREIGN, 0),
    "shrink": (lossy.resize(8), Arrival.RESIZED, 0),
}


@pytest.mark.parametrize(
    "case",
    these_by_day(
        [("chat", "drop-last"), ("chat", "delay")],
        [*product(("chat", "mcp"), LOSSES)],
        name="-".join,
    ),
)
@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_losses_on_the_way_are_found(case: tuple[str, str]) -> None:
    name, kind = case
    loss, expected, seen = LOSSES[kind]
    found = through(name, lossy.delay() if kind == "delay" else loss)
    assert not found.passed
    assert found.arrivals[expected] > 0, found
    assert found.seen == seen


@pytest.mark.slow
@pytest.mark.parametrize("loss", [lossy.keep, lossy.recompress, lossy.resize(64)])
def test_what_can_still_be_read_is_no_loss(loss: lossy.Loss) -> None:
    found = through("chat", loss)
    assert found.passed, found
    kinds = {lossy.keep: Arrival.IDENTICAL, lossy.recompress: Arrival.LOSSY}
    assert found.arrivals[kinds.get(loss, Arrival.RESIZED)] == found.drawn
