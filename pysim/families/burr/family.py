"""The family as the catalog knows it."""

from pysim.families.burr.actions import Bring, Rotate, Slide
from pysim.families.burr.lock import Lock, colours_of, read_lock, write_lock
from pysim.families.burr.rules import BurrRules
from pysim.families.burr.sheet import sheet_of
from pysim.families.burr.state import LockState
from pysim.puzzle import FactColumn, Family

__all__ = ["FAMILY"]


def _generator() -> object:
    from pysim.families.burr.offer import OFFER

    return OFFER


FAMILY: Family[Lock, LockState] = Family(
    name="burr",
    actions=(Slide, Bring, Rotate),
    rules=BurrRules(),
    read=read_lock,
    write=write_lock,
    colours=colours_of,
    sheet=sheet_of,
    generator=_generator,
    columns=(
        FactColumn("level", "level", least=8),
        FactColumn("legal_moves", "legal moves", right=True),
    ),
)
