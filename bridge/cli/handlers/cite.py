"""``luban cite``."""

import json
from collections.abc import Iterator, Mapping

from bridge.cli.commands.cite import CiteRequest
from bridge.cli.errors import CommandError
from bridge.cli.terminal import join_lines
from bridge.operations.citations import (
    Citation,
    cite_level,
    cite_luban,
    cite_paper,
    find_benchmark,
)
from bridge.report.published import Publication, load_publications
from pysim.level_selection import select_levels
from pysim.suites import SuiteError

__all__ = ["describe_citation", "run_cite"]


def run_cite(request: CiteRequest) -> None:
    """Print the origin of levels, or of a benchmark.

    Raises:
        CommandError: both ``--json`` and ``--bibtex`` are given.
        SuiteError: there is no such suite, level or benchmark.
    """
    if request.as_json and request.bibtex:
        raise CommandError("--json holds the BibTeX: give either --json or --bibtex")
    citations, publications = _select(request.levels)
    entries = dict([cite_luban()])
    for citation in citations:
        entries |= citation.bibtex
    entries |= dict(cite_paper(publication.paper) for publication in publications)
    bibtex = "\n".join(entries.values())
    if request.as_json:
        document = {
            "levels": [describe_citation(citation) for citation in citations],
            "benchmarks": [_describe_paper(publication) for publication in publications],
            "bibtex": bibtex,
        }
        print(json.dumps(document, indent=1, ensure_ascii=False))
        return
    if not request.bibtex:
        for citation in citations:
            print(*_format_lines(citation), "", sep="\n")
        for publication in publications:
            print(f"{publication.bench}: {join_lines(publication.paper.citation)}\n")
    print(bibtex, end="")


def _select(text: str) -> tuple[list[Citation], list[Publication]]:
    """Return the citations of levels, and the publications of the benchmarks that play them."""
    try:
        citations = [cite_level(level) for level in select_levels(text)]
    except SuiteError:
        if (publication := find_benchmark(text)) is None:
            raise
        return [], [publication]
    benches = dict.fromkeys(bench for citation in citations for bench in citation.benchmarks)
    return citations, [load_publications()[bench] for bench in benches]


def _describe_paper(publication: Publication) -> Mapping[str, object]:
    paper = publication.paper
    return {
        "bench": publication.bench,
        "title": paper.title,
        "authors": list(paper.authors),
        "year": paper.year,
        "arxiv": paper.arxiv,
    }


def describe_citation(citation: Citation) -> Mapping[str, object]:
    """Return the fields of ``luban cite --json`` for a level."""
    level, source = citation.level, citation.level.source
    return {
        "level": level.id,
        "name": level.name,
        "family": level.family,
        "designer": source.designer,
        "reference": source.reference,
        "seed": source.seed,
        "generator": source.generator,
        "hash": level.hash,
        "licence": citation.licence.name or None,
        "licence_note": citation.licence.note,
        "benchmarks": list(citation.benchmarks),
        "bibtex": "\n".join(citation.bibtex.values()),
    }


def _format_lines(citation: Citation) -> Iterator[str]:
    level, source = citation.level, citation.level.source
    yield f"{join_lines(level.name)} ({level.id})"
    yield f"  designer    {join_lines(source.designer)}"
    yield f"  source      {join_lines(source.reference)}"
    if source.generator:
        yield f"  generator   {join_lines(source.generator)}, seed {source.seed}"
    yield f"  licence     {citation.licence.name or 'none stated'}"
    yield f"              {join_lines(citation.licence.note)}"
    if citation.benchmarks:
        yield f"  benchmarks  {', '.join(citation.benchmarks)}"
