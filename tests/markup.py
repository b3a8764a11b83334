"""HTML as an outline: what a browser makes of it, however its source is laid out."""

import json
import re
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path

import pytest

__all__ = ["compare_page", "outline_html"]

GOLDEN = Path(__file__).parent / "golden" / "pages"

_BLANKS = " \t\n\r\f"
"""All that HTML takes for one."""
_VOID = {"br", "img", "input", "meta"}
_INLINE = {"a", "b", "button", "code", "img", "input", "label", "select", "span", "video"}
"""Elements beside which a blank is seen."""
_CUT = {"script", "style"}
_BEGINNING = 500
"""Characters of a script."""


def outline_html(text: str) -> str:
    """Return a line for each element and text, indented by depth; all have to be closed in order.

    Attributes are sorted. Blanks count where they are seen: between words, beside elements of a
    line, and in what is shown as it is. Data URLs are cut to their kind, styles and scripts to
    their beginning.
    """
    reader = _Reader()
    reader.feed(text)
    reader.close()
    assert reader.open == []
    return "\n".join(reader.outline())


def compare_page(name: str, text: str, folder: Path) -> None:
    """Fail if the outline of a page is not the golden one; ``folder`` gets what was found."""
    golden, found = GOLDEN / f"{name}.txt", folder / f"{name}.txt"
    found.write_text(outline_html(text) + "\n", encoding="utf-8")
    if not golden.exists() or golden.read_bytes() != found.read_bytes():
        pytest.fail(f"the page is not {golden.name}; look at {found} and put it there if right")


@dataclass
class _Part:
    """A tag or a text. The text of an end tag is empty."""

    depth: int
    text: str
    is_text: bool = False
    is_inline: bool = False


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self._parts = [_Part(0, "")]

    def handle_decl(self, decl: str) -> None:
        self._parts.append(_Part(0, f"<!{decl}>"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = (f" {name}={_cut(value)!r}" for name, value in sorted(attrs))
        self._parts.append(_Part(len(self.open), f"<{tag}{''.join(told)}>", False, tag in _INLINE))
        if tag not in _VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in _VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag
        self._parts.append(_Part(0, "", False, tag in _INLINE))

    def handle_data(self, data: str) -> None:
        if (
            self._parts[-1].text.startswith("<script")
            and "application/json" in self._parts[-1].text
        ):
            data = json.dumps(json.loads(data), ensure_ascii=False)
        if not _CUT.isdisjoint(self.open):
            data = data.strip()[:_BEGINNING]
        if self._parts[-1].is_text:
            self._parts[-1].text += data
        else:
            self._parts.append(_Part(len(self.open), data, True, "pre" in self.open))

    def outline(self) -> list[str]:
        """The lines; a text that is shown as it is counts as part of a line."""
        lines = []
        for before, part, after in zip(
            self._parts, self._parts[1:], [*self._parts[2:], _Part(0, "")], strict=False
        ):
            text = part.text
            if part.is_text and not part.is_inline:
                text = re.sub(f"[{_BLANKS}]+", " ", text)
                text = text if before.is_inline else text.lstrip(_BLANKS)
                text = text if after.is_inline else text.rstrip(_BLANKS)
            if text:
                lines.append("  " * part.depth + (repr(text) if part.is_text else text))
        return lines


def _cut(value: str | None) -> str | None:
    return value.partition(",")[0] if value and value.startswith("data:") else value
