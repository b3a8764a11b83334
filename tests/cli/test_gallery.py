"""``luban levels --gallery``: one page that needs nothing else."""

import re
from base64 import b64decode
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from bridge.cli.commands.levels import LevelsRequest
from bridge.cli.handlers.gallery import make_gallery
from pysim.catalog import AnyLevel, find_level
from pysim.suites import Suite
from tests.browsing import browser
from tests.commands import Luban
from tests.markup import compare_page, outline_html

__all__ = ["browser"]

HOSTILE = '"></h2><script>alert(1)</script>&amp;'
SMALL = ("burr-half-lap", "burr-tusk-tenon")


@pytest.fixture
def two_levels(monkeypatch: pytest.MonkeyPatch) -> list[AnyLevel]:
    """Has the command draw two levels, whose suite is called ``<two> & "more"``."""
    levels = [find_level(name) for name in SMALL]
    suite = Suite("two", '<two> & "more"', "the <first> & the second", SMALL)
    monkeypatch.setattr("bridge.cli.handlers.gallery.select_levels", lambda *_: (levels, suite))
    return levels


class Page(HTMLParser):
    """The elements of a page and what they point to."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.links: list[str] = []
        self.ids: list[str] = []
        self.pictures: list[bytes] = []
        self.words = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in ("meta", "img", "!doctype"):
            self.open.append(tag)
        for name, value in attrs:
            if name == "id":
                self.ids.append(value or "")
            if name in ("src", "href"):
                self.links.append(value or "")
        if tag == "img":
            source = dict(attrs)["src"] or ""
            self.pictures.append(b64decode(source.removeprefix("data:image/jpeg;base64,")))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words += data


def test_a_gallery_shows_every_level_with_its_facts_and_source(
    luban: Luban, two_levels: list[AnyLevel]
) -> None:
    told = luban("levels", "--gallery", "two.html", "--json").json()
    assert list(told) == ["out", "levels", "bytes", "renderer"]
    assert (told["out"], told["levels"]) == ("two.html", 2)
    text = Path("two.html").read_text(encoding="utf-8")
    page = Page(text)
    assert page.open == [] and len(text.encode()) == told["bytes"]
    assert page.ids == list(SMALL)
    for level in two_levels:
        assert level.name in page.words and level.source.designer in page.words
        assert f"Source: {level.source.reference}" in page.words
        assert f"#{level.id}" in page.links
    assert "choices7.1" in page.words.replace("\n", "")
    assert '<two> & "more"' in page.words and "the <first> & the second" in page.words


def test_gallery_of_hostile_texts_is_the_golden_one(
    two_levels: list[AnyLevel], tmp_path: Path
) -> None:
    source = replace(two_levels[0].source, designer=HOSTILE, reference=HOSTILE, seed=3)
    two_levels[0] = replace(two_levels[0], name=HOSTILE, source=source)
    make_gallery(LevelsRequest(as_json=True), tmp_path / "two.html")
    text = (tmp_path / "two.html").read_text(encoding="utf-8")
    compare_page("gallery", text, tmp_path)
    assert not re.search("^ *<script", outline_html(text), re.MULTILINE)


def test_a_gallery_needs_no_other_file_and_no_network(
    luban: Luban, two_levels: list[AnyLevel]
) -> None:
    luban("levels", "--gallery", "two.html")
    page = Page(Path("two.html").read_text(encoding="utf-8"))
    assert all(link.startswith(("#", "data:image/jpeg;base64,")) for link in page.links)
    assert not re.search(r"url\(|@import|<script|<link", Path("two.html").read_text())
    for data, level in zip(page.pictures, two_levels, strict=True):
        picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
        assert picture is not None and picture.std() > 10
        # One panel for each piece, and two of the whole.
        assert picture.shape[0] * picture.shape[1] >= (len(level.colours) + 2) * 288**2


def test_a_gallery_is_the_same_every_time_and_none_is_lost(
    luban: Luban, two_levels: list[AnyLevel]
) -> None:
    assert "two.html: 2 levels" in luban("levels", "--gallery", "two.html").out
    first = Path("two.html").read_bytes()
    assert "give --force" in luban("levels", "--gallery", "two.html").complaint()
    assert luban("levels", "--gallery", "two.html", "--force").status == 0
    assert Path("two.html").read_bytes() == first
    assert [path.name for path in Path().iterdir()] == ["two.html"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--gallery", "page.png"], "ends in .html"),
        (["--gallery", "no/such/page.html"], "no folder no/such"),
        (["--gallery", "page.html", "--suite", "lock-32"], "did you mean locks-32"),
        (["--gallery", "page.html", "--family", "sudoku"], "no family 'sudoku'"),
        (["--gallery", "page.html", "--suite", "locks-32", "--family", "packing"], "no such"),
        (["--gallery", "page.html", "--renderer", "crayon"], "'crayon' is no renderer"),
    ],
)
def test_a_gallery_that_can_not_be_made_says_why(
    luban: Luban, arguments: list[object], message: str
) -> None:
    assert message in luban("levels", *arguments).complaint()
    assert not list(Path().iterdir())


@pytest.mark.by_day(1)
@pytest.mark.parametrize(("width", "columns"), [(500, 1), (1400, 2)])
def test_a_browser_lays_the_gallery_out_for_its_width(
    browser: Any, tmp_path: Path, two_levels: list[AnyLevel], width: int, columns: int
) -> None:
    page = tmp_path / "two.html"
    make_gallery(LevelsRequest(as_json=True), page)
    picture = tmp_path / "page.png"
    seen = browser.new_page(viewport={"width": width, "height": 1600})
    seen.goto(page.as_uri())
    seen.screenshot(path=picture)
    seen.close()
    shown = cv2.imread(str(picture))
    assert shown is not None and shown.shape == (1600, width, 3)
    # The gap between two columns of cards is as plain as paper; a card that fills the page is not.
    middle = shown[400:1000, width // 2].astype(int)
    assert (np.ptp(middle, axis=0).max() == 0) == (columns == 2)
