"""Datasets describe themselves: a card, and Croissant's metadata."""

import fnmatch
import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.commands import Luban

pytest.importorskip("pyarrow", reason="NOT TESTED: no pyarrow")
FORMATS = ("parquet", "lerobot", "chat")
PICTURED = ("--image-size", "32")


@pytest.fixture
def runs(luban: Luban) -> Luban:
    played = luban(
        *("eval", "burr-half-lap,burr-three-bars", "--agent", "oracle", "--observation", "state"),
        *("--video", "none", "--workers", "1", "--out", "run"),
    )
    assert played.status == 0, played.err
    return luban


def read_croissant(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "croissant.json").read_text())
    return found


def list_faults(folder: Path) -> Iterator[str]:
    """Yield what breaks the rules of Croissant 1.1, as the specification states them."""
    document = read_croissant(folder)
    for name in ("@context", "@type", "conformsTo", "name", "description", "license", "url"):
        if not document.get(name):
            yield f"no {name}"
    ids = [entry["@id"] for entry in document["distribution"]]
    for record in document.get("recordSet", ()):
        ids += [record["@id"], *(field["@id"] for field in record["field"])]
    if len(ids) != len({*ids}):
        yield "ids are not unique"
    for record in document.get("recordSet", ()):
        for field in record["field"]:
            if not field["@id"].startswith(f"{record['@id']}/"):
                yield f"{field['@id']} is not in its record set"
            if field["source"]["fileObject"]["@id"] not in ids:
                yield f"{field['@id']} has no file"
            if field["dataType"] not in ("sc:Boolean", "sc:Float", "sc:Integer", "sc:Text"):
                yield f"{field['@id']} has no type"
    for entry in document["distribution"]:
        yield from check_entry(folder, entry)


def check_entry(folder: Path, entry: dict[str, Any]) -> Iterator[str]:
    if entry["@type"] == "cr:FileSet":
        if not any(
            fnmatch.fnmatch(p.name, Path(entry["includes"]).name) for p in folder.rglob("*")
        ):
            yield f"{entry['@id']} is empty"
    else:
        data = (folder / entry["contentUrl"]).read_bytes()
        if hashlib.sha256(data).hexdigest() != entry["sha256"]:
            yield f"{entry['@id']} has another hash"
        if entry["contentSize"] != f"{len(data)} B":
            yield f"{entry['@id']} has another size"


@pytest.mark.parametrize("form", FORMATS)
def test_dataset_of_each_format_obeys_the_rules_of_croissant(runs: Luban, form: str) -> None:
    done = runs("dataset", "run", "--format", form, *PICTURED, "--out", "data")
    assert done.status == 0, done.err
    assert list(list_faults(Path("data"))) == []
    described = {entry["@id"] for entry in read_croissant(Path("data"))["distribution"]}
    single = {p.relative_to("data").as_posix() for p in Path("data").rglob("*.*") if p.is_file()}
    media = {name for name in single if name.endswith((".mp4", ".png"))}
    assert single - media - described == {"README.md", "croissant.json"}


@pytest.mark.parametrize("form", FORMATS)
def test_mlcroissant_reads_a_dataset(runs: Luban, form: str) -> None:
    mlcroissant = pytest.importorskip("mlcroissant", reason="NOT TESTED: no mlcroissant")
    assert runs("dataset", "run", "--format", form, *PICTURED, "--out", "data").status == 0
    dataset = mlcroissant.Dataset(jsonld="data/croissant.json")
    assert not dataset.metadata.issues.errors
    record = read_croissant(Path("data"))["recordSet"][0]["@id"]
    assert next(iter(dataset.records(record)))


def test_columns_of_steps_are_described(runs: Luban) -> None:
    options = ("--format", "parquet", "--observation", "state", "--out", "data")
    assert runs("dataset", "run", *options).status == 0
    records = {r["@id"]: r for r in read_croissant(Path("data"))["recordSet"]}
    types = {field["name"]: field["dataType"] for field in records["steps"]["field"]}
    assert types["timestamp"] == "sc:Float" and types["budget_left"] == "sc:Integer"
    assert types["call"] == "sc:Text" and types["is_last"] == "sc:Boolean"


def test_vectors_of_lerobot_have_their_shape(runs: Luban) -> None:
    assert runs("dataset", "run", "--observation", "state", "--out", "data").status == 0
    info = json.loads(Path("data/meta/info.json").read_text())["features"]
    records = read_croissant(Path("data"))["recordSet"]
    (action,) = [f for r in records for f in r["field"] if f["@id"].endswith("file-000/action")]
    assert action["isArray"] and int(action["arrayShape"]) == info["action"]["shape"][0]


def test_card_names_levels_licence_and_citation(runs: Luban) -> None:
    assert runs("dataset", "run", "--observation", "state", "--out", "data").status == 0
    _, head, text = Path("data/README.md").read_text().split("---\n", 2)
    assert yaml.safe_load(head)["license"] == "apache-2.0"
    assert "| `burr-half-lap` | Half-lap cross | traditional | Apache-2.0 |" in text
    assert "@misc{luban-burr-three-bars," in text


def test_dataset_of_an_own_level_has_no_licence_of_ours(luban: Luban) -> None:
    assert luban("generate", "nets", "--tier", "easy", "--count", "1", "--out", "made").status == 0
    (level,) = (p for p in Path("made").glob("nets-*.json"))
    options = ("--format", "chat", "--observation", "state", "--out", "data")
    done = luban("dataset", level, *options)
    assert done.status == 0, done.err
    assert "license: other" in Path("data/README.md").read_text()
    assert "README.md" in read_croissant(Path("data"))["license"]


def test_clips_are_described_once_they_are_there(luban: Luban) -> None:
    options = ("--format", "clips", "--count", "1", "--film-size", "64x64", "--seconds", "0.5")
    assert luban("dataset", "burr-half-lap", *options, "--out", "clips").status == 0
    assert list(list_faults(Path("clips"))) == []
    before = Path("clips/croissant.json").read_bytes()
    assert luban("dataset", "burr-half-lap", *options, "--out", "clips").status == 0
    assert Path("clips/croissant.json").read_bytes() == before
