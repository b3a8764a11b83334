"""Samples of the soak: every kind of file that the code reads has one that a command reads."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from tests.sampling import more
from tests.soak.budget import make_rng
from tests.soak.commands import Runner, verdict_of
from tests.soak.kit import REPLACING, Kit, choose_kind, make_task, put_pipe
from tests.soak.samples import SAMPLES, UNREAD, list_kinds

OWN = {"a level file", "a design"}
"""Kinds that the kit damages in ways of their own."""
DRAWN_ANEW = {"an index of pictures"}
"""Kinds of files that are made again if they can't be read."""


@pytest.fixture(scope="module")
def runner() -> Iterator[Runner]:
    with Runner() as runner:
        yield runner


@pytest.fixture(scope="module")
def kit(runner: Runner, tmp_path_factory: pytest.TempPathFactory) -> Kit:
    return Kit.made(runner, tmp_path_factory.mktemp("kit"))


def test_every_kind_of_file_in_the_code_has_a_sample() -> None:
    assert set(list_kinds()) == {*SAMPLES, *OWN, *UNREAD}


@pytest.mark.slow
def test_soak_damages_every_kind(kit: Kit, tmp_path: Path) -> None:
    assert {choose_kind(Random(case)) for case in range(10_000)} == set(SAMPLES)
    drawn = set()
    for case in range(more(30, night=100)):
        folder = tmp_path / str(case)
        folder.mkdir()
        drawn.add(kit.task(Random(case), folder).kind)
        shutil.rmtree(folder)
    assert drawn > OWN and len(drawn) > 6


def test_damaged_files_are_read_or_refused_in_a_line(
    kit: Kit, runner: Runner, tmp_path: Path
) -> None:
    """A few cases of the attack on files."""
    for case in range(more(6)):
        folder = tmp_path / str(case)
        folder.mkdir()
        task = kit.task(make_rng(1, "files", case), folder)
        ended = runner.run(task.arguments, folder, 120)
        words = f"{' '.join(task.arguments)}: {ended.words}"
        assert verdict_of(ended, patient=task.searches) is None, words


@pytest.mark.by_day(4)
@pytest.mark.parametrize("kind", SAMPLES)
def test_whole_sample_is_read_without_a_word_against_it(
    kit: Kit, runner: Runner, kind: str, tmp_path: Path
) -> None:
    for seed in range(more(1, night=4)):
        folder = tmp_path / str(seed)
        folder.mkdir()
        task = make_task(kit, kind, Random(seed), folder, lambda random, file: None)
        ended = runner.run(task.arguments, folder, 120)
        assert ended.status == 0, f"{' '.join(task.arguments)}: {ended.words}"


@pytest.mark.by_day(4)
@pytest.mark.parametrize("kind", SAMPLES)
def test_pipe_in_the_place_of_a_sample_is_refused_by_name(
    kit: Kit, runner: Runner, kind: str, tmp_path: Path
) -> None:
    for seed in range(more(1, night=4)):
        folder = tmp_path / str(seed)
        folder.mkdir()
        task = make_task(kit, kind, Random(seed), folder, lambda random, file: put_pipe(file))
        ended = runner.run(task.arguments, folder, 120)
        words = f"{' '.join(task.arguments)}: {ended.words}"
        assert verdict_of(ended) is None, words
        if kind not in DRAWN_ANEW:
            assert "this is no file" in ended.err + ended.out, words
            assert task.file.name in ended.err + ended.out, words


@pytest.mark.by_day(1)
@pytest.mark.parametrize("number", range(len(REPLACING)))
@pytest.mark.parametrize("kind", SAMPLES)
def test_nothing_in_the_place_of_a_sample_hangs_or_crashes_its_command(
    kit: Kit, runner: Runner, kind: str, number: int, tmp_path: Path
) -> None:
    replace = REPLACING[number]
    task = make_task(kit, kind, Random(number), tmp_path, lambda random, file: replace(file))
    ended = runner.run(task.arguments, tmp_path, 120)
    assert verdict_of(ended) is None, f"{' '.join(task.arguments)}: {ended.words}"
    assert ended.peak < 2**30
