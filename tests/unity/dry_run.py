"""Dry-run the workflow of Unity: ``python -m tests.unity.dry_run GAME_CI FOLDER``.

GAME_CI holds checkouts of ``unity-test-runner`` and ``unity-builder``. Their shell scripts run as
their containers run them, with the inputs of ``.github/workflows/unity.yml``, but for their
absolute paths. FOLDER becomes the workspace, with the players that conformance then takes.
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

__all__ = ["ACTIONS", "GAME_CI", "DryRun", "game_ci_steps", "workflow"]

ROOT = Path(__file__).resolve().parents[2]
GAME_CI = os.environ.get("LUBAN_GAME_CI", "")
ACTIONS = ("unity-test-runner", "unity-builder")
ENTRY = {"unity-test-runner": "entrypoint.sh", "unity-builder": "entrypoint.sh"}
# Not one that begins with F: for a personal one the scripts write /etc/machine-id.
LICENCE = {"UNITY_SERIAL": "SX-TEST", "UNITY_EMAIL": "a@b.c", "UNITY_PASSWORD": "word"}
SHIMS = {"sleep": ":", "unity-editor": 'exec "{python}" -m tests.unity.fake_editor "$@"'}


def workflow(name: str) -> dict[str, Any]:
    """Return a workflow of ``.github/workflows``."""
    path = ROOT / ".github" / "workflows" / name
    document: dict[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
    return document


def game_ci_steps(job: str) -> list[dict[str, str]]:
    """Return the inputs of a job's step in Unity, for each entry of its matrix."""
    document = workflow("unity.yml")["jobs"][job]
    (step,) = (step for step in document["steps"] if "game-ci/" in step.get("uses", ""))
    matrix = document["strategy"]["matrix"]
    variants = matrix.get("include") or [{"mode": mode} for mode in matrix["mode"]]
    return [
        {key: _fill(value, variant) for key, value in step["with"].items()} for variant in variants
    ]


def _fill(value: str, variant: Mapping[str, str]) -> str:
    for key, word in variant.items():
        value = value.replace(f"${{{{ matrix.{key} }}}}", word)
    return value


@dataclass
class DryRun:
    """A workspace, and GameCI's scripts beside it with its paths in place of the container's."""

    game_ci: Path
    folder: Path
    player: Path
    environment: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        ignored = shutil.ignore_patterns("Library", "Temp", "Logs")
        shutil.copytree(ROOT / "unity_project", self.workspace / "unity_project", ignore=ignored)
        self.shims.mkdir(parents=True)
        for name, command in SHIMS.items():
            text = f'#!/bin/sh\nexport PYTHONPATH="{ROOT}"\n{command}\n'
            (self.shims / name).write_text(text.format(python=sys.executable), encoding="utf-8")
            (self.shims / name).chmod(0o755)
        for action in ACTIONS:
            self._adopt(action)

    @property
    def workspace(self) -> Path:
        """The checkout that the workflow's steps see."""
        return self.folder / "workspace"

    @property
    def shims(self) -> Path:
        """Programs in the place of the container's."""
        return self.folder / "shims"

    @property
    def calls(self) -> list[list[str]]:
        """Command lines of the Editor, in order."""
        return [json.loads(line) for line in self._log.read_text("utf-8").splitlines()]

    @property
    def _log(self) -> Path:
        return self.folder / "editor.log"

    def _adopt(self, action: str) -> None:
        """Copy an action's scripts as its container mounts them: /steps, /BlankProject."""
        root = self.folder / action
        ubuntu = self.game_ci / action / "dist" / "platforms" / "ubuntu"
        shutil.copytree(ubuntu, root / "platform")
        steps = root / "platform" / "steps"
        places = {"/steps/": f"{steps if steps.is_dir() else root / 'platform'}/"}
        places["/BlankProject"] = f"{root}/BlankProject"
        for script in (root / "platform").rglob("*.sh"):
            text = script.read_text(encoding="utf-8-sig")
            for old, new in places.items():
                text = text.replace(old, new)
            script.write_text(text, encoding="utf-8")

    def test(self, inputs: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
        """Run the step of one test mode."""
        return self._run(
            "unity-test-runner",
            PROJECT_PATH=inputs["projectPath"],
            ARTIFACTS_PATH=inputs["artifactsPath"],
            COVERAGE_RESULTS_PATH="CodeCoverage",
            TEST_PLATFORMS=inputs["testMode"],
            USE_EXIT_CODE="false" if inputs.get("githubToken") else "true",
        )

    def build(self, inputs: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
        """Run the step of one build."""
        return self._run(
            "unity-builder",
            PROJECT_PATH=inputs["projectPath"],
            BUILD_TARGET=inputs["targetPlatform"],
            BUILD_NAME=inputs["buildName"],
            BUILD_FILE=inputs["buildName"],
            BUILD_PATH=f"{inputs['buildsPath']}/{inputs['targetPlatform']}",
            BUILD_METHOD=inputs["buildMethod"],
            CUSTOM_PARAMETERS=inputs["customParameters"],
            VERSION="none",
        )

    def _run(self, action: str, **variables: str) -> subprocess.CompletedProcess[str]:
        own = {"FAKE_EDITOR_LOG": str(self._log), "FAKE_EDITOR_PLAYER": str(self.player)}
        own |= {"HOME": str(self.folder), "GITHUB_WORKSPACE": str(self.workspace)}
        own["PATH"] = f"{self.shims}:{os.environ['PATH']}"
        return subprocess.run(
            ["bash", self.folder / action / "platform" / ENTRY[action]],
            cwd=self.workspace,
            env={**os.environ, **LICENCE, **own, **variables, **self.environment},
            capture_output=True,
            text=True,
            check=False,
        )


def main(arguments: list[str]) -> int:
    """Run the workflow's tests and builds. Return 1 if a step fails."""
    game_ci, folder = (Path(argument).resolve() for argument in arguments)
    player = Path(sys.executable).parent / "luban-player"
    dry_run = DryRun(game_ci, folder, player)
    done = [dry_run.test(inputs) for inputs in game_ci_steps("tests")]
    done += [dry_run.build(inputs) for inputs in game_ci_steps("build")]
    for step in done:
        print(step.stdout, step.stderr)
    return int(any(step.returncode for step in done))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
