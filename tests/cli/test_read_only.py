"""Runs that may only be read can be reported, and reading a hostile one stays inside of it."""

import json
import shutil
import tempfile
from pathlib import Path
from typing import Any

import pytest

from bridge.runs.folders import RunError
from bridge.runs.store import RunFolder
from tests.commands import Luban, call
from tests.users import without_rights


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    run = tmp_path_factory.mktemp("read-only") / "run"
    options = ("--agent", "oracle", "--observation", "state", "--video", "none", "--out", run)
    call("eval", "burr-half-lap", *options)
    return run


def test_a_run_that_may_only_be_read_is_reported_elsewhere(luban: Luban, played: Path) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o777)
        run = folder / "run"
        shutil.copytree(played, run)
        for path in (run, *run.rglob("*")):  # A run is for its owner alone.
            path.chmod(0o755 if path.is_dir() else 0o644)
        (run / "results.json").unlink()
        assert luban("report", run, "--out", folder / "first.html", "--pictures", 0).status == 0
        (run / "results.json").unlink()
        before = {path: path.stat().st_mtime_ns for path in run.rglob("*")}
        run.chmod(0o555)
        with without_rights():
            done = luban("report", run, "--out", folder / "page.html", "--pictures", 0)
        run.chmod(0o755)
        assert done.status == 0, done.err
        assert "can't be written to: its figures are in the report" in done.err
        first = (folder / "first.html").read_text().replace("first_files", "page_files")
        assert (folder / "page.html").read_text() == first
        assert {path: path.stat().st_mtime_ns for path in run.rglob("*")} == before


OUTSIDE = ["../../../outside", "/etc/passwd", "..", "", "a/b", 5, None, ["x"], "x" * 10**6]


@pytest.mark.parametrize("level", OUTSIDE, ids=lambda level: str(level)[:20])
def test_a_run_whose_levels_are_elsewhere_is_refused(
    level: object, luban: Luban, played: Path, tmp_path: Path
) -> None:
    run = hostile(played, tmp_path, "levels", [[level, "sha256:x"]])
    with pytest.raises(RunError, match="settings are damaged"):
        RunFolder.read(run)
    luban("report", run, "--out", "page.html").complaint()


ODD: list[object] = [5, None, ["x"], {"x": 1}, True, 1e308, "\x1b[2J"]


@pytest.mark.by_day(3)
@pytest.mark.parametrize("value", ODD, ids=str)
def test_a_run_with_an_odd_setting_is_refused_in_a_line_or_reported(
    value: object, luban: Luban, played: Path, tmp_path: Path
) -> None:
    settings = json.loads((played / "run.json").read_text())
    for number, name in enumerate(settings):
        run = hostile(played, tmp_path / str(number), name, value)
        done = luban("report", run, "--out", f"{number}.html", "--pictures", 0)
        assert done.status in (0, 1), (name, done.err)
        assert "\x1b" not in done.out + done.err
        if name in ("agent", "suite", "world", "luban") and not isinstance(value, str):
            done.complaint()


def hostile(played: Path, folder: Path, name: str, value: Any) -> Path:
    """The run with another setting."""
    run = folder / "hostile"
    shutil.copytree(played, run)
    settings = json.loads((run / "run.json").read_text())
    (run / "run.json").write_text(json.dumps(settings | {name: value}))
    return run
