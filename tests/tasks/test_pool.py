"""Sealed pools: what is read is what was made, and a changed file is refused."""

import json
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest

from pysim.catalog import (
    decode_level,
    discover_families,
    encode_level,
    list_asset_folders,
    list_shipped_levels,
    read_level,
)
from pysim.generation import Rejected
from pysim.puzzle import Outcome
from pysim.tasks import TaskError, TaskSource
from pysim.tasks.pool import Pool, PoolStream, SealedTask, TaskCertificate, find_pool, seal_pool
from pysim.tasks.recipe import CHECKED, Candidate, TaskRecipe, has_tasks, is_solved
from pysim.tasks.splits import Split, assign_split, compute_digest
from tests.pages import table

FAMILIES = [name for name in discover_families() if has_tasks(name)]
SECRET = b"sixteen bytes at least"


def seal(path: Path, recipe: TaskRecipe, attempts: int = 12) -> list[PoolStream]:
    """Write a pool of the first attempts of each difficulty."""
    streams = []
    for difficulty in range(1, len(recipe.generators) + 1):
        found = [recipe.attempt(difficulty, number) for number in range(attempts)]
        tasks = [
            SealedTask(one, TaskCertificate(("plan", f"claim {k}"), ("doubt",)))
            for k, one in enumerate(found)
            if isinstance(one, Candidate)
        ]
        streams.append(PoolStream(attempts, tuple(tasks)))
    path.write_bytes(seal_pool(recipe, streams))
    return streams


@pytest.mark.slow
@pytest.mark.parametrize("seed", [3, SECRET], ids=["public", "secret"])
def test_pool_gives_back_the_tasks_that_were_sealed(tmp_path: Path, seed: int | bytes) -> None:
    path = tmp_path / "few.pool"
    streams = seal(path, TaskRecipe("nets", seed))
    pool = Pool(path)
    sealed = [task for stream in streams for task in stream.tasks]
    assert list(pool.read_sealed()) == sealed and len(pool) == len(sealed) > 3
    assert pool.attempts == (12,) * 5 and pool.is_secret is isinstance(seed, bytes)
    for number, task in enumerate(sealed):
        level, certificate = pool.read_task(number, "a-task")
        assert level.id == "a-task" and certificate == task.certificate
        assert decode_level(encode_level(level)) == level, "the checked reader agrees"
        assert number in pool.places[task.candidate.split, task.candidate.difficulty]


def test_pool_of_a_secret_seed_gives_nothing_of_it_away(tmp_path: Path) -> None:
    path = tmp_path / "few.pool"
    recipe = TaskRecipe("nets", SECRET)
    seal(path, recipe)
    content = path.read_bytes()
    pool = Pool(path)
    texts = [str(encode_level(pool.read_task(number, "x")[0])) for number in range(len(pool))]
    for generators in recipe.generators:
        for generator in generators:
            assert str(generator.seed).encode() not in content
            assert not any(str(generator.seed) in text for text in texts)
    assert SECRET not in content and not any("attempt" in text for text in texts)


@pytest.mark.slow
def test_pool_same_tasks_give_the_same_bytes(tmp_path: Path) -> None:
    seal(tmp_path / "a.pool", TaskRecipe("nets", 3))
    seal(tmp_path / "b.pool", TaskRecipe("nets", 3))
    assert (tmp_path / "a.pool").read_bytes() == (tmp_path / "b.pool").read_bytes()


def test_pool_with_any_byte_changed_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "few.pool"
    seal(path, TaskRecipe("nets", 3))
    content = path.read_bytes()
    for place in range(0, len(content), len(content) // 50):
        damaged = bytearray(content)
        damaged[place] ^= 1
        path.write_bytes(damaged)
        with pytest.raises(
            TaskError, match=r"few\.pool: (the seal is broken|this is no|its format is)"
        ):
            Pool(path)
    path.write_bytes(content[:-1])
    with pytest.raises(TaskError, match="the seal is broken"):
        Pool(path)


def reseal(content: bytes) -> bytes:
    """Return the file of somebody who seals any content."""
    return f"luban-pool/1 {sha256(content).hexdigest()}\n".encode() + content


@pytest.mark.parametrize("part", [0.0, 0.1, 0.5, 0.9, 0.999])
def test_pool_that_was_cut_and_sealed_again_is_refused(tmp_path: Path, part: float) -> None:
    path = tmp_path / "cut.pool"
    seal(path, TaskRecipe("nets", 3))
    content = path.read_bytes().partition(b"\n")[2]
    path.write_bytes(reseal(content[: int(part * len(content))]))
    with pytest.raises(TaskError, match=r"cut\.pool: its seal is right, but it holds no tasks"):
        list(Pool(path).read_sealed())


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("streams", [{"attempts": 1, "tasks": 10**12, "generators": []}]),
        ("streams", [{"attempts": 1, "tasks": -1, "generators": []}]),
        ("streams", 7),
        ("seed", "x"),
        ("streams", [[]]),
    ],
)
def test_header_that_is_none_is_refused_at_once(tmp_path: Path, key: str, value: object) -> None:
    path = tmp_path / "odd.pool"
    seal(path, TaskRecipe("nets", 3))
    _, head, body = path.read_bytes().split(b"\n", 2)
    header = json.loads(head) | {key: value}
    path.write_bytes(reseal(json.dumps(header).encode() + b"\n" + body))
    with pytest.raises(TaskError, match="its seal is right, but it holds no tasks"):
        Pool(path)


@pytest.mark.parametrize("content", [b"", b"{}", b"\xff" * 9, b"\0" * 1000])
def test_file_that_is_no_pool_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "odd.pool").write_bytes(content)
    with pytest.raises(TaskError, match="this is no pool of tasks; `luban generate --pool`"):
        Pool(tmp_path / "odd.pool")


def test_pool_of_another_version_is_refused_with_both_names(tmp_path: Path) -> None:
    (tmp_path / "new.pool").write_bytes(b"luban-pool/2 x\n{}")
    with pytest.raises(TaskError, match=r"its format is 'luban-pool/2'; .* reads luban-pool/1"):
        Pool(tmp_path / "new.pool")


@pytest.mark.parametrize("family", FAMILIES)
def test_pool_that_ships_has_2000_tasks_no_two_the_same(family: str) -> None:
    pool, source = find_pool(family), TaskSource(family)
    assert pool is not None and not pool.is_secret and pool.seed == "0"
    assert len(pool) >= 2000
    assert source.count_prepared("train") >= 1250 and source.count_prepared("test") >= 240
    for difficulty in source.difficulties:
        numbers = [n for (_, one), found in pool.places.items() if one == difficulty for n in found]
        assert len({pool.digests[number] for number in numbers}) == len(numbers)
    split_of = {}
    for number, digest in enumerate(pool.digests):
        assert split_of.setdefault(digest, assign_split(digest)) is assign_split(digest)
        assert assign_split(pool.digests[number]) is not Split.PRIVATE


@pytest.mark.by_day(2)
@pytest.mark.parametrize("family", FAMILIES)
def test_pool_that_ships_has_no_level_that_ships(family: str) -> None:
    pool, write = find_pool(family), discover_families()[family].write
    assert pool is not None
    paths = [*list_asset_folders()[family].rglob("*.json")]
    levels = [read_level(path) for path in paths if path.parent.name != "items"]
    assert len(levels) > 40
    assert not set(map(compute_digest, levels)) & set(pool.digests)
    documents = [write(level.puzzle) for level in levels]
    assert not any(write(task.candidate.level.puzzle) in documents for task in pool.read_sealed())


def test_attempt_that_makes_a_level_that_ships_is_rejected() -> None:
    recipe = TaskRecipe("rubik")
    made = [recipe.attempt(1, number) for number in range(60)]
    assert Rejected("a level that ships") in made
    shipped = {compute_digest(level) for level in list_shipped_levels("rubik")}
    assert not any(isinstance(one, Candidate) and one.digest in shipped for one in made)


def test_version_of_a_pool_changes_with_the_task_behind_a_name(tmp_path: Path) -> None:
    recipe = TaskRecipe("nets", 3)
    streams = seal(tmp_path / "whole.pool", recipe)
    first, *others = streams
    judged = [replace(one, certificate=TaskCertificate(("proof",))) for one in first.tasks]
    (tmp_path / "judged.pool").write_bytes(
        seal_pool(recipe, [replace(first, tasks=tuple(judged)), *others])
    )
    (tmp_path / "less.pool").write_bytes(
        seal_pool(recipe, [replace(first, tasks=first.tasks[1:]), *others])
    )
    whole, same, less = (Pool(tmp_path / f"{one}.pool") for one in ("whole", "judged", "less"))
    assert whole.version == same.version != less.version
    assert TaskSource("nets", pool=tmp_path / "less.pool").version == less.version
    assert TaskSource("nets", seed=3).version is None


def test_versions_of_the_pools_that_ship_are_on_the_page() -> None:
    rows = table("tasks", "family | version | tasks")
    pools = {family: find_pool(family) for family in FAMILIES}
    assert rows == [
        [f"`{family}`", f"`{pool.version}`", f"{len(pool):,}"]
        for family, pool in sorted(pools.items())
        if pool is not None
    ]


def test_pools_that_ship_are_small() -> None:
    sizes = [
        (folder / "tasks.pool").stat().st_size
        for folder in list_asset_folders().values()
        if (folder / "tasks.pool").exists()
    ]
    assert len(sizes) == len(FAMILIES) and sum(sizes) <= 10 * 2**20


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("count", [40, pytest.param(2_000, marks=[pytest.mark.slow])])
def test_prepared_tasks_hold_what_they_claim(family: str, count: int) -> None:
    source = TaskSource(family)
    rules = discover_families()[family].rules
    for split in source.splits:
        prepared = source.count_prepared(split)
        assert prepared
        tried = min(prepared, count // 3)
        for k in range(tried):
            task = source.get_task(split, k * prepared // tried)
            level = task.level
            assert level.facts["task_difficulty"] == task.difficulty
            assert set(CHECKED) <= set(task.certificate.confirmed)
            assert decode_level(encode_level(level)) == level, "its hash is that of its content"
            assert assign_split(compute_digest(level)) is split
            assert is_solved(level) and level.plan is not None
            assert len(level.plan) <= level.budget
            assert rules.outcome(level, rules.initial(level)) is not Outcome.SOLVED


@pytest.mark.parametrize("family", FAMILIES)
def test_prepared_task_is_made_again_by_its_recipe(family: str) -> None:
    source, recipe = TaskSource(family), TaskRecipe(family)
    pool = find_pool(family)
    assert pool is not None
    task = next(pool.read_sealed()).candidate
    made = recipe.attempt(task.difficulty, task.attempt)
    assert isinstance(made, Candidate), made
    assert made == task
    earlier = [recipe.attempt(task.difficulty, number) for number in range(task.attempt)]
    assert all(isinstance(one, Rejected) for one in earlier)
    assert source.get_task(task.split, 0).level.hash == task.level.hash
