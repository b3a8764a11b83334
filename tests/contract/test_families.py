"""Every family that is installed keeps what a family has to.

A new family is found by the catalog and tested here without a change to this file.
"""

import inspect
from collections.abc import Callable, Iterator

import pytest

from luban.testing import FamilyContract
from luban.testing.contract import Case
from pysim.catalog import AnyLevel, discover_families, list_shipped_levels
from tests.sampling import more, rest

Law = Callable[[FamilyContract, AnyLevel], None]
LAWS = [
    law
    for name, law in inspect.getmembers(FamilyContract, inspect.isfunction)
    if vars(law).get("over") == "levels"
]


class TestFamilies(FamilyContract):
    rest = rest()
    few = 1

    def cases(self, what: str) -> Iterator[Case]:
        """Yield a few levels: a law of every level is one test of them all, below."""
        return super().cases("few" if what == "levels" else what)


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
def test_a_law_of_levels_holds_for_every_one(law: Law) -> None:
    for level in list_shipped_levels()[:: 4 // more(1, night=4)]:
        try:
            law(FamilyContract(), level)
        except Exception as error:
            raise AssertionError(f"{level.id}: {error}") from error


@pytest.mark.parametrize(
    "name", [n for n, offer in discover_families().entry_points.items() if not offer.owner]
)
def test_a_family_of_the_house_is_named_after_its_package(name: str) -> None:
    module = discover_families()[name].rules.__class__.__module__
    assert module.startswith(f"pysim.families.{name}")
