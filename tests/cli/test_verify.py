"""``luban verify``: certificates, what is false, what is kept after an interrupt, bad input."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from pysim.catalog import encode_level, find_level
from tests.commands import ROOT, Luban

QUICK = ("--worlds", "lattice", "--no-films", "--workers", "1")


def written(folder: Path, name: str, **changes: Any) -> Path:
    document = dict(encode_level(find_level(name))) | changes
    path = folder / f"{name}.json"
    path.write_text(json.dumps(document))
    return path


def test_a_level_that_holds_has_a_certificate(luban: Luban) -> None:
    done = luban("verify", "burr-diabolical-structure", *QUICK)
    assert done.status == 0, done.err
    assert "holds      proof" in done.out and "plan in lattice" in done.out
    assert "0 are false, 0 undecided" in done.out


def test_json_has_the_documented_fields(luban: Luban) -> None:
    done = luban(
        "verify", "burr-half-lap", "packing-easy-01", "cubebench-d01-2-face-view", *QUICK, "--json"
    )
    found = json.loads(done.out)
    assert set(found) == {"checked", "confirmed", "false", "undecided"}
    assert found["checked"] == 3 and found["false"] == [] and done.status == 0


def test_a_false_claim_is_named_and_is_the_exit_status(luban: Luban, tmp_path: Path) -> None:
    written(tmp_path, "burr-tusk-tenon", tier="hard")
    written(tmp_path, "burr-half-lap")
    (tmp_path / "summary.json").write_text("{}")
    done = luban("verify", tmp_path, *QUICK, "--json")
    found = json.loads(done.out)
    assert done.status == 1 and found["checked"] == 2
    assert [(f["level"], f["claim"]) for f in found["false"]] == [("burr-tusk-tenon", "tier")]
    assert "easy" in found["false"][0]["found"]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("{", "can't be read"),
        ("[]", "a level is a JSON object"),
        ('{"format": "luban-level/1", "id": "x"}', "family"),
    ],
)
def test_a_file_that_is_no_level_is_false(
    luban: Luban, content: str, words: str, tmp_path: Path
) -> None:
    path = tmp_path / "level.json"
    path.write_text(content)
    done = luban("verify", path, *QUICK, "--json")
    (found,) = json.loads(done.out)["false"]
    assert done.status == 1 and found["claim"] == "document" and words in found["found"]


def test_a_changed_puzzle_does_not_match_its_hash(luban: Luban, tmp_path: Path) -> None:
    level = encode_level(find_level("burr-half-lap"))
    path = written(tmp_path, "burr-half-lap", budget=int(str(level["budget"])) + 1)
    done = luban("verify", path, *QUICK, "--json")
    (found,) = json.loads(done.out)["false"]
    assert "does not match its hash" in found["found"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("burr-pistn",), "did you mean burr-piston"),
        (("nowhere/",), "there is no level, suite or folder"),
        (("burr-piston", "--worlds", "mars"), "there is no world 'mars'"),
        (("burr-piston", "--worlds", "unity"), "--unity-player"),
    ],
)
def test_bad_input_is_refused_in_one_line(
    luban: Luban, arguments: tuple[str, ...], words: str
) -> None:
    done = luban("verify", *arguments)
    assert done.status == 1 and words in done.err
    assert len(done.err.splitlines()) == 1 and not done.out


def test_an_empty_folder_is_refused(luban: Luban, tmp_path: Path) -> None:
    done = luban("verify", tmp_path)
    assert done.status == 1 and "no level in this folder" in done.err


def test_certificates_are_kept_and_not_made_again(luban: Luban, tmp_path: Path) -> None:
    kept = tmp_path / "certificates.jsonl"
    first = luban(
        "verify", "burr-half-lap", "burr-three-bars", *QUICK, "--certificates", kept, "--json"
    )
    lines = kept.read_text().splitlines()
    assert len(lines) == 2
    # A torn line, as a killed process leaves it, does no harm.
    kept.write_text(lines[0] + "\n" + lines[1][:20])
    again = luban(
        "verify", "burr-half-lap", "burr-three-bars", *QUICK, "--certificates", kept, "--json"
    )
    assert again.out == first.out
    assert len([line for line in kept.read_text().splitlines() if line == lines[0]]) == 1


def test_a_file_of_certificates_that_is_none_is_refused(luban: Luban, tmp_path: Path) -> None:
    kept = tmp_path / "notes.txt"
    kept.write_text("dear diary\n")
    done = luban("verify", "burr-half-lap", *QUICK, "--certificates", kept)
    assert done.status == 1 and "no file of certificates" in done.err
    assert kept.read_text() == "dear diary\n"


def test_proofs_are_written_and_what_has_none_is_said(luban: Luban, tmp_path: Path) -> None:
    done = luban(
        "verify", "burr-piston", "packing-easy-01", *QUICK, "--emit-proof", tmp_path / "proofs"
    )
    proof = json.loads((tmp_path / "proofs" / "burr-piston.proof.json").read_text())
    assert proof["actions"] == 15 and done.status == 0
    assert "packing-easy-01: no proof is written" in done.err


def test_an_interrupt_keeps_what_was_found(tmp_path: Path) -> None:
    kept = tmp_path / "certificates.jsonl"
    options = ["--worlds", "lattice", "--no-films", "--workers", "2", "--certificates", str(kept)]
    command = [sys.executable, "-m", "bridge.cli", "verify", "locks-32", *options, "--json"]
    process = subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, text=True, start_new_session=True
    )
    while not kept.exists() or not kept.read_text():
        assert process.poll() is None
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGINT)
    out, _ = process.communicate()
    found = json.loads(out)
    assert process.returncode == 130 and found["interrupted"] and 0 < found["checked"] < 32
    assert len(kept.read_text().splitlines()) == found["checked"]


def test_a_damaged_file_does_not_lose_what_was_found_where_proofs_are_asked_for(
    luban: Luban, tmp_path: Path
) -> None:
    bad = tmp_path / "bad.json"
    bad.write_text("[]")
    done = luban("verify", bad, "burr-half-lap", *QUICK, "--emit-proof", tmp_path / "proofs")
    assert done.status == 1 and "bad: no proof is written" in done.err
    assert "2 levels" in done.out and (tmp_path / "proofs" / "burr-half-lap.proof.json").exists()


@pytest.mark.slow
@pytest.mark.parametrize("suite", ["locks-32", "packing-77", "cubebench-160"])
def test_no_claim_of_a_shipped_suite_is_false_in_any_world_or_film(
    luban: Luban, suite: str
) -> None:
    found = luban("verify", suite, "--json").json()
    assert found["checked"] == int(suite.rpartition("-")[2]) and found["false"] == []
    claims = {finding["claim"] for finding in found["undecided"]}
    assert not claims & {"plan", "document", "hash", "plan in lattice", "film in lattice"}
