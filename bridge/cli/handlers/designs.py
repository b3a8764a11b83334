"""Designs that commands are given, and the families that know what to do with them."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import cast

import pysim.families
from bridge.cli.errors import CommandError
from pysim.designs import Design, DesignError, Designs
from pysim.discovery import DiscoveryError, discover_beside

__all__ = [
    "GROUP",
    "check_problem",
    "find_designs",
    "get_designs",
    "is_design_file",
    "list_designs",
    "read_design",
]

GROUP = "luban.designs"
"""Entry points of this group are the designs of families in other packages."""


def find_designs(family: str) -> Designs:
    """Return a family's designs.

    Raises:
        CommandError: nothing.
    """
    found = get_designs(family)
    if found is None:
        raise CommandError(
            f"the family {family} has no designs; --to stl writes the pieces of a level as meshes"
        )
    return found


def get_designs(family: str) -> Designs | None:
    """Return a family's designs; None if it has none."""
    return next((designs for designs in list_designs() if designs.family == family), None)


def is_design_file(target: str) -> bool:
    """Return whether a command's target is a design, and not a level, its id or a text."""
    path = Path(target)
    return path.suffix != ".json" and (path.suffix != "" or path.is_file())


def read_design(path: Path) -> tuple[Designs, Design]:
    """Return the design in a file, and what its family does with it.

    The name of the file says which family's it is; where it says nothing each family tries.

    Raises:
        DesignError: no family can read it; the message is that of the first that tried.
        OSError: it can't be read.
    """
    with _named(path):
        return _read(path)


@contextmanager
def _named(path: Path) -> Iterator[None]:
    """Have refusals name the file."""
    try:
        yield
    except DesignError as error:
        if str(path) in str(error):
            raise
        raise DesignError(f"{path}: {error}") from error


def _read(path: Path) -> tuple[Designs, Design]:
    suffix = path.suffix.lower()
    known = next((designs for designs in list_designs() if suffix in designs.reads), None)
    if known is not None:
        return known, known.read(path)
    refusals = []
    for designs in list_designs():
        try:
            return designs, designs.read(path)
        except DesignError as error:
            refusals.append(error)
    raise refusals[0]


def check_problem(target: str, design: Design, number: int) -> None:
    """Refuse a problem that the design in ``target`` does not have.

    Raises:
        CommandError: there is none with that number.
    """
    count = len(design.problems)
    if count == 0:
        raise CommandError(f"{target} has no problem, only shapes")
    if not 0 <= number < count:
        raise CommandError(f"{target} has problems 0 to {count - 1}, no {number}")


def list_designs() -> Iterator[Designs]:
    """Yield the designs of all families that have some."""
    return discover_beside(GROUP, _checked, package=pysim.families.__name__, module="designs")


def _checked(name: str, offered: object) -> Designs:
    if not hasattr(offered, "family") or not hasattr(offered, "read"):
        raise DiscoveryError(f"{name!r} of {GROUP} has no family, or reads nothing")
    return cast(Designs, offered)
