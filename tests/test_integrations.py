"""The packages of integrations/, each tested in an environment of its own.

``make integrations`` makes the environments and tests every level; a sample is tested here.
"""

import subprocess
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
