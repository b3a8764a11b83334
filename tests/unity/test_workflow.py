"""The Unity workflow's own scripts, and its steps under GameCI's scripts with a fake Editor."""

import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.unity.dry_run import ACTIONS, GAME_CI, LICENCE, ROOT, DryRun, game_ci_steps
from tests.unity.standins import write_player
from tests.waiting import PATIENCE
from tools import nunit_results

SCRIPTS = ROOT / "tools" / "ci"
needs_game_ci = pytest.mark.skipif(
    not GAME_CI, reason=f"LUBAN_GAME_CI names no folder with checkouts of {' and '.join(ACTIONS)}"
)


def run(
    script: str, *arguments: str | Path, cwd: Path = ROOT, **environment: str
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [SCRIPTS / script, *arguments],
        env={**os.environ, **environment},
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )


def write_shims(folder: Path, programs: dict[str, str]) -> None:
    """Write programs that stand in for those of a runner."""
    for name, text in programs.items():
        (folder / name).write_text(text, encoding="utf-8")
        (folder / name).chmod(0o755)


def find_licence(folder: Path, **environment: str) -> tuple[str, str]:
    """The step's output and its warning."""
    output = folder / "output"
    done = run(
        "find_licence.sh",
        GITHUB_OUTPUT=str(output),
        GITHUB_STEP_SUMMARY=str(folder / "summary"),
        **environment,
    )
    assert done.returncode == 0, done.stderr
    return output.read_text("utf-8").strip(), done.stdout.strip()


@pytest.mark.parametrize("kind", ["HAS_LICENSE", "HAS_SERIAL"])
def test_licence_of_either_kind_with_an_account_is_present(tmp_path: Path, kind: str) -> None:
    secrets = {kind: "true", "HAS_EMAIL": "true", "HAS_PASSWORD": "true"}
    assert find_licence(tmp_path, **secrets) == ("present=true", "")


@pytest.mark.parametrize(
    ("secrets", "words"),
    [
        ({}, "UNITY_LICENSE (or UNITY_SERIAL) UNITY_EMAIL UNITY_PASSWORD."),
        ({"HAS_SERIAL": "true", "HAS_EMAIL": "true"}, "not set: UNITY_PASSWORD."),
        ({"HAS_SERIAL": "false", "FORK": "true"}, "a pull request from a fork gets no secrets"),
    ],
)
def test_missing_secrets_are_named_in_a_warning(
    tmp_path: Path, secrets: dict[str, str], words: str
) -> None:
    output, warning = find_licence(tmp_path, **secrets)
    assert output == "present=false"
    assert warning.startswith("::warning::SKIPPED")
    assert words in warning
    assert words in (tmp_path / "summary").read_text("utf-8")


def test_free_disk_keeps_docker_and_dotnet(tmp_path: Path) -> None:
    for folder in ("var/lib/docker", "usr/share/dotnet", "usr/local/lib/android/sdk", "opt/ghc"):
        (tmp_path / folder).mkdir(parents=True)
    write_shims(tmp_path, {"sudo": '#!/bin/sh\nexec "$@"\n'})
    path = f"{tmp_path}:{os.environ['PATH']}"
    done = run("free_disk.sh", FREE_DISK_PREFIX=str(tmp_path), PATH=path)
    assert done.returncode == 0, done.stderr
    left = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_dir()}
    assert {"var/lib/docker", "usr/share/dotnet"} <= left
    assert not left & {"usr/local/lib/android", "opt/ghc"}


DOCKER = """#!/bin/sh
# Docker with the images in $IMAGES. It logs what it is asked for; "cp" leaves an empty folder.
echo "$@" >>"$LOG"
image() { case " $IMAGES " in *" $1 "*) return 0 ;; *) return 1 ;; esac; }
case "$1" in
    image) exit 1 ;;
    pull) image "$3" ;;
    create) echo container ;;
    cp) case "$3" in *BuiltInPackages*) exit 1 ;; esac; mkdir "$4/$(basename "$3")" ;;
esac
"""


@pytest.mark.parametrize("module", ["base", "linux-il2cpp"])
def test_editor_is_copied_from_a_container_that_is_never_started(
    tmp_path: Path, module: str
) -> None:
    write_shims(tmp_path, {"docker": DOCKER, "sleep": "#!/bin/sh\n"})
    image = f"unityci/editor:ubuntu-6000.0.59f2-{module}-3"
    data, log = tmp_path / "data", tmp_path / "log"
    path = f"{tmp_path}:{os.environ['PATH']}"
    done = run("copy_editor.sh", data, PATH=path, LOG=str(log), IMAGES=image)
    assert done.returncode == 0, done.stderr
    assert f"copied from {image}, which was not started" in done.stdout
    assert (data / "Managed" / "UnityEngine").is_dir()
    assert (data / "CGIncludes").is_dir()
    calls = [line.split()[0] for line in log.read_text("utf-8").splitlines()]
    assert set(calls) == {"image", "pull", "create", "cp", "rm"}
    assert calls[-1] == "rm"


def test_editor_without_an_image_fails_with_both_names(tmp_path: Path) -> None:
    write_shims(tmp_path, {"docker": DOCKER, "sleep": "#!/bin/sh\n"})
    path = f"{tmp_path}:{os.environ['PATH']}"
    log = str(tmp_path / "log")
    done = run("copy_editor.sh", tmp_path / "data", PATH=path, LOG=log, IMAGES="")
    assert done.returncode == 1
    assert "-base-3 nor" in done.stderr
    assert "-linux-il2cpp-3 can be pulled" in done.stderr


@pytest.mark.parametrize("built", [True, False])
def test_player_is_found_and_made_executable(tmp_path: Path, built: bool) -> None:
    player, output = tmp_path / "luban.x86_64", tmp_path / "output"
    if built:
        player.touch(0o644)
    done = run("find_player.sh", player, GITHUB_OUTPUT=str(output))
    assert done.returncode == 0
    assert output.read_text("utf-8") == f"present={str(built).lower()}\n"
    assert os.access(player, os.X_OK) == built
    assert ("There is no luban.x86_64" in done.stdout) != built


def hold_to_conformance(player: Path, seen: Path) -> None:
    """Run a small part of the suite as the workflow does; the digests must be the player's own."""
    one_level = ("-k", "equal_digests and burr", "-q", "-p", "no:cacheprovider")
    done = run("run_conformance.sh", "moves", player, seen, *one_level)
    assert done.returncode == 0, done.stdout + done.stderr
    assert " built" in (seen / "digests-luban.txt").read_text("utf-8")


XVFB_RUN = """#!/bin/sh
# Log what is run on a virtual display, and the names of files that tests read.
echo "$@" >"$LOG"
echo "$LUBAN_UNITY_PLAYER $LUBAN_DIGEST_LOG $LUBAN_UNITY_DRAWS $LUBAN_CONTACT_SHEET" >>"$LOG"
"""


@pytest.mark.parametrize(
    ("suite", "module", "files"),
    [
        ("moves", "test_families.py", "{0}/luban.x86_64 {0}/seen/digests-luban.txt"),
        ("pictures", "test_built_pictures.py", "{0}/luban.x86_64 {0}/seen"),
    ],
)
def test_conformance_runs_its_suite_on_a_display(
    tmp_path: Path, suite: str, module: str, files: str
) -> None:
    write_shims(tmp_path, {"xvfb-run": XVFB_RUN})
    (tmp_path / "luban.x86_64").touch()
    environment = {"PATH": f"{tmp_path}:{os.environ['PATH']}", "LOG": str(tmp_path / "log")}
    done = run("run_conformance.sh", suite, "luban.x86_64", "seen", cwd=tmp_path, **environment)
    assert done.returncode == 0, done.stderr
    command, seen = (tmp_path / "log").read_text("utf-8").splitlines()
    assert f"/{module}" in command
    assert seen.strip() == files.format(tmp_path)
    assert (tmp_path / "seen").is_dir()


@pytest.mark.slow
def test_conformance_leaves_the_digests_of_the_player(tmp_path: Path) -> None:
    player = write_player(tmp_path).rename(tmp_path / "luban.x86_64")
    hold_to_conformance(player, tmp_path / "seen")


@pytest.mark.parametrize("arguments", [(), ("taste", "player", "seen")])
def test_conformance_of_another_kind_is_refused(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    done = run("run_conformance.sh", *arguments, cwd=tmp_path)
    assert done.returncode == 2
    assert "moves" in done.stderr


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('<test-run passed="1"><test-case result="Passed" fullname="A"/></test-run>', ""),
        ('<test-run passed="0"/>', "no test passed"),
        ('<test-run passed="1"><test-case result="Failed" fullname="A.B"/></test-run>', "A.B"),
        ("<test-run", "it can't be read"),
        (None, "there is no such file"),
    ],
)
def test_results_are_a_success_only_if_tests_passed(
    tmp_path: Path, text: str | None, problem: str, capsys: pytest.CaptureFixture[str]
) -> None:
    results = tmp_path / "results.xml"
    if text is not None:
        results.write_text(text, encoding="utf-8")
    assert nunit_results.main([str(results)]) == (1 if problem else 0)
    assert (problem or "all passed") in capsys.readouterr().out


@pytest.fixture
def dry_run(tmp_path: Path) -> DryRun:
    (tmp_path / "player").mkdir()
    return DryRun(Path(GAME_CI), tmp_path / "dry-run", write_player(tmp_path / "player"))


@needs_game_ci
@pytest.mark.parametrize("inputs", game_ci_steps("tests"), ids=lambda inputs: inputs["testMode"])
def test_tests_leave_results_where_the_workflow_looks(
    dry_run: DryRun, inputs: dict[str, str]
) -> None:
    done = dry_run.test(inputs)
    assert done.returncode == 0, done.stdout + done.stderr
    mode = inputs["testMode"]
    assert not nunit_results.problem_of(
        dry_run.workspace / f"artifacts-{mode}" / f"{mode}-results.xml"
    )
    assert ["-serial" in call for call in dry_run.calls] == [True, False, False]
    assert "-returnlicense" in dry_run.calls[-1]


@needs_game_ci
def test_failing_tests_run_once_and_return_the_licence(dry_run: DryRun) -> None:
    dry_run.environment["FAKE_EDITOR_FAILS"] = "tests"
    (inputs, _) = game_ci_steps("tests")
    done = dry_run.test(inputs)
    # GameCI leaves this verdict to its check on GitHub; our own step fails the job without it.
    assert done.returncode == 0
    results = dry_run.workspace / inputs["artifactsPath"] / "editmode-results.xml"
    assert nunit_results.problem_of(results) == "1 failed: Luban.Tests.Second"
    assert len(dry_run.calls) == 3
    assert "-returnlicense" in dry_run.calls[-1]


@needs_game_ci
@pytest.mark.parametrize("inputs", game_ci_steps("build"), ids=lambda inputs: inputs["buildName"])
def test_build_leaves_the_player_where_the_workflow_looks(
    dry_run: DryRun, inputs: dict[str, str]
) -> None:
    done = dry_run.build(inputs)
    assert done.returncode == 0, done.stdout + done.stderr
    build = dry_run.workspace / "build" / "StandaloneLinux64"
    assert (build / f"{inputs['buildName']}.x86_64").is_file()
    assert "-returnlicense" in dry_run.calls[-1]


@needs_game_ci
def test_failing_build_runs_once_fails_and_returns_the_licence(dry_run: DryRun) -> None:
    dry_run.environment["FAKE_EDITOR_FAILS"] = "build"
    done = dry_run.build(game_ci_steps("build")[0])
    assert done.returncode == 1
    assert len(dry_run.calls) == 3
    assert "-returnlicense" in dry_run.calls[-1]


@needs_game_ci
@pytest.mark.parametrize(("refusals", "status", "calls"), [(4, 0, 7), (5, 1, 5)])
def test_activation_is_tried_five_times(
    dry_run: DryRun, refusals: int, status: int, calls: int
) -> None:
    dry_run.environment["FAKE_EDITOR_REFUSALS"] = str(refusals)
    done = dry_run.build(game_ci_steps("build")[0])
    assert done.returncode == status
    assert len(dry_run.calls) == calls


@pytest.mark.slow
@needs_game_ci
def test_conformance_passes_with_a_player_out_of_an_artifact(
    dry_run: DryRun, tmp_path: Path
) -> None:
    (inputs, _) = game_ci_steps("build")
    dry_run.build(inputs)
    artifact = tmp_path / "artifact"
    shutil.copytree(dry_run.workspace / "build" / "StandaloneLinux64", artifact)
    player = artifact / "luban.x86_64"
    player.chmod(0o644)  # Artifacts keep no modes.
    output = tmp_path / "output"
    assert run("find_player.sh", player, GITHUB_OUTPUT=str(output)).returncode == 0
    hold_to_conformance(player, tmp_path / "seen")


@needs_game_ci
@pytest.mark.parametrize(
    ("job", "action"), [("tests", "unity-test-runner"), ("build", "unity-builder")]
)
def test_inputs_are_those_that_the_action_knows(job: str, action: str) -> None:
    text = (Path(GAME_CI) / action / "action.yml").read_text("utf-8")
    known: dict[str, Any] = yaml.safe_load(text)["inputs"]
    for inputs in game_ci_steps(job):
        assert set(inputs) <= set(known)


def test_dry_run_activates_no_personal_licence() -> None:
    assert not LICENCE["UNITY_SERIAL"].startswith("F"), "its scripts would write /etc/machine-id"
