"""Damage to levels that ship: ``luban levels`` and ``luban verify`` find it, whatever it is."""

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from bridge.verifying.certificate import hash_content
from pysim import catalog
from pysim.catalog import discover_families, list_asset_folders, list_level_paths
from tests.commands import Luban

FAMILIES = tuple(discover_families())
Document = dict[str, Any]


@pytest.fixture
def assets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A copy of a level of each family, in the place of all that ship."""
    folder = tmp_path / "assets"
    for name in FAMILIES:
        (folder / name).mkdir(parents=True)
        shutil.copy(list_level_paths(name)[0], folder / name)
    monkeypatch.setattr(catalog, "find_assets", lambda: folder)
    forget()
    yield folder
    forget()


def forget() -> None:
    list_asset_folders.cache_clear()
    catalog.list_shipped_levels.cache_clear()


def damage_puzzle(document: Document) -> tuple[Document, str]:
    """Damage that its hash doesn't tell of."""
    flaw = discover_families()[document["family"]].flaws[-1]
    damaged = document | {"puzzle": flaw.apply(document["puzzle"])}
    return damaged | {"hash": hash_content(damaged)}, flaw.refusal


def damage_plan(document: Document) -> tuple[Document, str]:
    """Damage to what no hash covers."""
    first, *others = document["plan"]["actions"]
    plan = document["plan"] | {"actions": [first | {"arguments": {}}, *others]}
    return document | {"plan": plan}, "needs "


def change_budget(document: Document) -> tuple[Document, str]:
    """A change that only the hash tells of."""
    return document | {"budget": document["budget"] + 1}, "the content does not match its hash"


@pytest.mark.parametrize("name", FAMILIES)
@pytest.mark.parametrize("damage", [damage_puzzle, damage_plan, change_budget])
def test_damaged_level_that_ships_is_reported_by_levels_and_verify(
    assets: Path, luban: Luban, name: str, damage: Callable[[Document], tuple[Document, str]]
) -> None:
    (path,) = (assets / name).iterdir()
    assert path.stem in luban("levels").out
    damaged, words = damage(json.loads(path.read_bytes()))
    path.write_text(json.dumps(damaged))
    catalog.list_shipped_levels.cache_clear()
    catalog.read_shipped_level.cache_clear()
    for arguments in (["levels"], ["levels", "--family", name, "--json"], ["show", path.stem]):
        complaint = luban(*arguments).complaint()
        assert words in complaint and path.name in complaint
    done = luban("verify", path.stem, "--no-films", "--workers", 1, "--json")
    assert done.status == 1 and json.loads(done.out)["false"]
