"""An episode that was cut off goes on from its log."""

from pathlib import Path

import pytest

from bridge.episode.episode import Episode
from bridge.episode.records import StepResult
from bridge.episode.tools import ToolCall
from bridge.recording.log import EpisodeLog, LogError, RecordingError, read_log
from bridge.recording.replay import ReplayMismatch, replay
from bridge.recording.resuming import resume
from pysim.catalog import find_level
from pysim.physics.factory import create_world
from pysim.puzzle import ActionError, IllegalMove, InvalidAction, Outcome

LEVEL = "burr-chinese-cross"


def calls() -> list[tuple[str, str]]:
    """The plan, with refused calls of each kind between."""
    plan = find_level(LEVEL).plan
    assert plan is not None
    steps = [("slide", ToolCall.of(action).arguments_json()) for action in plan.actions]
    odd = [
        ("slide", "{"),
        ("smash" * 30, '{"pieces": "\\ud800"}'),
        ("slide", '{"pieces": ["pink"], "direction": "+x", "distance": 1}'),
        ("slide", '{"pieces": ["red"], "direction": "+x", "distance": 900}'),
        ("slide", "x" * 70_000),
    ]
    return [call for pair in zip(odd, steps, strict=True) for call in pair]


def act(episode: Episode, call: tuple[str, str]) -> StepResult | ActionError:
    try:
        return episode.step_json(*call)
    except ActionError as error:
        return error


@pytest.fixture
def whole(tmp_path: Path) -> Path:
    path = tmp_path / "whole.jsonl"
    episode = Episode(find_level(LEVEL), create_world("lattice"), listener=EpisodeLog(path))
    for call in calls():
        act(episode, call)
    episode.close()
    assert read_log(path).ending is not None
    return path


@pytest.mark.parametrize("half", [b"", b'{"type":"step","st'])
def test_wherever_it_was_cut_it_ends_as_if_it_had_not_been(
    whole: Path, tmp_path: Path, half: bytes
) -> None:
    lines = whole.read_bytes().splitlines(keepends=True)
    made = len(calls())
    assert len(lines) == 2 + made + 1
    for steps in range(made + 1):
        path = tmp_path / f"cut-{steps}.jsonl"
        path.write_bytes(b"".join(lines[: 2 + steps]) + half)
        resumed = resume(read_log(path))
        assert resumed.episode.steps == steps
        for call in calls()[steps:]:
            act(resumed.episode, call)
        resumed.episode.close()
        assert path.read_bytes() == whole.read_bytes()


def test_what_came_of_the_last_step_is_known_again(whole: Path, tmp_path: Path) -> None:
    lines = whole.read_bytes().splitlines(keepends=True)
    fresh = Episode(find_level(LEVEL), create_world("lattice"))
    for number, call in enumerate(calls(), 1):
        path = tmp_path / f"cut-{number}.jsonl"
        path.write_bytes(b"".join(lines[: 2 + number]))
        resumed, expected = resume(read_log(path)), act(fresh, call)
        if isinstance(expected, ActionError):
            assert isinstance(resumed.last, InvalidAction | IllegalMove)
            assert type(resumed.last) is type(expected)
            assert (resumed.last.reason, resumed.last.culprits, resumed.last.travel) == (
                expected.reason,
                expected.culprits,
                expected.travel,
            )
        else:
            assert resumed.last == expected
        resumed.episode.close()


def test_an_episode_that_has_ended_is_over_and_its_log_is_not_touched(whole: Path) -> None:
    before = whole.read_bytes()
    resumed = resume(read_log(whole))
    assert resumed.episode.outcome is Outcome.SOLVED
    resumed.episode.close()
    assert whole.read_bytes() == before
    replay(read_log(whole))


def test_a_log_that_says_what_did_not_happen_can_not_be_gone_on_with(
    whole: Path, tmp_path: Path
) -> None:
    lines = whole.read_bytes().splitlines(keepends=True)
    path = tmp_path / "false.jsonl"
    false = lines[3].replace(b'"kind":"ok"', b'"kind":"illegal","old":"ok"')
    assert false != lines[3]
    path.write_bytes(b"".join([*lines[:3], false]))
    with pytest.raises((ReplayMismatch, LogError)):
        resume(read_log(path))


def test_a_log_that_can_not_be_written_can_not_be_gone_on_with(whole: Path) -> None:
    log = read_log(whole)
    cut = whole.read_bytes().splitlines(keepends=True)[:4]
    whole.write_bytes(b"".join(cut))
    log = read_log(whole)
    whole.unlink()
    with pytest.raises(RecordingError, match=r"whole\.jsonl"):
        resume(log)
