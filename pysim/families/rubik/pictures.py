"""Views of a cube in each setting: the unfolded net, one face, or three from a corner."""

from dataclasses import replace
from enum import StrEnum

from pysim.families.rubik.faces import Face
from pysim.families.rubik.puzzle import Setting
from pysim.families.rubik.state import CubeState
from pysim.geometry import Direction, add
from pysim.viewpoints import Panel, View

__all__ = [
    "Net",
    "choose_views",
    "list_views",
    "make_face_view",
    "make_net_view",
    "make_vertex_view",
]


class Net(StrEnum):
    """Layout of the faces in a picture of all six.

    Each is drawn as it lies when the cube is unfolded along the edges at which faces touch: U with
    B above it, D with F above it, the others with U above, but B with D above it where it hangs
    below D.
    """

    CROSS = "cross"
    """U, below it L F R, below F then D and B: read face by face and row by row as it is drawn, the
    54 letters of CubeBench's strings."""
    STRIP = "strip"
    """U, below it L F R B, below F then D: as most solvers and Cube Bench have it."""

    @property
    def places(self) -> dict[Face, tuple[int, int]]:
        """Row and column of each face."""
        places = {Face.U: (0, 1), Face.L: (1, 0), Face.F: (1, 1), Face.R: (1, 2), Face.D: (2, 1)}
        return places | {Face.B: (3, 1) if self is Net.CROSS else (1, 3)}

    def find_above(self, face: Face) -> Direction:
        """Find the direction above a face."""
        hangs = self is Net.CROSS and face is Face.B
        return Face.D.side if hangs else face.above


def choose_views(setting: Setting, state: CubeState) -> tuple[View, ...]:
    """Return the pictures of an observation: one, or none where the state is told in letters."""
    match setting:
        case Setting.FULL_SYMBOLIC:
            return ()
        case Setting.FULL_VISUAL:
            return (make_net_view(),)
        case Setting.FACE_VIEW:
            return (make_face_view(state.front, state.above),)
        case Setting.VERTEX_VIEW:
            return (make_vertex_view(state.front, state.right, state.above),)


def list_views(state: CubeState) -> tuple[View, ...]:
    """List the views of every setting, and ``strip``: the net as a strip, with face letters."""
    strip = make_net_view(Net.STRIP, names={face: face.value for face in Face})
    return (
        *(shot for setting in Setting for shot in choose_views(setting, state)),
        replace(strip, name="strip"),
    )


def make_net_view(net: Net = Net.CROSS, *, names: dict[Face, str] | None = None) -> View:
    """Return all six faces, unfolded.

    Args:
        names: what is written above each face; nothing by default.
    """
    tiles = (
        _facing(face.side, net.find_above(face), row, column, (names or {}).get(face, ""))
        for face, (row, column) in net.places.items()
    )
    return View("net", tuple(tiles))


def make_face_view(front: Direction, above: Direction) -> View:
    """Return one face, straight on.

    Args:
        front: the side that is looked at.
        above: the side that is above it.
    """
    return View("face", (_facing(front, above),))


def make_vertex_view(front: Direction, right: Direction, above: Direction) -> View:
    """Three faces around a corner, equally large: ``front`` on the left, ``right``, ``above``."""
    towards = add(add(front.vector, right.vector), above.vector)
    return View("vertex", (Panel(towards, above.vector),))


def _facing(
    side: Direction, above: Direction, row: int = 0, column: int = 0, label: str = ""
) -> Panel:
    return Panel(
        side.vector, above.vector, parallel=True, shaded=False, row=row, column=column, label=label
    )
