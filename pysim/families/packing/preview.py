"""Picture sheet of a packing puzzle: the full box, and each piece."""

from pysim.families.packing.actions import Place
from pysim.families.packing.box import Packing
from pysim.families.packing.grid import mask_of
from pysim.geometry import HOME
from pysim.puzzle import PreviewPanel
from pysim.scene import Body, Container, Scene

__all__ = ["make_preview"]


def make_preview(packing: Packing) -> tuple[PreviewPanel, ...]:
    """The full box, if a way to build it is found, and every piece as it lies on the table."""
    pieces = (Body(p.colour, p.shape, HOME, p.colour) for p in packing.pieces)
    drawn = tuple(PreviewPanel(body.name, Scene((body,), body.shape.bounds)) for body in pieces)
    full = _full(packing)
    return drawn if full is None else (PreviewPanel("packed", full), *drawn)


def _full(packing: Packing) -> Scene | None:
    from pysim.families.packing.planner import plan_packing  # Not above: it takes half a second.

    plan = plan_packing(packing)
    if plan is None:
        return None
    bodies = []
    for action in plan.actions:
        assert isinstance(action, Place)
        piece = packing.index[action.piece]
        spot = packing.spots[piece][mask_of(packing.size, action.cells)]
        shape = packing.pieces[piece].shape
        bodies.append(Body(action.piece, shape, spot.find_pose(shape), action.piece))
    return Scene(tuple(bodies), packing.block, container=Container(packing.block, packing.open))
