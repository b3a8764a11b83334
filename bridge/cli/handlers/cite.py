"""``luban cite``."""

import json
from collections.abc import Iterator, Mapping

from bridge.cli.commands.cite import CiteRequest
from bridge.cli.errors import CommandError
from bridge.cli.terminal import join_lines
from bridge.operations.citations import Citation, cite_level, join_bibtex
from pysim.level_selection import select_levels

__all__ = ["describe_citation", "run_cite"]


def run_cite(request: CiteRequest) -> None:
    """Print the origin of levels.

    Raises:
        CommandError: both ``--json`` and ``--bibtex`` are given.
    """
    if request.as_json and request.bibtex:
        raise CommandError("--json holds the BibTeX: give either --json or --bibtex")
    citations = [cite_level(level) for level in select_levels(request.levels)]
    if request.as_json:
        document = {
            "levels": [describe_citation(citation) for citation in citations],
            "bibtex": join_bibtex(citations),
        }
        print(json.dumps(document, indent=1, ensure_ascii=False))
        return
    if not request.bibtex:
        for citation in citations:
            print(*_format_lines(citation), "", sep="\n")
    print(join_bibtex(citations), end="")


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
