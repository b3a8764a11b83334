"""Published tables are those of the papers, plausible, and found by the runs they belong to."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from bridge.report.cells import NOTHING
from bridge.report.published import (
    Paper,
    Publication,
    PublishedTable,
    load_publications,
    read_publication,
)
from bridge.runs.protocol import load_benches
from pysim.catalog import find_assets
from pysim.errors import InputError
from pysim.suites import list_suites
from tests.papers import paper

FOLDER = find_assets() / "published"
TEXTS = {
    "chain": "chain",
    "cube_bench": "cube_bench",
    "cubebench": "cubebench",
    "euclifold": "euclifold",
    "mcube": "marble",
    "portal": "marble",
}
ROWS = {
    "chain-table-1.csv": 16,
    "chain-table-2.csv": 3,
    "chain-table-3.csv": 3,
    "chain-table-4.csv": 6,
    "cube-bench-figure-3.csv": 6,
    "cube-bench-table-3.csv": 7,
    "cube-bench-table-4.csv": 7,
    "cube-bench-table-5.csv": 6,
    "cube-bench-table-6.csv": 7,
    "cube-bench-table-7.csv": 6,
    "cubebench-table-2.csv": 18,
    "cubebench-table-3.csv": 12,
    "cubebench-table-4.csv": 9,
    "cubebench-table-5.csv": 18,
    "cubebench-table-6.csv": 11,
    "euclifold-appendix-h.csv": 1,
    "euclifold-table-2.csv": 18,
    "euclifold-table-3.csv": 4,
    "mcube-figure-7.csv": 1,
    "mcube-figure-8.csv": 1,
    "mcube-table-3.csv": 13,
    "mcube-table-5.csv": 12,
    "portal-table-2.csv": 13,
    "portal-table-5.csv": 12,
}
"""The rows that were counted in the papers."""
TABLES = [(p.bench, table) for p in load_publications().values() for table in p.tables]
NUMBER = re.compile(r"[-+]?\d+(?:\.\d+)?(?:e-\d+)?")


def file(one: object) -> str:
    return one.file if isinstance(one, PublishedTable) else str(one)


def find(name: str) -> PublishedTable:
    return next(table for _, table in TABLES if table.file == name)


def column(table: PublishedTable, name: str) -> list[float]:
    place = list(table.head).index(name)
    return [float(row[place]) for row in table.rows]


def test_each_file_belongs_to_a_document_and_has_all_rows_of_its_paper() -> None:
    assert {table.file: len(table.rows) for _, table in TABLES} == ROWS
    assert {path.name for path in FOLDER.glob("*.csv")} == {*ROWS}


def test_publications_are_of_benches_and_suites_that_there_are() -> None:
    offered = {suite for bench in load_benches().values() for suite in bench.suites.values()}
    for publication in load_publications().values():
        assert publication.bench in load_benches()
        named = {suite for suite in publication.suites if "*" not in suite}
        assert named <= offered | {*list_suites()}
        assert publication.paper.title and publication.paper.year in (2025, 2026)


@pytest.mark.parametrize(("bench", "table"), TABLES, ids=file)
def test_figures_of_a_published_table_are_in_range(bench: str, table: PublishedTable) -> None:
    assert len({*table.head}) == len(table.head)
    assert len({tuple(row[: table.keys]) for row in table.rows}) == len(table.rows)
    for row in table.rows:
        for name, cell in zip(table.head[table.keys :], row[table.keys :], strict=True):
            figures = [float(text) for text in NUMBER.findall(cell)]
            assert figures or cell == NOTHING
            if "%" in name or "Pass rate" in name or "Acc" in name:
                assert all(0 <= value <= 100 for value in figures)


def runs_of_numbers(text: str) -> Iterator[list[str]]:
    for line in text.splitlines():
        yield NUMBER.findall(line)


def holds(line: list[str], row: list[str]) -> bool:
    return any(line[k : k + len(row)] == row for k in range(len(line) - len(row) + 1))


@pytest.mark.parametrize(("bench", "table"), TABLES, ids=file)
def test_each_row_stands_in_a_line_of_the_paper(bench: str, table: PublishedTable) -> None:
    text = paper(TEXTS[bench])
    lines = list(runs_of_numbers(text))
    everything = {number for line in lines for number in line}
    for row in table.rows:
        figures = NUMBER.findall(" ".join(row[table.keys :]))
        if table.name.startswith("Table"):
            assert any(holds(line, figures) for line in lines), row
        else:  # Taken from the running text.
            assert {*figures} <= everything, row
        name = re.sub(r" \(text\)|:.*", "", row[0])
        assert name.lower() in text.lower()


def test_papers_are_those_whose_texts_were_read() -> None:
    for publication in load_publications().values():
        said = " ".join(paper(TEXTS[publication.bench]).split()).lower()
        start = publication.paper.title.lower().removeprefix("m")  # A letter of MARBLE is a sign.
        assert start in said


# Figures of one table that follow from each other.


def test_chain_counts_and_shares_of_solved_tasks_agree() -> None:
    table = find("chain-table-1.csv")
    for rate, solved, locks, boxes in zip(
        *(column(table, name) for name in ("Pass@1", "Succ. task", "Puzzle", "Stacking")),
        strict=True,
    ):
        assert rate == pytest.approx(100 * solved / 109, abs=0.06)
        assert solved == pytest.approx((32 * locks + 77 * boxes) / 100, abs=0.06)


def test_chain_solved_per_dollar_is_a_hundredth_of_solved_per_tokens() -> None:
    table = find("chain-table-1.csv")
    tokens, dollars = (column(table, name) for name in ("Solved/Tokens", "Solved/USD"))
    for one, other in zip(tokens, dollars, strict=True):
        assert other == pytest.approx(one / 100, abs=0.011)


def test_chain_tiers_add_up_to_the_families() -> None:
    main = {row[0]: row for row in find("chain-table-1.csv").rows}
    names = {"GPT5.2": "GPT-5.2", "Sonnet-4.5": "Claude-Sonnet-4.5"}
    for name, *cells in find("chain-table-2.csv").rows:
        tiers = list(zip(map(float, cells), (10, 12, 10, 10, 20, 47), strict=True))
        solved = [sum(s * n for s, n in tiers[k : k + 3]) for k in (0, 3)]
        told = [float(cell) for cell in main[names.get(name, name)][3:5]]
        assert [solved[0] / 32, solved[1] / 77] == pytest.approx(told, abs=0.1)


def test_chain_difference_is_printed_as_one_shot_less_interactive() -> None:
    for *_, interactive, locks, boxes, once, difference in find("chain-table-3.csv").rows:
        assert float(difference) == pytest.approx(float(once) - float(interactive), abs=0.01)
        assert 0 <= float(locks) <= float(boxes) <= float(interactive)


def test_euclifold_people_follow_from_their_answers() -> None:
    for _, _, positive, negative, _ in find("euclifold-table-3.csv").rows:
        for cell in (positive, negative):
            share, right, asked = map(float, re.findall(r"[\d.]+", cell))
            assert share == pytest.approx(100 * right / asked, abs=0.06)


def test_marble_accuracies_are_the_same_in_both_tables() -> None:
    for bench, first in (("mcube", "CUBE-easy | Acc (%)"), ("portal", "Fill-the-blanks | Acc (%)")):
        one, other = (
            {row[0]: row[list(table.head).index(first)] for row in table.rows}
            for table in (find(f"{bench}-table-{n}.csv") for n in (3 if bench == "mcube" else 2, 5))
        )
        assert other == {name: cell for name, cell in one.items() if name != "Random"}


def test_cubebench_pass_rates_are_the_same_in_both_tables() -> None:
    two, five = (find(f"cubebench-table-{n}.csv").rows for n in (2, 5))
    assert [row[:9] for row in two] == [row[:9] for row in five]


# Files that are damaged.

DOCUMENT = {
    "format": "luban-published/1",
    "bench": "toy",
    "paper": {"title": "Toys", "authors": ["Ann Lee", "Bo Ek", "Cy Ray"], "year": 2026},
    "suites": ["toys"],
    "differs": "",
    "tables": [
        {
            "table": "Table 1",
            "file": "toy.csv",
            "keys": 1,
            "beside": {"Table 1: toys": {"Acc.": "Accuracy"}},
            "differs": "",
            "commands": ["luban eval toys"],
        }
    ],
}


def written(folder: Path, table: str = "Model,Accuracy\nA,3\n", **changes: object) -> Path:
    (folder / "toy.csv").write_text(table, encoding="utf-8")
    path = folder / "toy.json"
    path.write_text(json.dumps(DOCUMENT | changes), encoding="utf-8")
    return path


def test_publication_of_another_package_is_read(tmp_path: Path) -> None:
    found = read_publication(written(tmp_path, "Model,Accuracy\nA,3\nB,\n"))
    assert isinstance(found, Publication)
    (table,) = found.tables
    assert table.rows == [["A", "3"], ["B", NOTHING]]
    assert table.beside == {"Table 1: toys": {"Acc.": "Accuracy"}}


@pytest.mark.parametrize(
    ("table", "changes", "words"),
    [
        ("Model,Accuracy\nA\n", {}, "toy.csv:2: 1 cells under 2 columns"),
        ("", {}, "toy.csv has no head"),
        ("Model\n", {"format": "toys/1"}, "'format' is 'luban-published/1'"),
        ("Model\n", {"tables": [3]}, "'tables' is a list of objects"),
        ("Model\n", {"paper": {"title": 3}}, "'title' is a text"),
    ],
)
def test_a_damaged_publication_is_said(
    tmp_path: Path, table: str, changes: dict[str, object], words: str
) -> None:
    with pytest.raises(InputError, match=words):
        read_publication(written(tmp_path, table, **changes))


def test_a_missing_table_is_said(tmp_path: Path) -> None:
    path = written(tmp_path)
    (tmp_path / "toy.csv").unlink()
    with pytest.raises(InputError, match=r"toy.csv: No such file"):
        read_publication(path)


@pytest.mark.parametrize(
    ("authors", "names"),
    [
        ([], "anonymous authors (2026), “Toys”, arXiv:1"),
        (["Ann Lee"], "Lee (2026), “Toys”, arXiv:1"),
        (["Ann Lee", "Bo Ek"], "Lee and Ek (2026), “Toys”, arXiv:1"),
        (["Ann Lee", "Bo Ek", "Cy Ray"], "Lee et al. (2026), “Toys”, arXiv:1"),
    ],
)
def test_a_paper_is_cited_by_its_first_authors(authors: list[str], names: str) -> None:
    assert Paper("Toys", authors, 2026, "1").citation == names
