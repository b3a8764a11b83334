"""Episodes and plans that are seen again, in a real browser and as one file."""

import json
import re
import shutil
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from bridge.episode.episode import Episode
from bridge.recording.log import EpisodeLog, read_log
from bridge.web import replays
from bridge.web.library import find_recordings, open_library
from bridge.web.replays import build_replay_document, draw_replay_pictures
from pysim.catalog import AnyLevel, find_family, list_shipped_levels
from pysim.errors import InputError
from pysim.puzzle import ActionError
from pysim.scene import Scene
from tests.commands import Luban, call
from tests.needs import usable_renderer
from tests.sampling import more
from tests.web.screens import Screen, open_screen
from tests.web.servers import Server, serve
from tests.web.test_playing import SHORT
from tests.web.test_security import HOSTILE

SPOKEN = Path(__file__).parents[1] / "previous/finished/runs/model"
LOCK = next(level for level in SHORT if level.family == "burr")
CLOSE = 1e-5

_POSES = """() => Object.fromEntries([...luban.viewers[0].bodies.values()]
  .map((body) => [body.name, body.shown.toArray()]))"""
_ARE_DRAWN = (
    "() => [...document.querySelectorAll('.seen img')].every((i) => i.naturalWidth === 240)"
)
_ALL_SHOWN = "() => document.querySelector('.count').innerText.endsWith('4 / 4')"
_ARE_IN_VIEW = """() => {
  const [viewer] = luban.viewers, box = viewer.canvas.getBoundingClientRect();
  return [...viewer.bodies.values()].every((body) => {
    const [x, y] = viewer.pixel(body.centre.clone().applyMatrix4(body.shown).toArray());
    return box.left < x && x < box.right && box.top < y && y < box.bottom;
  });
}"""
_PLAYED = """async ({ before, motions }) => {
  const [viewer] = luban.viewers;
  viewer.running += 1;
  viewer.setScene(before);
  await viewer.play(motions, { speed: 1000 });
  const bodies = [...viewer.bodies.values()];
  return Object.fromEntries(bodies.map((body) => [body.name, body.shown.toArray()]));
}"""


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an episode of each family, and one with refused moves."""
    folder = tmp_path_factory.mktemp("runs")
    for level in SHORT:
        call("play", level.id, "--video", "none", "--runs", folder, "--observation", "none")
    (folder / "a-refused-one").mkdir()
    with Episode(LOCK, listener=EpisodeLog(folder / "a-refused-one/episode.jsonl")) as episode:
        for colour in LOCK.colours:
            for direction in ("+z", "-x"):
                with suppress(ActionError):
                    episode.step("slide", pieces=[colour], direction=direction, distance="out")
    return folder


@pytest.fixture(scope="module")
def server(runs: Path) -> Iterator[Server]:
    with serve([str(runs), str(SPOKEN)], runs / "played") as started:
        yield started


def number_of(runs: Path, name: str) -> int:
    titles = [recording.title for recording in find_recordings(runs)]
    return next(n for n, title in enumerate(titles) if name in title)


def scenes_of(level: AnyLevel) -> list[Scene]:
    """The scenes on the way of the plan, by the rules alone."""
    rules = find_family(level).rules
    states = [rules.initial(level)]
    assert level.plan is not None
    for action in level.plan.actions:
        states.append(rules.apply(level, states[-1], action).state)
    return [rules.scene(level, state) for state in states]


def assert_shown(found: dict[str, list[float]], scene: Scene) -> None:
    """Every body stands where the rules have it; three.js lists columns."""
    for body in scene.bodies:
        wanted = body.pose.transform().T.ravel().tolist()
        assert found[body.name] == pytest.approx(wanted, abs=CLOSE), body.name


@pytest.mark.by_day(1)
@pytest.mark.parametrize("level", SHORT, ids=[level.family for level in SHORT])
def test_each_step_shows_the_poses_of_the_rules(
    browser: Any, server: Server, runs: Path, level: AnyLevel
) -> None:
    with open_screen(browser, server.address) as screen:
        screen.go(f"#/replay/{number_of(runs, level.id)}")
        screen.page.wait_for_selector("canvas[data-frames]")
        scenes = scenes_of(level)
        assert_shown(screen.page.evaluate(_POSES), scenes[0])
        for number, scene in enumerate(scenes[1:], 1):
            screen.page.get_by_role("button", name="One step on").click()
            assert screen.text(".count") == f"{number} / {len(scenes) - 1}"
            screen.page.wait_for_timeout(20)
            assert_shown(screen.page.evaluate(_POSES), scene)
        screen.page.get_by_role("button", name="One step back").click()
        assert_shown(screen.page.evaluate(_POSES), scenes[-2])


@pytest.mark.by_day(1)
@pytest.mark.parametrize("level", SHORT, ids=[level.family for level in SHORT])
def test_motions_lead_to_the_poses_of_the_rules(
    browser: Any, server: Server, runs: Path, level: AnyLevel
) -> None:
    (log,) = (
        path
        for path in runs.glob("*/episode.jsonl")
        if path.parent.name.startswith(level.id) and "oracle" in path.parent.name
    )
    document = build_replay_document(read_log(log))
    scenes = scenes_of(level)
    with open_screen(browser, server.address, reduced_motion="no-preference") as screen:
        screen.go(f"#/replay/{number_of(runs, level.id)}")
        screen.page.wait_for_selector("canvas[data-frames]")
        steps: Any = document["steps"]
        before: Any = document["scene"]
        for step, after in zip(steps, scenes[1:], strict=True):
            found = screen.page.evaluate(_PLAYED, {"before": before, "motions": step["motions"]})
            assert_shown(found, after)
            changed = {body["name"]: body for body in step["change"].get("bodies", [])}
            bodies = [changed.pop(body["name"], body) for body in before["bodies"]]
            gone = step["change"].get("gone", [])
            kept = [body for body in bodies if body["name"] not in gone]
            before = before | {"bodies": [*kept, *changed.values()]}


def test_refused_moves_are_marked_with_their_culprits(
    browser: Any, server: Server, runs: Path
) -> None:
    log = read_log(runs / "a-refused-one/episode.jsonl")
    refused = [step for step in log.steps if step.kind != "ok"]
    assert refused
    with open_screen(browser, server.address) as screen:
        screen.go(f"#/replay/{number_of(runs, 'a-refused-one')}")
        screen.page.wait_for_selector(".steps li")
        assert screen.page.locator(".steps li.refused").count() == len(refused)
        assert screen.page.locator(".timeline-marks i").count() == len(refused)
        for step in refused[:3]:
            screen.page.locator(".steps li button").nth(step.step - 1).click()
            assert step.message in screen.text(".step-words .refused")
            screen.page.wait_for_timeout(50)
            marked = screen.page.evaluate(
                "() => [...luban.viewers[0].bodies.values()].filter((b) => b.mark === 'blamed')"
                ".map((b) => b.name)"
            )
            pieces = set(step.culprits) & set(log.header.level.colours)
            assert set(marked) & set(log.header.level.colours) == pieces


def test_words_of_an_agent_stand_beside_its_steps(tmp_path: Path) -> None:
    folder = tmp_path / "spoken"
    shutil.copytree(SPOKEN / "episodes/burr-three-bars/1", folder)
    journal = (folder / "agent.jsonl").read_text(encoding="utf-8").splitlines()
    notes = [json.loads(line) for line in journal]
    notes[0]["text"] = HOSTILE
    text = "\n".join(map(json.dumps, notes)) + "\n"
    (folder / "agent.jsonl").write_text(text, encoding="utf-8")
    steps: Any = build_replay_document(read_log(folder / "episode.jsonl"))["steps"]
    assert steps[0]["agent_words"].startswith("</script>")


def test_pictures_of_a_replay_are_bounded_and_the_page_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    log = read_log(SPOKEN / "episodes/burr-three-bars/1/episode.jsonl")
    with usable_renderer() as renderer:
        drawn: Any = draw_replay_pictures(log, renderer)
        assert list(drawn["turns"]) == ["1", "2", "3", "4"]
        assert drawn["note"] == ""
        # A refused step changes nothing, so its pictures are those of the step before.
        assert drawn["turns"]["1"] == drawn["turns"]["2"]
        monkeypatch.setattr(replays, "_MOST_BYTES", sum(map(len, drawn["images"][:4])))
        few: Any = draw_replay_pictures(log, renderer)
    assert few["note"] == "Pictures of 2 turns are left out."
    assert few["images"] == drawn["images"][:4]


def test_two_episodes_are_seen_side_by_side(browser: Any, server: Server) -> None:
    with open_screen(browser, server.address) as screen:
        screen.go("#/replay/0")
        screen.page.wait_for_selector("canvas[data-frames]")
        screen.page.get_by_label("Compare with").select_option("1")
        screen.page.locator("canvas[data-frames]").nth(1).wait_for()
        assert screen.page.locator(".play-body").count() == 2


def write_hostile_episode(folder: Path) -> None:
    """An episode of a model, in whose journal a script stands; its steps were 3 seconds apart."""
    shutil.copytree(SPOKEN / "episodes/burr-three-bars/1", folder)
    notes = [json.loads(line) for line in (folder / "agent.jsonl").read_text().splitlines()]
    for note in notes:
        note["text"] = HOSTILE
        note["pictures"] = [*note["pictures"][:2], HOSTILE]
    (folder / "agent.jsonl").write_text("\n".join(map(json.dumps, notes)) + "\n")
    times = [{"type": "began", "at": "2026-01-01T00:00:00.000Z"}]
    times += [
        {"type": "step", "step": n, "at": f"2026-01-01T00:00:{3 * n:02}.000Z"} for n in (1, 2, 3, 4)
    ]
    (folder / "times.jsonl").write_text("\n".join(map(json.dumps, times)) + "\n")


def test_one_file_opens_from_a_disk_and_runs_no_texts(
    browser: Any, luban: Luban, tmp_path: Path
) -> None:
    folder = tmp_path / "run"
    write_hostile_episode(folder)
    page = tmp_path / "episode.html"
    assert luban("web", folder / "episode.jsonl", "--save", page).status == 0
    assert "exists" in luban("web", folder, "--save", page).complaint()
    text = page.read_text(encoding="utf-8")
    assert not re.search(r'(src|href)="(?!data:)', text.partition("<script>")[0])
    with open_screen(browser, "") as screen:
        screen.page.goto(page.as_uri())
        screen.page.wait_for_selector("canvas[data-frames]")
        screen.page.get_by_role("button", name="One step on").click()
        assert screen.text(".agent-words") == HOSTILE.replace("\u202e", "\ufffd")
        assert screen.page.evaluate("() => window.pwned ?? 0") == 0
        assert_pictures_and_times_are_shown(screen)


def assert_pictures_and_times_are_shown(screen: Screen) -> None:
    """Of the episode of :func:`write_hostile_episode`, after its first step."""
    assert "before step 1" in screen.text(".seen h3")
    assert screen.page.locator(".seen img").count() == 2
    screen.page.wait_for_function(_ARE_DRAWN)
    names = screen.page.locator(".seen figcaption").all_inner_texts()
    assert names[2] == f"{HOSTILE[:80]} (not drawn)".replace("\u202e", "\ufffd")
    assert screen.page.locator(".steps time").all_inner_texts() == ["0:03", "0:06", "0:09", "0:12"]
    screen.page.get_by_label("Pace").select_option("16 times as fast")
    screen.page.get_by_label("Step", exact=True).fill("7.5")
    assert screen.text(".count") == "0:07 / 0:12 · 2 / 4"
    screen.page.get_by_role("button", name="Play", exact=True).click()
    screen.page.wait_for_function(_ALL_SHOWN)
    assert screen.text(".count").startswith("0:12 / 0:12")
    assert screen.page.evaluate(_ARE_IN_VIEW), "pieces on the table are in the picture, too"


def test_episode_of_a_report_is_seen_in_3d(browser: Any, luban: Luban, tmp_path: Path) -> None:
    shutil.copytree(SPOKEN, tmp_path / "run")
    home = tmp_path / "run/episodes/burr-three-bars/1"
    shutil.rmtree(home)
    write_hostile_episode(home)
    page = tmp_path / "report.html"
    assert luban("report", tmp_path / "run", "--out", page, "--embed", "--pictures", 0).status == 0
    assert page.stat().st_size < 500_000
    with open_screen(browser, "") as screen:
        screen.page.goto(f"{page.as_uri()}#e0")
        screen.page.click("text=see it in 3D")
        frame = screen.page.frame_locator("iframe.replay")
        frame.locator("canvas[data-frames]").wait_for()
        frame.get_by_role("button", name="One step on").click()
        assert frame.locator(".count").inner_text() == "1 / 4"
        assert frame.locator(".agent-words").inner_text() == HOSTILE.replace("\u202e", "\ufffd")
        assert [one.evaluate("() => window.pwned ?? 0") for one in screen.page.frames] == [0, 0]


@pytest.mark.slow
def test_report_shows_pictures_of_the_agent_beside_the_episode(
    browser: Any, luban: Luban, tmp_path: Path
) -> None:
    page, run = tmp_path / "report.html", tmp_path / "run"
    shutil.copytree(SPOKEN, run)
    assert luban("report", run, "--out", page, "--embed").status == 0
    with open_screen(browser, "") as screen:
        screen.page.goto(f"{page.as_uri()}#e0")
        below = "() => [...document.querySelectorAll('.turn .pictures img')].map((one) => one.src)"
        told = screen.page.evaluate(below)
        screen.page.click("text=see it in 3D")
        frame = screen.page.frame_locator("iframe.replay")
        frame.get_by_role("button", name="One step on").click()
        frame.locator(".seen img").first.wait_for()
        seen = frame.locator(".seen img").evaluate_all("(images) => images.map((one) => one.src)")
        assert seen
        assert set(seen) <= set(told)
        assert frame.locator(".seen h3").inner_text() == "Shown to the agent before step 1"


def test_save_of_two_episodes_is_refused(luban: Luban, runs: Path, tmp_path: Path) -> None:
    assert "one episode" in luban("web", runs, "--save", tmp_path / "x.html").complaint()


def test_folder_without_an_episode_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no episode"):
        open_library([str(tmp_path)])


def test_levels_and_runs_are_told_apart(runs: Path) -> None:
    library = open_library([SHORT[0].id, str(runs)])
    assert [level.id for level in library.levels] == [SHORT[0].id]
    assert len(library.recordings) == len(SHORT) + 1
    assert not open_library([str(runs)]).levels


def filtered(screen: Screen, text: str) -> int:
    """How many levels are left by a filter."""
    screen.page.get_by_label("Filter by name or facts").fill(text)
    screen.page.wait_for_timeout(50)
    return int(screen.page.locator(".card").count())


def test_gallery_is_filtered_by_family_tier_and_facts(browser: Any, tmp_path: Path) -> None:
    shipped = list_shipped_levels()
    chosen = shipped[:: len(shipped) // more(50, night=len(shipped))]
    names = [level.id for level in chosen]  # Some are those of suites, too.
    levels = open_library(names).levels
    with serve(names, tmp_path) as server, open_screen(browser, server.address) as screen:
        screen.go()
        screen.page.wait_for_selector(".card")
        assert screen.page.locator(".card").count() == len(levels)
        long = [level for level in levels if int(level.facts.get("moves", 0)) > 20]
        assert filtered(screen, "moves>20") == len(long) > 0
        few = [level for level in long if len(level.colours) <= 6]
        assert filtered(screen, "moves > 20, pieces <= 6") == len(few)
        assert filtered(screen, "no such level") == 0
        filtered(screen, "")
        screen.page.get_by_label("every family").select_option(SHORT[0].family)
        screen.page.get_by_label("every tier").select_option("easy")
        easy = [v for v in levels if v.family == SHORT[0].family and v.tier == "easy"]
        assert screen.page.locator(".card").count() == len(easy)
        screen.page.wait_for_selector(".card img[src^='data:image/png']")
