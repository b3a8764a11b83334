"""Hostile calls: each is refused, costs one step, takes a bounded line and can be replayed."""

import hashlib
import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bridge.episode.episode import Episode
from bridge.episode.records import Options
from bridge.episode.tools import ToolCall
from bridge.recording.lines import MAX_REFUSED
from bridge.recording.log import EpisodeLog, LogError, read_log
from bridge.recording.replay import replay
from pysim.catalog import AnyLevel, find_level
from pysim.field_types import Json
from pysim.physics.factory import create_world
from pysim.puzzle import ActionError, InvalidAction
from tests.hostile import TEXTS, VALUES
from tests.sampling import more

LEVELS = [
    find_level(name)
    for name in ("burr-chinese-cross", "packing-easy-01", "cubebench-d02-1-full-symbolic")
]
every_level = pytest.mark.parametrize("level", LEVELS, ids=lambda level: level.family)
WIDEST = 1_000
"""Bytes of a line of a cube's log, as docs/cubebench.md promises."""


def start(level: AnyLevel, path: Path, budget: int = 10_000) -> Episode:
    return Episode(
        level, create_world("lattice"), options=Options(budget=budget), listener=EpisodeLog(path)
    )


def refused(episode: Episode, call: ToolCall) -> None:
    """Make a call that costs a step and nothing else, and that can be told of."""
    steps, before = episode.steps, episode.state_hash
    with pytest.raises(ActionError) as caught:
        episode.step(call)
    assert (episode.steps, episode.state_hash) == (steps + 1, before)
    for text in (
        caught.value.message,
        *caught.value.culprits,
        episode.observe(images=False).history,
    ):
        text.encode("utf-8")
        assert "\x1b" not in text and "\x00" not in text and "\u202e" not in text


def lines_of(path: Path) -> list[bytes]:
    return [line for line in path.read_bytes().splitlines() if b'"type":"step"' in line]


def calls(level: AnyLevel, value: Json) -> list[ToolCall]:
    """A call with a value at every place."""
    good = ToolCall.of(level.plan.actions[0]) if level.plan else ToolCall("fly", {})
    found = [ToolCall(good.name, {**good.arguments, field: value}) for field in good.arguments]
    if isinstance(value, str):
        found.append(ToolCall(value, good.arguments))
        found.append(ToolCall(good.name, {**good.arguments, value: 1}))
    return found


@pytest.mark.by_day(30)
@every_level
@pytest.mark.parametrize("value", VALUES.values(), ids=VALUES)
def test_a_hostile_value_costs_a_step_and_the_log_is_replayed(
    level: AnyLevel, value: Json, tmp_path: Path
) -> None:
    path = tmp_path / "episode.jsonl"
    episode = start(level, path)
    for call in calls(level, value):
        refused(episode, call)
    episode.give_up()
    assert all(len(line) <= MAX_REFUSED for line in lines_of(path))
    log = read_log(path)
    assert replay(log).steps == len(log.steps) == len(calls(level, value))


@pytest.mark.by_day(21)
@every_level
@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_hostile_json_text_costs_a_step_and_the_log_is_replayed(
    level: AnyLevel, text: str, tmp_path: Path
) -> None:
    path = tmp_path / "episode.jsonl"
    episode = start(level, path)
    for arguments in (text, json.dumps({text: text}), json.dumps({"pieces": [text], "move": text})):
        for name in (text, "slide", "make_move"):
            with pytest.raises(InvalidAction):
                episode.step_json(name, arguments)
    episode.give_up()
    assert all(len(line) <= MAX_REFUSED for line in lines_of(path))
    assert replay(read_log(path)).steps == episode.steps == 9


@pytest.mark.slow
@settings(max_examples=more(30), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.text(st.characters(codec=None)),
    st.recursive(
        st.none()
        | st.booleans()
        | st.integers()
        | st.floats()
        | st.text(st.characters(codec=None)),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(st.characters(codec=None)), inner),
    ),
)
def test_any_call_whatever_is_in_it_leaves_a_log_that_is_replayed(
    tmp_path: Path, name: str, value: Json
) -> None:
    path = tmp_path / "episode.jsonl"
    path.unlink(missing_ok=True)
    episode = start(LEVELS[0], path)
    for call in (ToolCall(name, {name: value}), ToolCall("slide", {"pieces": value})):
        refused(episode, call)
    episode.give_up()
    assert all(len(line) <= MAX_REFUSED for line in lines_of(path))
    assert replay(read_log(path)).steps == 2


MOVES = {"blanks": " " * 10**6 + "f'", "half a kilobyte": "x" * 390, **VALUES}


@pytest.mark.parametrize("move", MOVES.values(), ids=MOVES)
def test_no_move_of_a_cube_takes_more_than_a_kilobyte(move: Json, tmp_path: Path) -> None:
    path = tmp_path / "episode.jsonl"
    episode = start(LEVELS[2], path, budget=1_000_000)
    for _ in range(3):
        try:
            episode.step(ToolCall("make_move", {"move": move}))
        except ActionError:
            continue
    episode.give_up()
    assert all(len(line) < WIDEST for line in lines_of(path))
    replay(read_log(path))


def test_an_ordinary_move_takes_about_300_bytes(tmp_path: Path) -> None:
    path = tmp_path / "episode.jsonl"
    episode = start(LEVELS[2], path, budget=1_000_000)
    for move in ("U", "U'"):
        episode.step(ToolCall("make_move", {"move": move}))
    episode.give_up()
    assert all(290 <= len(line) <= 310 for line in lines_of(path))


def test_a_call_with_needless_blanks_is_written_in_its_shortest_form(tmp_path: Path) -> None:
    path = tmp_path / "episode.jsonl"
    episode = start(LEVELS[2], path)
    episode.step(ToolCall("make_move", {"move": " " * 60_000 + "U"}))
    episode.give_up()
    log = read_log(path)
    assert log.steps[0].call == ToolCall("make_move", {"move": "U"})
    assert replay(log).state_hash == episode.state_hash


def test_a_long_call_is_cut_and_named_by_its_length_and_digest(tmp_path: Path) -> None:
    path = tmp_path / "episode.jsonl"
    episode = start(LEVELS[0], path)
    for text in ("x" * 70_000, "x" * 70_001):
        with pytest.raises(InvalidAction):
            episode.step_json("slide", text)
    episode.give_up()
    for line, length in zip(read_log(path).steps, (70_000, 70_001), strict=True):
        begin, end = str(line.call.arguments["unreadable"]).split("... ")
        assert begin == "x" * len(begin)
        assert len(begin) > 50
        digest = hashlib.sha256(b"x" * length).hexdigest()
        assert end == f"({length} characters, SHA-256 {digest})"


def test_a_log_of_before_with_half_a_pair_in_it_is_read_and_replayed(tmp_path: Path) -> None:
    path = tmp_path / "episode.jsonl"
    episode = start(LEVELS[0], path)
    refused(episode, ToolCall("fly", {}))
    episode.give_up()
    text = path.read_text().replace('"name":"fly"', '"name":"\\ud800"')
    path.write_text(text.replace('"culprits":["fly"]', '"culprits":["\'\\\\ud800\'"]'))
    log = read_log(path)
    assert log.steps[0].call.name == "\ufffd"
    assert replay(log).steps == 1


def test_a_log_with_a_call_that_is_nested_too_deep_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "episode.jsonl"
    episode = start(LEVELS[0], path)
    refused(episode, ToolCall("fly", {}))
    episode.give_up()
    deep = "[" * 100_000 + "]" * 100_000  # Newer Pythons read a thousand.
    path.write_text(path.read_text().replace('"arguments":{}', f'"arguments":{{"a":{deep}}}'))
    with pytest.raises(LogError):
        read_log(path)
