"""First steps: a level of each family, with hints made of its actions, in a real browser."""

from collections.abc import Iterator
from typing import Any

import pytest

from bridge.web.library import open_library
from pysim.catalog import discover_families
from pysim.puzzle import Tier
from tests.web.screens import Screen, open_screen
from tests.web.servers import Server, plan_calls, serve
from tests.web.test_playing import SHORT

DARK_PHONE = {"viewport": {"width": 400, "height": 800}, "color_scheme": "dark"}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serve([level.id for level in SHORT], tmp_path_factory.mktemp("runs")) as started:
        yield started


def follow(screen: Screen, number: int) -> None:
    """Do what each hint asks for, or go to the next one."""
    page = screen.page
    call = plan_calls(SHORT[number])[0]
    page.focus("canvas.scene")
    page.keyboard.press("ArrowRight")
    page.locator(".guide h2", has_text="Read the task").wait_for()
    page.click(".guide .primary")
    screen.fill(call)
    page.locator(".guide h2", has_text="Act").wait_for()
    page.click(".act")
    page.locator(".guide h2", has_text="Take it back").wait_for()
    page.wait_for_selector(".act:enabled")
    page.locator(".buttons button", has_text="Undo").click()
    page.locator(".guide h2", has_text="Solve it").wait_for()
    page.click(".guide .primary")
    page.wait_for_selector(".guide", state="detached")


@pytest.mark.by_day(1)
@pytest.mark.parametrize("number", range(len(SHORT)), ids=[level.family for level in SHORT])
def test_first_steps_are_followed_and_then_seen(browser: Any, server: Server, number: int) -> None:
    family = SHORT[number].family
    with open_screen(browser, server.address) as screen:
        screen.go()
        screen.page.click(f".first-steps a:text-is('{family}')")
        screen.page.wait_for_selector(".guide")
        follow(screen, number)
        screen.go("#/")
        screen.page.wait_for_selector(f".first-steps a.seen:text-is('✓ {family}')")
        screen.begin("practice", number)
        assert screen.page.locator(".guide").count() == 0
        screen.page.click("text=Show me how")
        assert "Look around" in screen.text(".guide h2")
    assert not list(server.runs.glob("*/episode.jsonl"))


def test_first_practice_shows_the_first_steps_and_an_episode_none(
    browser: Any, server: Server
) -> None:
    with open_screen(browser, server.address, **DARK_PHONE) as screen:
        screen.begin("practice")
        screen.page.click("text=Skip the first steps")
        screen.page.reload()
        screen.begin("practice")
        assert screen.page.locator(".guide").count() == 0
        screen.go("#/")
        screen.page.evaluate("() => localStorage.clear()")
        screen.begin()
        assert screen.page.locator(".guide").count() == 0


def test_each_family_has_a_level_of_its_easiest_tier_for_the_first_steps() -> None:
    library = open_library([])
    found = library.describe()["tutorials"]
    assert isinstance(found, list)
    chosen = {}
    for entry in found:
        assert isinstance(entry, dict) and isinstance(entry["level"], int)
        chosen[entry["family"]] = library.levels[entry["level"]]
    assert set(chosen) == set(discover_families())
    order = list(Tier)
    for family, level in chosen.items():
        tiers = [order.index(one.tier) for one in library.levels if one.family == family]
        assert level.family == family and order.index(level.tier) == min(tiers)
    assert chosen["burr"].facts["random_passes"] == 100
