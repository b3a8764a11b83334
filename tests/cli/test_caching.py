"""Where compiled code is kept when neither the code's folder nor the home can be written to."""

import os
import subprocess
import sys
from pathlib import Path

from bridge.cli.caching import cache_folder


def test_the_usual_folders_are_left_to_numba(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.touch()
    assert cache_folder((blocked / "x", tmp_path / "not" / "yet"), tmp_path) is None
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file"]


def test_without_one_there_is_a_folder_of_the_users_own(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.touch()
    folder = cache_folder((blocked / "x", blocked / "y"), tmp_path)
    assert folder is not None and folder.stat().st_mode & 0o777 == 0o700
    assert cache_folder((blocked / "x", blocked / "y"), tmp_path) == folder


def test_a_folder_that_others_may_write_to_is_not_trusted(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.touch()
    folder = cache_folder((blocked,), tmp_path)
    assert folder is not None
    folder.chmod(0o777)
    other = cache_folder((blocked,), tmp_path)
    assert other is not None and other != folder and other.parent == tmp_path


def test_a_command_names_the_folder_before_anything_is_compiled() -> None:
    code = (
        "import os\n"
        "from pathlib import Path\n"
        "from bridge.cli import caching\n"
        "caching.cache_folder = lambda usual, spare: Path('/elsewhere')\n"
        "caching.keep_compiled_code()\n"
        "print(os.environ['NUMBA_CACHE_DIR'])\n"
    )
    environment = {k: v for k, v in os.environ.items() if k != "NUMBA_CACHE_DIR"}
    for named, expected in (({}, "/elsewhere"), ({"NUMBA_CACHE_DIR": "/mine"}, "/mine")):
        done = subprocess.run(
            [sys.executable, "-c", code],
            env=environment | named,
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout.strip() == expected
