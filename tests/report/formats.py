"""Readers of tables in the four formats of a report, which share nothing with their writers."""

import csv
import io
import re
from collections.abc import Sequence
from html.parser import HTMLParser
from itertools import groupby, pairwise
from typing import NamedTuple

__all__ = [
    "Cells",
    "read_csv",
    "read_html",
    "read_latex",
    "read_text",
    "without_first_head",
    "without_spans",
]


class Cells(NamedTuple):
    """A table as a format shows it: headings above the columns, one for each, and rows."""

    title: str
    groups: tuple[str, ...]
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def without_first_head(tables: Sequence[Cells]) -> list[Cells]:
    """Return tables without the heading of the first column, which the CSV calls ``name``."""
    return [one._replace(groups=one.groups[1:], head=one.head[1:]) for one in tables]


def without_spans(tables: Sequence[Cells]) -> list[Cells]:
    """Return tables with the names of groups alone, each once where it follows itself."""
    return [
        one._replace(groups=tuple(name for name, _ in groupby(one.groups) if name))
        for one in tables
    ]


def _spread(cells: Sequence[tuple[str, int]], columns: int) -> tuple[str, ...]:
    spread = tuple(text for text, width in cells for _ in range(width)) or ("",) * columns
    assert len(spread) == columns
    return spread


# CSV.


def read_csv(text: str) -> list[Cells]:
    """Return the tables of a CSV; headings of the first column are empty."""
    found: list[Cells] = []
    lines = csv.DictReader(io.StringIO(text))
    rows: dict[tuple[int, int], list[dict[str, str]]] = {}
    last = ("", 0)
    number = -1
    for line in lines:
        place = (line["table"], int(line["row"]))
        number += place[0] != last[0] or place[1] < last[1]
        last = place
        rows.setdefault((number, place[1]), []).append(line)
    for table in range(number + 1):
        own = [cells for (one, _), cells in rows.items() if one == table]
        first = own[0]
        found.append(
            Cells(
                first[0]["table"],
                ("", *(cell["group"] for cell in first)),
                ("", *(cell["column"] for cell in first)),
                tuple((cells[0]["name"], *(cell["value"] for cell in cells)) for cells in own),
            )
        )
    return found


# HTML.


class _Page(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.title = self.tag = ""
        self.tables: list[tuple[str, list[list[tuple[str, int]]], int]] = []
        self.within: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "h2":
            self.title = ""
        if tag == "table":
            self.within.append(given.get("id") or "")
            if not given.get("id"):
                self.tables.append((self.title, [], 0))
        elif tag == "tr" and self._is_table():
            self.tables[-1][1].append([])
        elif tag in ("td", "th") and self._is_table():
            self.tables[-1][1][-1].append(("", int(given.get("colspan") or 1)))
        self.tag = tag

    def handle_endtag(self, tag: str) -> None:
        if tag == "table":
            self.within.pop()
        if tag == "thead" and self._is_table():
            title, rows, _ = self.tables[-1]
            self.tables[-1] = (title, rows, len(rows))
        self.tag = ""

    def handle_data(self, data: str) -> None:
        if self.tag == "h2":
            self.title += data
        if self.tag in ("td", "th") and self._is_table():
            text, width = self.tables[-1][1][-1][-1]
            self.tables[-1][1][-1][-1] = (text + data.replace("\xa0", " "), width)

    def _is_table(self) -> bool:
        return self.within == [""]


def read_html(text: str) -> list[Cells]:
    """Return the tables of a page but those of its episodes."""
    tables = _Page(text.partition("<template ")[0]).tables
    return [_cells(title, rows[:heads], rows[heads:]) for title, rows, heads in tables]


def _cells(
    title: str, heads: Sequence[list[tuple[str, int]]], rows: Sequence[list[tuple[str, int]]]
) -> Cells:
    *groups, head = heads
    plain = [tuple(text for text, _ in row) for row in (head, *rows)]
    above = _spread(groups[0] if groups else (), len(head))
    return Cells(title, above, plain[0], tuple(plain[1:]))


# Text.


def read_text(text: str, shapes: Sequence[tuple[bool, int]]) -> list[Cells]:
    """Return the tables of a text.

    Args:
        text: in which no table is so wide that it goes on below.
        shapes: of each table, whether it has groups, and the number of its rows.
    """
    blocks = text.rstrip("\n").split("\n\n")
    assert len(blocks) == len(shapes)
    return [_block(block.split("\n"), *shape) for block, shape in zip(blocks, shapes, strict=True)]


def _block(lines: Sequence[str], has_groups: bool, count: int) -> Cells:
    title, *rest = lines
    above, head, *rows = rest if has_groups else ["", *rest]
    # Every column but the first ends below the end of its heading.
    ends = [match.end() for match in re.finditer(r"\S+(?: \S+)*", head)]
    cells = [_split(row, ends) for row in (head, *rows[:count])]
    groups = re.findall(r"\S+(?: \S+)*", above)  # Centred above columns that a text does not tell.
    return Cells(title, tuple(groups), cells[0], tuple(cells[1:]))


def _split(row: str, ends: Sequence[int]) -> tuple[str, ...]:
    begun = row[: ends[1]] if len(ends) > 1 else row
    found = re.fullmatch(r"(.*?)(?: {2,}(\S+(?: \S+)*))? *", begun)
    assert found is not None
    others = [row[low:high] for low, high in pairwise(ends[1:])]
    assert all(not cell or cell.startswith("  ") for cell in others)
    return tuple(cell.strip() for cell in (found[1], found[2] or "", *others))[: len(ends)]


# LaTeX.

_TOKEN = re.compile(r"\\[A-Za-z]+|\\.|[{}$&~_^#%]|[^\\{}$&~_^#%]", re.DOTALL)
_PRINTED = {
    r"\textbackslash": "\\",
    r"\textasciicircum": "^",
    r"\textasciitilde": "~",
    r"\textasciigrave": "`",
    r"\textless": "<",
    r"\textgreater": ">",
    r"\textbar": "|",
    r"\ldots": "…",
    r"\{": "{",
    r"\}": "}",
    r"\%": "%",
    r"\&": "&",
    r"\#": "#",
    r"\$": "$",
    r"\_": "_",
}
_MATHEMATICS = {
    "-": "−",
    r"\cdot": "·",
    r"\times": "×",
    r"\pm": "±",
    r"\approx": "≈",
    r"\neq": "≠",
    r"\leq": "≤",
    r"\geq": "≥",
    r"\uparrow": "↑",
    r"\downarrow": "↓",
    r"\leftarrow": "←",
    r"\rightarrow": "→",
    r"\infty": "∞",
    r"^{\circ}": "°",
    "^{2}": "²",
    "^{3}": "³",
    r"\Delta": "Δ",
    r"\Omega": "Ω",
    r"\kappa": "κ",
    r"\lambda": "λ",
    r"\mu": "μ",
    r"\pi": "π",
}
_LIGATURES = {"---": "—", "--": "–", "``": "“", "''": "”", ",,": "„"}


def read_latex(text: str) -> list[tuple[Cells, str]]:
    """Return the tables of a file and their captions; anything that is not LaTeX fails."""
    body = re.sub(r"^%.*\n", "", text, flags=re.MULTILINE)
    definition = r"\providecommand{\unicodetext}[2]{\ifdefined\Umathchar #1\else [#2]\fi}"
    parts = body.replace(definition, "").split("\\begin{table}[htbp]\n")
    assert not parts[0].strip()
    return [_float(part) for part in parts[1:]]


def _float(text: str) -> tuple[Cells, str]:
    form = re.fullmatch(
        r"\\centering\\small\n\\caption\[\{(?P<title>.*)\}\]\{(?P<caption>.*)\}\n"
        r"\\begin\{tabular\}\{(?P<columns>.*)\}\n\\toprule\n"
        r"(?:(?P<groups>.*) \\\\\n(?P<rules>(?:\\cmidrule\(lr\)\{\d+-\d+\} ?)*)\n)?"
        r"(?P<head>.*) \\\\\n\\midrule\n(?P<rows>(?:.* \\\\\n)*)"
        r"\\bottomrule\n\\end\{tabular\}\n\\end\{table\}\n+",
        text,
    )
    assert form is not None, text
    columns = re.sub(r"p\{[^}]*\}", "p", form["columns"])
    assert set(columns) <= set("lrp")
    rows = [_row(row) for row in (form["head"], *form["rows"].splitlines())]
    assert all(len(row) == len(columns) for row in rows)
    above = [_group(cell) for cell in _between(form["groups"])] if form["groups"] else []
    title, caption = _plain(form["title"]), _plain(form["caption"])
    return Cells(title, _spread(above, len(columns)), rows[0], tuple(rows[1:])), caption


def _between(row: str) -> list[str]:
    return re.split(r"(?<!\\)&", row)


def _row(row: str) -> tuple[str, ...]:
    row = row.removesuffix(r" \\")
    assert not row.startswith(("[", "*")), row
    return tuple(_plain(cell).strip() for cell in _between(row))


def _group(cell: str) -> tuple[str, int]:
    form = re.fullmatch(r"\s*\\multicolumn\{(\d+)\}\{c\}\{(.*)\}\s*", cell)
    assert form is not None, cell
    return _plain(form[2]), int(form[1])


def _plain(text: str) -> str:
    """Return the text that LaTeX prints."""
    tokens = _TOKEN.findall(text)
    assert "".join(tokens) == text
    printed = _printed(tokens)
    assert not tokens
    return printed


def _printed(tokens: list[str], *, inner: bool = False) -> str:
    """Take tokens from the front, up to the brace that ends the group, and return their text."""
    done, run = "", ""
    while tokens:
        token = tokens.pop(0)
        if len(token) == 1 and token not in "{}$&~_^#%":
            run += token
            continue
        done, run = done + _ligated(run), ""
        if token == "}":
            assert inner, "a group ends that has not begun"
            return done
        done += _command(token, tokens)
    assert not inner, "a group does not end"
    return done + _ligated(run)


def _command(token: str, tokens: list[str]) -> str:
    if token == "{":
        return _printed(tokens, inner=True)
    if token == "$":
        end = tokens.index("$")
        mathematics = "".join(tokens[:end])
        del tokens[: end + 1]
        return _MATHEMATICS[mathematics]
    if token == r"\char":
        code = "".join(tokens[: tokens.index("}")])
        del tokens[: len(code)]
        return chr(int(code))
    if token == r"\unicodetext":
        characters, numbers = ("".join(_argument(tokens)) for _ in range(2))
        assert numbers == " ".join(f"U+{ord(c):04X}" for c in characters)
        return characters
    if token.isalpha() or token[1:].isalpha():  # Letters and blanks must not follow.
        assert tokens[:2] == ["{", "}"], token
    return _PRINTED[token]


def _argument(tokens: list[str]) -> list[str]:
    assert tokens.pop(0) == "{"
    end = tokens.index("}")
    found = tokens[:end]
    del tokens[: end + 1]
    return found


def _ligated(run: str) -> str:
    for letters, sign in _LIGATURES.items():
        run = run.replace(letters, sign)
    return run
