"""The faults with which the tests are tried, and that a fault is noticed, or said to survive."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.waiting import PATIENCE, wait_for
from tools.mutants import MUTATIONS, Edit, Mutation
from tools.mutations import BEGIN, END, ROOT, Journal, table, write_table
from tools.trials import (
    Processes,
    Stale,
    Trial,
    Unfit,
    Workshop,
    broken,
    stale,
    try_mutation,
)

PAGE = ROOT / "docs" / "mutations.md"
TINY = {
    "pyproject.toml": '[tool.pytest.ini_options]\nmarkers = ["slow: is not run"]\n',
    "thing.py": "def next_to(x: int) -> int:\n    return x + 1\n",
    "test_good.py": "from thing import next_to\n\n\ndef test_it() -> None:\n"
    "    assert next_to(1) == 2\n",
    "test_weak.py": "from thing import next_to\n\n\ndef test_it() -> None:\n"
    "    assert next_to(1)\n",
    "test_wrong.py": "def test_it() -> None:\n    assert False\n",
    "test_slow.py": "import pytest\n\n\n@pytest.mark.slow\ndef test_it() -> None:\n"
    "    assert False\n",
}


def fault(*tests: str, old: str = "x + 1", new: str = "x + 2") -> Mutation:
    return Mutation("two-on", "thing.py", "one too many", tests, (Edit(old, new),))


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A tiny one, of which one file is not tracked."""
    root = tmp_path / "repository"
    root.mkdir()
    for name, text in TINY.items():
        (root / name).write_text(text, encoding="utf-8")
    for command in (["init", "--quiet"], ["add", "."]):
        subprocess.run(["git", *command], cwd=root, check=True)
    (root / "draft.py").write_text("", encoding="utf-8")
    return root


@pytest.fixture
def workshop(repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workshop:
    """Return a workshop whose trials load one plugin, which halves their time."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.setenv("PYTEST_PLUGINS", "_hypothesis_pytestplugin")
    return Workshop.of(repository, tmp_path / "workshop", Processes())


def contents(root: Path) -> dict[str, str]:
    return {path.name: path.read_text(encoding="utf-8") for path in root.glob("[a-z]*.*")}


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda mutation: mutation.name)
def test_every_fault_fits_its_file(mutation: Mutation) -> None:
    assert stale(mutation, ROOT) == ""
    if mutation.file.endswith(".py"):
        compile(broken(mutation, ROOT), mutation.file, "exec")
    assert mutation.tests and all((ROOT / t.partition("::")[0]).exists() for t in mutation.tests)


def test_there_are_sixty_faults_that_are_told_apart() -> None:
    names = [mutation.name for mutation in MUTATIONS]
    assert len(names) == len(set(names)) == 60
    assert all(re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name) for name in names)
    assert len({(m.file, m.edits) for m in MUTATIONS}) == len(MUTATIONS)


def test_the_page_tells_of_every_fault_and_of_no_other() -> None:
    told = PAGE.read_text(encoding="utf-8").partition(BEGIN)[2].partition(END)[0]
    rows = [line.split(" | ") for line in told.splitlines() if line.startswith("| `")]
    assert [tuple(row[:3]) for row in rows] == [
        (f"| `{m.name}`", f"`{m.file}`", m.breaks) for m in MUTATIONS
    ]
    caught = sum("**" not in row[3] for row in rows)
    assert told.strip().startswith(f"{caught} of 60 faults are caught.")
    assert caught >= 58


def test_a_fault_that_tests_see_is_caught_by_name(workshop: Workshop) -> None:
    assert try_mutation(workshop, fault("test_good.py")).by == "test_good.py::test_it"


def test_a_fault_is_caught_if_it_is_written_in_the_second_of_a_module_compiled_before(
    workshop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
    write = Path.write_text

    def write_in_the_same_second(path: Path, text: str, encoding: str) -> int:
        second = path.stat().st_mtime_ns
        size = write(path, text, encoding=encoding)
        os.utime(path, ns=(second, second))
        return size

    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_text", write_in_the_same_second)
        assert try_mutation(workshop, fault("test_good.py")).by == "test_good.py::test_it"
    assert try_mutation(workshop, fault("test_good.py", new="x + 3")).by == "test_good.py::test_it"


def test_a_fault_that_tests_do_not_see_survives(workshop: Workshop) -> None:
    assert try_mutation(workshop, fault("test_weak.py", "test_slow.py")).by == ""


def test_a_fault_that_breaks_the_import_is_caught(workshop: Workshop) -> None:
    trial = try_mutation(workshop, fault("test_good.py", old="next_to(x", new="next_but_one(x"))
    assert trial.by == "test_good.py"


@pytest.mark.by_day(1)
@pytest.mark.parametrize("tests", ["test_wrong.py", "test_missing.py"])
def test_tests_that_fail_anyway_catch_nothing(workshop: Workshop, tests: str) -> None:
    with pytest.raises(Unfit, match=tests):
        try_mutation(workshop, fault(tests))


def test_the_copy_is_whole_after_each_fault_and_the_tree_is_never_touched(
    workshop: Workshop, repository: Path
) -> None:
    before = contents(repository)
    assert contents(workshop.tree) == {n: t for n, t in before.items() if n != "draft.py"}
    written = (workshop.tree / "thing.py").stat().st_mtime_ns
    try_mutation(workshop, fault("test_good.py"))
    with pytest.raises(ZeroDivisionError), workshop.with_fault(fault("test_good.py")):
        assert "x + 2" in (workshop.tree / "thing.py").read_text(encoding="utf-8")
        assert contents(repository) == before
        raise ZeroDivisionError
    assert contents(repository) == before
    assert contents(workshop.tree) == {n: t for n, t in before.items() if n != "draft.py"}
    assert (workshop.tree / "thing.py").stat().st_mtime_ns == written


@pytest.mark.by_day(1)
@pytest.mark.parametrize("old", ["x + 3", "x"])
def test_a_fault_that_does_not_fit_any_more_is_said_to(workshop: Workshop, old: str) -> None:
    with pytest.raises(Stale, match="not once"):
        try_mutation(workshop, fault("test_good.py", old=old))


def test_what_was_tried_is_tried_again_only_if_something_changed(
    workshop: Workshop, tmp_path: Path
) -> None:
    mutation, path = fault("test_weak.py"), tmp_path / "new" / "results.json"
    journal = Journal(path)
    assert not journal.knows(mutation, workshop.tree, everywhere=False)
    journal.add(mutation.name, try_mutation(workshop, mutation))
    again = Journal(path)
    assert again.trials == journal.trials
    assert again.knows(mutation, workshop.tree, everywhere=False)
    assert not again.knows(mutation, workshop.tree, everywhere=True)
    assert not again.knows(fault("test_good.py"), workshop.tree, everywhere=False)
    with (workshop.tree / "thing.py").open("a", encoding="utf-8") as file:
        file.write("\n")
    assert not again.knows(mutation, workshop.tree, everywhere=False)


def test_a_table_counts_and_goes_between_its_marks(tmp_path: Path) -> None:
    caught, survived = (
        Trial("", "tests/a/test_b.py::test_c[1]", False, 1.0),
        Trial("", "", True, 1.0),
    )
    mutations = [fault("test_good.py"), Mutation("other", "b.py", "all", ("t",), ())]
    text = table(mutations, {"two-on": caught, "other": survived})
    assert text.splitlines()[0] == "1 of 2 faults are caught."
    assert "| `two-on` | `thing.py` | one too many | `a/test_b.py` `test_c` |" in text
    assert "| `other` | `b.py` | all | **nothing** |" in text
    page = tmp_path / "page.md"
    page.write_text(f"above\n{BEGIN}\nold\n{END}\nbelow\n", encoding="utf-8")
    write_table(page, text)
    assert page.read_text(encoding="utf-8") == f"above\n{BEGIN}\n{text}\n{END}\nbelow\n"
    page.write_text("nothing\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"page\.md has no"):
        write_table(page, text)


def start(folder: Path, *arguments: str) -> "subprocess.Popen[str]":
    if not (ROOT / ".git").exists():
        pytest.skip("git tells which files to copy, and this is no checkout")
    command = [sys.executable, "-m", "tools.mutations", *arguments]
    environ = {**os.environ, "TMPDIR": str(folder)}
    return subprocess.Popen(
        command, cwd=ROOT, env=environ, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )


@pytest.mark.slow
def test_a_real_fault_is_caught(tmp_path: Path) -> None:
    process = start(tmp_path, "--only", "swapped-product")
    output, errors = process.communicate(timeout=2 * PATIENCE)
    assert process.returncode == 0, errors
    assert "1 of 1 faults are caught." in output and "`geometry/test_rotations.py`" in output
    assert not list(tmp_path.glob("luban-mutations-*"))


@pytest.mark.slow
def test_an_interrupt_leaves_nothing_behind(tmp_path: Path) -> None:
    process = start(tmp_path, "--only", "swapped-product")
    try:
        wait_for(lambda: list(tmp_path.glob("luban-mutations-*/0/tmp*")) or None)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
    assert process.returncode == 130 and "Traceback" not in errors
    assert not list(tmp_path.glob("luban-mutations-*"))
