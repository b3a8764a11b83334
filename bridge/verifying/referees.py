"""Find the referee of a family, which has the family's name.

Luban's own are the packages in :mod:`bridge.referee`. Other packages add one for their family
through the entry point group ``luban.referees``, whose entries have the family's name and are
functions like :class:`Referee`; one that writes proofs goes to the group ``luban.proofs``.
"""

from collections.abc import Iterator, Mapping
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, Protocol

import bridge.referee
from bridge.referee.findings import Judgement
from pysim.discovery import DiscoveryError, discover

__all__ = ["PROOFS", "REFEREES", "Prover", "Referee", "find_prover", "find_referee"]

REFEREES, PROOFS = "luban.referees", "luban.proofs"
"""Groups of entry points."""


class Referee(Protocol):
    """Decides what a level document claims."""

    def __call__(self, document: Mapping[str, object], *, deep: bool = False) -> Judgement:
        """Judge the claims of a level.

        Raises:
            InputError: the document is malformed.
        """


class Prover(Protocol):
    """Writes a proof that a small program can check."""

    def __call__(self, document: Mapping[str, object]) -> dict[str, object]:
        """Return the proof that no plan is shorter than the document's, as JSON.

        Raises:
            InputError: there is none.
        """


def find_referee(family: str) -> Referee | None:
    """Return the referee of a family, or None if it has none."""
    return next(_offered(family, "judge", REFEREES), None)


def find_prover(family: str) -> Prover | None:
    """Find the prover for the levels of a family, or None if there is none."""
    return next(_offered(family, "prove", PROOFS), None)


def _offered(family: str, function: str, group: str) -> Iterator[Any]:
    own = (m.name for m in iter_modules(bridge.referee.__path__) if m.ispkg)
    if family in own:
        referee = import_module(f"{bridge.referee.__name__}.{family}")
        if hasattr(referee, function):
            yield getattr(referee, function)
    elsewhere = discover(group, _checked)
    if family in elsewhere:
        yield elsewhere[family]


def _checked(name: str, offered: object) -> Any:
    if not callable(offered):
        raise DiscoveryError(f"the referee of {name!r} can't be called")
    return offered
