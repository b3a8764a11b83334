"""Check the sentences of the documents: ``python -m tools.check_prose`` (``make check``).

A sentence has at most 25 words, no semicolon and no forbidden word (CONTRIBUTING.md, "Style").
In a table a semicolon parts values, so it ends a sentence there.
Code, link targets and numbers of tables don't count. Vale would need a download for each run.
"""

import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

__all__ = [
    "MOST_WORDS",
    "Finding",
    "Sentence",
    "find_in_files",
    "find_in_text",
    "list_pages",
    "main",
]

ROOT = Path(__file__).resolve().parent.parent
MOST_WORDS = 25
"""Words of a sentence. Inline code is one word."""

_BLANKED = (
    re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE),
    re.compile(r"<!--.*?-->", re.DOTALL),
    re.compile(r"(?:(?<=\n\n)|(?<=^))(?: {4}.*\n+)+"),  # Code by indentation.
    re.compile(r"(?<=\])\([^()\s]*\)"),  # Targets of links.
    re.compile(r"!\[[^\]]*\]"),  # Descriptions of pictures.
)
_CODE = re.compile(r"`[^`]+`")
_CODE_SIGN = "ξ"
"""A letter that no page has. Inline code is put into it, and so may begin a sentence."""
_RULER = re.compile(r"[|\-: ]+")
_ITEM = re.compile(r"\s*(?:[-*]|\d+\.|>)\s+")
_WORD = re.compile(r"[^\W_]+(?:[-'\u2019.,:/%×–][^\W_]+)*")
_END = re.compile(
    r"(?<!\b[A-Z])(?<!\be\.g)(?<!\bi\.e)(?<!\bal)[.!?][\"”)*]*(?=\s+(?:[\"“(*]*[A-Z0-9ξ]|\[))"
)
_END_IN_CELL = re.compile(rf"{_END.pattern}|;(?=\s)")
_WRITTEN = "<!-- Written by "
_FIRST = re.compile(r"[\s*\"“(\[]*(?:What|Who|Whose|Whoever|Whatever)\b")
_FORBIDDEN = re.compile(r"\b(?:whoever|whatever|told|tells|says|said)\b", re.IGNORECASE)


class Sentence(NamedTuple):
    """A sentence: offsets into its page, its kind and its text without code and links.

    ``kind`` is ``text``, ``heading`` or ``cell``.
    """

    start: int
    end: int
    kind: str
    text: str


class Finding(NamedTuple):
    """A sentence to be rewritten: the line it begins in, the broken rule and the sentence."""

    line: int
    rule: str
    text: str


def blank(found: re.Match[str]) -> str:
    """Return blanks and line breaks in place of what was found."""
    return re.sub(r"[^\n]", " ", found[0])


def mask_code(text: str) -> str:
    """Return a page of the same length without code blocks, in which inline code is one word."""
    for pattern in _BLANKED:
        text = pattern.sub(blank, text)
    return _CODE.sub(lambda found: _CODE_SIGN * len(found[0]), text)


def find_blocks(masked: str) -> Iterator[tuple[int, int, str]]:
    """Yield paragraphs, list items, headings and table cells as (start, end, kind)."""
    start = end = offset = 0
    for line in masked.splitlines(keepends=True):
        begins = _ITEM.match(line)
        alone = line.startswith(("|", "#"))
        if end > start and (begins or alone or not line.strip()):
            yield start, end, "text"
            start = end = 0
        if line.startswith("#"):
            yield offset, offset + len(line), "heading"
        elif line.startswith("|"):
            if not _RULER.fullmatch(line.strip()):
                for cell in re.finditer(r"[^|\n]+", line):
                    yield offset + cell.start(), offset + cell.end(), "cell"
        elif line.strip():
            start = (offset + begins.end() if begins else offset) if end == start else start
            end = offset + len(line)
        offset += len(line)
    if end > start:
        yield start, end, "text"


def find_sentences(text: str) -> Iterator[Sentence]:
    """Yield the sentences of a page in order."""
    masked = mask_code(text)
    for start, end, kind in find_blocks(masked):
        while start < end:
            stop = (_END_IN_CELL if kind == "cell" else _END).search(masked, start, end)
            last = stop.end() if stop else end
            yield Sentence(start, last, kind, " ".join(masked[start:last].split()))
            start = last


def find_faults(sentence: Sentence) -> Iterator[str]:
    """Yield the rules that a sentence breaks."""
    words = len(_WORD.findall(sentence.text))
    if words > MOST_WORDS:
        yield f"{words} words, more than {MOST_WORDS}"
    if sentence.kind == "text" and ";" in sentence.text:
        yield "semicolon"
    if sentence.kind == "heading":  # A heading may ask: other pages link to its words.
        return
    if first := _FIRST.match(sentence.text):
        yield f"begins with {first[0].strip()!r}"
    for word in _FORBIDDEN.findall(sentence.text):
        yield f"forbidden word {word!r}: report, return, require, specify, describe"


def find_in_text(text: str) -> Iterator[Finding]:
    """Find the sentences of a page that break a rule."""
    for sentence in find_sentences(text):
        for rule in find_faults(sentence):
            start = (
                sentence.start + len(text[sentence.start :]) - len(text[sentence.start :].lstrip())
            )
            source = " ".join(text[sentence.start : sentence.end].split())
            yield Finding(text.count("\n", 0, start) + 1, rule, source)


def list_pages(root: Path = ROOT) -> list[Path]:
    """Return the README and all pages of ``docs`` but those that a tool writes of the code."""
    pages = [root / "README.md", *sorted((root / "docs").rglob("*.md"))]
    return [page for page in pages if not page.read_text(encoding="utf-8").startswith(_WRITTEN)]


def find_in_files(paths: Iterable[Path]) -> Iterator[tuple[Path, Finding]]:
    """Find the sentences to be rewritten in files."""
    for path in paths:
        for finding in find_in_text(path.read_text(encoding="utf-8")):
            yield path, finding


def main() -> int:
    """Print the sentences to be rewritten. The exit status is 1 if there are any."""
    found = list(find_in_files([Path(name) for name in sys.argv[1:]] or list_pages()))
    for path, finding in found:
        print(f"{path}:{finding.line}: {finding.rule}: {finding.text}")
    if found:
        print(f"{len(found)} sentences break the rules of CONTRIBUTING.md, 'Style'")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
