"""The packages of integrations/, each tested in an environment of its own.

``make integrations`` makes the environments and tests every level; a sample is tested here.
"""

import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
NAMES = sorted(path.parent.name for path in (ROOT / "integrations").glob("*/pyproject.toml"))


@pytest.mark.parametrize("name", NAMES)
def test_package_passes_its_own_tests(name: str) -> None:
    if not (ROOT / "integrations" / name / ".venv" / ".luban").is_file():
        pytest.skip(f"NOT TESTED: integrations/{name} has no environment: make integrations")
    command = [str(ROOT / "tools" / "integrations.sh"), name, "-m", "not slow"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
def test_environment_of_a_tree_that_was_moved_is_made_anew(tmp_path: Path) -> None:
    """The commands of a moved one begin with the former path of its interpreter."""
    former, tree = tmp_path / "former", tmp_path / "tree"
    for name in ("pyproject.toml", "integrations/toy/pyproject.toml", "tools/integrations.sh"):
        (former / name).parent.mkdir(parents=True, exist_ok=True)
        (former / name).touch()
    shutil.copy(ROOT / "tools" / "integrations.sh", former / "tools")
    commands = former / "integrations" / "toy" / ".venv" / "bin"
    venv.create(commands.parent)  # Installing pip would take seconds.
    (commands / "pip").write_text(f"#!{commands}/python\n", encoding="utf-8")
    (commands / "pip").chmod(0o755)
    former.rename(tree)
    pip = tree / "integrations" / "toy" / ".venv" / "bin" / "pip"
    offline = {"PYTHON": sys.executable, "INSTALL_ONLY": "1", "PIP_NO_INDEX": "1"}
    done = subprocess.run(
        [str(tree / "tools" / "integrations.sh"), "toy"],
        env={**os.environ, **offline},
        capture_output=True,
        text=True,
    )
    assert done.returncode != 0 and "Installing integrations/toy" in done.stderr
    found = subprocess.run([str(pip), "--version"], capture_output=True, text=True)
    assert f" from {pip.parents[1]}/" in found.stdout
    assert not (pip.parents[1] / ".luban").exists(), "nothing was installed"
