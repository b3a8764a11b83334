"""Sources of tasks: the same for a seed, apart by split, without an end."""

import pickle
from itertools import islice
from pathlib import Path
from random import Random

import numpy as np
import pytest

import luban
from pysim.catalog import encode_level
from pysim.errors import InputError
from pysim.tasks import Split, Task, TaskError, TaskSettings, TaskSource
from pysim.tasks.pool import find_pool
from pysim.tasks.recipe import TaskRecipe
from pysim.tasks.splits import PUBLIC, assign_split, compute_digest
from tests.tasks.test_pool import SECRET, seal


def hashes(tasks: list[Task]) -> list[str]:
    return [task.level.hash for task in tasks]


def first(source: TaskSource, split: str, count: int) -> list[Task]:
    return list(islice(source.iterate(split), count))


@pytest.mark.by_day(1)
@pytest.mark.parametrize("family", ["nets", "rubik", "jigsaw"])
def test_task_follows_from_settings_seed_split_and_index(family: str) -> None:
    easy = {"difficulties": (1, 2)}
    source = TaskSource(family, easy, seed=7)
    tasks = {split: first(source, split, 4) for split in source.splits}
    again = TaskSource(family, easy, seed=7)
    for split in reversed(source.splits):  # The order in which tasks are asked for is free.
        assert [again.get_task(split, k) for k in (3, 1)] == [tasks[split][k] for k in (3, 1)]
    other = TaskSource(family, easy, seed=8)
    assert not set(hashes(first(other, "train", 4))) & set(hashes(tasks[Split.TRAIN]))
    for split, found in tasks.items():
        assert [task.difficulty for task in found] == [1, 2, 1, 2]
        assert [task.index for task in found] == [0, 1, 2, 3]
        assert {assign_split(compute_digest(task.level)) for task in found} == {split}
        assert all(task.level.source.reference for task in found)


def test_source_of_one_difficulty_has_the_tasks_that_all_have_at_other_indexes() -> None:
    every, second = TaskSource("nets"), TaskSource("nets", {"difficulties": (2,)})
    for split in PUBLIC:
        for index in range(5):
            one, other = second.get_task(split, index), every.get_task(split, 5 * index + 1)
            assert (one.level, one.certificate) == (other.level, other.certificate)


@pytest.mark.slow
def test_source_goes_on_after_its_pool_as_without_one(tmp_path: Path) -> None:
    path = tmp_path / "few.pool"
    seal(path, TaskRecipe("nets", 3))
    pooled, fresh = TaskSource("nets", pool=path), TaskSource("nets", seed=3)
    assert fresh.count_prepared("train") == 0 < pooled.count_prepared("train")
    for split in PUBLIC:
        count = pooled.count_prepared(split) + 7
        levels = [task.level for task in first(pooled, split, count)]
        assert levels == [task.level for task in first(fresh, split, count)]


def test_source_default_seed_goes_on_after_the_pool_that_ships() -> None:
    source = TaskSource("nets", {"difficulties": (1,)})
    prepared = source.count_prepared("test")
    pool = find_pool("nets")
    assert pool is not None and prepared > 40
    known = set(pool.digests)
    for task in islice(source.iterate("test", prepared), 3):
        assert compute_digest(task.level) not in known
        assert task.level.id == f"nets-test-{5 * task.index}"


@pytest.mark.slow
def test_private_tasks_tell_neither_seed_nor_index() -> None:
    source = TaskSource("nets", seed=SECRET)
    assert source.splits == (Split.PRIVATE,)
    tasks = first(source, "private", 5)
    public = set(find_pool("nets").digests)  # type: ignore[union-attr]
    for task in tasks:
        assert compute_digest(task.level) not in public
        level = task.level
        assert level.id == f"nets-private-{compute_digest(level).hex()[:16]}"
        text = str(encode_level(level))
        assert level.source.seed is None and "seed" not in level.source.reference
        assert "--seed" not in text and SECRET.decode() not in text
    assert hashes(first(TaskSource("nets", seed=SECRET + b"!"), "private", 5)) != hashes(tasks)
    with pytest.raises(TaskError, match="no split 'train' of these tasks; they have private"):
        source.get_task("train", 0)


def test_pool_of_a_secret_seed_is_read_without_the_secret(tmp_path: Path) -> None:
    path = tmp_path / "mine.pool"
    seal(path, TaskRecipe("nets", SECRET), attempts=40)
    source, knowing = TaskSource("nets", pool=path), TaskSource("nets", seed=SECRET, pool=path)
    prepared = source.count_prepared("private")
    assert prepared > 3
    assert first(source, "private", prepared) == first(knowing, "private", prepared)
    with pytest.raises(TaskError, match="the pool has no more tasks, and its seed is a secret"):
        source.get_task("private", prepared)
    assert knowing.get_task("private", prepared).level.id.startswith("nets-private-")


@pytest.mark.slow
@pytest.mark.parametrize("split", ["train", "private"])
def test_copy_in_another_process_has_the_same_tasks(
    split: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seed = SECRET if split == "private" else 3
    seal(tmp_path / "few.pool", TaskRecipe("nets", seed), attempts=40)
    monkeypatch.chdir(tmp_path)
    source = TaskSource("nets", {"difficulties": (2, 1)}, seed, pool="few.pool")
    count = source.count_prepared(split) + 2
    tasks, sent = first(source, split, count), pickle.dumps(source)
    monkeypatch.chdir("/")  # A worker may begin in another folder.
    assert first(pickle.loads(sent), split, count) == tasks


def test_copy_of_a_list_has_the_same_tasks() -> None:
    tasks = TaskSource("nets").iterate("test")
    listed = pickle.loads(pickle.dumps(luban.tasks("nets:test:0-2")))
    assert list(listed) == list(islice(tasks, 3))


def test_pool_that_does_not_fit_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "few.pool"
    seal(path, TaskRecipe("nets", 3))
    with pytest.raises(TaskError, match=r"few\.pool: these are tasks of nets, not of rubik"):
        TaskSource("rubik", pool=path)
    with pytest.raises(TaskError, match="these are tasks of another seed"):
        TaskSource("nets", seed=4, pool=path)
    with pytest.raises(TaskError, match="No such file"):
        TaskSource("nets", pool=tmp_path / "none.pool")


def test_source_with_a_bad_setting_is_refused() -> None:
    with pytest.raises(TaskError, match="nets has difficulties from 1 to 5, not 6"):
        TaskSource("nets", TaskSettings((1, 6)))
    with pytest.raises(InputError, match="level"):
        TaskSource("nets", {"level": 3})
    with pytest.raises(TaskError, match=r"settings are a dictionary .* of type int: .* seed=7"):
        TaskSource("nets", 7)  # type: ignore[arg-type]
    with pytest.raises(TaskError, match="a difficulty is named twice"):
        TaskSource("nets", {"difficulties": (2, 2)})
    with pytest.raises(TaskError, match=r"no family 'chess' has tasks; .*nets"):
        TaskSource("chess")
    with pytest.raises(TaskError, match="a seed is 0 or more, not -1"):
        TaskSource("nets", seed=-1)
    for secret in (b"", b"short"):
        with pytest.raises(TaskError, match=r"has at least 16 bytes, not [05]: secrets\.token_byt"):
            TaskSource("nets", seed=secret)


@pytest.mark.parametrize("value", [float("nan"), 1.5, 2, None, (float("nan"),), (1.5,), (2.0,)])
def test_difficulties_that_are_no_whole_numbers_are_refused(value: object) -> None:
    settings: list[object] = [{"difficulties": value}, TaskSettings(value)]  # type: ignore[arg-type]
    for one in settings:
        with pytest.raises(InputError, match=r"difficulties is a (whole number|list of values)"):
            TaskSource("nets", one)  # type: ignore[arg-type]


def test_seed_of_another_type_is_refused_and_not_repeated() -> None:
    for seed in (1.5, float("nan"), "a secret that is text"):
        with pytest.raises(TaskError, match="a seed is a whole number, or bytes") as refused:
            TaskSource("nets", seed=seed)  # type: ignore[arg-type]
        assert str(seed) not in str(refused.value)
    with pytest.raises(TaskError) as refused:
        TaskSource("nets", SECRET)  # type: ignore[arg-type]
    assert SECRET.decode() not in str(refused.value)
    assert TaskSource("nets", seed=np.int64(3)).get_task("train", 0) == (  # type: ignore[arg-type]
        TaskSource("nets", seed=3).get_task("train", 0)
    )


@pytest.mark.parametrize("index", [-1, 1.5, float("nan"), "3", None])
def test_index_that_is_no_whole_number_is_refused(index: object) -> None:
    with pytest.raises(TaskError, match="tasks are counted from 0 in whole numbers, not"):
        TaskSource("nets").get_task("train", index)  # type: ignore[arg-type]


@pytest.mark.parametrize("index", [10**8, 10**30])
def test_index_that_days_would_not_reach_is_refused_at_once(index: int) -> None:
    with pytest.raises(TaskError, match=r"would have to be made .* one of the 1,\d\d\d that are"):
        TaskSource("nets").get_task("train", index)


def test_count_of_an_unknown_split_is_refused() -> None:
    with pytest.raises(TaskError, match="no split 'tset' of these tasks; they have train, val"):
        TaskSource("nets").count_prepared("tset")


def test_random_tasks_are_prepared_ones_and_follow_from_the_draw() -> None:
    source = TaskSource("nets")
    drawn = [source.draw_task("val", Random(5).randrange) for _ in range(2)]
    assert drawn[0] == drawn[1] and drawn[0].split is Split.VAL
    rng = Random(6)
    indexes = {source.draw_task("val", rng.randrange).index for _ in range(400)}
    assert len(indexes) > 100 and max(indexes) < source.count_prepared("val")
    with pytest.raises(TaskError, match="no task of nets:train is prepared; name a pool"):
        TaskSource("nets", seed=9).draw_task("train", rng.randrange)
