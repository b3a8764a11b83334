"""What the log keeps: everything, in order, and whole whatever happens."""

import json
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

import pytest

from bridge.episode.episode import Episode
from bridge.episode.records import Ending, LiveStep, Options
from bridge.episode.tools import ToolCall
from bridge.recording.lines import step_line
from bridge.recording.log import EpisodeLog, RecordingError, read_log
from bridge.recording.replay import replay
from pysim.catalog import find_level
from pysim.physics.factory import create_world
from pysim.puzzle import InvalidAction, Outcome, Reason
from tests.needs import needs_pybullet
from tests.recording.plays import attempt, full_disk, play_plan, start, unwritable
from tests.users import without_rights

CROSS = "burr-chinese-cross"
BLOCKED = ToolCall("slide", {"pieces": ["red"], "direction": "+x", "distance": 1})


class Tee(EpisodeLog):
    """A log that also keeps the records."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.records: list[LiveStep] = []
        self.ending: Ending | None = None

    def record_step(self, record: LiveStep) -> None:
        super().record_step(record)
        self.records.append(record)

    def record_end(self, ending: Ending) -> None:
        super().record_end(ending)
        self.ending = ending


@needs_pybullet
def test_a_log_reads_as_it_was_written(log_file: Path) -> None:
    level = find_level(CROSS)
    tee = Tee(log_file)
    options = Options(budget=30, seed=-7, agent="somebody", history_window=2, picture_size=64)
    episode = Episode(level, create_world("bullet"), None, options, tee)
    attempt(episode, BLOCKED)
    attempt(episode, ToolCall("slide", {"pieces": ["mauve"], "direction": "+x", "distance": 1}))
    for action in level.plan.actions:
        episode.step(action)
    log = read_log(log_file)
    assert (log.header.level, log.header.options, log.header.budget) == (level, options, 30)
    assert log.header.world[0] == "bullet" and log.header.renderer is None
    assert not log.truncated
    assert log.ending == tee.ending and log.ending is not None
    assert log.ending.outcome is Outcome.SOLVED
    fields = ("step", "call", "kind", "reason", "culprits", "message", "travel", "measured")
    fields += ("contacts", "disagreement", "budget_left", "state_hash")
    assert len(log.steps) == len(tee.records) == 2 + len(level.plan.actions)
    for line, record in zip(log.steps, tee.records, strict=True):
        for field in fields:
            assert getattr(line, field) == getattr(record, field), field


def test_lines_have_fixed_fields_and_no_times(cross: bytes) -> None:
    documents = [json.loads(line) for line in cross.splitlines()]
    assert [d["type"] for d in documents[:2]] == ["header", "frame"]
    assert documents[-1]["type"] == "end"
    steps = [d for d in documents if d["type"] == "step"]
    assert len({tuple(step) for step in steps}) == 1
    assert b"NaN" not in cross.replace(b"distance': nan", b"")
    assert not any("time" in key or "date" in key for d in documents for key in d)


def test_equal_episodes_give_equal_logs(tmp_path: Path, cross: bytes) -> None:
    play_plan(tmp_path / "again.jsonl", CROSS, seed=1)
    assert (tmp_path / "again.jsonl").read_bytes() == cross


def test_what_json_cannot_say_is_kept_as_an_excerpt(log_file: Path) -> None:
    episode = start(log_file, CROSS)
    for value in (float("nan"), [1, float("-inf")], "x" * 2**21, {"a": 1e400}):
        attempt(episode, ToolCall("slide", {"pieces": ["red"], "nonsense": value}))
    episode.give_up()
    log = read_log(log_file)
    assert len(log.steps) == 4
    assert all(set(line.call.arguments) == {"unreadable"} for line in log.steps)
    assert all(len(str(line.call.arguments["unreadable"])) <= 200 for line in log.steps)
    assert replay(log).steps == 4


def test_an_existing_file_is_never_overwritten(log_file: Path) -> None:
    log_file.write_text("precious")
    with pytest.raises(RecordingError, match=r"episode\.jsonl exists already"):
        start(log_file, CROSS)
    assert log_file.read_text() == "precious"


def test_a_folder_that_cannot_be_written_to_is_named(tmp_path: Path) -> None:
    for folder in unwritable(tmp_path):
        with pytest.raises(RecordingError, match=f"can't make {folder}/episode.jsonl: "):
            start(folder / "episode.jsonl", CROSS)


def test_a_read_only_folder_is_named() -> None:
    with tempfile.TemporaryDirectory() as name:  # Those of pytest are for one user alone.
        folder = Path(name)
        folder.chmod(0o555)
        with without_rights(), pytest.raises(RecordingError, match="Permission denied"):
            start(folder / "episode.jsonl", CROSS)


def test_a_full_disk_undoes_the_step_and_leaves_the_log_whole(log_file: Path) -> None:
    episode = start(log_file, CROSS)
    actions = find_level(CROSS).plan.actions
    episode.step(actions[0])
    whole = log_file.read_bytes()
    with (
        full_disk(len(whole) + 100),
        pytest.raises(RecordingError, match=f"can't write {log_file}"),
    ):
        episode.step(actions[1])
    assert log_file.read_bytes() == whole
    assert episode.steps == 1
    for action in actions[1:]:
        episode.step(action)
    log = read_log(log_file)
    assert log.ending is not None and log.ending.outcome is Outcome.SOLVED
    assert replay(log).steps == len(actions)


def test_a_disk_without_room_for_the_header_leaves_no_file(log_file: Path) -> None:
    with full_disk(100), pytest.raises(RecordingError, match="can't write"):
        start(log_file, CROSS)
    assert not log_file.exists()


def test_a_closed_log_takes_no_more(log_file: Path) -> None:
    log = EpisodeLog(log_file)
    episode = Episode(find_level(CROSS), create_world("lattice"), listener=log)
    log.close()
    log.close()
    with pytest.raises(RecordingError, match="closed"):
        episode.step(BLOCKED)
    assert read_log(log_file).steps == ()


CHILD = """
import sys
from bridge.episode.episode import Episode
from bridge.recording.log import EpisodeLog
from pathlib import Path
from pysim.catalog import find_level
from pysim.physics.factory import create_world

level = find_level("burr-piston")
episode = Episode(level, create_world("bullet"), listener=EpisodeLog(Path(sys.argv[1])))
for action in level.plan.actions[:9]:
    print(episode.step(action).state_hash, flush=True)
sys.stdin.read()
"""


@needs_pybullet
def test_the_log_of_a_killed_process_is_whole_and_replays(log_file: Path) -> None:
    command = [sys.executable, "-c", CHILD, str(log_file)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, cwd=Path.cwd(), text=True) as child:
        assert child.stdout is not None
        answered: list[str] = []
        while len(answered) < 9 and (line := child.stdout.readline()):
            answered += [line.strip()] if len(line) == 65 else []  # PyBullet prints a line as well
        child.send_signal(signal.SIGKILL)
    log = read_log(log_file)
    assert log.ending is None and not log.truncated
    assert [line.state_hash for line in log.steps] == answered
    assert len(answered) == 9
    result = replay(log)
    assert (result.outcome, result.steps, result.state_hash) == (None, 9, answered[-1])


@pytest.mark.timing
def test_a_step_line_is_quick_to_write(log_file: Path) -> None:
    episode = start(None, "burr-piston")
    tee = Tee(log_file)
    episode = Episode(find_level("burr-piston"), create_world("lattice"), listener=tee)
    episode.step(find_level("burr-piston").plan.actions[0])
    record = tee.records[0]
    best = min(_seconds(tee, record) for _ in range(5))
    tee.close()
    assert best / 200 < 100e-6


def _seconds(log: EpisodeLog, record: LiveStep) -> float:
    begin = time.process_time()
    for _ in range(200):
        EpisodeLog.record_step(log, record)
    return time.process_time() - begin


def test_a_measure_that_is_no_number_is_left_out(log_file: Path) -> None:
    tee = Tee(log_file)
    episode = Episode(find_level(CROSS), create_world("lattice"), listener=tee)
    attempt(episode, BLOCKED)
    episode.close()
    record = replace(tee.records[0], measured=float("nan"))
    assert json.loads(step_line(record))["measured"] is None


def test_a_refusal_by_the_reader_of_calls_is_kept(log_file: Path) -> None:
    episode = start(log_file, CROSS)
    episode.refuse("slide", "{", InvalidAction(Reason.MALFORMED, "the arguments are not JSON"))
    episode.give_up("enough")
    log = read_log(log_file)
    assert log.steps[0].call == ToolCall("slide", {"unreadable": "{"})
    assert log.ending is not None and log.ending.note == "enough"
