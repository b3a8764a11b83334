"""Pages of benches cite the papers, and name the command and the file of each published table."""

import csv
import math
import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

import pytest

from bridge.report.published import Publication, load_publications
from pysim.catalog import find_assets
from tests.pages import PAGES, inline_code, sentences, table

PAGE = {
    "chain": "chain",
    "cube_bench": "cube-bench",
    "cubebench": "cubebench",
    "euclifold": "euclifold",
    "mcube": "jigsaw",
    "portal": "portal",
}
"""Bench -> its page."""


@pytest.fixture(params=load_publications())
def publication(request: pytest.FixtureRequest) -> Publication:
    return load_publications()[request.param]


def test_each_published_bench_has_a_page() -> None:
    assert {*PAGE} == {*load_publications()}


def test_page_cites_title_authors_and_number(publication: Publication) -> None:
    text, paper = sentences(PAGE[publication.bench]), publication.paper
    assert paper.title in text
    assert all(author in text for author in paper.authors)
    assert f"{paper.year}, arXiv:{paper.arxiv}" in text if paper.arxiv else str(paper.year) in text


def test_page_names_file_and_commands_of_each_table(publication: Publication) -> None:
    page = PAGE[publication.bench]
    code = {*inline_code(page)}
    for published in publication.tables:
        assert published.file in code
        number = published.name.split()[-1]
        assert re.search(rf"(?:Tables?|Figures?|appendix)[^|]*\b{number}\b", PAGES[page])
        commands = {line.replace(" --agent AGENT", "") for line in published.commands}
        assert {line.replace(" --agent AGENT", "") for line in code} & commands


def test_page_compares_the_elements_of_the_paper(publication: Publication) -> None:
    rows = table(PAGE[publication.bench], "element of the paper | here | same, or why not")
    assert len(rows) > 7
    assert all(len(row) == 3 and all(row) for row in rows)


# Intervals of EucliFold's Table 2, worked out anew.


class Cell(NamedTuple):
    """A value with its interval."""

    value: float
    low: float
    high: float

    @property
    def half(self) -> float:
        return (self.high - self.low) / 2


HALF_UNIT = 0.0005
"""How far a printed figure may be from the true one."""


def cells() -> Iterator[tuple[str, str, Cell]]:
    with (find_assets() / "published/euclifold-table-2.csv").open(encoding="utf-8") as lines:
        (_, *tasks), *rows = csv.reader(lines)
    for name, *texts in rows:
        for task, text in zip(tasks, texts, strict=True):
            if "[" in text:
                yield task, name, Cell(*map(float, re.findall(r"-?\d\.\d+", text)))


def is_lopsided(cell: Cell) -> bool:
    """Whether the middle is farther from the value than rounding explains."""
    return abs((cell.low + cell.high) / 2 - cell.value) > 2 * HALF_UNIT + 1e-9


def is_of_another_width(cell: Cell, pairs: int = 1200) -> bool:
    """Whether no shares of true and false belief give the width with so many pairs.

    With a difference w, the variance p (1 - p) + q (1 - q) is least for q = 0, and greatest where
    p + q = 1.
    """
    least = abs(cell.value) * (1 - abs(cell.value))
    most = (1 - cell.value**2) / 2
    low, high = (1.96 * math.sqrt(variance / pairs) for variance in (least, most))
    if cell.value == cell.low == cell.high == 0:  # No belief of either kind.
        return False
    return not low - HALF_UNIT <= cell.half <= high + HALF_UNIT


def told(head: str) -> dict[str, list[str]]:
    return {column: names.split(", ") for column, names in table("euclifold", head)}


@pytest.mark.parametrize(
    ("head", "cannot_be"),
    [
        ("column | rows whose interval is not symmetric", is_lopsided),
        ("column | rows whose interval has another width", is_of_another_width),
    ],
)
def test_intervals_that_do_not_follow_are_those_that_the_page_lists(
    head: str, cannot_be: Callable[[Cell], bool]
) -> None:
    found: dict[str, list[str]] = {}
    for task, name, cell in cells():
        if cannot_be(cell):
            found.setdefault(task, []).append(name)
    assert told(head) == found


def test_counts_of_intervals_are_those_that_the_page_tells() -> None:
    every = [cell for _, _, cell in cells()]
    lopsided, other = (
        {k for k, cell in enumerate(every) if cannot_be(cell)}
        for cannot_be in (is_lopsided, is_of_another_width)
    )
    text = sentences("euclifold")
    assert f"computes all {len(every)} anew" in text
    assert f"In {len(lopsided)} cells it is off" in text
    assert f"In {len(other)} cells, {len(lopsided & other)} of them among the above" in text


def test_values_of_folding_and_matching_are_of_240_pairs() -> None:
    for task, _, cell in cells():
        if task in ("Folding", "Matching"):
            nearest = round(cell.value * 240) / 240
            assert abs(cell.value - nearest) <= HALF_UNIT + 1e-9


def test_people_of_euclifold_are_scored_by_all_their_answers() -> None:
    with (find_assets() / "published/euclifold-table-3.csv").open(encoding="utf-8") as lines:
        _, *rows = csv.reader(lines)
    fourth = []
    for _, _, positive, negative, printed in rows:
        shares = [
            tuple(map(int, re.findall(r"(\d+)/(\d+)", cell)[0])) for cell in (positive, negative)
        ]
        right, asked = (sum(share[k] for share in shares) for k in (0, 1))
        assert float(printed) == pytest.approx(2 * right / asked - 1, abs=HALF_UNIT + 1e-9)
        fourth.append(f"{sum(one / all_ for one, all_ in shares) - 1:.3f}")
    assert f"would be {', '.join(fourth[:3])} and {fourth[3]}" in sentences("euclifold")
