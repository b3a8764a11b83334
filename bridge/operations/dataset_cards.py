"""Descriptions of datasets: a card, and Croissant's metadata.

A card is ``README.md`` as Hugging Face's hub reads it. ``croissant.json`` is JSON-LD of schema.org
in the Croissant format 1.1 of MLCommons: files with their hashes, and the columns that are numbers
or texts. Both follow from the files and the levels alone, so equal datasets have equal ones.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bridge.operations.citations import SHIPPED, Citation, cite_level, join_bibtex
from bridge.recording.dataset.episodes import Recording
from bridge.recording.dataset.tables import guarded
from bridge.recording.files import write_whole
from bridge.recording.log import read_log
from pysim.catalog import AnyLevel

if TYPE_CHECKING:
    import pyarrow

__all__ = ["CARD", "CROISSANT", "describe_dataset", "describe_recordings"]

CARD, CROISSANT = "README.md", "croissant.json"
_CONTEXT = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "arrayShape": "cr:arrayShape",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "containedIn": "cr:containedIn",
    "cr": "http://mlcommons.org/croissant/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileObject": "cr:fileObject",
    "fileProperty": "cr:fileProperty",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isArray": "cr:isArray",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "samplingRate": "cr:samplingRate",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}
_ENCODINGS = {
    ".json": "application/json",
    ".jsonl": "application/jsonlines",
    ".parquet": "application/x-parquet",
    ".tar": "application/x-tar",
}
"""Endings of files that are listed one by one, and their media types."""
_MEDIA = {".jpeg": "image/jpeg", ".mp4": "video/mp4", ".png": "image/png"}
"""Endings of files that are listed as a set."""
_CHAT_TEXTS = ("recording", "level", "level_hash", "family", "tier", "agent", "mode", "outcome")
_FORMATS = {
    "luban-chat/1": "Chats of agents with tools at 3D puzzles: messages, tools and pictures.",
    "luban-clips/1": "Clips of 3D puzzles that are solved, with masks, poses and cameras.",
    "luban-dataset/1": "Episodes of agents at 3D puzzles, as Parquet and MP4.",
    "luban-lerobot/1": "Episodes of agents at 3D puzzles, in LeRobot's layout v3.0.",
}


def describe_recordings(folder: Path, recordings: Sequence[Recording]) -> None:
    """Write card and metadata of a dataset of episodes.

    Raises:
        RecordingError: they can't be written.
    """
    levels = {level.hash: level for level in (read_log(r.path).header.level for r in recordings)}
    describe_dataset(folder, tuple(levels.values()))


def describe_dataset(folder: Path, levels: Sequence[AnyLevel]) -> None:
    """Write card and metadata of a dataset whose files are there.

    Raises:
        RecordingError: they can't be written.
    """
    citations = [cite_level(level) for level in levels]
    about = _read_about(folder)
    files = {
        CARD: _write_card(about, citations),
        CROISSANT: _write_croissant(folder, about, citations),
    }
    for name, text in files.items():
        with guarded(folder / name):
            write_whole(folder / name, text.encode())


def _read_about(folder: Path) -> Mapping[str, Any]:
    """Return the dataset's own description."""
    path = next(p for p in (folder / "dataset.json", folder / "meta/luban.json") if p.is_file())
    about: Mapping[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return about


def _describe(about: Mapping[str, Any]) -> str:
    return _FORMATS.get(str(about.get("format")), "Puzzles of Luban, recorded.")


def _licence(citations: Sequence[Citation]) -> str:
    """Return the licence that all levels share; empty where one states none."""
    return SHIPPED if all(one.licence.name == SHIPPED for one in citations) else ""


def _write_head(citations: Sequence[Citation], families: Sequence[str]) -> str:
    licence = _licence(citations).lower() or "other"
    tags = "".join(f"- {tag}\n" for tag in ("luban", "puzzles", *families))
    return f"---\nlicense: {licence}\nlanguage:\n- en\ntags:\n{tags}---\n"


def _write_card(about: Mapping[str, Any], citations: Sequence[Citation]) -> str:
    families = sorted({one.level.family for one in citations})
    rows = "".join(
        f"| `{one.level.id}` | {_cell(one.level.name)} | {_cell(one.level.source.designer)} | "
        f"{one.licence.name or 'none stated'} |\n"
        for one in sorted(citations, key=lambda one: one.level.id)
    )
    return (
        f"{_write_head(citations, families)}\n"
        f"# {_describe(about)}\n\n"
        f"Made with Luban {version('luban')} by `luban dataset`. "
        f"`{CROISSANT}` describes each file.\n\n"
        f"Format: `{about.get('format', '')}`. Families: {', '.join(families)}.\n\n"
        "## Origin\n\n"
        "Everything is drawn and computed by replaying recorded actions. No person is shown or "
        "named but designers.\nTexts of models are their models' words, under the terms of their "
        "providers.\n\n"
        f"| level | name | designer | licence |\n|---|---|---|---|\n{rows}\n"
        f"## Citation\n\n```bibtex\n{join_bibtex(citations)}```\n"
    )


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def _write_croissant(folder: Path, about: Mapping[str, Any], citations: Sequence[Citation]) -> str:
    families = sorted({one.level.family for one in citations})
    document: dict[str, object] = {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.1",
        "name": f"luban-{'-'.join(families)}",
        "description": _describe(about),
        "license": _licence(citations) or "The levels' licences stand in README.md.",
        "url": "https://example.org/luban",
        "version": "1.0.0",
        "citeAs": join_bibtex(citations),
        "creator": {"@type": "sc:Organization", "name": "The Luban developers"},
        "keywords": ["3D puzzles", "agents", *families],
        "distribution": [*_list_files(folder), *_list_sets(folder)],
    }
    if records := _list_records(folder):
        document["recordSet"] = records
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def _list_files(folder: Path) -> list[dict[str, object]]:
    """Return the single files with their hashes."""
    paths = sorted(p for p in folder.rglob("*") if p.suffix in _ENCODINGS and p.name != CROISSANT)
    found: list[dict[str, object]] = []
    for path in paths:
        name = path.relative_to(folder).as_posix()
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        found.append(
            {
                "@type": "cr:FileObject",
                "@id": name,
                "name": name,
                "contentUrl": name,
                "contentSize": f"{path.stat().st_size} B",
                "encodingFormat": _ENCODINGS[path.suffix],
                "sha256": digest,
            }
        )
    return found


def _list_sets(folder: Path) -> list[dict[str, object]]:
    """Return the sets of pictures and videos."""
    suffixes = sorted({path.suffix for path in folder.rglob("*")} & {*_MEDIA})
    return [_file_set(suffix) for suffix in suffixes]


def _file_set(suffix: str) -> dict[str, object]:
    return {
        "@type": "cr:FileSet",
        "@id": f"{suffix[1:]}-files",
        "name": f"{suffix[1:]}-files",
        "encodingFormat": _MEDIA[suffix],
        "includes": f"**/*{suffix}",
    }


def _list_records(folder: Path) -> list[dict[str, object]]:
    """Return the sets of records: the columns of Parquet files, and the texts of chats."""
    found = []
    for path in sorted(folder.rglob("*.parquet")):
        import pyarrow.parquet

        name = path.relative_to(folder).as_posix()
        title = name.removesuffix(".parquet").replace("/", "-")
        fields = [_column(title, name, field) for field in pyarrow.parquet.read_schema(path)]
        found.append(_record_set(title, [field for field in fields if field]))
    if (folder / "train.jsonl").is_file():
        fields = [_text_field("episodes", "train.jsonl", field) for field in _CHAT_TEXTS]
        found.append(_record_set("episodes", fields))
    return found


def _record_set(name: str, fields: Sequence[Mapping[str, object]]) -> dict[str, object]:
    return {"@type": "cr:RecordSet", "@id": name, "name": name, "field": list(fields)}


def _column(record: str, file: str, column: "pyarrow.Field") -> dict[str, object]:
    """Return the field of a column; empty for columns of records and of lists without a length."""
    from pyarrow import types

    many = types.is_fixed_size_list(column.type)
    kind = column.type.value_type if many else column.type
    names = {
        "sc:Boolean": types.is_boolean,
        "sc:Integer": types.is_integer,
        "sc:Float": types.is_floating,
        "sc:Text": types.is_string,
    }
    data_type = next((name for name, is_kind in names.items() if is_kind(kind)), "")
    if not data_type:
        return {}
    shape = {"isArray": True, "arrayShape": str(column.type.list_size)} if many else {}
    source = {"fileObject": {"@id": file}, "extract": {"column": column.name}}
    return _field(record, column.name, data_type, source) | shape


def _text_field(record: str, file: str, name: str) -> dict[str, object]:
    source = {"fileObject": {"@id": file}, "extract": {"column": name}}
    return _field(record, name, "sc:Text", source)


def _field(record: str, name: str, data_type: str, source: object) -> dict[str, object]:
    return {
        "@type": "cr:Field",
        "@id": f"{record}/{name}",
        "name": name,
        "dataType": data_type,
        "source": source,
    }
