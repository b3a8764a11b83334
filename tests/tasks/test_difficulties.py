"""Difficulties: each is harder than the one before, as the page says."""

import pytest

from tests.pages import PAGES
from tools.tabulate_tasks import format_rows, list_families

BY_DAY = ("nets", "rubik")
FAMILIES = [
    name if name in BY_DAY else pytest.param(name, marks=[pytest.mark.slow])
    for name in list_families()
]


def written_rows(family: str) -> list[str]:
    """Return the rows of a family's table on the page."""
    section = PAGES["tasks"].partition(f"### {family.capitalize()}\n\n")[2].partition("\n\n")[0]
    return section.splitlines()[2:]


@pytest.mark.parametrize("family", FAMILIES)
def test_table_of_difficulties_is_measured_again(family: str) -> None:
    assert written_rows(family) == format_rows(family)


@pytest.mark.parametrize("family", list_families())
def test_each_difficulty_is_harder_than_the_one_before(family: str) -> None:
    cells = [row.strip("| ").split(" | ") for row in written_rows(family)]
    assert [row[0] for row in cells] == [str(k + 1) for k in range(len(cells))]
    lengths = [float(row[3].split()[0]) for row in cells]
    bits = [float(row[5]) for row in cells]
    assert len(cells) >= 4 and lengths == sorted(set(lengths)) and bits == sorted(set(bits))
