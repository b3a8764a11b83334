"""Locks, licences and the audit, without an index."""

import json
import subprocess
import sys
from importlib.metadata import distributions, version
from pathlib import Path

import pytest
from packaging.utils import canonicalize_name

from tools.audit import verdict
from tools.licences import EXTRAS, PAGE, licence, needed, page
from tools.lock import FOLDER, LockError, disagreements, locked, pins, written

ROOT = Path(__file__).resolve().parents[2]
CONSTRAINTS = (ROOT / "constraints.txt").read_text(encoding="utf-8")
LOCKS = sorted(FOLDER.glob("*.txt"))


def told(name: str, version: str, sha: str) -> dict[str, object]:
    """A line of a report of pip."""
    download = {"archive_info": {"hashes": {"sha256": sha}} if sha else {}}
    return {"metadata": {"name": name, "version": version}, "download_info": download}


def test_a_lock_has_the_hash_of_every_wheel_and_a_marker_where_one_is_needed() -> None:
    reports = {
        "3.11": {"install": [told("One_Thing", "1.0", "a"), told("old", "2", "c")]},
        "3.12": {"install": [told("one-thing", "1.0", "b")]},
    }
    text = written(locked(reports), ["3.11", "3.12"])
    assert text.splitlines()[1:] == [
        'old==2 ; python_version == "3.11" \\',
        "    --hash=sha256:c",
        "one-thing==1.0 \\",
        "    --hash=sha256:a \\",
        "    --hash=sha256:b",
    ]
    assert pins(text) == {"old": "2", "one-thing": "1.0"}


@pytest.mark.parametrize("other", [("2.0", "b"), ("1.0", "")])
def test_what_is_not_pinned_or_has_no_hash_is_not_locked(other: tuple[str, str]) -> None:
    reports = {
        "3.11": {"install": [told("thing", "1.0", "a")]},
        "3.12": {"install": [told("thing", *other)]},
    }
    with pytest.raises(LockError, match="thing"):
        locked(reports)


def test_a_lock_that_is_behind_the_constraints_is_found_out() -> None:
    assert disagreements("a==1\nB_c==2\n", "a==1 \\\n    --hash=sha256:x\nb-c==2\n") == []
    assert disagreements("a==1\n", "a==2\nd==1\n") == [
        "a 2, and constraints.txt has 1",
        "d 1, and constraints.txt has none",
    ]


@pytest.mark.parametrize("path", LOCKS, ids=[path.stem for path in LOCKS])
def test_the_locks_hold_what_is_pinned_with_hashes_and_no_address(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert disagreements(CONSTRAINTS, text) == []
    assert len(pins(text)) > 20
    assert "//" not in text and "--index" not in text
    blocks = text.replace(" \\\n", " ").splitlines()[1:]
    assert all(" --hash=sha256:" in block for block in blocks)


def test_the_page_of_licences_lists_what_is_needed_here() -> None:
    wanted = pins(CONSTRAINTS)
    pinned = {n: it for n, it in needed(EXTRAS).items() if it.version == wanted.get(n)}
    listed = PAGE.read_text(encoding="utf-8").splitlines()
    assert [line for line in page(pinned).splitlines() if line not in listed] == []
    assert "| numpy |" in "\n".join(listed) and "| pytest |" not in "\n".join(listed)


def test_page_of_licences_names_each_copyleft_licence_to_those_who_pass_it_on() -> None:
    head, _, passing = PAGE.read_text(encoding="utf-8").partition("## Passing Luban on")
    strict = [line.split(" | ")[0].strip("| ") for line in head.splitlines() if "GPL" in line]
    strict = [name for name in strict if " " not in name]
    assert strict == ["xcover"]
    assert all(f"**{name}** is under the LGPL" in passing for name in strict)


@pytest.mark.slow  # Each `.ci/run` makes it; it takes a quarter of a minute.
def test_bill_of_materials_lists_all_that_is_installed(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "cyclonedx_py", "environment", "--output-reproducible"]
    command += ["--output-file", str(tmp_path / "sbom.json"), sys.executable]
    subprocess.run(command, check=True, capture_output=True)
    document = json.loads((tmp_path / "sbom.json").read_text())
    assert (document["bomFormat"], document["specVersion"]) == ("CycloneDX", "1.6")
    listed = {(canonicalize_name(c["name"]), c["version"]) for c in document["components"]}
    installed = {(canonicalize_name(d.name), d.version) for d in distributions()}
    assert installed - listed == set() and len(listed) > 100


def test_continuous_integration_builds_and_keeps_the_bill_of_materials() -> None:
    run = (ROOT / ".ci/run").read_text(encoding="utf-8")
    workflow = (ROOT / ".github/workflows/ci.yml").read_text(encoding="utf-8")
    assert "make sbom" in run and "path: build/sbom.json" in workflow


def test_a_licence_is_told_in_a_line() -> None:
    rows = needed()
    assert licence(rows["numpy"]).startswith("BSD") and version("numpy")
    assert all(0 < len(licence(package)) < 100 for package in rows.values())


AUDITED = {"name": "a", "version": "1", "vulns": []}
HOLE = {"id": "PYSEC-1", "fix_versions": ["2"]}


@pytest.mark.parametrize(
    ("dependencies", "status", "words"),
    [
        ([AUDITED], 0, "no known holes in 1 packages"),
        ([AUDITED | {"vulns": [HOLE]}], 1, "a 1: PYSEC-1, mended in 2"),
        ([AUDITED, {"name": "b", "skip_reason": "?"}], 0, "1 could not be looked up"),
        ([{"name": "b", "skip_reason": "?"}], 0, "SKIPPED"),
    ],
)
def test_what_pip_audit_found_is_said(
    dependencies: list[dict[str, object]], status: int, words: str
) -> None:
    found = verdict(1 if status else 0, json.dumps({"dependencies": dependencies}), "")
    assert found[0] == status and words in found[1]


def test_without_a_network_the_audit_is_skipped_and_says_so() -> None:
    status, words = verdict(1, "", "requests.exceptions.ProxyError: Max retries exceeded")
    assert status == 0 and "SKIPPED" in words
    assert verdict(1, "", "no such option")[0] == 1
