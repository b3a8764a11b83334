"""The parts of the soak: cases that can be repeated, verdicts, and Ctrl-C."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge.rpc._pb.luban.v1 import episode_service_pb2 as pb
from tests.soak import trainers
from tests.soak.attacks import ATTACKS
from tests.soak.budget import Budget, Finding, Row, Verdict, make_rng
from tests.soak.commands import Ended, verdict_of
from tests.soak.mutating import bytes_of, document_of, fields_of_message, lines_of, numbers_of
from tests.soak.servers import running_server
from tests.soak.table import as_json, as_markdown
from tests.waiting import PATIENCE, wait_for

ROOT = Path(__file__).resolve().parents[2]
DOCUMENT = {"pieces": ["red", "blue"], "distance": 1, "inner": {"deep": [None, 2.5, {"x": "y"}]}}
ATTENTIVE = """
import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execv(sys.argv[1], sys.argv[1:])
"""
"""Runs a program in which Ctrl-C is heard, also where shells have it ignored."""
TEXT = json.dumps(DOCUMENT).encode() + b"\n"


@given(st.integers(0, 2**32))
def test_a_case_is_the_same_whenever_it_is_made(seed: int) -> None:
    for damage in (bytes_of, lines_of, numbers_of):
        made = [damage(make_rng(seed, "files", 3), TEXT * 3) for _ in "ab"]
        assert made[0] == made[1]
    before = json.dumps(DOCUMENT)
    documents = [document_of(make_rng(seed, "files", 3), DOCUMENT) for _ in "ab"]
    assert documents[0] == documents[1]
    assert json.dumps(DOCUMENT) == before


def test_most_cases_damage_something() -> None:
    for damage in (bytes_of, lines_of, numbers_of):
        made = {damage(make_rng(0, "files", case), TEXT * 3) for case in range(200)}
        assert len(made) > 120
    documents = {json.dumps(document_of(make_rng(0, "x", case), DOCUMENT)) for case in range(200)}
    assert len(documents) > 120


def test_fields_of_messages_inside_messages_are_reached() -> None:
    found = set()
    for case in range(300):
        message = pb.PlayRequest()
        message.step.action.name = "slide"
        fields_of_message(make_rng(1, "messages", case), message)
        found.add((message.WhichOneof("request"), message.step.action.name))
    assert {"start_episode", "step", "observe", "end_episode"} <= {kind for kind, _ in found}
    assert len({name for kind, name in found if kind == "step"}) >= 5


def test_texts_that_are_nested_too_deep_for_python_are_damaged_too() -> None:
    for case in range(60):
        message = pb.PlayRequest()
        message.step.action.arguments_json = "[" * 100_000
        fields_of_message(make_rng(1, "messages", case), message)


@pytest.mark.parametrize(
    ("ended", "patient", "verdict"),
    [
        (Ended(0), False, None),
        (Ended(1, err="luban: no"), False, None),
        (Ended(1), False, "crashed"),
        (Ended(70, err="luban: this is a bug"), False, "crashed"),
        (Ended(0, err="Traceback (most recent call last)"), False, "crashed"),
        (Ended(-11), False, "crashed"),
        (Ended(None, overdue=True), True, "hung"),
        (Ended(130, overdue=True), False, "hung"),
        (Ended(130, overdue=True), True, None),
    ],
)
def test_what_is_wrong_with_a_command_follows_from_how_it_ended(
    ended: Ended, patient: bool, verdict: Verdict | None
) -> None:
    assert verdict_of(ended, patient=patient) == verdict


def test_what_failed_is_written_down_with_the_command_that_repeats_it(tmp_path: Path) -> None:
    row = Row("files", "damaged files")
    finding = Finding(7, "crashed", "it fell", {"level.json": b"{"})
    Budget(10, 1, tmp_path).tell(row, finding, seed=3)
    assert (row.crashed, row.clean) == (1, False)
    (place,) = map(Path, row.found)
    told = json.loads((place / "case.json").read_text())
    assert told["again"] == "python -m tests.soak --only files --seed 3 --case 7"
    assert (place / "level.json").read_bytes() == b"{"
    assert "| files: damaged files | 0 | 0 | 1 | 0 | – |" in as_markdown([row])
    assert json.loads(as_json([row], 3, 1.0))["rows"][0]["clean"] is False


def test_a_budget_ends_by_count_by_time_and_when_it_is_told_to(tmp_path: Path) -> None:
    assert list(Budget(5, 60, tmp_path, first=2).cases(2)) == [2, 4, 6]
    assert list(Budget(5, -1, tmp_path, least=3).cases()) == [0, 1, 2]
    assert list(Budget(5, 60, tmp_path, stopped=lambda: True).cases()) == []


def test_each_attack_has_a_name_and_all_together_no_more_than_the_time() -> None:
    assert len({attack.name for attack in ATTACKS}) == len(ATTACKS)
    assert sum(attack.share for attack in ATTACKS) <= 100
    assert all(attack.cases(0) >= 1 for attack in ATTACKS)


def test_session_that_does_not_come_back_leaves_the_others_theirs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trainers, "SESSIONS", 3 * trainers.LANES)
    with running_server(tmp_path) as server:
        lane = trainers.Lane(server, 1, 0)
        lane.begin()
        lane.sessions[0].end()  # Its episode is over, and the session does not know.
        lane.lose()
        assert len(lane.errors) == 1 and lane.sessions[0].forgotten
        lane.step()
        lane.end()
    assert len(lane.errors) == 1 and lane.steps == 3 * trainers.ROUND


@pytest.mark.slow
def test_ctrl_c_ends_with_the_table_so_far(tmp_path: Path) -> None:
    command = [sys.executable, "-c", ATTENTIVE, sys.executable, "-m", "tests.soak"]
    command += ["--only", "load", "--json"]
    with subprocess.Popen(
        [*command, "--out", str(tmp_path)], cwd=ROOT, stdout=subprocess.PIPE, process_group=0
    ) as soak:
        runs = tmp_path / "load" / "work" / "load" / "runs"
        wait_for(lambda: (runs.is_dir() and len(list(runs.iterdir())) > 100) or None)
        os.kill(soak.pid, signal.SIGINT)
        out, _ = soak.communicate(timeout=PATIENCE)
    assert soak.returncode == 0
    (row,) = json.loads(out)["rows"]
    assert row["attack"] == "load" and row["clean"]
    assert not (tmp_path / "load" / "work").exists()
