"""When an episode was played: beside its log, which stays the same for the same play."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bridge.recording.times import TIMES_NAME, parse_time, read_times
from tests.commands import Luban
from tests.recording.plays import full_disk

LEVELS = "burr-three-bars,burr-half-lap"


def played(luban: Luban, out: str) -> dict[str, bytes]:
    options = ["--agent", "random", "--observation", "state", "--workers", 1, "--budget", 5]
    assert luban("eval", LEVELS, *options, "--out", out).status == 0
    return {str(p.relative_to(out)): p.read_bytes() for p in Path(out).rglob("episode.jsonl")}


def test_eval_notes_the_time_of_every_step_and_logs_stay_equal(luban: Luban) -> None:
    began = datetime.now(UTC) - timedelta(seconds=1)
    assert played(luban, "one") == played(luban, "two")
    for log in Path("one").rglob("episode.jsonl"):
        steps = log.read_text().count('"type":"step"')
        times = read_times(log.with_name(TIMES_NAME))
        assert times.began is not None and times.ended is not None
        in_order = [times.began, *(times.steps[n] for n in range(1, steps + 1)), times.ended]
        assert in_order == sorted(in_order) and in_order[0] > began
        assert times.seconds is not None and times.seconds >= 0
        parts = [times.step_seconds(n, n) for n in range(1, steps + 1)]
        assert sum(part or 0 for part in parts) <= times.seconds + 0.01
        assert b'"at"' not in log.read_bytes()


def test_read_times_of_nothing_or_of_damage_is_empty(tmp_path: Path) -> None:
    path = tmp_path / TIMES_NAME
    assert read_times(path).seconds is None
    path.write_bytes(
        b'5\n{"type":"began"}\n{"type":"began","at":"soon"}\n\xff\n{"type":"ended","at":'
    )
    assert read_times(path) == read_times(tmp_path / "missing")


@pytest.mark.parametrize("text", [None, 5, "", "2026-11-23", "2026-11-23T09:00:00"])
def test_parse_time_of_a_time_without_a_zone_is_none(text: object) -> None:
    assert parse_time(text) is None


def test_a_full_disk_for_times_stops_no_episode(tmp_path: Path) -> None:
    from bridge.episode.episode import Episode
    from bridge.episode.tools import ToolCall
    from bridge.recording.lines import LogInMemory
    from bridge.recording.times import TimeLog
    from pysim.catalog import find_level

    level = find_level("burr-half-lap")
    assert level.plan is not None
    path = tmp_path / TIMES_NAME
    with (
        TimeLog(path, LogInMemory()) as times,
        Episode(level, listener=times) as episode,
        full_disk(path.stat().st_size),
    ):
        for action in level.plan.actions:
            episode.step(ToolCall.of(action))
    assert episode.outcome is not None
    assert [json.loads(line)["type"] for line in path.read_text().splitlines()] == ["began"]


def test_the_terminal_has_the_intervals_of_the_page(luban: Luban) -> None:
    options = [
        "--agent",
        "random",
        "--observation",
        "state",
        "--workers",
        1,
        "--k",
        2,
        "--budget",
        2,
    ]
    command = ["eval", LEVELS, *options, "--out", "run"]
    rows = dict(line.split(maxsplit=1) for line in luban(*command).out.splitlines())
    printed = luban(*command, "--json").json()
    assert luban("report", "run", "--out", "page.html", "--pictures", 0).status == 0
    tables = json.loads(Path("page.json").read_text())["tables"]
    (main,) = [table for table in tables if table["title"].startswith("Table 1")]
    page = dict(zip(main["head"], main["rows"][0], strict=True))
    for name, key, row in (("95 %", "bootstrap", "95"), ("Wilson", "wilson", "Wilson")):
        low, high = printed[key]
        assert page[name] == f"{low * 100:.1f}–{high * 100:.1f}"
        assert rows[row].removeprefix("% ").strip() == f"{low:.1%} to {high:.1%}"
