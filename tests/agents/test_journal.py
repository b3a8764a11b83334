"""The journal of an agent on a disk that fails."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bridge.agents.journal import Journal, read_notes, sum_usage
from bridge.agents.usage import Usage
from bridge.recording.times import parse_time
from tests.recording.plays import full_disk

USAGE = {"usage": {"tokens_in": 3, "tokens_out": 2}}


def test_a_note_that_does_not_fit_leaves_the_journal_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "agent.jsonl"
    journal = Journal(path)
    journal.record(USAGE)
    size = path.stat().st_size
    for room in range(size):
        with full_disk(size + room), pytest.raises(OSError, match=f"File too large: '{path}'"):
            journal.record(USAGE)
        assert path.stat().st_size == size
    journal.record(USAGE)
    assert sum_usage(path) == Usage(2, 6, 4)


def test_a_journal_goes_on_after_a_line_that_was_cut_off(tmp_path: Path) -> None:
    path = tmp_path / "agent.jsonl"
    Journal(path).record(USAGE)
    whole = path.read_bytes()
    for left in range(1, len(whole)):
        path.write_bytes(whole + whole[:left])
        Journal(path).record(USAGE)
        first, second = path.read_bytes().splitlines(keepends=True)
        assert first == whole and len(second) == len(whole)


def test_journal_note_carries_its_time_and_is_read_back(tmp_path: Path) -> None:
    path = tmp_path / "agent.jsonl"
    began = datetime.now(UTC)
    Journal(path).record(USAGE)
    with path.open("ab") as file:
        file.write(b'[1]\nnonsense\n{"type":"call"')
    (note,) = read_notes(path)
    at = parse_time(note["at"])
    assert note["usage"] == USAGE["usage"]
    assert at is not None and abs(at - began) < timedelta(hours=1)
    assert str(note["at"]).endswith("Z")
