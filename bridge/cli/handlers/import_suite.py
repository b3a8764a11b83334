"""``luban import --bench``: published files become a suite of one's own."""

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from bridge.cli.commands.import_ import ImportRequest
from bridge.cli.errors import CommandError
from bridge.cli.handlers.import_design import make_level
from bridge.cli.notices import print_notice
from bridge.cli.output import check_output, write_output
from bridge.runs.importing import AuthorFile, Imported, Importer
from bridge.runs.protocol import find_bench, load_benches, select_benches
from pysim.catalog import AnyLevel, LevelError, check_id, encode_level
from pysim.catalog.documents import read_bytes
from pysim.catalog.suite_files import OwnSuite, format_suite_file
from pysim.errors import LubanError
from pysim.limits import MAX_LEVEL_BYTES

__all__ = ["run_import_suite"]

READER = 1
"""Version of what is made of a file; raised when the same file gives another suite."""
MOST_FILES = 1_000
LONGEST_NAME = 48
"""Characters of a suite's name: ids of its levels begin with it."""
_DESIGNS = (".xmpuzzle", ".puz")


def run_import_suite(request: ImportRequest) -> None:
    """Read published files of a bench and write a suite.

    Raises:
        CommandError: the bench reads none, an option means nothing here, or nothing can be read.
        InputError: a file is damaged; the message says where.
    """
    bench = _importer(request.bench)
    _refuse_options(request)
    check_output(request.out, ".json", force=request.force)
    files = _files(request.file, (*bench.reads, *(_DESIGNS if bench.reads_designs else ())))
    name = _name(request)
    imported = _read(bench, files, name, request)
    suite = OwnSuite(
        name=name,
        title=request.name or f"{bench.title.partition(':')[0]}, from {request.file.name}",
        bench=bench.name,
        source={"reader": f"{bench.name} {READER}", "files": [_told(file) for file in files]},
        levels=imported.levels,
        suite=imported.suite,
        items=imported.items,
    )
    data = format_suite_file(suite)
    if len(data) > MAX_LEVEL_BYTES:
        raise CommandError(
            f"the suite would have {len(data):,} bytes, more than {MAX_LEVEL_BYTES:,}: import "
            "fewer files at a time"
        )
    if request.levels is not None:
        _write_levels(request.levels, suite, force=request.force)
    write_output(request.out, data, force=request.force)
    _print(request.out, suite, imported.notes, request.as_json)


def _importer(name: str) -> Importer:
    known = {one.name: one for one in select_benches(Importer) if one.reads}
    by_suite = {suite: one for one in known.values() for suite in one.suites.values()}
    found = find_bench(name.replace("-", "_")) or by_suite.get(name)
    if isinstance(found, Importer) and found.reads:
        return found
    there = (
        f"the bench {name} reads no files of authors"
        if name in load_benches()
        else (f"there is no bench {name[:60]!r}")
    )
    raise CommandError(f"{there}; --bench is one of {', '.join(known)}")


def _refuse_options(request: ImportRequest) -> None:
    plain = ImportRequest(file=request.file, out=request.out)
    for field, option in (
        ("problem", "--problem"), ("solution", "--solution"), ("stored", "--stored"),
        ("goal", "--goal"), ("tier", "--tier"), ("designer", "--designer"), ("budget", "--budget"),
    ):  # fmt: skip
        if getattr(request, field) != getattr(plain, field):
            raise CommandError(f"{option} is for a designer's file, not for a suite: leave it out")
    if not request.name.isprintable():
        raise CommandError(f"--name: {request.name!r} can't be printed")


def _name(request: ImportRequest) -> str:
    name = request.id or "-".join(re.findall("[a-z0-9]+", request.out.stem.lower()))
    if not name:
        raise CommandError(f"{request.out.name} makes no name for the suite: give one with --id")
    if len(name) > LONGEST_NAME:
        raise CommandError(
            f"a suite's name has at most {LONGEST_NAME} characters, {name[:60]!r} has {len(name)}: "
            "give another one with --id"
        )
    return check_id(name)


def _files(path: Path, suffixes: Sequence[str]) -> list[AuthorFile]:
    """Return the file, or those of a folder that the bench reads, in the order of their names."""
    if not path.is_dir():
        return [_file(path, path.name)]
    paths = sorted(p for p in path.rglob("*") if p.suffix.lower() in suffixes and p.is_file())
    if not paths:
        raise CommandError(f"{path} holds no file that ends in {', '.join(suffixes)}")
    if len(paths) > MOST_FILES:
        raise CommandError(f"{path} holds {len(paths):,} files, more than {MOST_FILES:,}")
    return [_file(p, p.relative_to(path).as_posix()) for p in paths]


def _file(path: Path, name: str) -> AuthorFile:
    try:
        return AuthorFile(path, name.encode(errors="replace").decode(), read_bytes(path))
    except LevelError:
        raise CommandError(
            f"{path}: this is no file of at most {MAX_LEVEL_BYTES:,} bytes"
        ) from None
    except OSError as error:
        raise CommandError(f"{path}: {error.strerror}") from None


def _read(
    bench: Importer, files: Sequence[AuthorFile], name: str, request: ImportRequest
) -> Imported:
    designs = [f for f in files if bench.reads_designs and f.path.suffix.lower() in _DESIGNS]
    others = [file for file in files if file not in designs]
    for file in others:
        if file.path.suffix.lower() not in bench.reads:
            known = ", ".join((*bench.reads, *(_DESIGNS if bench.reads_designs else ())))
            raise CommandError(f"{file.path}: the bench {bench.name} reads files ending in {known}")
    imported = bench.import_files(others, name) if others else Imported()
    locks = tuple(_designed(designs, name, request))
    return replace(imported, levels=(*locks, *imported.levels)) if locks else imported


def _designed(files: Sequence[AuthorFile], name: str, request: ImportRequest) -> Iterator[AnyLevel]:
    """Yield the level of each designer's file."""
    for number, file in enumerate(files, 1):
        one = replace(request, file=file.path, id=f"{name}-lock-{number:02}", name="")
        try:
            yield make_level(one, None, quiet=True)[0]
        except LubanError as error:
            raise CommandError(f"{file.name}: {error}") from None


def _write_levels(folder: Path, suite: OwnSuite, *, force: bool) -> None:
    if not suite.levels:
        raise CommandError("--levels: this suite holds questions, no levels")
    folder.mkdir(parents=True, exist_ok=True)
    for level in suite.levels:
        text = json.dumps(encode_level(level), indent=1, ensure_ascii=False)
        write_output(folder / f"{level.id}.json", f"{text}\n".encode(), force=force)


def _told(file: AuthorFile) -> dict[str, str]:
    return {"name": file.name, "sha256": hashlib.sha256(file.data).hexdigest()}


def _print(out: Path, suite: OwnSuite, notes: Sequence[str], as_json: bool) -> None:
    document = {
        "out": str(out),
        "name": suite.name,
        "bench": suite.bench,
        "levels": len(suite.levels),
        "suite": suite.suite or None,
        "items": len(suite.items),
        "hash": suite.hash,
        "notes": list(notes),
    }
    if as_json:
        print(json.dumps(document))
        return
    for note in notes:
        print_notice(note)
    count, word = (len(suite.levels), "level") if suite.levels else (len(suite.items), "item")
    held = f"{count} {word}{'' if count == 1 else 's'}"
    what = f"{held} of {suite.suite}" if suite.items else held
    print(f"{out}: {what}, {suite.hash}; `luban eval {out}` runs it")
