"""The index of levels that ship: current, never believed against a file, and cheap."""

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pysim import catalog
from pysim.catalog import (
    LevelError,
    discover_families,
    encode_level,
    find_assets,
    find_level,
    list_asset_folders,
    list_level_paths,
    list_shipped_levels,
    list_unlisted_levels,
)
from pysim.catalog.index import (
    INDEX_NAME,
    compose_index,
    find_level_summary,
    list_fact_columns,
    list_level_summaries,
    summarize_level,
)


@pytest.fixture
def assets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A copy of a few locks and of the index, in the place of all that ship."""
    (tmp_path / "burr").mkdir()
    for path in list_level_paths("burr")[:3]:
        shutil.copy(path, tmp_path / "burr")
    shutil.copy(find_assets() / INDEX_NAME, tmp_path)
    monkeypatch.setattr(catalog, "find_assets", lambda: tmp_path)
    list_asset_folders.cache_clear()
    yield tmp_path
    list_asset_folders.cache_clear()


def test_index_that_ships_is_current() -> None:
    text = (find_assets() / INDEX_NAME).read_text(encoding="utf-8")
    assert text == compose_index(find_assets()), "run `python -m tools.index_levels`"


def test_summaries_of_the_index_are_those_of_decoded_levels() -> None:
    levels = list_shipped_levels()
    assert list_level_summaries() == list(map(summarize_level, levels))
    for family in discover_families():
        assert list_fact_columns(family) == discover_families()[family].columns
        hidden = list_unlisted_levels(family)
        assert [find_level_summary(v.id) for v in hidden] == list(map(summarize_level, hidden))


def test_listing_levels_by_the_index_loads_no_family(tmp_path: Path) -> None:
    code = (
        "import contextlib, sys; from bridge.cli.commands.levels import LevelsRequest\n"
        "from bridge.cli.handlers.levels import run_levels\n"
        "with contextlib.redirect_stdout(sys.stderr):\n"
        "    run_levels(LevelsRequest())\n"
        "    run_levels(LevelsRequest(target='chain-109', as_json=True))\n"
        "    run_levels(LevelsRequest(family='burr'))\n"
        "print([m for m in sys.modules if m.startswith('pysim.families.')])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.stdout == "[]\n", done.stderr


def test_level_file_that_differs_from_the_index_is_decoded(assets: Path) -> None:
    first, second, _ = sorted((assets / "burr").glob("*.json"))
    document = json.loads(first.read_bytes())
    first.write_text(json.dumps(document | {"name": "Another name"}), encoding="utf-8")
    assert next(one.name for one in list_level_summaries()) == "Another name"
    second.write_text(second.read_text(encoding="utf-8").replace('"budget": ', '"budget": 1'))
    with pytest.raises(LevelError, match=f"{second.name}.*the content does not match its hash"):
        list_level_summaries()


def test_level_that_the_index_lacks_is_listed(assets: Path) -> None:
    level = find_level("burr-cabinet-2")
    document = encode_level(level) | {"id": "burr-mine"}
    (assets / "burr" / "burr-mine.json").write_text(json.dumps(document), encoding="utf-8")
    assert "burr-mine" in {one.id for one in list_level_summaries("burr")}
    assert find_level_summary("burr-mine").hash == level.hash


def test_missing_index_is_no_fault(assets: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = assets / "moved"
    shutil.copytree(assets / "burr", other / "burr")
    monkeypatch.setattr(catalog, "find_assets", lambda: other)
    list_asset_folders.cache_clear()
    assert [one.id for one in list_level_summaries()] == [v.id for v in list_shipped_levels()[:3]]


@pytest.mark.parametrize("text", ["", "[]", '{"format": "luban-index/2"}', "[" * 99_999, "{}"])
def test_damaged_index_is_reported(assets: Path, text: str) -> None:
    (assets / INDEX_NAME).write_text(text, encoding="utf-8")
    with pytest.raises(LevelError, match=r"index\.json is damaged"):
        list_level_summaries()


def test_two_levels_with_one_id_are_refused(assets: Path) -> None:
    first = sorted((assets / "burr").glob("*.json"))[0]
    shutil.copy(first, assets / "burr" / "burr-twin.json")
    with pytest.raises(LevelError, match="levels share an id"):
        list_level_summaries()
