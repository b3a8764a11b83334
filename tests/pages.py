"""The README and the pages of ``docs``, as text in which sentences and commands can be found."""

import re
from pathlib import Path

__all__ = ["PAGES", "ROOT", "code_lines", "inline_code", "named", "sentences", "table"]

ROOT = Path(__file__).resolve().parent.parent
PAGES = {
    page.relative_to(page.parent if page.parent == ROOT else ROOT / "docs")
    .with_suffix("")
    .as_posix(): page.read_text(encoding="utf-8")
    for page in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))
}
"""By name without ``.md``; pages of results as ``results/speed``."""
_FENCED = re.compile(r"^```(\w*)\n(.*?)^```", flags=re.DOTALL | re.MULTILINE)


def sentences(page: str) -> str:
    """A page as one line, in which no line break parts the words of a sentence."""
    return " ".join(PAGES[page].split())


def code_lines(page: str) -> list[str]:
    """The lines of blocks of code that are no program, those that go on put together."""
    blocks = [code for language, code in _FENCED.findall(PAGES[page]) if language in ("", "sh")]
    return "".join(blocks).replace("\\\n", " ").splitlines()


def inline_code(page: str) -> list[str]:
    """What stands between backticks in the text."""
    return re.findall(r"`([^`]+)`", " ".join(_FENCED.sub("", PAGES[page]).split()))


def table(page: str, head: str) -> list[list[str]]:
    """The rows of the table whose head begins so, as cells."""
    (body,) = re.findall(
        rf"^\| {re.escape(head)}.*\n\|[-|]+\n((?:\|.*\n)+)", PAGES[page], flags=re.MULTILINE
    )
    return [[cell.strip() for cell in row.strip("|").split(" | ")] for row in body.splitlines()]


def named(rows: list[list[str]]) -> list[str]:
    """What stands as code in the first cells."""
    return [name for row in rows for name in re.findall(r"`([^`]+)`", row[0])]
