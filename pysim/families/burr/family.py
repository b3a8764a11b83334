"""The family as the catalog knows it."""

from pysim.errors import Reason
from pysim.families.burr.actions import Bring, Rotate, Slide
from pysim.families.burr.canonical import compute_canonical_form
from pysim.families.burr.documents import read_lock, restore_lock, write_lock
from pysim.families.burr.lock import Lock, list_colours
from pysim.families.burr.preview import list_home_bodies, make_preview
from pysim.families.burr.rules import BurrRules
from pysim.families.burr.state import LockState
from pysim.field_types import MAX_STEPS
from pysim.puzzle import FactColumn, Family, Flaw, Scope

__all__ = ["FAMILY"]


def _generator() -> object:
    from pysim.families.burr.plugin import GENERATOR

    return GENERATOR


def _batch() -> object:
    from pysim.families.burr.batch import create_batch

    return create_batch


def _spaces() -> tuple[object, ...]:
    from pysim.families.burr.space import create_spaces

    return create_spaces()


def _scope(lock: Lock) -> Scope:
    """Return the limits of a lock: held pieces can't leave its room."""
    room = lock.workspace.room
    return Scope(cells=room, steps=min(MAX_STEPS, max(room.size) - 1))


FAMILY: Family[Lock, LockState] = Family(
    name="burr",
    actions=(Slide, Bring, Rotate),
    rules=BurrRules(),
    refusals=(
        Reason.ALREADY_FREE,
        Reason.BLOCKED,
        Reason.NOT_FREE,
        Reason.NOT_TOGETHER,
        Reason.NO_EFFECT,
        Reason.OUT_OF_BOUNDS,
        Reason.UNSTABLE,
    ),
    flaws=(
        Flaw(("goal",), "the goal is one of", "win"),
        Flaw(("pieces",), "a list of pieces"),
        Flaw(("pieces",), "2 to 62 pieces", []),
        Flaw(("pieces", 0), "piece 0 is not an object", 1),
        Flaw(("pieces", 0, "colour"), "piece 0 has no colour", 7),
        Flaw(("pieces", 0, "colour"), "in lower case", "dark red"),
        Flaw(("pieces", 0, "colour"), "share a colour", source=("pieces", 1, "colour")),
        Flaw(("pieces", 0, "rotation"), "no rotation", "+X+X+X"),
        Flaw(("pieces", 0, "cell"), "three whole numbers", [0, 0, 0.5]),
        Flaw(("pieces", 0, "cell"), "too far out", [0, 0, 10**6]),
        Flaw(("pieces", 0), "share a colour", source=("pieces", 1)),
        Flaw(("companions",), "companions are a list", {}),
        Flaw(("companions",), "which is no piece", [[{"pieces": ["nobody"], "most": 1}]]),
    ),
    read=read_lock,
    write=write_lock,
    colours=list_colours,
    preview=make_preview,
    spaces=_spaces,
    batch=_batch,
    generator=_generator,
    columns=(
        FactColumn("level", "level", least=8),
        FactColumn("legal_moves", "legal moves", right=True),
    ),
    scope=_scope,
    canonical_form=compute_canonical_form,
    restore=restore_lock,
    assembly=lambda level: list_home_bodies(level.puzzle),
)
