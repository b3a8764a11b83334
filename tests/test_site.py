"""The site leads strangers to the page of their task within two clicks."""

import re
import subprocess
from collections.abc import Iterator, Mapping
from html.parser import HTMLParser
from pathlib import Path
from posixpath import dirname, join, normpath
from typing import Any

import pytest
import yaml

from tests.pages import PAGES, ROOT, sentences

HOME = "index"
NAV = yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))["nav"]
TASKS = yaml.safe_load((ROOT / "tests" / "forty_tasks.yaml").read_text(encoding="utf-8"))


def list_links(page: str) -> Iterator[str]:
    """Yield the pages that a page links to."""
    for target in re.findall(r"\]\(([^)#:]+\.md)", PAGES[page]):
        found = normpath(join(dirname(page), target)).removesuffix(".md")
        if found in PAGES:
            yield found


def list_sections() -> Mapping[str, list[str]]:
    """Return the pages that stand directly in each section: one click opens it, one a page."""
    return {name: [*list_entries(entries)] for entry in NAV for name, entries in entry.items()}


def list_entries(entries: list[Any]) -> Iterator[str]:
    for entry in entries:
        value = next(iter(entry.values())) if isinstance(entry, dict) else entry
        if isinstance(value, str):
            yield value.removesuffix(".md")


def reach() -> set[str]:
    """Return the pages within two clicks of the home page."""
    first = {HOME, *list_links(HOME)}
    second = {page for start in first for page in list_links(start)}
    return first | second | {page for pages in list_sections().values() for page in pages}


def test_there_are_at_least_forty_tasks_and_each_is_one() -> None:
    names = [task["task"] for task in TASKS]
    assert len(names) == len({*names}) >= 40


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task["task"])
def test_page_of_a_task_is_two_clicks_away_and_answers_it(task: Mapping[str, Any]) -> None:
    assert task["page"] in reach()
    missing = [word for word in task["words"] if word not in sentences(task["page"])]
    assert not missing


def test_sections_stand_in_the_order_of_a_reader() -> None:
    assert [*list_sections()] == [
        "Get started",
        "Guides",
        "Reference",
        "Results",
        "How it works",
        "Contributing",
    ]
    assert list_sections()["Get started"] == [HOME, "install", "first-episode"]


GUIDES = [page for name in ("Get started", "Guides") for page in list_sections()[name]]


@pytest.mark.parametrize("page", sorted(PAGES.keys() - {"README"}))
def test_page_begins_with_what_the_reader_can_do(page: str) -> None:
    """The first sentence is an imperative: it begins with a verb."""
    _, opening, *_ = PAGES[page].split("\n\n")
    first = re.findall(r"[A-Za-z]+", opening)[0]
    assert first in VERBS, f"{page}: {opening[:60]!r} begins with no verb"


VERBS = {
    *("Add", "Ask", "Break", "Change", "Check", "Choose", "Cite", "Compare", "Draw", "Evaluate"),
    *("Fill", "Fold", "Give", "Install", "Learn", "Leave", "Look", "Make", "Measure", "Play"),
    *("Print", "Put", "Reach", "Read", "Repeat", "Score", "See", "Serve", "Set", "Solve", "Train"),
    *("Turn",),
}
"""First words of pages."""


@pytest.mark.parametrize("page", GUIDES)
def test_guide_is_short(page: str) -> None:
    assert len(PAGES[page].splitlines()) <= 220


class Anchors(HTMLParser):
    """Targets of the links of a page, as they are built."""

    def __init__(self) -> None:
        super().__init__()
        self.targets: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "a" and (target := dict(attrs).get("href")):
            self.targets.add(target.partition("#")[0])


@pytest.mark.slow
def test_built_site_links_each_page_of_a_task_within_two_clicks(tmp_path: Path) -> None:
    mkdocs = ROOT / "build" / "site-venv" / "bin" / "mkdocs"
    if not mkdocs.exists():
        pytest.skip("NOT TESTED: no MkDocs; `make site` installs it")
    command = [mkdocs, "build", "--quiet", "--strict", "--site-dir", tmp_path / "site"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    home = read_anchors(tmp_path / "site" / "index.html")
    second = {
        normpath(join(dirname(page), target))
        for page in home
        if (tmp_path / "site" / page).is_file()
        for target in read_anchors(tmp_path / "site" / page)
    }
    assert {f"{task['page']}.html" for task in TASKS} <= home | second


def read_anchors(page: Path) -> set[str]:
    anchors = Anchors()
    anchors.feed(page.read_text(encoding="utf-8"))
    return {target for target in anchors.targets if target.endswith(".html")}
