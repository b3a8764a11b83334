"""Games in a real browser, played with the mouse, a finger or the keyboard alone."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bridge.episode.tools import ToolCall, build_action_space
from bridge.recording.log import read_log
from bridge.web.messages import encode_page_scene
from pysim.catalog import AnyLevel, find_family, find_level
from pysim.geometry import IDENTITY, Bounds, Pose, Voxels, list_rotations
from pysim.puzzle import ActionError
from pysim.render.palette import COLOURS
from pysim.scene import Body, Scene
from tests.sampling import more
from tests.web.screens import COARSE, Screen, open_screen
from tests.web.servers import Server, plan_calls, play_oracle, read_only_log, serve
from tests.web.test_playing import SHORT

PISTON = find_level("burr-piston")
WAYS = {
    "+x": (1, 0, 0),
    "-x": (-1, 0, 0),
    "+y": (0, 1, 0),
    "-y": (0, -1, 0),
    "+z": (0, 0, 1),
    "-z": (0, 0, -1),
}
PHONE = {"viewport": {"width": 400, "height": 800}, "color_scheme": "dark", "has_touch": True}
LEVELS = [PISTON, *SHORT]
FEW = more(2, night=len(LEVELS))
DRAGGED = more(5, night=100)
"""Most moves of a plan that are made by dragging."""
_CLICK_AT_ONCE = """() => new MutationObserver((changes, observer) => {
  const choice = document.querySelector(".choice.scene");
  if (choice) (observer.disconnect(), choice.click());
}).observe(document.body, { childList: true, subtree: true })"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serve([level.id for level in LEVELS], tmp_path_factory.mktemp("runs")) as started:
        yield started


def newest_log(server: Server, level_id: str) -> Path:
    logs = server.runs.glob(f"{level_id}-human*/episode.jsonl")
    return max(logs, key=lambda path: path.stat().st_mtime_ns)


def hashes(server: Server, level_id: str) -> list[str]:
    return [step.state_hash for step in read_log(newest_log(server, level_id)).steps]


def test_piston_is_solved_by_dragging(browser: Any, server: Server) -> None:
    dragged = 0
    with open_screen(browser, server.address) as screen:
        screen.begin()
        for call in plan_calls(PISTON):
            distance = call.arguments["distance"]
            if isinstance(distance, int) and dragged < DRAGGED:
                screen.drag(
                    call.arguments["pieces"], WAYS[str(call.arguments["direction"])], distance
                )
                dragged += 1
            else:
                screen.act(call)
        screen.page.wait_for_selector(".banner.good")
        assert "Solved" in screen.text(".banner")
    assert dragged >= min(DRAGGED, 10)
    assert hashes(server, PISTON.id) == play_oracle(PISTON)


@pytest.mark.by_day(1)  # Others are solved by gestures, on pictures or with the keyboard.
@pytest.mark.parametrize("number", range(len(SHORT)), ids=[level.family for level in SHORT])
def test_every_family_is_solved_with_the_panel(browser: Any, server: Server, number: int) -> None:
    level = SHORT[number]
    with open_screen(browser, server.address) as screen:
        screen.begin(level=1 + number)
        for call in plan_calls(level):
            screen.act(call)
        screen.page.wait_for_selector(".banner.good")
    assert hashes(server, level.id) == play_oracle(level)


def test_refused_drag_shows_who_is_in_the_way(browser: Any, server: Server) -> None:
    with open_screen(browser, server.address) as screen:
        screen.begin()
        before = screen.text(".meter")
        screen.drag(["red"], WAYS["+z"], 3)
        assert "BLOCKED" in screen.text(".result.refused")
        assert screen.text(".meter") != before
        step = read_log(newest_log(server, PISTON.id)).steps[-1]
        blamed = "() => [...luban.viewers[0].bodies.values()].filter((b) => b.mark === 'blamed')"
        assert {body["name"] for body in screen.page.evaluate(blamed)} == set(step.culprits)


@pytest.mark.slow  # By day in a study, and where two tabs play.
def test_reloaded_tab_goes_on(browser: Any, server: Server) -> None:
    first, *rest = plan_calls(SHORT[0])
    with open_screen(browser, server.address) as screen:
        screen.begin(level=1)
        screen.act(first)
        left = screen.text(".meter")
        screen.page.reload()
        screen.page.wait_for_selector(".actions .act:enabled")
        assert screen.text(".meter") == left
        for call in rest:
            screen.act(call)
        screen.page.wait_for_selector(".banner.good")
    assert hashes(server, SHORT[0].id) == play_oracle(SHORT[0])


def test_two_tabs_play_two_episodes_and_one_key_is_played_in_one_tab(
    browser: Any, server: Server
) -> None:
    with open_screen(browser, server.address) as screen:
        screen.begin()
        other = Screen(screen.page.context.new_page(), server.address)
        other.begin()
        screen.drag(["red"], WAYS["+z"], 1)
        assert "44 of 45" in screen.text(".meter")
        assert "45 of 45" in other.text(".meter")
        key = screen.page.evaluate("() => sessionStorage['luban-play-0']")
        other.page.evaluate("(key) => { sessionStorage['luban-play-0'] = key; }", key)
        other.page.reload()
        other.page.wait_for_selector(".actions .act:enabled")
        assert "44 of 45" in other.text(".meter")
        screen.page.wait_for_selector(".banner.bad")
        assert "another tab" in screen.text(".banner")
        screen.page.click("text=Go on here")
        screen.page.wait_for_selector(".act:enabled")
        other.page.wait_for_selector(".banner.bad")
        assert other.complaints == []


def test_killed_server_is_told_in_words_and_the_tab_goes_on_with_the_next_one(
    browser: Any, tmp_path: Path
) -> None:
    first, *rest = plan_calls(SHORT[0])
    with serve([SHORT[0].id], tmp_path) as server:
        context = browser.new_context(**COARSE)
        screen = Screen(context.new_page(), server.address)
        screen.begin()
        screen.act(first)
        server.process.kill()
        server.process.wait()
        screen.page.wait_for_selector(".banner.bad")
        assert "does not answer" in screen.text(".banner")
        assert screen.page.is_disabled(".act")
    with serve([SHORT[0].id], tmp_path, port=server.port):
        screen.page.wait_for_selector(".act:enabled")
        assert not screen.page.is_visible(".banner")
        for call in rest:
            screen.act(call)
        screen.page.wait_for_selector(".banner.good")
    context.close()
    assert screen.complaints == []
    assert [step.state_hash for step in read_only_log(tmp_path).steps] == play_oracle(SHORT[0])


def test_phone_in_the_dark_shows_everything_in_its_width(browser: Any, server: Server) -> None:
    with open_screen(browser, server.address, **PHONE) as screen:
        for number, level in list(enumerate(LEVELS))[:FEW]:
            screen.begin(level=number)
            width = screen.page.evaluate("() => document.documentElement.scrollWidth")
            assert width == 400, level.id
        screen.go("#/level/0")
        screen.page.wait_for_selector("canvas[data-frames]")
        assert screen.page.evaluate("() => document.documentElement.scrollWidth") == 400
        screen.go("#/")
        screen.page.wait_for_selector(".card")
        assert screen.page.evaluate("() => document.documentElement.scrollWidth") == 400
        paper = screen.page.evaluate("() => getComputedStyle(document.body).backgroundColor")
        assert paper == "rgb(18, 21, 27)"


def test_level_is_solved_with_the_keyboard_alone(browser: Any, server: Server) -> None:
    level = next(level for level in SHORT if level.family == "rubik")
    with open_screen(browser, server.address) as screen:
        page = screen.page
        screen.go(f"#/play/{LEVELS.index(level)}")
        page.wait_for_selector(".choice")
        press_until(page, "Play in 3D")
        page.wait_for_selector(".act:enabled")
        for turns, call in enumerate(plan_calls(level)):
            press_until(page, str(call.arguments["move"]))
            press_until(page, "make move")
            screen.wait_for_turn(turns)
        page.wait_for_selector(".banner.good")
    assert hashes(server, level.id) == play_oracle(level)


def press_until(page: Any, name: str) -> None:
    """Press Tab until the control with a name has the focus, and then Enter."""
    script = """() => {
      const at = document.activeElement;
      return at.getAttribute("aria-label") ?? at.querySelector("strong")?.innerText
        ?? at.innerText ?? "";
    }"""
    for _ in range(60):
        if page.evaluate(script).strip().removesuffix("✓").strip().lower() == name.lower():
            assert page.evaluate("() => document.activeElement.matches(':focus-visible')")
            page.keyboard.press("Enter")
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"no Tab leads to {name}")


def test_every_control_has_an_accessible_name(browser: Any, server: Server) -> None:
    script = """() => {
      const all = document.querySelectorAll("button, input, select, a, canvas[tabindex], summary");
      const named = (one) => one.getAttribute("aria-label") || one.innerText?.trim() || one.title
        || one.labels?.[0]?.innerText.trim();
      return [...all].filter((one) => !named(one)).map((one) => one.outerHTML);
    }"""
    with open_screen(browser, server.address) as screen:
        for number in range(len(LEVELS))[:FEW]:
            screen.begin("practice", number)
            for tab in screen.page.locator(".tabs button").all():
                tab.click()
                assert screen.page.evaluate(script) == []
        screen.go("#/")
        screen.page.wait_for_selector(".card")
        assert screen.page.evaluate(script) == []


def test_practice_says_so_and_undoes(browser: Any, server: Server) -> None:
    with open_screen(browser, server.address) as screen:
        screen.begin("practice")
        assert "no episode" in screen.text(".practice-note")
        screen.act(plan_calls(PISTON)[0])
        screen.page.click("button:text-is('Undo')")
        screen.page.locator(".history li").first.wait_for(state="detached")
        assert screen.page.is_disabled("button:text-is('Undo')")


def test_pictures_alone_are_played(browser: Any, server: Server) -> None:
    level = SHORT[0]
    with open_screen(browser, server.address) as screen:
        screen.begin("pictures", 1)
        assert screen.page.locator("canvas").count() == 0
        assert screen.page.locator(".stage img").count() >= 1
        for call in plan_calls(level):
            screen.act(call)
        screen.page.wait_for_selector(".banner.good")
    assert hashes(server, level.id) == play_oracle(level)


def test_page_that_is_left_before_it_is_shown_is_not_shown_later(
    browser: Any, server: Server
) -> None:
    held: list[Any] = []
    connections: list[Any] = []
    with open_screen(browser, server.address) as screen:
        screen.page.on("websocket", lambda opened: connections.append(opened))
        screen.go("#/level/0")
        screen.page.route("**/api/home", lambda route: held.append(route), times=1)
        screen.go("#/")
        screen.page.wait_for_function("() => location.hash === '#/'")
        screen.begin()
        held[0].continue_()
        screen.page.wait_for_timeout(300)
        assert len(connections) == 1


def test_choice_before_the_connection_is_open_begins_an_episode(
    browser: Any, server: Server
) -> None:
    with open_screen(browser, server.address) as screen:
        screen.go("#/level/0")
        screen.page.evaluate(_CLICK_AT_ONCE)
        screen.go("#/play/0")
        screen.page.wait_for_selector(".actions .act:enabled")


def test_sixty_bodies_take_few_draw_calls_and_nothing_is_drawn_in_vain(
    browser: Any, server: Server
) -> None:
    cells = [(3 * (n % 8), 3 * (n // 8), 0) for n in range(60)]
    bodies = tuple(
        Body(
            f"b{n}",
            Voxels.from_cells([(0, 0, 0), (1, 0, 0)]),
            Pose(IDENTITY, cell),
            COLOURS[n % 48],
        )
        for n, cell in enumerate(cells)
    )
    scene = Scene(bodies, Bounds((0, 0, 0), (24, 24, 0)), Bounds((0, 0, 0), (24, 24, 0)))
    with open_screen(browser, server.address) as screen:
        screen.begin("practice")
        screen.page.evaluate("(s) => luban.viewers[0].setScene(s)", encode_page_scene(scene))
        screen.page.wait_for_timeout(300)
        drawn = screen.stats
        assert 0 < drawn["calls"] <= 60
        screen.page.wait_for_timeout(500)
        assert screen.stats == drawn
        screen.page.focus("canvas.scene")
        screen.page.keyboard.press("ArrowLeft")
        screen.page.wait_for_timeout(300)
        assert screen.stats["frames"] == drawn["frames"] + 1


def test_ghost_shows_the_cells_that_a_placement_would_fill(browser: Any, server: Server) -> None:
    """The page turns the piece as the rules do, before anything is asked of them."""
    level = next(level for level in SHORT if level.family == "packing")
    script, checked = "() => luban.viewers[0].ghost.cells", 0
    with open_screen(browser, server.address) as screen:
        screen.begin("practice", LEVELS.index(level))
        rules = find_family(level).rules
        for call in plan_calls(level)[: more(2, night=100)]:
            state = rules.initial(level)
            for at in rotations_of(level, call):
                action = build_action_space(level).parse(at)
                with suppress(ActionError):  # Another piece is to come first.
                    after = rules.apply(level, state, action).state
                    screen.fill(at)
                    cells = np.reshape(screen.page.evaluate(script), (-1, 3)).tolist()
                    body = rules.scene(level, after).find_body(str(at.arguments["piece"]))
                    assert sorted(cells) == sorted(map(list, body.place().cells))
                    checked += 1
                    break
    assert checked


def rotations_of(level: AnyLevel, call: ToolCall) -> Iterator[ToolCall]:
    """The placements by rotation and corner that may be the one by cells."""
    corner = np.min(np.array(call.arguments["cells"]), axis=0).tolist()
    same = {name: call.arguments[name] for name in ("piece", "direction")}
    for rotation in list_rotations():
        yield ToolCall("place_at", {**same, "rotation": rotation.name, "cell": corner})
