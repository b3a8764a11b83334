"""Suites: the ones that ship, inclusion, and what is refused."""

import json
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from pysim.catalog import list_shipped_levels
from pysim.families.burr.facts import EASY, HARD, score_of
from pysim.puzzle import Proof, Tier
from pysim.suites import FORMAT, Suite, SuiteError, find_suite, list_suites, load_levels
from pysim.tasks.pool import find_pool
from pysim.tasks.splits import compute_digest

LOCKS, LADDER = (load_levels(find_suite(name)) for name in ("locks-32", "locks-ladder"))


def written(folder: Path, stem: str, **changes: Any) -> None:
    """A suite document in ``folder``; ``...`` leaves a field out."""
    document: dict[str, Any] = {
        "format": FORMAT,
        "name": stem,
        "title": f"Suite {stem}",
        "rule": "whatever there is",
        "levels": [f"level-{stem}"],
        **changes,
    }
    kept = {key: value for key, value in document.items() if value is not ...}
    (folder / f"{stem}.json").write_text(json.dumps(kept))


@pytest.mark.parametrize("name", list_suites())
def test_every_suite_names_levels_that_ship(name: str) -> None:
    suite = find_suite(name)
    assert suite.name == name and suite.title and suite.rule
    assert [level.id for level in load_levels(suite)] == list(suite.level_ids)


def test_the_locks_are_ten_easy_twelve_medium_and_ten_hard_ones_from_two_pieces_up() -> None:
    assert Counter(level.tier for level in LOCKS) == {
        Tier.EASY: 10,
        Tier.MEDIUM: 12,
        Tier.HARD: 10,
    }
    assert {level.family for level in LOCKS} == {"burr"}
    pieces = [len(level.colours) for level in LOCKS]
    assert min(pieces) == 2 and max(pieces) > 30


def test_the_locks_stand_in_the_order_of_their_score() -> None:
    scores = [score_of(level.facts) for level in LOCKS]
    assert scores == sorted(scores)


def test_the_rule_of_the_locks_says_where_the_tiers_part() -> None:
    rule = find_suite("locks-32").rule
    assert f"Up to {EASY:g} a lock is easy (10 levels)" in rule
    assert f"from {HARD:g} on it is hard (10 levels)" in rule


def test_the_locks_are_of_many_kinds() -> None:
    assert {level.puzzle.goal.value for level in LOCKS} == {"disassemble", "key", "assemble"}
    assert len({level.source.designer for level in LOCKS}) >= 6
    assert len({level.facts["level"] for level in LOCKS}) >= 10


def test_ladder_rises_from_level_5_to_111_by_two_or_by_a_fifth_at_most() -> None:
    numbers = [int(str(level.facts["level"]).split(".")[0]) for level in LADDER]
    assert (len(numbers), numbers[0], numbers[-1]) == (24, 5, 111)
    assert all(lower < higher <= max(lower + 2, 1.2 * lower) for lower, higher in pairwise(numbers))
    assert [level.id for level in LADDER] == [f"burr-ladder-{number:02}" for number in numbers]


def test_locks_of_the_ladder_have_one_solution_and_plans_that_are_shortest_or_nearly() -> None:
    plans = [level.plan for level in LADDER if level.plan]
    assert len(plans) == len(LADDER)
    assert {level.facts["solutions"] for level in LADDER} == {1}
    assert {plan.proof for plan in plans[:15]} == {Proof.OPTIMAL}
    assert all(9 * plan.lower_bound >= 8 * len(plan.actions) for plan in plans)


@pytest.mark.slow
def test_locks_of_the_ladder_are_no_tasks_and_unlike_all_others() -> None:
    ladder = {compute_digest(level) for level in LADDER}
    others = [level for level in list_shipped_levels("burr") if level not in LADDER]
    pool = find_pool("burr")
    assert len(ladder) == len(LADDER) and pool is not None
    assert not ladder & {*pool.digests} and not ladder & set(map(compute_digest, others))


def test_a_suite_has_the_levels_of_those_it_includes_first(tmp_path: Path) -> None:
    written(tmp_path, "a", levels=["x", "y"])
    written(tmp_path, "b", suites=["a"], levels=["w"])
    written(tmp_path, "c")
    written(tmp_path, "d", suites=["c", "b"], levels=...)
    assert find_suite("d", tmp_path) == Suite(
        "d", "Suite d", "whatever there is", ("level-c", "x", "y", "w")
    )
    assert list_suites(tmp_path) == ("a", "b", "c", "d")


def test_a_level_that_two_included_suites_share_is_refused(tmp_path: Path) -> None:
    for name in ("a", "b"):
        written(tmp_path, name, levels=["x"])
    written(tmp_path, "c", suites=["a", "b"])
    with pytest.raises(SuiteError, match="suite c names levels twice: x"):
        find_suite("c", tmp_path)


@pytest.mark.parametrize(
    ("suites", "circle"), [({"a": "a"}, "a > a"), ({"a": "b", "b": "c", "c": "b"}, "a > b > c > b")]
)
def test_suites_that_include_each_other_are_refused(
    tmp_path: Path, suites: dict[str, str], circle: str
) -> None:
    for name, inner in suites.items():
        written(tmp_path, name, suites=[inner])
    with pytest.raises(SuiteError, match=f"in a circle: {circle}$"):
        find_suite("a", tmp_path)


def test_an_unknown_suite_is_refused_with_those_that_there_are(tmp_path: Path) -> None:
    with pytest.raises(SuiteError, match="no suite 'lock-32'; did you mean locks-32"):
        find_suite("lock-32")
    for name in ("", "x" * 10_000, "../burr/burr-piston", "\0", "zzz"):
        with pytest.raises(SuiteError, match="there is no suite") as refused:
            find_suite(name)
        assert len(str(refused.value)) < 300
    written(tmp_path, "a", suites=["none"])
    with pytest.raises(SuiteError, match="suite a includes 'none', but there is no suite 'none'"):
        find_suite("a", tmp_path)


def test_a_suite_of_unknown_levels_is_refused_with_similar_ones(tmp_path: Path) -> None:
    written(tmp_path, "a", levels=["burr-pistn"])
    with pytest.raises(SuiteError, match=r"suite a: there is no level.*did you mean burr-piston"):
        load_levels(find_suite("a", tmp_path))


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("format", "luban-suite/2", "this version reads luban-suite/1"),
        ("format", ..., "its format is None"),
        ("name", "b", "unlike its file's"),
        ("name", ..., "unlike its file's"),
        ("title", "", "'title' is missing"),
        ("title", 3, "'title' is missing"),
        ("rule", ..., "'rule' is missing"),
        ("levels", "x", "'levels' is a list of names"),
        ("levels", [3], "'levels' is a list of names"),
        ("levels", ["x", "x"], "twice: x"),
        ("levels", [], "names no level"),
        ("levels", ..., "names no level"),
        ("suites", {"b": 1}, "'suites' is a list of names"),
    ],
)
def test_a_document_with_a_fault_is_refused_by_name(
    tmp_path: Path, field: str, value: Any, message: str
) -> None:
    written(tmp_path, "a", **{field: value})
    with pytest.raises(SuiteError, match=message):
        find_suite("a", tmp_path)


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"3", b"\xff", b"[" * 100_000])
def test_a_file_that_is_no_suite_is_refused_by_name(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "a.json").write_bytes(content)
    with pytest.raises(SuiteError, match=r"a\.json"):
        find_suite("a", tmp_path)


def test_each_lock_is_listed_once_and_all_are_known() -> None:
    ids = [level.id for level in LOCKS]
    assert len(set(ids)) == 32 and set(ids) <= {level.id for level in list_shipped_levels()}
