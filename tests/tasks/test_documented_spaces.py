"""The tables of size classes, numbers and arrays are those of the code."""

from tests.pages import PAGES, table
from tools.tabulate_spaces import TABLES, replace_tables


def test_tables_of_spaces_are_as_the_code_has_them() -> None:
    assert replace_tables(PAGES["tasks"]) == PAGES["tasks"]


def test_tables_of_spaces_name_every_family() -> None:
    for heading in TABLES.values():
        rows = table("tasks", " | ".join(heading))
        assert len({row[0] for row in rows}) == 6 <= len(rows)
