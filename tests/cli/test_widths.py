"""Tables at several widths of the terminal: no row is broken in two, no id is cut."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from bridge.cli.columns import CUT, Column, format_rows
from bridge.cli.table import TurnTable
from bridge.cli.tables import format_table
from bridge.report.parts import Table
from bridge.runs.play import StepReport
from pysim.catalog import list_shipped_levels
from pysim.suites import list_suites
from tests.commands import Luban

every_width = pytest.mark.parametrize("width", [60, 80, 120, 200])
word = st.text("abcxyz019.-", max_size=12)


@pytest.mark.by_day(16)
@every_width
@pytest.mark.parametrize("suite", ["", *list_suites()])
def test_each_level_is_one_line_that_fits(
    luban: Luban, monkeypatch: pytest.MonkeyPatch, width: int, suite: str
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    chosen = {row["id"]: row for row in luban("levels", "--suite", suite, "--json").json()}
    head, *lines = luban("levels", "--suite", suite).out.splitlines()
    assert [line.split()[0] for line in lines] == list(chosen)
    assert max(map(len, [head, *lines])) <= width
    for line, row in zip(lines, chosen.values(), strict=True):
        assert str(row["plan"]) in line[line.index(row["id"]) + len(row["id"]) :]


def test_where_nobody_says_how_wide_it_is_the_table_has_80_columns(
    luban: Luban, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    lines = luban("levels").out.splitlines()
    assert len(lines) == len(list_shipped_levels()) + 1
    assert max(map(len, lines)) <= 80
    head = lines[0].split()
    assert head[:2] == ["id", "tier"] and {"plan", "budget"} < set(head)


def test_a_wide_terminal_shows_everything(luban: Luban, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    out = luban("levels").out
    assert out.splitlines()[0].split()[-3:] == ["budget", "name", "designer"]
    assert CUT not in out
    assert all(
        level.name in out and level.source.designer in out for level in list_shipped_levels()
    )


cuts = st.none() | st.integers(1, 9)
columns = st.lists(
    st.tuples(
        word, st.lists(word, min_size=3, max_size=3), st.booleans(), st.none() | st.integers(1, 9)
    ),
    min_size=1,
    max_size=6,
)


@given(columns, st.integers(1, 90))
def test_a_layout_fits_or_is_as_narrow_as_can_be(
    drawn: list[tuple[str, list[str], bool, int | None]], width: int
) -> None:
    layout = [Column(*each) for each in drawn]
    lines = format_rows([layout], width)
    least = sum(column.narrowest for column in layout) + 2 * (len(layout) - 1)
    assert len(lines) == 4
    assert max(map(len, lines)) <= max(width, least)
    whole = format_rows([layout], 1000)
    for column in layout:
        assert all(cell in "\n".join(whole) for cell in column.cells)


def test_the_fullest_layout_that_fits_is_taken() -> None:
    a, b = Column("a", ["1"]), Column("bb", ["22"])
    assert format_rows([[a, b], [a]], 5) == ["a  bb", "1  22"]
    assert format_rows([[a, b], [a]], 4) == ["a", "1"]


TABLE = Table(
    "A table",
    "What its columns are, in so many words that it takes several lines to say them all here.",
    ["run", *(f"c{k}" for k in range(12))],
    [["oracle", *(f"{k}.000" for k in range(12))], ["random-agent", *["0.5"] * 12]],
    [("", 1), ("first group", 4), ("the second group", 4), ("third", 4)],
)


@every_width
def test_a_wide_table_goes_on_below(width: int) -> None:
    lines = format_table(TABLE, width).splitlines()
    assert max(map(len, lines)) <= width
    words = " ".join(lines).split()
    assert all(words.count(f"c{k}") == words.count(f"{k}.000") == 1 for k in range(12))
    heads = [line for line in lines if line.startswith("run")]
    assert len(heads) == {60: 3, 80: 2, 120: 1, 200: 1}[width]
    assert sum(line.startswith("oracle") for line in lines) == len(heads)


@given(st.integers(1, 150), st.lists(st.integers(1, 5), min_size=1, max_size=6))
def test_every_column_of_a_table_is_printed_once_at_any_width(width: int, sizes: list[int]) -> None:
    count = sum(sizes)
    head = ["run", *(f"head{k}." for k in range(count))]
    groups = [("", 1), *((f"g{k}", size) for k, size in enumerate(sizes))]
    text = format_table(Table("T", "", head, [["row", *["1"] * count]], groups), width)
    assert all(text.count(f"head{k}.") == 1 for k in range(count))


def test_the_summary_of_an_eval_breaks_no_path(
    luban: Luban, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    out = f"{tmp_path.name}-{'x' * 100}"
    done = luban("eval", "burr-three-bars", "--agent", "oracle", "--video", "none", "--out", out)
    assert out in done.out.split()
    assert [line.split()[0] for line in done.out.splitlines()][:4] == [
        "suite",
        "agent",
        "episodes",
        "solved",
    ]


def test_the_turns_of_an_episode_fit_into_80_columns(capsys: pytest.CaptureFixture[str]) -> None:
    with TurnTable(quiet=False) as table:
        table.add(StepReport(12, "slide red,blue +x 12", "BLOCKED by yellow", "", 12, 188, False))
    assert max(map(len, capsys.readouterr().out.splitlines())) <= 80


def test_what_an_agent_writes_is_no_markup(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TTY_COMPATIBLE", "1")
    with TurnTable(quiet=False) as table:
        assert Console().is_terminal
        table.add(StepReport(1, "[/red]fly [link=x]", "[bold", "", None, 9, False))
