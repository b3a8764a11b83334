"""Workflows of GitHub: known keys, existing jobs and scripts, secrets where they are needed."""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from typing import Any

import pytest

from tests.unity.dry_run import ROOT, workflow

NAMES = ("ci.yml", "release.yml", "unity.yml")
WORKFLOW_KEYS = {"name", True, "permissions", "concurrency", "env", "jobs", "defaults"}
"""``on`` is a boolean to YAML 1.1."""
JOB_KEYS = {
    *("name", "needs", "if", "runs-on", "timeout-minutes", "permissions", "concurrency"),
    *("strategy", "steps", "outputs", "env", "environment", "continue-on-error"),
}
STEP_KEYS = {"name", "id", "if", "uses", "with", "run", "env", "continue-on-error"}
CONCURRENCY_KEYS = {"group", "cancel-in-progress", "queue"}
EVENTS = {"push", "pull_request", "workflow_dispatch"}


def jobs(name: str) -> Iterator[tuple[str, dict[str, Any]]]:
    yield from workflow(name)["jobs"].items()


def steps(name: str) -> Iterator[tuple[str, dict[str, Any]]]:
    for job, document in jobs(name):
        yield from ((job, step) for step in document["steps"])


@pytest.mark.parametrize("name", NAMES)
def test_keys_are_those_of_github(name: str) -> None:
    document: dict[Any, Any] = workflow(name)
    assert set(document) <= WORKFLOW_KEYS
    assert set(document[True]) <= EVENTS
    for job, part in jobs(name):
        assert set(part) <= JOB_KEYS, job
    for job, step in steps(name):
        assert set(step) <= STEP_KEYS, job
        assert ("uses" in step) != ("run" in step), step


@pytest.mark.parametrize("name", NAMES)
def test_concurrency_is_of_a_form_that_github_takes(name: str) -> None:
    for part in (workflow(name), *(part for _, part in jobs(name))):
        found = part.get("concurrency", {})
        assert set(found) <= CONCURRENCY_KEYS
        assert found.get("queue", "single") in ("single", "max")
        assert not (found.get("queue") == "max" and found["cancel-in-progress"])


@pytest.mark.parametrize("name", NAMES)
def test_jobs_need_jobs_and_outputs_that_there_are(name: str) -> None:
    known = dict(jobs(name))
    for job, part in known.items():
        needs = part.get("needs", [])
        needs = [needs] if isinstance(needs, str) else needs
        assert set(needs) <= set(known), job
        for other, output in re.findall(r"needs\.([\w-]+)\.outputs\.(\w+)", str(part)):
            assert other in needs, job
            assert output in known[other]["outputs"], job
        ids = {step["id"] for step in part["steps"] if "id" in step}
        assert set(re.findall(r"steps\.([\w-]+)\.", str(part))) <= ids, job


@pytest.mark.parametrize("name", NAMES)
def test_scripts_of_steps_are_there_and_executable(name: str) -> None:
    used = re.findall(r"(?<![\w/])((?:tools|tests|\.ci)/[\w/.-]+)", str(list(steps(name))))
    scripts = {path for path in used if path.endswith(".sh") or path == ".ci/run"}
    assert scripts or name == "release.yml", name
    assert [path for path in scripts if not os.access(ROOT / path, os.X_OK)] == []
    modules = re.findall(r"python3? -m ((?:tools|tests)\.[\w.]+)", str(list(steps(name))))
    paths = [ROOT / f"{module.replace('.', '/')}.py" for module in modules]
    assert [path for path in paths if not path.is_file()] == []


def test_secrets_reach_only_the_steps_that_activate_a_licence() -> None:
    text = (ROOT / ".github" / "workflows" / "unity.yml").read_text("utf-8")
    assert "UNITY" not in str(workflow("unity.yml").get("env", ""))
    for job, step in steps("unity.yml"):
        given = {key for key, value in step.get("env", {}).items() if "secrets." in value}
        if "game-ci/" in step.get("uses", ""):
            expected = {"UNITY_LICENSE", "UNITY_SERIAL", "UNITY_EMAIL", "UNITY_PASSWORD"}
            assert given == expected, job
        else:
            assert all(step["env"][key].endswith("!= '' }}") for key in given), job
    assert "unity-return-license" not in text


def test_what_needs_a_licence_queues_for_it_and_waits_for_the_check_of_it() -> None:
    for job, part in jobs("unity.yml"):
        licensed = any("game-ci/" in step.get("uses", "") for step in part["steps"])
        assert licensed == ("concurrency" in part), job
        if licensed:
            assert part["concurrency"]["queue"] == "max"
            assert part["strategy"]["max-parallel"] == 1
            assert "needs.licence.outputs.present == 'true'" in part["if"]


def test_disk_is_freed_before_an_editor_is_fetched() -> None:
    for job, part in jobs("unity.yml"):
        order = [step.get("run", step.get("uses", "")) for step in part["steps"]]
        images = [n for n, step in enumerate(order) if "game-ci/" in step or "copy_editor" in step]
        if images:
            assert order.index("tools/ci/free_disk.sh") < images[0], job


def test_engine_code_is_checked_without_secrets() -> None:
    part = dict(jobs("unity.yml"))["engine-code"]
    assert "secrets" not in str(part)
    assert not {"needs", "if"} & set(part)


def test_a_conformance_job_looks_for_its_player_though_another_build_failed() -> None:
    part = dict(jobs("unity.yml"))["conformance"]
    assert part["if"].startswith("!cancelled()")
    builds = dict(jobs("unity.yml"))["build"]["strategy"]["matrix"]["include"]
    assert part["strategy"]["matrix"]["name"] == [build["name"] for build in builds]
    (download,) = (step for step in part["steps"] if "download-artifact" in step.get("uses", ""))
    assert "pattern" in download["with"]


@pytest.mark.parametrize("suffix", ["pull_request", "push"])
def test_unity_runs_where_its_own_scripts_change(suffix: str) -> None:
    triggers: dict[Any, Any] = workflow("unity.yml")
    assert {"tools/ci/**", "tools/unity_*.py"} <= set(triggers[True][suffix]["paths"])


@pytest.mark.skipif(shutil.which("actionlint") is None, reason="actionlint is not installed")
def test_actionlint_finds_nothing() -> None:
    done = subprocess.run(["actionlint"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


@pytest.mark.skipif(shutil.which("shellcheck") is None, reason="shellcheck is not installed")
def test_shellcheck_finds_nothing_in_scripts_of_the_workflows() -> None:
    scripts = sorted((ROOT / "tools" / "ci").glob("*.sh"))
    command = ["shellcheck", *scripts, ROOT / "tests" / "csharp" / "run.sh"]
    done = subprocess.run([*command, "--severity=warning"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
