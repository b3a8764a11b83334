"""Tables of reports as text, CSV, LaTeX and HTML."""

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge.cli.tables import format_tables
from bridge.report.formats import format_tables_csv, format_tables_latex
from bridge.report.page import build_body
from bridge.report.parts import Table
from bridge.report.sections import build_report_parts, select_tables
from pysim.errors import InputError
from tests.commands import Luban, call
from tests.previous.kept import HERE as PREVIOUS
from tests.report.formats import (
    Cells,
    read_csv,
    read_html,
    read_latex,
    read_text,
    without_first_head,
    without_spans,
)
from tests.users import without_rights

WIDE = 10**6
PDFLATEX = shutil.which("pdflatex")

# Runs of each bench.

KEPT = {
    "chain": ("interactive", "chance", "one-shot"),
    "cubebench": ("code", "no-code", "no-code-chance"),
    "cube_bench": ("items", "items-chance", "items-pictures"),
    "mixed": ("interactive", "code", "items"),
}
ASKED = {
    "euclifold": ("euclifold", "--limit", 1),
    "mcube": ("mcube-easy", "--limit", 1),
    "portal": ("portal-blanks", "--limit", 1),
}


def sample(bench: str, folder: Path) -> list[Path]:
    """Return the folders of sample runs of a bench."""
    if bench in KEPT:
        shutil.copytree(PREVIOUS / "finished" / "runs", folder / "runs")
        return [folder / "runs" / name for name in KEPT[bench]]
    call("eval", *ASKED[bench], "--agent", "oracle", "--out", folder / "50%_a&b")
    return [folder / "50%_a&b"]


@pytest.mark.by_day(3)
@pytest.mark.parametrize("bench", [*KEPT, *ASKED])
def test_tables_of_sample_runs_have_the_same_cells_in_all_formats(
    bench: str, luban: Luban, tmp_path: Path
) -> None:
    runs = sample(bench, tmp_path)
    files = {"page.html": ("--pictures", 0), "page.txt": (), "page.tex": (), "tables.csv": ()}
    for name, more in files.items():
        made = luban("report", *runs, "--beside", "paper", "--out", name, *more)
        assert made.status == 0, made.err
    page, text, latex = (
        (tmp_path / f"page{suffix}").read_text("utf-8") for suffix in (".html", ".txt", ".tex")
    )
    tables = (tmp_path / "tables.csv").read_text("utf-8")
    assert tables == (tmp_path / "page.tables.csv").read_text("utf-8")
    assert_same(page, text, latex, tables)
    told = luban("report", *runs, "--beside", "paper", "--json").json()["tables"]
    assert [tuple(map(tuple, table["rows"])) for table in told] == [
        table.rows for table in read_html(page)
    ]


def assert_same(page: str, text: str, latex: str, tables: str) -> list[Cells]:
    """Check that all formats have the same cells, and return them."""
    found = read_html(page)
    assert found
    shapes = [(any(table.groups), len(table.rows)) for table in found]
    assert without_spans(read_text(text, shapes)) == without_spans(found)
    assert [cells for cells, _ in read_latex(latex)] == found
    assert without_first_head(read_csv(tables)) == without_first_head(found)
    return found


# Texts that mean something to a format.

HOSTILE = [
    "50%",
    "a & b",
    "under_score",
    "#1 $x$ ^2 ~",
    "{brace}",
    "}{",
    "back\\slash",
    r"\input{/etc/passwd}",
    "\\",
    "<script>alert(1)</script>",
    "</td></table>",
    "&amp;lt;",
    "\"quoted\", 'too' and `so`",
    "--observation none --- ''",
    "– — “x” … ≈ ≤ ↑ −1.5 × λ Δ",
    "Łódź, naïve, Çelik, ąę",
    "中文 Ω ﷽",
    "😀 e\u0301",
    "[1cm]",
    "*",
    "=1+1",
    "||",
    "^^41",
    "%%",
    ",,<<>>",
]


def table_of(text: str) -> Table:
    """Return a table that has a text everywhere."""
    return Table(
        f"Title {text}",
        f"Note {text}",
        ["Run", text, "Pass@1 ↑"],
        [[text, text, "1.0–2.0"], ["x", f"x {text}", "–"]],
        [("", 1), (text, 2)],
    )


class Other:
    """Runs of another sort with given tables."""

    title = "Others"

    def __init__(self, *tables: Table) -> None:
        self.tables = tables

    def build_parts(self) -> Sequence[Table]:
        return self.tables

    def list_entries(self) -> Sequence[tuple[str, list[object], int]]:
        return ()


def check_survives(text: str) -> None:
    tables = [table_of(text), table_of(f"{text} again")]
    page = build_body([], [Other(*tables)])  # type: ignore[list-item]
    latex = format_tables_latex(tables)
    found = assert_same(page, format_tables(tables, WIDE), latex, format_tables_csv(tables))
    for one, table, (_, caption) in zip(found, tables, read_latex(latex), strict=True):
        assert list(one.rows) == [tuple(row) for row in table.rows]
        assert list(one.head) == table.head
        assert one.groups == ("", text, text) or text not in table.title[-len(text) :]
        assert one.title == table.title
        assert caption == f"{table.title}. {table.note}"


@pytest.mark.parametrize("text", HOSTILE)
def test_table_with_hostile_text_survives_each_format(text: str) -> None:
    check_survives(text)


@given(st.text("aZ0 \\{}[]()%&_#$^~<>|\"'`,.;:!?*+-=/@–—“”…−≈↑λΔéŁ中😀", min_size=1, max_size=20))
def test_table_with_any_text_survives_each_format(text: str) -> None:
    check_survives(" ".join(["x", *text.split(), "x"]))


def test_latex_replaces_what_no_file_can_hold() -> None:
    latex = format_tables_latex([table_of("a\ud800\x1b[2J\nb")])
    ((cells, _),) = read_latex(latex)
    assert cells.rows[0][0] == "a\ufffd\ufffd[2J b"
    assert latex.encode()


def test_latex_defines_what_it_uses() -> None:
    assert r"\providecommand{\unicodetext}" not in format_tables_latex([table_of("plain é ↑")])
    assert r"\providecommand{\unicodetext}" in format_tables_latex([table_of("中")])


def test_latex_aligns_figures_to_the_right_and_breaks_long_words() -> None:
    rows = [["a", "30.0–90.3", "0.53 [0.4, 0.6]", "", "word", "many words " * 9], ["b", *"––1––"]]
    latex = format_tables_latex([Table("T", "", ["Run", *"12345"], rows)])
    assert r"\begin{tabular}{lrrrlp{0.35\linewidth}}" in latex


@pytest.mark.skipif(PDFLATEX is None, reason="NOT TESTED: no pdflatex is installed")
def test_latex_is_compiled(luban: Luban, tmp_path: Path) -> None:
    runs = sample("mixed", tmp_path)
    assert luban("report", *runs, "--beside", "paper", "--out", "tables.tex").status == 0
    (tmp_path / "hostile.tex").write_text(format_tables_latex([*map(table_of, HOSTILE)]), "utf-8")
    (tmp_path / "all.tex").write_text(
        "\\documentclass{article}\n\\usepackage{booktabs}\n\\begin{document}\n"
        "\\input{tables}\n\\input{hostile}\n\\end{document}\n"
    )
    assert PDFLATEX is not None
    command = [PDFLATEX, "-interaction=nonstopmode", "-halt-on-error", "all.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout.decode(errors="replace")[-3000:]


# Tables of several sorts of runs, and those that are asked for.


def test_tables_of_the_same_columns_become_one() -> None:
    first, other, second = (Table(t, "", ["Run"], [[n]]) for t, n in zip("aba", "123", strict=True))
    parts = build_report_parts([], [Other(first, other), Other(second)])  # type: ignore[list-item]
    assert [(part.title, part.rows) for part in parts if isinstance(part, Table)] == [
        ("b", [["2"]]),
        ("a", [["1"], ["3"]]),
    ]


@pytest.mark.parametrize(
    ("names", "found"),
    [
        ([], [0, 1, 2, 3]),
        (["2"], [1, 2]),
        (["table 2"], [1, 2]),
        (["cubebench table 2"], [2]),
        (["Conduct", "12"], [0, 3]),
        (["main"], [1]),
    ],
)
def test_tables_are_selected_by_number_and_by_parts_of_titles(
    names: list[str], found: list[int]
) -> None:
    titles = ["Table 12: a", "Table 2: main results", "CubeBench Table 2: b", "Conduct"]
    tables = [Table(title, "", ["Run"], [["x"]]) for title in titles]
    assert select_tables(tables, names) == [tables[k] for k in found]


@pytest.mark.parametrize("name", ["Tab", "9", "con", "a(", "", " "])
def test_a_table_that_is_not_there_is_refused_with_those_that_are(name: str) -> None:
    table = Table("Table 1: conduct", "", ["Run"], [["x"]])
    with pytest.raises(InputError, match=r"no table is called .*: Table 1: conduct$"):
        select_tables([table], [name])


# The command.


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """Runs of the previous version, in the folder of the command."""
    return Path(shutil.copytree(PREVIOUS / "finished" / "runs", tmp_path / "runs"))


def test_report_without_out_prints_the_tables_and_writes_nothing(luban: Luban, kept: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in kept.parent.rglob("*")}
    done = luban("report", "runs/interactive", "runs/items")
    assert (done.status, done.err) == (0, "")
    for title in (
        "Table 1: main results",
        "Table 4: move prediction",
    ):
        assert done.out.count(title) == 1
    assert {path: path.stat().st_mtime_ns for path in kept.parent.rglob("*")} == before


@pytest.mark.slow
def test_report_writes_or_prints_the_tables_that_are_asked_for(luban: Luban, kept: Path) -> None:
    options = ("runs/interactive", "runs/items", "--table", "conduct", "--table", "4")
    tables = luban("report", *options, "--json").json()["tables"]
    titles = [table["title"] for table in tables]
    assert titles == [
        "Table 4: several attempts",
        "Conduct",
        "Table 4: move prediction, 1 move from solved",
    ]
    assert luban("report", *options, "--out", "page.html", "--pictures", 0).status == 0
    page = (kept.parent / "page.html").read_text("utf-8")
    assert [table.title for table in read_html(page)] == titles
    made = luban("report", *options, "--out", "t.TEX", "--json").json()
    assert made["out"] == "t.TEX"
    assert (made["runs"], made["item_runs"]) == (["interactive"], ["items"])


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--out", "t.pdf"), "t.pdf: give a file whose name ends in .html, .txt, .csv or .tex"),
        (("--out", "t"), "t: give a file whose name ends in .html, .txt, .csv or .tex"),
        (("--out", "there.csv"), "there.csv exists; give --force to replace it"),
        (("--out", "nowhere/t.tex"), "nowhere/t.tex: there is no folder nowhere"),
        (("--out", "folder.txt"), "folder.txt is a folder; give a file"),
        (("--out", "t.tex", "--embed"), "--embed needs a page"),
        (("--pictures", "3"), "--pictures needs a page"),
        (("--force",), "--force needs a file"),
        (("--table", "nix"), "no table is called 'nix'; there are: Runs; Table 1"),
    ],
)
def test_report_that_can_not_be_written_is_refused_in_a_line(
    options: Sequence[str], words: str, luban: Luban, kept: Path
) -> None:
    (kept.parent / "there.csv").write_text("mine")
    (kept.parent / "folder.txt").mkdir()
    assert words in luban("report", "runs/interactive", *options).complaint()
    assert (kept.parent / "there.csv").read_text() == "mine"


def test_report_replaces_a_file_with_force(luban: Luban, kept: Path) -> None:
    (kept.parent / "t.csv").write_text("mine")
    assert luban("report", "runs/items", "--out", "t.csv", "--force").status == 0
    assert (kept.parent / "t.csv").read_text("utf-8").startswith("table,row,name,group,column,")


def test_report_into_a_folder_that_may_only_be_read_is_refused_in_a_line(
    luban: Luban, kept: Path
) -> None:
    folder = kept.parent / "closed"
    folder.mkdir(mode=0o555)
    with without_rights():
        complaint = luban("report", PREVIOUS / "finished/runs/items", "--out", folder / "t.tex")
    assert "closed" in complaint.complaint()


@pytest.mark.slow
def test_report_of_a_run_whose_name_is_no_text_is_written_in_each_format(
    luban: Luban, kept: Path
) -> None:
    odd = (kept / "chance").rename(kept / b"50%_\xff".decode("utf-8", "surrogateescape"))
    for name in ("page.html", "tables.txt", "tables.csv", "tables.tex"):
        done = luban("report", odd, "--out", name)
        assert done.status == 0, done.err
        text = (kept.parent / name).read_text("utf-8")
        assert ("50\\%\\_" if name.endswith(".tex") else "50%_\ufffd") in text


@pytest.mark.slow
def test_tables_is_the_former_name_of_report(luban: Luban, kept: Path) -> None:
    for runs in (("interactive", "chance"), ("interactive", "items"), ("items",)):
        folders = [f"runs/{name}" for name in runs]
        former, report = luban("tables", *folders), luban("report", *folders)
        assert (former.status, former.out) == (0, report.out)
        assert former.err.startswith("note: tables is now report;")
