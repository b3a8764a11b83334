"""A replay gives what was recorded, in any world, or says at which step it does not."""

from pathlib import Path

import pytest

from bridge.episode.records import Ending, LiveStep, Start
from bridge.recording.log import Log, read_log
from bridge.recording.replay import ReplayMismatch, replay
from pysim.physics.factory import list_worlds
from pysim.puzzle import Outcome
from tests.needs import usable_worlds
from tests.recording.plays import play_plan, start
from tests.recording.test_damage import edited, set_to

LEVELS = ("burr-chinese-cross", "burr-piston-key", "burr-chinese-cross-assemble")


class Hashes:
    """Keeps every hash that a replay passes."""

    def __init__(self) -> None:
        self.seen: list[str] = []
        self.ending: Ending | None = None

    def record_start(self, start: Start) -> None:
        self.seen.append(start.state_hash)

    def record_step(self, record: LiveStep) -> None:
        self.seen.append(record.state_hash)

    def record_end(self, ending: Ending) -> None:
        self.ending = ending


def check(log: Log, world: str | None) -> None:
    hashes = Hashes()
    result = replay(log, world=world, listener=hashes)
    assert hashes.seen == [log.header.state_hash, *(line.state_hash for line in log.steps)]
    assert log.ending is not None and hashes.ending is not None
    assert (result.outcome, result.steps) == (log.ending.outcome, len(log.steps))
    assert result.state_hash == log.ending.state_hash
    assert result.disagreements == log.ending.disagreements == 0
    assert result.world[0] == (world or log.header.world[0])


@pytest.mark.parametrize("name", LEVELS)
@pytest.mark.parametrize("recorded", list_worlds())
def test_plans_and_refused_moves_replay_in_every_world(
    name: str, recorded: str, log_file: Path
) -> None:
    play_plan(log_file, name, recorded, seed=5)
    log = read_log(log_file)
    assert {line.kind.value for line in log.steps} == {"ok", "invalid", "illegal"}
    for world in (None, *usable_worlds()):
        check(log, world)


def test_episodes_end_in_a_replay_as_they_ended(tmp_path: Path) -> None:
    given_up = start(tmp_path / "up.jsonl", "burr-piston")
    given_up.step(given_up.level.plan.actions[0])
    given_up.give_up("tired")
    spent = start(tmp_path / "spent.jsonl", "burr-piston", budget=3)
    for action in spent.level.plan.actions[:3]:
        spent.step(action)
    for name, outcome in (("up", Outcome.GAVE_UP), ("spent", Outcome.OUT_OF_BUDGET)):
        hashes = Hashes()
        log = read_log(tmp_path / f"{name}.jsonl")
        assert replay(log, listener=hashes).outcome is outcome
        assert hashes.ending == log.ending


def test_a_log_without_an_end_replays_as_far_as_it_goes(log_file: Path, cross: bytes) -> None:
    lines = cross.splitlines(keepends=True)
    log_file.write_bytes(b"".join(lines[:-2]))
    hashes = Hashes()
    result = replay(read_log(log_file), listener=hashes)
    assert (result.outcome, hashes.ending) == (None, None)
    assert result.steps == len(lines) - 4
    log_file.write_bytes(b"".join(lines[:-1]))
    assert replay(read_log(log_file)).outcome is Outcome.SOLVED


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("state_hash", "0" * 64),
        ("budget_left", 7),
        ("kind", "illegal"),
        ("travel", 9),
        ("culprits", ["blue"]),
        ("reason", "BLOCKED"),
    ],
)
def test_a_changed_step_is_found(field: str, value: object, tmp_path: Path) -> None:
    path = tmp_path / "episode.jsonl"
    play_plan(path, "burr-chinese-cross")
    path.write_bytes(edited(path.read_bytes(), 4, set_to(field, value)))
    with pytest.raises(ReplayMismatch, match=f"step 3: the log says {field} = ") as caught:
        replay(read_log(path))
    assert (caught.value.step, caught.value.field) == (3, field)


def test_a_changed_start_or_end_is_found(tmp_path: Path) -> None:
    path = tmp_path / "episode.jsonl"
    play_plan(path, "burr-chinese-cross")
    content = path.read_bytes()
    end = content.count(b"\n") - 1
    for field, value in (("outcome", "GAVE_UP"), ("state_hash", "0" * 64)):
        path.write_bytes(edited(content, end, set_to(field, value)))
        with pytest.raises(ReplayMismatch, match=f"step {end - 2}: the log says {field}"):
            replay(read_log(path))
    starts: tuple[tuple[str, object], ...] = (("state_hash", "0" * 64), ("budget", 7))
    for field, value in starts:
        frame = "budget_left" if field == "budget" else field
        tampered = edited(edited(content, 0, set_to(field, value)), 1, set_to(frame, value))
        path.write_bytes(tampered)
        with pytest.raises(ReplayMismatch, match=f"step 0: the log says {field}"):
            replay(read_log(path))


def test_steps_after_the_end_of_play_are_found(log_file: Path) -> None:
    play_plan(log_file, "burr-chinese-cross")
    lines = log_file.read_bytes().splitlines(keepends=True)
    extra = lines[-2].replace(b'"step":5', b'"step":6')
    log_file.write_bytes(b"".join([*lines[:-1], extra]))
    with pytest.raises(ReplayMismatch, match="step 6: the log says outcome = None"):
        replay(read_log(log_file))


def test_an_end_that_did_not_come_is_found(log_file: Path) -> None:
    episode = start(log_file, "burr-chinese-cross")
    episode.give_up()
    log_file.write_bytes(log_file.read_bytes().replace(b"GAVE_UP", b"SOLVED"))
    with pytest.raises(ReplayMismatch, match="step 0: the log says outcome = SOLVED"):
        replay(read_log(log_file))


def test_an_unknown_world_is_said(log_file: Path, cross: bytes) -> None:
    log_file.write_bytes(cross)
    with pytest.raises(ValueError, match="there is no world 'moon'"):
        replay(read_log(log_file), world="moon")
