"""Tables of a report as JSON, CSV and LaTeX."""

import csv
import io
import re
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import accumulate, groupby

from bridge.episode.sanitize import sanitize_text
from bridge.report.cells import is_figure
from bridge.report.parts import Table
from pysim.field_types import Json

__all__ = ["build_tables_document", "format_tables_csv", "format_tables_latex"]


def build_tables_document(tables: Sequence[Table]) -> list[dict[str, Json]]:
    """Return tables as JSON: titles, notes, headings and rows."""
    return [
        {
            "title": table.title,
            "note": table.note,
            "groups": [[name, width] for name, width in table.groups],
            "head": list(table.head),
            "rows": [list(row) for row in table.rows],
        }
        for table in tables
    ]


def format_tables_csv(tables: Sequence[Table]) -> str:
    """Return tables as one CSV with a line for each cell.

    The columns are ``table``, ``row`` (a number from 1), ``name`` (the first cell of the row),
    ``group`` and ``column`` (the headings of the cell), ``value``.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["table", "row", "name", "group", "column", "value"])
    for table in tables:
        groups = [name for name, width in table.groups for _ in range(width)]
        for number, row in enumerate(table.rows, 1):
            above = groups or [""] * len(row)
            for group, column, value in list(zip(above, table.head, row, strict=True))[1:]:
                writer.writerow([table.title, number, row[0], group, column, value])
    return text.getvalue()


_USAGE = "% Tables of a Luban report, for \\input. The preamble needs \\usepackage{booktabs}.\n"
_FALLBACK = r"\unicodetext"
_DEFINITION = (
    "% Characters that pdfLaTeX lacks are printed as numbers. XeLaTeX and LuaLaTeX print them.\n"
    "\\providecommand{\\unicodetext}[2]{\\ifdefined\\Umathchar #1\\else [#2]\\fi}\n"
)
_LONG_CELL = 40
"""Characters from which a column of words is set as a paragraph."""


def format_tables_latex(tables: Sequence[Table]) -> str:
    """Return tables as LaTeX: a float for each, with the title and the note as its caption.

    The text needs the package ``booktabs`` and nothing else, and any engine compiles it.
    """
    floats = "\n".join(map(_latex_float, tables))
    return f"{_USAGE}{_DEFINITION if _FALLBACK in floats else ''}\n{floats}"


def _latex_float(table: Table) -> str:
    title, note = escape_latex(table.title), escape_latex(table.note)
    lines = [
        r"\begin{table}[htbp]",
        r"\centering\small",
        rf"\caption[{{{title}}}]{{{f'{title}. {note}' if note else title}}}",
        rf"\begin{{tabular}}{{{_alignment(table)}}}",
        r"\toprule",
        *_latex_groups(table),
        _latex_row(table.head),
        r"\midrule",
        *map(_latex_row, table.rows),
        r"\bottomrule",
        r"\end{tabular}",
        r"\end{table}",
    ]
    return "\n".join(lines) + "\n"


def _alignment(table: Table) -> str:
    columns = list(zip(table.head, *table.rows, strict=True))
    return "".join(_column_type(cells, is_first=k == 0) for k, cells in enumerate(columns))


def _column_type(cells: Sequence[str], *, is_first: bool) -> str:
    """Return ``r`` for figures, ``l`` for words, and ``p`` where words need several lines."""
    if not is_first and all(map(is_figure, cells[1:])):
        return "r"
    return r"p{0.35\linewidth}" if max(map(len, cells)) > _LONG_CELL else "l"


def _latex_groups(table: Table) -> Iterator[str]:
    """Yield the row above the head, and the rules below its cells."""
    groups = [(name, width) for name, width in table.groups if width]
    if groups:
        cells = [rf"\multicolumn{{{width}}}{{c}}{{{escape_latex(name)}}}" for name, width in groups]
        yield " & ".join(cells) + r" \\"
        ends = list(accumulate(width for _, width in groups))
        rules = zip(groups, [0, *ends], ends, strict=False)
        yield " ".join(
            rf"\cmidrule(lr){{{low + 1}-{high}}}" for (name, _), low, high in rules if name
        )


def _latex_row(cells: Sequence[str]) -> str:
    return " & ".join(map(escape_latex, cells)) + r" \\"


_SMALL = (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lamda mu nu xi pi rho sigma tau "
    "upsilon phi chi psi omega"
)
_CAPITAL = "gamma delta theta lamda xi pi sigma upsilon phi psi omega"
_GREEK = {
    unicodedata.lookup(f"greek {size} letter {name}"): rf"$\{name.replace('amda', 'ambda')}$"
    for size, names in (("small", _SMALL), ("capital", _CAPITAL.title()))
    for name in names.split()
}
_SPECIAL = {
    **_GREEK,
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "%": r"\%",
    "&": r"\&",
    "#": r"\#",
    "$": r"\$",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"{\char34}",
    "`": r"\textasciigrave{}",
    # Behind the end of a row these two would be read as its options.
    "[": "{[}",
    "*": "{*}",
    "]": "{]}",
    "–": "{--}",
    "—": "{---}",
    "“": "{``}",
    "”": "{''}",
    "…": r"\ldots{}",
    "−": "$-$",
    "·": r"$\cdot$",
    "×": r"$\times$",
    "±": r"$\pm$",
    "≈": r"$\approx$",
    "≠": r"$\neq$",
    "≤": r"$\leq$",
    "≥": r"$\geq$",
    "↑": r"$\uparrow$",
    "↓": r"$\downarrow$",
    "←": r"$\leftarrow$",
    "→": r"$\rightarrow$",
    "∞": r"$\infty$",
    "°": r"$^{\circ}$",
    "²": "$^{2}$",
    "³": "$^{3}$",
}
_ACCENTS = set(map(chr, (0x300, 0x301, 0x302, 0x303, 0x308, 0x30A, 0x30C, 0x327)))
_LETTERS = set("ßæÆøØœŒłŁ")


def escape_latex(text: str) -> str:
    """Return LaTeX that prints a text on one line."""
    line = re.sub(r"\s+", " ", sanitize_text(text))
    runs = ((known, "".join(run)) for known, run in groupby(line, _is_known))
    return "".join(_escaped(run) if known else _fallback(run) for known, run in runs)


def _is_known(character: str) -> bool:
    """Return whether pdfLaTeX prints a character without further packages."""
    if character.isascii() or character in _SPECIAL or character in _LETTERS:
        return True
    base, *marks = list(unicodedata.normalize("NFD", character))
    return base.isascii() and base.isalpha() and len(marks) == 1 and marks[0] in _ACCENTS


def _escaped(run: str) -> str:
    """Return a run of known characters as LaTeX, without ligatures of equal ones."""
    return "".join(
        ("{}" if character == before and character in "-'," else "")
        + _SPECIAL.get(character, character)
        for before, character in zip(f" {run}", run, strict=False)
    )


def _fallback(run: str) -> str:
    """Return unknown characters, and their numbers for pdfLaTeX."""
    return f"{_FALLBACK}{{{run}}}{{{' '.join(f'U+{ord(c):04X}' for c in run)}}}"
