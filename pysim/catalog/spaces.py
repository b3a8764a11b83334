"""Spaces of families: finding them by the name of their size class."""

from collections.abc import Mapping
from functools import cache
from typing import Any, cast

from pysim.catalog import check_family, discover_families
from pysim.errors import InputError
from pysim.learning.spaces import FamilySpace
from pysim.limits import quote

__all__ = ["AnySpace", "find_space", "list_spaces"]

AnySpace = FamilySpace[Any, Any]


@cache
def list_spaces(family: str) -> Mapping[str, AnySpace]:
    """Return the spaces of a family by the name of their size class, the default one first.

    Raises:
        InputError: there is no such family, or it has none.
    """
    check_family(family)
    create = discover_families()[family].spaces
    if create is None:
        raise InputError(f"the family {family} has no space that its levels share")
    return {space.name: space for space in cast(tuple[AnySpace, ...], create())}


def find_space(family: str, name: str | None = None) -> AnySpace:
    """Return the space of a size class of a family, the default one if no name is given.

    Raises:
        InputError: there is none.
    """
    known = list_spaces(family)
    if name is None:
        return next(iter(known.values()))
    if name not in known:
        raise InputError(
            f"the family {family} has no size class {quote(name)}; there are {', '.join(known)}"
        )
    return known[name]
