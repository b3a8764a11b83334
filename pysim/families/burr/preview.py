"""Picture sheet of a lock: the lock, the lock drawn apart, and each piece."""

from pysim.families.burr.lock import Lock
from pysim.geometry import IDENTITY, Bounds, Cell, Direction, Pose, add
from pysim.puzzle import PreviewPanel
from pysim.scene import Body, Scene

__all__ = ["list_home_bodies", "make_preview"]

SPREADS = (3, 4, 6, 9, 12, 16, 24)
"""How many times farther from the middle the pieces may be drawn when taken apart."""


def make_preview(lock: Lock) -> tuple[PreviewPanel, ...]:
    """Return the assembled lock, an exploded view, and every piece as it is drawn."""
    home = list_home_bodies(lock)
    blown_up = [_blown_up(lock, home, spread) for spread in SPREADS]
    apart = next((bodies for bodies in blown_up if not _touching(bodies)), blown_up[-1])
    return (
        PreviewPanel("assembled", _scene(home)),
        PreviewPanel("apart", _scene(apart)),
        *(PreviewPanel(p.colour, _scene((_drawn(lock, i),))) for i, p in enumerate(lock.pieces)),
    )


def list_home_bodies(lock: Lock) -> tuple[Body, ...]:
    """Return the pieces of the assembled lock."""
    return tuple(Body(p.colour, p.shape, p.home, p.colour) for p in lock.pieces)


def _drawn(lock: Lock, piece: int) -> Body:
    colour = lock.pieces[piece].colour
    return Body(colour, lock.pieces[piece].shape, Pose(IDENTITY, (0, 0, 0)), colour)


def _blown_up(lock: Lock, home: tuple[Body, ...], spread: int) -> tuple[Body, ...]:
    return tuple(Body(b.name, b.shape, _away(lock, b, spread), b.colour) for b in home)


def _touching(bodies: tuple[Body, ...]) -> bool:
    """Return whether two bodies share a cell or lie face to face."""
    owners: dict[Cell, str] = {}
    for body in bodies:
        for cell in body.place().cells:
            near = (add(cell, way.vector) for way in Direction)
            if any(owners.get(other, body.name) != body.name for other in (cell, *near)):
                return True
            owners[cell] = body.name
    return False


def _away(lock: Lock, body: Body, spread: int) -> Pose:
    """Return the pose of a piece when everything is blown up from the middle of the lock."""
    cells = body.place().cells
    middle = [lock.bounds.low[a] + lock.bounds.high[a] for a in range(3)]
    shift = [
        round((spread - 1) * (sum(cell[a] for cell in cells) / len(cells) - middle[a] / 2))
        for a in range(3)
    ]
    step: Cell = (shift[0], shift[1], shift[2])
    return body.pose.translate(step)


def _scene(bodies: tuple[Body, ...]) -> Scene:
    return Scene(bodies, Bounds.cover(body.place().bounds for body in bodies))
