"""What becomes of a damaged log: it is read, or refused with a clear error, and nothing else."""

import json
import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bridge.recording.log import Log, LogError, read_log
from bridge.recording.replay import ReplayMismatch, replay
from tests.sampling import more

QUIET = settings(max_examples=more(30), suppress_health_check=[HealthCheck.function_scoped_fixture])


def read(path: Path, content: bytes) -> Log:
    path.write_bytes(content)
    return read_log(path)


def edited(content: bytes, line: int, change: Callable[[dict[str, object]], None]) -> bytes:
    """The log with one line (from 0) changed."""
    lines = content.splitlines(keepends=True)
    document = json.loads(lines[line])
    change(document)
    lines[line] = json.dumps(document).encode() + b"\n"
    return b"".join(lines)


def test_a_last_line_cut_anywhere_is_left_out(log_file: Path, cross: bytes) -> None:
    whole = read(log_file, cross)
    begin = cross.rindex(b"\n", 0, -1) + 1
    for cut in range(begin + 1, len(cross)):
        log = read(log_file, cross[:cut])
        assert log.truncated and log.ending is None and log.steps == whole.steps
    log = read(log_file, cross[:begin])
    assert not log.truncated and log.ending is None


def test_a_log_cut_at_any_line_or_offset_reads_or_says_why(log_file: Path, cross: bytes) -> None:
    lines = [m.end() for m in re.finditer(rb"\n", cross)]
    rng = random.Random(3)
    for cut in [*lines, *rng.sample(range(len(cross)), 150)]:
        before = cross[:cut].count(b"\n")
        if before < 2:
            with pytest.raises(LogError, match=f"{log_file}, line {before + 1}: .*missing"):
                read(log_file, cross[:cut])
        else:
            log = read(log_file, cross[:cut])
            assert len(log.steps) == min(before, len(lines) - 1) - 2
            assert log.truncated == (cut not in lines)
    assert replay(read(log_file, cross[: lines[4] + 10])).steps == 3


@QUIET
@given(data=st.data())
def test_flipped_bytes_give_a_log_or_a_clear_error(
    data: st.DataObject, log_file: Path, cross: bytes
) -> None:
    content = bytearray(cross)
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(content) - 1))
        content[place] = data.draw(st.integers(0, 255))
    try:
        log = read(log_file, bytes(content))
    except LogError as error:
        assert str(log_file) in str(error) and error.problem
        return
    try:
        replay(log)
    except ReplayMismatch as error:
        assert str(error).startswith(f"step {error.step}: ")
    except ValueError as error:
        assert "there is no world" in str(error)


@QUIET
@given(garbage=st.binary(max_size=300))
def test_any_bytes_are_no_traceback(garbage: bytes, log_file: Path) -> None:
    with pytest.raises(LogError):
        read(log_file, garbage)


def set_to(key: str, value: object) -> Callable[[dict[str, object]], None]:
    return lambda document: document.__setitem__(key, value)


@pytest.mark.parametrize(
    ("line", "change", "problem"),
    [
        (0, set_to("format", "luban-episode/2"), "line 1: its format is 'luban-episode/2'"),
        (0, set_to("type", "step"), "line 1: this is the place of the header"),
        (0, set_to("options", {"mode": "smell"}), "line 1: 'options': .*'smell'"),
        (0, set_to("budget", True), "line 1: 'budget' is a whole number from 1, not True"),
        (0, set_to("world", None), "line 1: 'world' is an object, not None"),
        (0, lambda d: d.pop("luban"), "line 1: 'luban' is missing"),
        (0, lambda d: d["level_document"].__setitem__("budget", 7), "line 1: .* hash"),
        (0, lambda d: d["level"].__setitem__("id", "other"), "line 1: .* different levels"),
        (1, set_to("state_hash", "0" * 64), "line 2: frame 0 does not fit"),
        (3, set_to("step", 3), "line 4: this is the place of step 2, not of 3"),
        (3, set_to("type", "dance"), "line 4: .* not of 'dance'"),
        (3, set_to("kind", "fine"), "line 4: 'kind' is one of ok, invalid, illegal"),
        (3, set_to("reason", "whim"), "line 4: 'reason': 'whim' is no reason"),
        (3, set_to("culprits", "red"), "line 4: 'culprits' is a list of texts"),
        (3, set_to("measured", 10**400), "line 4: 'measured' is a number"),
        (3, set_to("state_hash", "abc"), "line 4: 'state_hash' is 64 hexadecimal digits"),
        (3, set_to("call", {"name": "slide"}), "line 4: 'arguments' is missing"),
        (-1, set_to("steps", 1), "the end is after step 1, but there are"),
        (-1, set_to("outcome", "WON"), "'outcome' is one of SOLVED"),
    ],
)
def test_what_does_not_fit_is_named(
    line: int,
    change: Callable[[dict[str, object]], None],
    problem: str,
    log_file: Path,
    cross: bytes,
) -> None:
    with pytest.raises(LogError, match=problem):
        read(log_file, edited(cross, line, change))


def test_broken_lines_are_named(log_file: Path, cross: bytes) -> None:
    lines = cross.splitlines(keepends=True)
    middle = len(lines) // 2
    for junk, problem in (
        (b'{"type":"step"\n', "not JSON"),
        (b"\n", "not JSON"),
        (b"[1, 2]\n", "a line is a JSON object"),
        (b'{"type":NaN}\n', "NaN is no number"),
        (b"[" * 100_000 + b"\n", "not JSON"),
        (b'{"type":"\xff"}\n', "not UTF-8"),
        (b'{"type":"' + b"x" * 2**24 + b'"}\n', "more than 16,777,216 bytes"),
        (b"x" * (2**24 + 10), "more than 16,777,216 bytes"),
    ):
        with pytest.raises(LogError, match=f"line {middle + 1}: .*{problem}"):
            read(log_file, b"".join([*lines[:middle], junk, *lines[middle:]]))
    with pytest.raises(LogError, match=r"line \d+: nothing may follow the end line"):
        read(log_file, cross + lines[-1])
    without = b"".join(lines[:4] + lines[5:])
    with pytest.raises(LogError, match="line 5: this is the place of step 3, not of 4"):
        read(log_file, without)


def test_a_missing_file_or_folder_is_said(tmp_path: Path) -> None:
    with pytest.raises(LogError, match="No such file"):
        read_log(tmp_path / "none.jsonl")
    with pytest.raises(LogError, match="Is a directory"):
        read_log(tmp_path)
