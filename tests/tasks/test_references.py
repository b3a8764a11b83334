"""Names of tasks, as every surface takes them."""

from pathlib import Path

import pytest

import luban
from pysim.catalog import LevelError
from pysim.level_selection import load_level, select_levels
from pysim.tasks import TaskError, TaskSource
from pysim.tasks.recipe import TaskRecipe
from tests.tasks.test_pool import SECRET, seal

SOURCE = TaskSource("nets")


@pytest.mark.parametrize("name", ["nets:test:7", "nets-test-7"])
def test_task_is_loaded_as_a_level(name: str) -> None:
    level = SOURCE.get_task("test", 7).level
    assert load_level(name) == level == load_level(name, files=False) == luban.load(name)
    assert select_levels(name) == (level,) == luban.levels(name)


def test_tasks_are_selected_by_split_and_range() -> None:
    levels = [task.level for task in luban.tasks("nets:val")]
    assert len(levels) == SOURCE.count_prepared("val") >= 240
    assert select_levels("nets:val") == tuple(levels)
    assert select_levels("nets:val:3-5, nets:val:4, nets:val:0") == (*levels[3:6], levels[0])
    assert len(luban.tasks("nets")) == sum(map(SOURCE.count_prepared, SOURCE.splits))
    assert [task.level for task in luban.tasks("nets:val")[3:5]] == levels[3:5]
    hard = luban.tasks("nets:val", difficulty=5)
    assert {task.difficulty for task in hard} == {5} and hard[0].level == levels[4]
    assert {task.difficulty for task in luban.tasks("nets:val", difficulty=(1, 3))} == {1, 3}


@pytest.mark.slow
def test_pool_file_is_named_alone_or_with_a_split(tmp_path: Path) -> None:
    path = tmp_path / "with:colon" / "mine.pool"
    path.parent.mkdir()
    seal(path, TaskRecipe("nets", SECRET), attempts=40)
    private = luban.tasks(f"{path}:private")
    assert [task.level for task in private] == list(select_levels(str(path)))
    assert load_level(f"{path}:private:1") == private[1].level
    with pytest.raises(TaskError, match="is a file, and only tasks that ship are taken"):
        load_level(f"{path}:private:1", files=False)
    with pytest.raises(TaskError, match="is a file, and only tasks that ship are taken"):
        select_levels(str(path), files=False)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("nets:tset:1", r"tasks are named FAMILY:SPLIT, .* not 'nets:tset:1'; SPLIT is train, val"),
        ("nets:test:x", "tasks are named FAMILY:SPLIT"),
        ("nets:test:-1", "tasks are named FAMILY:SPLIT"),
        ("nets:test:1-", "tasks are named FAMILY:SPLIT"),
        ("nets:", "tasks are named FAMILY:SPLIT"),
        (":test:1", "tasks are named FAMILY:SPLIT"),
        ("chess:test:1", "no family 'chess' has tasks"),
        ("nets:private:1", "nets:private is prepared: name a pool that `luban gen"),
        ("nets:test:\u0663", "tasks are named FAMILY:SPLIT"),
        ("nets:test:99999", r"nets:test has tasks from 0 to \d+; luban.TaskSource makes more"),
    ],
)
def test_name_of_no_task_is_refused_with_a_reason(name: str, message: str) -> None:
    with pytest.raises(TaskError, match=message):
        load_level(name)
    with pytest.raises(TaskError, match=message):
        select_levels(name)


def test_range_or_file_that_is_empty_or_missing_is_refused() -> None:
    with pytest.raises(TaskError, match="a range counts up: 3-5, not 5-3"):
        select_levels("nets:test:5-3")
    with pytest.raises(TaskError, match="nets:test has tasks from 0 to"):
        select_levels("nets:test:3-99999")
    with pytest.raises(TaskError, match=r"none\.pool: No such file"):
        select_levels("none.pool")
    with pytest.raises(TaskError, match="tasks are named FAMILY:SPLIT") as refused:
        load_level("x" * 300 + ":test:1")
    assert len(str(refused.value)) < 200


def test_name_of_several_tasks_is_no_level() -> None:
    with pytest.raises(TaskError, match="names several tasks: name one, as in FAMILY:SPLIT:7"):
        load_level("nets:test")
    with pytest.raises(TaskError, match="names several tasks"):
        load_level("nets:test:1-3")


@pytest.mark.parametrize("name", ["nets-test-99999", "nets-test-07", "chess-test-1", "nets-tset-1"])
def test_id_of_no_task_is_refused_as_a_levels(name: str) -> None:
    with pytest.raises(LevelError, match=f"there is no level {name!r}"):
        load_level(name)
