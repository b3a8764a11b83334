"""Tests leave no folders behind."""

import subprocess
import sys
from pathlib import Path

TESTS = Path(__file__).parent


def test_scratch_folder_is_gone_after_its_process() -> None:
    program = (
        "from tests.scratch import make_scratch",
        "assert make_scratch() is make_scratch()",
        "(make_scratch() / 'film').mkdir()",
        "print(make_scratch())",
    )
    command = [sys.executable, "-c", "\n".join(program)]
    done = subprocess.run(command, cwd=TESTS.parent, capture_output=True, text=True, check=True)
    folder = Path(done.stdout.strip())
    assert folder.name.startswith("luban-test-") and not folder.exists()


def test_folders_that_nobody_removes_are_made_by_the_soak_alone() -> None:
    """It keeps what it has found, for a person to look at."""
    made = {
        path.relative_to(TESTS).parts[0]
        for path in TESTS.rglob("*.py")
        if "mkdtemp" in path.read_text(encoding="utf-8") and path != Path(__file__)
    }
    assert made == {"soak"}
