"""The README's commands, run as they are and in its order, in an empty folder."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.commands import Luban
from tests.pages import PAGES, ROOT, code_lines
from tools.ci.check_release import find_fault
from tools.site_links import make_anchor

LINES = [line for line in code_lines("README") if line.startswith("luban ")]
LIMIT = 120
"""Lines of the README."""


def test_the_readme_is_short_and_says_how_to_install() -> None:
    assert len(PAGES["README"].splitlines()) <= LIMIT
    assert "pip install luban" in PAGES["README"]


CHEAP = {
    "show": ("--image-size", "32"),
    "play": ("--observation", "state", "--video", "none"),
    "eval": ("--observation", "state", "--video", "none", "--limit", "1", "--workers", "1"),
    "report": ("--pictures", "0"),
}
"""Options with which the commands do less of the same."""


@pytest.mark.parametrize("quick", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_the_commands_of_the_readme_run_in_its_order(
    luban: Luban, tmp_path: Path, quick: bool
) -> None:
    assert len(LINES) > 5
    for line in LINES:
        command, *words = shlex.split(line, comments=True)[1:]
        done = luban(command, *words, *(CHEAP.get(command, ()) if quick else ()))
        assert done.status == 0, (line, done.err)
    assert {path.name for path in tmp_path.iterdir()} >= {"burr-piston.png", "report.html", "runs"}


def test_a_release_has_the_version_and_a_section_of_the_changelog(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[project]\nversion = "1.2.0"\n')
    (tmp_path / "CHANGELOG.md").write_text("# Changelog\n\n## [Unreleased]\n")
    assert "is not v1.2.0" in find_fault("v1.3.0", tmp_path)
    assert "no section [1.2.0]" in find_fault("v1.2.0", tmp_path)
    (tmp_path / "CHANGELOG.md").write_text("# Changelog\n\n## [1.2.0] - 2026-11-26\n")
    assert find_fault("v1.2.0", tmp_path) == ""


def test_links_of_the_project_are_put_right_by_the_release() -> None:
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    workflow = (ROOT / ".github" / "workflows" / "release.yml").read_text(encoding="utf-8")
    (stand_in,) = re.findall(r"sed -i \"s#(\S+?)#", workflow)
    urls = re.search(r"\[project\.urls\]\n((?:.+\n)+)", text)
    assert urls is not None
    assert all(f'"{stand_in}' in line for line in urls[1].splitlines())


def list_pages(nav: list[Any]) -> Iterator[str]:
    for entry in nav:
        for value in entry.values() if isinstance(entry, dict) else [entry]:
            yield from list_pages(value) if isinstance(value, list) else [value]


def test_the_site_has_every_page_once() -> None:
    text = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    pages = [*list_pages(yaml.safe_load(text)["nav"])]
    assert len(pages) == len({*pages})
    docs = ROOT / "docs"
    assert {*pages} == {path.relative_to(docs).as_posix() for path in docs.rglob("*.md")}


@pytest.mark.parametrize(
    ("heading", "anchor"),
    [("Who may do what", "who-may-do-what"), ("portal-16, portal-100", "portal-16-portal-100")],
)
def test_anchors_of_the_site_are_those_of_the_repository(heading: str, anchor: str) -> None:
    assert make_anchor(heading) == anchor


def test_the_image_runs_as_an_ordinary_user_with_a_health_check() -> None:
    image = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    last = image.rpartition("FROM ")[2]
    assert last.index("useradd --create-home --uid 10001") < last.index("USER 10001")
    assert last.index("USER 10001") < last.index("CMD [")
    assert "-m 1777 /runs" in last, "docker run --user 12345 keeps episodes, too"
    assert "bridge.rpc.health_check" in last and "slim" in last.splitlines()[0]
