"""Every family that is installed keeps what a family has to.

A new family is found by the catalog and tested here without a change to this file.
"""

import pytest

from luban.testing import FamilyContract
from pysim.catalog import discover_families


class TestFamilies(FamilyContract):
    rest = pytest.mark.slow
    few = 1


@pytest.mark.parametrize(
    "name", [n for n, offer in discover_families().entry_points.items() if not offer.owner]
)
def test_a_family_of_the_house_is_named_after_its_package(name: str) -> None:
    module = discover_families()[name].rules.__class__.__module__
    assert module.startswith(f"pysim.families.{name}")
