"""Read a report as somebody else would: by a parser of HTML, without the program's own code."""

from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path

__all__ = ["EpisodeOnPage", "TurnOnPage", "episodes_on"]

VOID = ("img", "meta", "input", "br")


@dataclass
class TurnOnPage:
    """A turn: its classes, its texts by the title above them, and its pictures."""

    refused: bool
    summary: str = ""
    texts: dict[str, str] = field(default_factory=dict)
    pictures: list[dict[str, str]] = field(default_factory=list)


@dataclass
class EpisodeOnPage:
    """An episode: what stands above its turns, and the turns."""

    words: str = ""
    media: list[dict[str, str]] = field(default_factory=list)
    turns: list[TurnOnPage] = field(default_factory=list)


def episodes_on(page: Path) -> list[EpisodeOnPage]:
    """Read the episodes of a page; every element has to be closed in order."""
    reader = _Reader()
    reader.feed(page.read_text(encoding="utf-8"))
    assert reader.open == []
    return reader.episodes


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.episodes: list[EpisodeOnPage] = []
        self._turn_depth = 0
        self._title = ""

    @property
    def _turn(self) -> TurnOnPage | None:
        return self.episodes[-1].turns[-1] if self._turn_depth else None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = {name: value or "" for name, value in attrs}
        if tag == "template":
            self.episodes.append(EpisodeOnPage())
        if tag == "details" and told.get("class", "").startswith("turn"):
            self.episodes[-1].turns.append(TurnOnPage("refused" in told["class"]))
            self._turn_depth = len(self.open) + 1
            self._title = ""
        if tag in ("img", "video") and self.episodes and "template" in self.open:
            (self._turn.pictures if self._turn else self.episodes[-1].media).append(told)
        if tag in ("h4", "summary"):
            self._title = ""
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag
        if self._turn_depth > len(self.open):
            self._turn_depth = 0

    def handle_data(self, data: str) -> None:
        if "template" not in self.open:
            return
        turn = self._turn
        if turn is None:
            self.episodes[-1].words += data
        elif self.open[self._turn_depth :][:1] == ["summary"]:
            turn.summary += data
        elif self.open[-1] in ("h4", "summary"):
            self._title += data
        else:
            turn.texts[self._title] = turn.texts.get(self._title, "") + data
