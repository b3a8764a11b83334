"""Families and the levels that ship: finding, reading, writing, and what is refused."""

import copy
import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import FrozenInstanceError
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pysim import catalog
from pysim.catalog import (
    LevelError,
    complete_document,
    decode_level,
    discover_families,
    encode_level,
    find_assets,
    find_family,
    find_level,
    list_level_paths,
    list_shipped_levels,
    read_level,
)
from pysim.limits import MAX_LEVEL_BYTES
from pysim.puzzle import Outcome, Proof
from pysim.render.palette import PALETTE
from tests.sampling import levels_by_day, more

SHIPPED = list_shipped_levels()
IDS = [level.id for level in SHIPPED]
A_LEVEL = SHIPPED[0]


def document() -> dict[str, Any]:
    return copy.deepcopy(encode_level(A_LEVEL))


def test_levels_ship_and_stand_in_order_with_ids_of_their_own() -> None:
    assert len(SHIPPED) == len(list_level_paths()) == len(set(IDS)) >= 17
    assert [(level.family, level.id) for level in SHIPPED] == sorted(
        (level.family, level.id) for level in SHIPPED
    )
    assert (
        list(discover_families()) == sorted(discover_families()) and "burr" in discover_families()
    )


def test_a_level_file_is_named_after_its_id_and_lies_in_its_familys_folder() -> None:
    for path in list_level_paths():
        level = read_level(path)
        assert path == find_assets() / level.family / f"{level.id}.json"
        assert level == find_level(level.id), path
        assert json.loads(path.read_text(encoding="utf-8")) == encode_level(level), path


@pytest.mark.slow
def test_a_level_reads_back_as_it_was_written() -> None:
    for level in SHIPPED:
        text = json.dumps(encode_level(level))
        assert decode_level(json.loads(text)) == level, level.id
        assert complete_document(json.loads(text)) == encode_level(level), level.id


def test_a_level_is_immutable_and_says_where_it_comes_from() -> None:
    for level in SHIPPED:
        with pytest.raises(FrozenInstanceError):
            level.budget = 1
        assert level.source.designer and level.source.reference and level.name, level.id
        assert level.hash.startswith("sha256:") and len(level.hash) == 71, level.id


@pytest.mark.parametrize("family", sorted(discover_families()))
def test_the_plan_solves_the_level_within_its_budget(family: str) -> None:
    rules = discover_families()[family].rules
    for level in (one for one in SHIPPED if one.family == family):
        assert level.plan is not None and len(level.plan) <= level.budget, level.id
        state = rules.initial(level)
        for action in level.plan.actions:
            assert rules.outcome(level, state) is None, level.id
            state = rules.apply(level, state, action).state
        assert rules.outcome(level, state) is Outcome.SOLVED, level.id


@pytest.mark.by_day(3)
@pytest.mark.parametrize("level", levels_by_day())
def test_a_plan_said_to_be_optimal_is_as_long_as_the_one_that_is_found(level: Any) -> None:
    if level.plan.proof is Proof.OPTIMAL:
        found = find_family(level).rules.plan(level)
        if found.proof is Proof.OPTIMAL:
            assert len(found) == len(level.plan)
        else:  # The search is quick and shallow; the level was certified by a slower one.
            assert found.lower_bound <= len(level.plan) <= len(found)


def test_every_colour_is_in_the_palette() -> None:
    for level in SHIPPED:
        assert set(level.colours) <= set(PALETTE), level.id


def test_budgets_leave_room_for_more_than_the_plan() -> None:
    for level in SHIPPED:
        assert level.budget > len(level.plan or ())


def changed(*path: Any, to: Any) -> dict[str, Any]:
    """A document with one value changed; ... leaves it out."""
    result = document()
    place: Any = result
    for key in path[:-1]:
        place = place[key]
    if to is ...:
        del place[path[-1]]
    else:
        place[path[-1]] = to
    return result


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("budget",), A_LEVEL.budget + 1),
        (("hash",), "sha256:" + "0" * 64),
        (("hash",), 5),
        (("puzzle", "goal"), "key"),
    ],
)
def test_a_level_that_does_not_match_its_hash_is_refused(path: tuple[str], value: Any) -> None:
    with pytest.raises(LevelError, match="does not match its hash"):
        decode_level(changed(*path, to=value))


@pytest.mark.parametrize("value", [..., None])
def test_a_level_without_a_hash_is_told_to_be_unsealed(value: Any) -> None:
    with pytest.raises(LevelError, match="an unsealed draft"):
        decode_level(changed("hash", to=value))


@pytest.mark.parametrize(("path", "value"), [(("name",), "Other"), (("tier",), "hard")])
def test_the_hash_covers_what_play_depends_on_and_nothing_else(
    path: tuple[str], value: Any
) -> None:
    assert decode_level(changed(*path, to=value)).hash == A_LEVEL.hash


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (("format",), ..., "its format is None"),
        (("format",), "luban-level/2", "this version reads luban-level/1"),
        (("family",), ..., "'family'"),
        (("family",), "sudoku", "no family 'sudoku'; there are"),
        (("family",), 3, "'family'"),
        (("family",), "../burr", "no family"),
        (("id",), ..., "'id'"),
        (("id",), "../../etc/passwd", "an id is made of"),
        (("id",), "a/b", "an id is made of"),
        (("id",), "Upper", "an id is made of"),
        (("id",), "-dash", "an id is made of"),
        (("id",), "x" * 81, "at most 80 characters"),
        (("id",), "new\nline", "an id is made of"),
        (("id",), "line\n", "an id is made of"),
        (("id",), 7, "'id'"),
        (("name",), "", "'name'"),
        (("name",), ..., "'name'"),
        (("tier",), "impossible", "impossible"),
        (("tier",), ..., "'tier'"),
        (("budget",), ..., "budget"),
        (("budget",), 0, "budget"),
        (("budget",), 10**6, "budget"),
        (("budget",), True, "budget"),
        (("budget",), 30.0, "budget"),
        (("budget",), "30", "budget"),
        (("puzzle",), ..., "'puzzle'"),
        (("puzzle",), [], "'puzzle'"),
        (("puzzle",), {}, A_LEVEL.id),
        (("source",), ..., "'source'"),
        (("source", "designer"), ..., "'designer'"),
        (("source", "reference"), 5, "'reference'"),
        (("source", "seed"), "x", "seed"),
        (("source", "seed"), True, "seed"),
        (("plan",), [], "plan"),
        (("plan", "actions"), {}, "plan"),
        (("plan", "proof"), "MAYBE", "MAYBE"),
        (("plan", "actions", 0), "slide", "name and arguments"),
        (("plan", "actions", 0, "name"), "teleport", "teleport"),
        (("plan", "actions", 0, "arguments"), {}, "needs"),
        (("plan", "actions", 0, "arguments"), [], "name and arguments"),
    ],
)
def test_a_document_with_a_fault_is_refused_by_name(
    path: tuple[Any, ...], value: Any, message: str
) -> None:
    with pytest.raises(LevelError, match=message):
        decode_level(changed(*path, to=value))


@pytest.mark.parametrize("value", [None, [], "level", 3, True])
def test_a_level_is_an_object(value: object) -> None:
    with pytest.raises(LevelError, match="JSON object"):
        decode_level(value)


def places_in(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Paths to all values inside a document."""
    items = list(value.items() if isinstance(value, dict) else enumerate(value))
    deeper = [
        place
        for key, inner in items
        if isinstance(inner, dict | list)
        for place in places_in(inner, (*path, key))
    ]
    return [(*path, key) for key, _ in items] + deeper


@settings(max_examples=more(30))
@given(
    place=st.sampled_from(places_in(document())),
    value=st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=5)
    | st.lists(st.integers(), max_size=3)
    | st.dictionaries(st.text(max_size=3), st.integers(), max_size=2),
)
def test_any_change_gives_a_level_or_a_level_error(place: tuple[Any, ...], value: Any) -> None:
    try:
        level = decode_level(changed(*place, to=value))
    except LevelError as error:
        assert str(error)
        return
    assert level.hash == A_LEVEL.hash


def written(folder: Path, content: bytes) -> Path:
    path = folder / "level.json"
    path.write_bytes(content)
    return path


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"\xff\xfe\x00",
        b"not json",
        b"[" * 200_000,
        b'{"a": ' * 50_000,
        b"9" * 10_000,
        json.dumps(document()).encode()[:-40],
    ],
    ids=lambda content: repr(content[:8]),
)
def test_a_file_that_is_no_json_is_refused_with_its_name(tmp_path: Path, content: bytes) -> None:
    path = written(tmp_path, content)
    with pytest.raises(LevelError, match="not JSON") as refused:
        read_level(path)
    assert str(path) in str(refused.value)


@pytest.mark.parametrize("content", [b"null", b"[1]", b"3", b'"x"', b"{}", b"NaN"])
def test_json_that_is_no_level_is_refused_with_its_name(tmp_path: Path, content: bytes) -> None:
    path = written(tmp_path, content)
    with pytest.raises(LevelError) as refused:
        read_level(path)
    assert str(path) in str(refused.value)


def test_a_huge_file_is_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "level.json"
    with path.open("wb") as file:
        file.truncate(MAX_LEVEL_BYTES + 1)
    with pytest.raises(LevelError, match="at most 16,777,216 bytes") as refused:
        read_level(path)
    assert "not JSON" not in str(refused.value)


def test_a_file_that_is_missing_or_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(LevelError, match="No such file"):
        read_level(tmp_path / "none.json")
    with pytest.raises(LevelError, match="directory"):
        read_level(tmp_path)
    with pytest.raises(LevelError):
        find_level("x" * 5000 + ".json")
    with pytest.raises(LevelError):
        find_level("nul\0.json")


def test_a_level_is_found_by_its_id_or_its_file(tmp_path: Path) -> None:
    assert find_level(A_LEVEL.id) is find_level(A_LEVEL.id)
    assert find_level(A_LEVEL.id) == A_LEVEL
    path = written(tmp_path, json.dumps(document()).encode())
    assert find_level(str(path)) == A_LEVEL


@pytest.mark.parametrize(
    ("name", "meant"),
    [("burr-pistn", "burr-piston"), ("chinese-cross", "burr-chinese-cross")],
)
def test_an_unknown_level_is_refused_with_similar_ones(name: str, meant: str) -> None:
    with pytest.raises(LevelError, match=f"did you mean.*{meant}"):
        find_level(name)


@pytest.mark.parametrize("name", ["", "zzzzzz", "../../etc/passwd", "\ud800", "a\nb"])
def test_a_name_that_is_like_no_level_is_refused(name: str) -> None:
    with pytest.raises(LevelError, match="there is no level") as refused:
        find_level(name)
    assert len(str(refused.value)) < 400 and "\n" not in str(refused.value)
    str(refused.value).encode()


def test_two_levels_with_one_id_are_refused(
    monkeypatch: pytest.MonkeyPatch, clean: Callable[[], None]
) -> None:
    path = list_level_paths()[0]
    monkeypatch.setattr(catalog, "list_level_paths", lambda family: [path, path])
    clean()
    with pytest.raises(LevelError, match="share an id"):
        list_shipped_levels()


@pytest.fixture
def clean() -> Any:
    """Forgets the levels that were read, now and after the test."""
    yield list_shipped_levels.cache_clear
    list_shipped_levels.cache_clear()


def test_a_draft_is_sealed_with_its_hash_and_a_plan() -> None:
    draft = document()
    del draft["plan"], draft["hash"]
    sealed = complete_document(draft)
    level = decode_level(sealed)
    assert level.hash == A_LEVEL.hash and len(level.plan or ()) == len(A_LEVEL.plan or ())
    with pytest.raises(LevelError):
        complete_document({**draft, "tier": "nope"})


AUDIT = """
import json, os, sys
opened = []
sys.addaudithook(lambda event, given: opened.append(str(given[0])) if event == "open" else None)
try:
    {does}
except (SystemExit, ValueError):
    pass
read = [path for path in opened if path.endswith(".json") and "/suites/" not in path]
names = sorted({{path.rpartition("/")[2][:-5] for path in read}} - {{"manifest"}})
os.write(2, json.dumps(names).encode())
"""


def run_audited(does: str, **environment: str) -> tuple[str, list[str]]:
    """Run Python in a process of its own; return its output and the JSON files that it reads."""
    command = [sys.executable, "-c", AUDIT.format(does=does.replace("; ", "\n    "))]
    done = subprocess.run(
        command, capture_output=True, text=True, check=True, env=os.environ | environment
    )
    return done.stdout, json.loads(done.stderr)


@pytest.mark.parametrize("text", ["packing", "burr-pi*", "burr-piston,packing-easy-01", "nosuch"])
def test_no_level_is_read_but_those_that_are_chosen(text: str) -> None:
    out, read = run_audited(
        "from pysim.level_selection import select_levels; "
        f"print(*(level.id for level in select_levels({text!r})))"
    )
    assert sorted(out.split()) == read
    assert (read == []) == (text == "nosuch")


@pytest.mark.parametrize(
    ("does", "known"),
    [
        (
            "from pysim.catalog import list_level_paths; "
            "print(*(path.stem for path in list_level_paths()))",
            "burr-piston",
        ),
        (
            "import luban; print(*(name for one in luban.suites() for name in one.level_ids))",
            "burr-piston",
        ),
        (
            "from bridge.verifying.targets import find_level_files; "
            "print(*(path.stem for path in find_level_files(['burr-p*', 'locks-32'])))",
            "burr-piston",
        ),
        ("from bridge.cli import main; sys.argv = ['luban']; main()", "plain,verify"),
    ],
    ids=["paths", "suites", "targets", "completion"],
)
def test_ids_are_listed_without_reading_a_level(does: str, known: str) -> None:
    out, read = run_audited(
        does, _LUBAN_COMPLETE="bash_complete", COMP_WORDS="luban ", COMP_CWORD="1"
    )
    assert known in out.split() and read == []
