"""Studies, played by scripted participants, most of them in a real browser."""

import csv
import json
import re
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from bridge.episode.tools import ToolCall, build_action_space
from bridge.recording.log import read_log
from bridge.runs.store import RunFolder
from bridge.web.study import Event, StudyFolder, list_orders, read_study
from pysim.catalog import find_level
from pysim.puzzle import Outcome
from tests.adapters.secrets import always_secret, every_form, found_in, without_pictures
from tests.commands import Luban
from tests.web.screens import open_screen
from tests.web.servers import Page, get_status, plan_calls, play_oracle, serve
from tests.web.test_playing import SHORT

LEVELS = SHORT[:3]
STUDY: dict[str, Any] = {
    "format": "luban-study/1",
    "title": "People and blocks",
    "levels": ",".join(level.id for level in LEVELS),
    "shown": "scene",
    "participants": 3,
    "consent": "You may stop at any time.\n\nNothing personal is kept.",
    "instructions": "Solve each puzzle in as few steps as you can.",
    "practice": "burr-three-bars",
}


def write(folder: Path, **changes: object) -> Path:
    path = folder / "study.json"
    document = {key: value for key, value in (STUDY | changes).items() if value is not None}
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


def reach_first_level(page: Page) -> None:
    """Join a study without practice, agree and read, until its first level is shown."""
    page.ask(type="join", code="")
    page.ask(type="next")
    page.ask(type="next")
    page.send(type="next")
    page.hear(), page.hear()


def folder_of(runs: Path) -> Path:
    return runs / "People-and-blocks"


@pytest.mark.parametrize("count", range(1, 12))
def test_orders_are_a_latin_square_balanced_for_what_comes_before(count: int) -> None:
    rows = list_orders(count)
    assert len(rows) == (count if count % 2 == 0 else 2 * count)
    assert all(sorted(row) == list(range(count)) for row in rows)
    places = Counter((place, one) for row in rows for place, one in enumerate(row))
    assert set(places.values()) == {len(rows) // count}
    pairs = Counter(pair for row in rows for pair in pairwise(row))
    assert count == 1 or (len(pairs) == count * (count - 1) and len(set(pairs.values())) == 1)


def take_part(page: Page, code: str = "") -> str:
    """Go through a whole study by the plans, and return the code."""
    message = page.ask(type="join", code=code)
    code = message["code"]
    for stage in ("consent", "instructions"):
        assert message["stage"] == stage
        message = page.ask(type="next")
    assert message["stage"] == "practice"
    assert page.hear()["practice"]
    page.hear()
    message = page.ask(type="next")
    while message["stage"] == "level":
        page.send(type="next")
        head, _ = page.hear(), page.hear()
        level = next(one for one in LEVELS if tools(one) == head["tools"])
        for call in plan_calls(level):
            turn = page.act(call)
        assert turn["state"]["outcome"] == Outcome.SOLVED
        message = page.ask(type="next")
    assert message["stage"] == "done"
    return str(code)


def tools(level: Any) -> Any:
    return build_action_space(level).schemas()


def test_participants_leave_logs_of_an_ordinary_run(tmp_path: Path, luban: Luban) -> None:
    with serve(["--study", str(write(tmp_path))], tmp_path / "runs") as server:
        for _ in range(3):
            with Page(server) as page:
                take_part(page)
        with Page(server) as page:
            assert "all its participants" in page.ask(type="join", code="")["words"]
    run = RunFolder.read(folder_of(tmp_path / "runs"))
    results = run.read_results()
    assert len(results) == 9
    assert {result.outcome for result in results} == {Outcome.SOLVED}
    for level in LEVELS:
        for number in (1, 2, 3):
            log = read_log(run.locate_episode(level.id, number) / "episode.jsonl")
            assert [step.state_hash for step in log.steps] == play_oracle(level)
    lines = (run.path / "study.jsonl").read_text(encoding="utf-8").splitlines()
    began = [json.loads(line) for line in lines if '"began"' in line]
    for number in (1, 2, 3):
        order = [note["level"] for note in began if note["participant"] == number]
        assert order == [LEVELS[n].id for n in list_orders(3)[number - 1]]
    allowed = {"type", "participant", "code", "level", "at"}
    assert {key for line in lines for key in json.loads(line)} <= allowed
    assert "human-3d" in luban("report", run.path).out


def test_report_sets_a_run_beside_the_people_of_a_study(tmp_path: Path, luban: Luban) -> None:
    """Two people by the plan, one of them with a refused step before; an agent with the plan."""
    level = LEVELS[0]
    study = write(tmp_path, levels=level.id, practice=None, participants=2)
    refused = ToolCall("fly", {})
    with serve(["--study", str(study)], tmp_path / "runs") as server:
        for calls in (plan_calls(level), [refused] * 4 + plan_calls(level)):
            with Page(server) as page:
                reach_first_level(page)
                for call in calls:
                    page.act(call)
                page.ask(type="next")
    oracle = tmp_path / "oracle"
    assert luban("eval", level.id, "--agent", "oracle", "--out", oracle).status == 0
    table = tmp_path / "people.csv"
    options = ("--table", "Beside people", "--out", table)
    assert luban("report", oracle, folder_of(tmp_path / "runs"), *options).status == 0
    cells = csv.DictReader(table.read_text(encoding="utf-8").splitlines())
    found = {(cell["name"], cell["column"]): cell["value"] for cell in cells}
    length = len(plan_calls(level))
    median = length + 2
    people = (1 + (median / (length + 4)) ** 2) / 2
    assert found["oracle", "People"] == "People-and-blocks (2)"
    assert found["oracle", "Shown to people"] == "3D"
    assert found["oracle", "Human-relative ↑"] == "100.0"
    assert found["oracle", "Dist2Opt ↓"] == "0.00"
    assert found["People-and-blocks", "Human-relative ↑"] == f"{100 * people:.1f}"


def test_participant_is_told_no_plan_and_no_other_run(tmp_path: Path) -> None:
    with serve(["--study", str(write(tmp_path, practice=None))], tmp_path / "runs") as server:
        for path in ("/api/lists", "/api/levels/0", "/api/levels/0/plan", "/api/replays/0"):
            assert get_status(server.origin + path) == 404
        with Page(server) as other:
            code = other.ask(type="join", code="")["code"]
        with Page(server) as page:
            reach_first_level(page)
            page.ask(type="act", name="fly", arguments={})
            page.ask(type="start", level=0)
            page.ask(type="resume", key=code)
            page.ask(type="join", code="WRONGWRONG12")
    secrets = {code, str(tmp_path)}.union(*(always_secret(level, []) for level in LEVELS))
    assert found_in(without_pictures(list(page.sent)), every_form(secrets)) == set()


def test_killed_server_and_closed_tab_lose_nothing(tmp_path: Path) -> None:
    study = str(write(tmp_path, practice=None, participants=1))
    first = LEVELS[list_orders(3)[0][0]]
    with serve(["--study", study], tmp_path / "runs") as server, Page(server) as page:
        code = page.ask(type="join", code="")["code"]
        page.ask(type="next")
        page.ask(type="next")
        page.send(type="next")
        page.hear(), page.hear()
        left = page.act(plan_calls(first)[0])["state"]
        server.process.kill()
        server.process.wait()
    with serve(["--study", study], tmp_path / "runs") as server, Page(server) as page:
        assert page.ask(type="join", code=code.lower())["stage"] == "level"
        page.hear()
        assert page.hear() == left | {"type": "state"}
        for call in plan_calls(first)[1:]:
            page.act(call)
        assert page.ask(type="next")["place"] == 2
    path = folder_of(tmp_path / "runs") / f"episodes/{first.id}/1/episode.jsonl"
    assert [step.state_hash for step in read_log(path).steps] == play_oracle(first)


def test_person_goes_through_a_study_in_a_browser_and_comes_back(
    browser: Any, tmp_path: Path
) -> None:
    study = str(write(tmp_path, levels=LEVELS[0].id, participants=1))
    with (
        serve(["--study", study], tmp_path / "runs") as server,
        open_screen(browser, server.address) as screen,
    ):
        page = screen.page
        screen.go()
        page.click("text=I am new here")
        assert "stop at any time" in screen.text(".study-card p")
        page.click("text='I agree'")
        code = screen.text(".code strong")
        assert re.fullmatch("[A-Z2-9]{12}", code)
        page.click("text=I have read this")
        page.wait_for_selector(".practice-note")
        screen.act(plan_calls(find_level("burr-three-bars"))[0])
        page.click("text=Go on to the puzzles")
        page.click("text='Begin'")
        page.wait_for_selector(".act:enabled")
        first, *rest = plan_calls(LEVELS[0])
        screen.act(first)
        page.reload()
        page.wait_for_selector(".act:enabled")
        assert "Puzzle 1 of 1" in screen.text("h1")
        for call in rest:
            screen.act(call)
        page.click("text='Go on'")
        assert "Thank you" in screen.text(".study-card h2")
    log = read_log(folder_of(tmp_path / "runs") / f"episodes/{LEVELS[0].id}/1/episode.jsonl")
    assert [step.state_hash for step in log.steps] == play_oracle(LEVELS[0])


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"format": "other"}, "format"),
        ({"shown": "everything"}, "pictures or scene"),
        ({"participants": 0}, "whole number"),
        ({"levels": "no-such-level"}, "no suite"),
        ({"consent": None}, "consent"),
    ],
)
def test_file_that_is_no_study_is_refused(
    tmp_path: Path, changes: dict[str, object], words: str
) -> None:
    with pytest.raises(Exception, match=words):
        read_study(write(tmp_path, **changes))


def test_check_says_how_far_a_study_has_come(tmp_path: Path, luban: Luban) -> None:
    study, runs = write(tmp_path), tmp_path / "runs"
    options = ("--study", study, "--check", "--runs", runs)
    assert "joined: 0" in luban("web", *options).out
    assert not runs.exists()
    folder = StudyFolder(read_study(study), folder_of(runs))
    folder.note(folder.join()[1], Event.AGREED)
    assert "joined: 1" in luban("web", *options).out
    (folder_of(runs) / "study.jsonl").write_bytes(b'{"type":"left","participant":1}\n')
    assert "no such event" in luban("web", *options).complaint()


def test_study_and_names_together_are_refused(tmp_path: Path, luban: Luban) -> None:
    assert "--study" in luban("web", "burr-piston", "--study", write(tmp_path)).complaint()
