"""Picture sheet of a jigsaw cube: the whole cube, and each piece."""

from pysim.families.jigsaw.actions import Attach
from pysim.families.jigsaw.faces import Seat
from pysim.families.jigsaw.moves import find_world_pose
from pysim.families.jigsaw.puzzle import Jigsaw
from pysim.geometry import HOME
from pysim.puzzle import PreviewPanel
from pysim.scene import Body, Scene

__all__ = ["make_preview"]


def make_preview(jigsaw: Jigsaw) -> tuple[PreviewPanel, ...]:
    """Return the whole cube, if the pieces make one, and every piece as it lies on the table."""
    bodies = (Body(p.colour, jigsaw.shapes[i], HOME, p.colour) for i, p in enumerate(jigsaw.pieces))
    drawn = tuple(PreviewPanel(body.name, Scene((body,), body.shape.bounds)) for body in bodies)
    whole = _whole(jigsaw)
    return drawn if whole is None else (PreviewPanel("together", whole), *drawn)


def _whole(jigsaw: Jigsaw) -> Scene | None:
    from pysim.families.jigsaw.planner import plan_jigsaw  # Not above: it takes half a second.

    plan = plan_jigsaw(jigsaw)
    if plan is None:
        return None
    places = dict(zip(jigsaw.colours, jigsaw.start, strict=True))
    for action in plan.actions:
        if isinstance(action, Attach):
            places[action.piece] = Seat(action.face, action.left_edge, action.top_edge)
    poses = [find_world_pose(jigsaw, i, place) for i, place in enumerate(places.values())]
    bodies = zip(jigsaw.colours, jigsaw.shapes, poses, strict=True)
    return Scene(tuple(Body(c, shape, pose, c) for c, shape, pose in bodies), jigsaw.block)
