"""Origins, licences and BibTeX of levels, and of the benchmarks that play them."""

import fnmatch
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version

from bridge.report.published import Paper, Publication, load_publications
from pysim.catalog import AnyLevel, LevelError, find_shipped_level
from pysim.suites import find_suite, list_suites
from pysim.tasks.references import find_task_by_id

__all__ = [
    "GENERATED",
    "SHIPPED",
    "Citation",
    "Licence",
    "cite_level",
    "cite_luban",
    "cite_paper",
    "find_benchmark",
    "join_bibtex",
]

SHIPPED = "Apache-2.0"
"""SPDX identifier of the files of levels that ship."""
GENERATED = "luban"
"""Designer of levels that a program of Luban made."""
_NAMELESS = ("", "traditional", "unattributed", GENERATED)
_SPECIAL = re.compile(r"[&%$#_{}~^\\]")
_SPELLED = {"~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "\\": r"\textbackslash{}"}


@dataclass(frozen=True, slots=True)
class Licence:
    """Terms for passing a level on.

    Attributes:
        name: SPDX identifier; empty where the level states none.
        note: meaning for the design, in one or two sentences.
    """

    name: str
    note: str


@dataclass(frozen=True, slots=True)
class Citation:
    """Origin of a level.

    Attributes:
        level: the level.
        licence: of its file and design.
        benchmarks: published benchmarks that play it, in the order of their names.
        bibtex: entries for Luban, the level and the benchmarks' papers, by their keys.
    """

    level: AnyLevel
    licence: Licence
    benchmarks: tuple[str, ...]
    bibtex: Mapping[str, str]


def cite_level(level: AnyLevel) -> Citation:
    """Return the origin of a level."""
    publications = [p for p in load_publications().values() if is_played(level, p)]
    entries = [cite_luban(), _cite_design(level), *(cite_paper(p.paper) for p in publications)]
    return Citation(
        level,
        find_licence(level),
        tuple(publication.bench for publication in publications),
        dict(entries),
    )


def find_benchmark(name: str) -> Publication | None:
    """Return the publication of a bench, or of a suite of questions; None for any other name."""
    found = load_publications().values()
    return next((one for one in found if name == one.bench or name in one.suites), None)


def find_licence(level: AnyLevel) -> Licence:
    """Return the licence of a level."""
    designer = level.source.designer
    if _is_shipped(level):
        if designer == GENERATED:
            return Licence(SHIPPED, "Made for Luban, and passed on under Luban's licence.")
        if designer in _NAMELESS:
            return Licence(SHIPPED, "The licence is the file's. No designer is known.")
        note = f"The licence is the file's. The design is by {designer}: name the designer."
        return Licence(SHIPPED, note)
    if level.source.generator:
        return Licence("", "Made by a generator: it is yours, under a licence of your choice.")
    return Licence("", f"The file states no licence. Ask its designer: {designer or 'unknown'}.")


def _is_shipped(level: AnyLevel) -> bool:
    """Return whether a level, or a task of a pool that ships, is as it ships."""
    try:
        return find_shipped_level(level.id).hash == level.hash
    except LevelError:
        task = find_task_by_id(level.id)
        return task is not None and task.level.hash == level.hash


@cache
def _list_levels(suite: str) -> frozenset[str]:
    """Return the ids of a suite's levels; none for a pattern."""
    return frozenset(find_suite(suite).level_ids if suite in list_suites() else ())


def is_played(level: AnyLevel, publication: Publication) -> bool:
    """Return whether a suite of a publication holds a level."""
    return any(
        level.id in _list_levels(suite) or fnmatch.fnmatchcase(level.id, suite)
        for suite in publication.suites
    )


def cite_luban() -> tuple[str, str]:
    """Return key and BibTeX entry of Luban itself."""
    return "luban", _format_entry(
        "software",
        "luban",
        {
            "title": "Luban: a 3D-puzzle simulator that evaluates vision-language agents by rule",
            "author": "{The Luban developers}",
            "version": version("luban"),
        },
    )


def cite_paper(paper: Paper) -> tuple[str, str]:
    """Return key and BibTeX entry of a benchmark's paper."""
    first = paper.authors[0].rpartition(" ")[2] if paper.authors else "anonymous"
    word = re.sub(r"\W", "", paper.title.split()[0]).lower()
    key = f"{re.sub(r'[^a-z]', '', first.lower())}{paper.year}{word}"
    fields = {
        "title": f"{{{_escape(paper.title)}}}",
        "author": " and ".join(map(_escape, paper.authors)) or "{Anonymous}",
        "year": str(paper.year),
    }
    if paper.arxiv:
        fields |= {"eprint": paper.arxiv, "archiveprefix": "arXiv"}
    return key, _format_entry("misc", key, fields)


def _cite_design(level: AnyLevel) -> tuple[str, str]:
    key, source = f"luban-{level.id}", level.source
    fields = {"title": f"{{{_escape(level.name)}}}"}
    if source.designer not in _NAMELESS:
        fields["author"] = f"{{{_escape(source.designer)}}}"
    if source.reference:
        fields["howpublished"] = _escape(source.reference)
    fields["note"] = _escape(f"Level {level.id} of Luban, {level.hash}")
    return key, _format_entry("misc", key, fields)


def _format_entry(kind: str, key: str, fields: Mapping[str, str]) -> str:
    lines = "".join(f"  {name} = {{{value}}},\n" for name, value in fields.items())
    return f"@{kind}{{{key},\n{lines}}}\n"


def _escape(text: str) -> str:
    """Return text as LaTeX prints it."""
    return _SPECIAL.sub(lambda found: _SPELLED.get(found[0], "\\" + found[0]), text)


def join_bibtex(citations: Sequence[Citation]) -> str:
    """Return the entries of some citations, each once."""
    entries = {key: entry for citation in citations for key, entry in citation.bibtex.items()}
    return "\n".join(entries.values())
