"""``--beside paper``: rows of the papers among those of runs."""

import json
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bridge.report.paper_comparison import ComparedRun, compare_with_papers
from bridge.report.parts import Figure, Table
from bridge.report.published import find_publication, load_publications
from tests.commands import Luban

FEW = {
    "chain-109": ",".join(
        [
            "burr-half-lap",
            "burr-diabolical-structure",
            "burr-computers-choice-unique-10",
            "packing-easy-01",
            "packing-medium-01",
            "packing-hard-01",
        ]
    ),
    "cubebench-160": "cubebench-d01-1-full-symbolic",
    "cubebench-d0[1-4]-*-full-symbolic": "cubebench-d01-1-full-symbolic",
}
"""Suites of levels, and what is played of them here."""
LIMITS = {
    "chain": ("--observation", "state", "--workers", 1),
    "cubebench": ("--sandbox", "weak", "--turns", 2, "--budget", 300),
}
"""Options that keep plays short; of items two trials of each condition are asked."""


def commands(bench: str) -> Iterator[list[str]]:
    publication = find_publication(bench)
    assert publication is not None
    told = dict.fromkeys(line for table in publication.tables for line in table.commands)
    return (shlex.split(line)[1:] for line in told)


def play(luban: Luban, bench: str, agent: str) -> list[str]:
    """Give the commands of a bench's tables in little, and return the names of the runs."""
    outs: list[str] = []
    for number, (name, *words) in enumerate(commands(bench)):
        if name == "select":
            assert luban(name, outs[-1], "--by", "verifier").status == 0
            continue
        outs.append(f"{agent}-{number}")
        few = LIMITS.get(bench, ("--limit", 2))
        if "--mode" not in words and bench == "cubebench":
            few = ()
        given = [agent if word == "AGENT" else FEW.get(word, word) for word in words]
        assert luban(name, *given, *few, "--out", outs[-1]).status == 0
    return outs


def report(luban: Luban, *runs: str) -> dict[str, list[dict[str, Any]]]:
    """Return the tables of a report beside the papers, by title."""
    assert (
        luban("report", *runs, "--beside", "paper", "--out", "report.html", "--pictures", 0).status
        == 0
    )
    found: dict[str, list[dict[str, Any]]] = {}
    for table in json.loads(Path("report.json").read_text(encoding="utf-8"))["tables"]:
        found.setdefault(table["title"], []).append(table)
    return found


def names(table: dict[str, Any]) -> set[str]:
    groups = [name for name, width in table["groups"] for _ in range(width)]
    plain = [head.replace(" ↑", "").replace(" ↓", "") for head in table["head"]]
    above = [name.replace(" ↑", "").replace(" ↓", "") for name in groups] or [""] * len(plain)
    return {*plain} | {f"{group} | {head}" for group, head in zip(above, plain, strict=True)}


@pytest.mark.slow
@pytest.mark.parametrize("bench", load_publications())
def test_the_commands_of_published_tables_fill_them(luban: Luban, bench: str) -> None:
    runs = [run for agent in ("oracle", "random") for run in play(luban, bench, agent)]
    check(bench, report(luban, *runs))


@pytest.mark.by_day(1)
@pytest.mark.parametrize("bench", ["euclifold", "portal"])
def test_the_commands_of_some_published_tables_fill_them(luban: Luban, bench: str) -> None:
    check(bench, report(luban, *play(luban, bench, "oracle")))


def check(bench: str, tables: dict[str, list[dict[str, Any]]]) -> None:
    """Check that each published table stands in those of the report, column by column."""
    publication = find_publication(bench)
    assert publication is not None
    (overview,) = tables["Beside the papers"]
    filled = {row[0].rpartition(", ")[2]: row[1] for row in overview["rows"]}
    assert filled == {table.name: "; ".join(table.beside) for table in publication.tables}
    for published in publication.tables:
        shown = [
            (table, titles) for title, titles in published.beside.items() for table in tables[title]
        ]
        found = {titles.get(name, name) for table, titles in shown for name in names(table)}
        lacking = {*published.head[published.keys :]} - found
        assert not lacking
        for table, _ in shown:
            assert sum(row[0].endswith("(paper)") for row in table["rows"]) >= 1
            assert published.name in table["note"]
            assert publication.paper.citation in table["note"]
    page = Path("report.html").read_text(encoding="utf-8")
    assert "(paper)</td>" in page


RUN = ComparedRun("mine", "chain", "chain-109", ("burr", "packing"))


def main_table(*heads: str) -> Table:
    return Table(
        "Table 1: main results", "As it is.", ["Run", *heads], [["mine", *"12"[: len(heads)]]]
    )


def test_rows_of_the_paper_follow_those_of_runs() -> None:
    table, overview = compare_with_papers([RUN])([main_table("Pass@1 ↑", "95 %")])
    assert isinstance(table, Table) and isinstance(overview, Table)
    assert table.rows[:2] == [["mine", "1", "2"], ["GPT-5.2 (paper)", "22.9", "–"]]
    assert len(table.rows) == 17
    assert table.note.startswith("As it is. Rows marked (paper): Table 1 of Wu et al. (2026)")


def test_families_stand_for_the_names_that_the_paper_gives_them() -> None:
    table, _ = compare_with_papers([RUN])([main_table("burr ↑", "packing ↑")])
    assert isinstance(table, Table)
    assert table.rows[1] == ["GPT-5.2 (paper)", "3.1", "31.2"]


def test_a_table_without_a_column_of_the_paper_stays_as_it_is() -> None:
    mine = main_table("95 %")
    figure = Figure("Table 1: main results", "<svg/>")
    assert compare_with_papers([RUN])([mine, figure])[:2] == [mine, figure]


def test_levels_that_are_not_the_suite_of_the_paper_are_said() -> None:
    other = ComparedRun("few", "chain", "locks-32", ("burr",))
    table, _ = compare_with_papers([RUN, other])([main_table("Pass@1 ↑")])
    assert isinstance(table, Table)
    assert table.note.endswith("Not of chain-109: few (locks-32).")


def test_runs_of_other_benches_in_a_table_are_said_to_have_other_levels() -> None:
    cubes = ComparedRun("mine", "cubebench", "cubebench-160", ("rubik",))
    run = ComparedRun("locks", "chain", "chain-109", ("burr",))
    table, _ = compare_with_papers([cubes, run])([main_table("Pass@1 ↑")])
    assert isinstance(table, Table)
    assert table.note.endswith("Not of chain-109: mine (cubebench-160).")


@pytest.mark.parametrize(
    "run",
    [
        ComparedRun("mine", "chain", "nets-33", ("nets",)),
        ComparedRun("mine", "toy-bench", "toys"),
    ],
)
def test_runs_that_no_paper_has_are_said_to_have_no_published_table(run: ComparedRun) -> None:
    mine = main_table("Pass@1 ↑")
    table, overview = compare_with_papers([run])([mine])
    assert table == mine
    assert isinstance(overview, Table)
    assert overview.rows == [[run.bench, "–", "no published table is shipped for these runs"]]


def test_rows_of_two_tables_of_a_paper_are_one_row_for_a_model() -> None:
    cube = Table(
        "Tables 3 and 5: CUBE-easy",
        "",
        ["Models", "Subset", "Acc (%)", "Tokens (k)", "STD"],
        [["mine", "cube-easy", "1.0", "2.0", "3.0"]],
    )
    table, _ = compare_with_papers([ComparedRun("mine", "mcube", "mcube-easy")])([cube])
    assert isinstance(table, Table)
    assert ["GPT-o3 (paper)", "–", "72.0", "21.0", "4.5"] in table.rows
    assert len({row[0] for row in table.rows}) == len(table.rows) == 14


def test_tables_of_items_are_printed_beside_the_paper(luban: Luban) -> None:
    ask = ("eval", "euclifold", "--task", "matching", "--limit", 2, "--out", "run")
    assert luban(*ask).status == 0
    plain, beside = (luban("report", "run", *more).out for more in ((), ("--beside", "paper")))
    assert "(paper)" not in plain
    assert "gpt-5 (paper)" in beside and "0.008 [-0.042, 0.058]" in beside


def test_a_report_is_without_the_paper_unless_it_is_asked_for(luban: Luban) -> None:
    assert luban("eval", "burr-half-lap", "--agent", "oracle", "--out", "run").status == 0
    assert luban("report", "run", "--out", "report.html", "--pictures", 0).status == 0
    for name in ("report.html", "report.json", "report.tables.csv"):
        assert "(paper)" not in Path(name).read_text(encoding="utf-8")


def test_what_stands_beside_is_one_of_those_that_there_are(luban: Luban) -> None:
    refused = luban("report", "run", "--beside", "humans", "--out", "report.html")
    assert refused.status == 1
    assert refused.err == "luban: --beside is one of paper, not 'humans'\n"
