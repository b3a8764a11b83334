"""Stages of solving layer by layer: seven, as CubeBench's heuristic metric counts.

1 the cross below, 2 the corners below, 3 the edges of the middle layer, 4 the cross above (its
edges show the colour of the face above), 5 these edges in their places, 6 the corners above in
their places, 7 these turned right. A cube has reached stage n if it fulfils all stages up to n.
"""

from pysim.families.rubik.cube import SOLVED, Cube
from pysim.families.rubik.faces import FACELETS

__all__ = ["STAGES", "find_stage", "score_faces", "score_stickers"]

STAGES = 7

_UPPER_CORNERS, _LOWER_CORNERS = range(4), range(4, 8)
_UPPER_EDGES, _LOWER_EDGES, _MIDDLE_EDGES = range(4), range(4, 8), range(8, 12)


def find_stage(cube: Cube) -> int:
    """Return the highest stage that is reached, 0 to 7."""
    done = (
        _edges_home(cube, _LOWER_EDGES),
        _corners_placed(cube, _LOWER_CORNERS) and _untwisted(cube, _LOWER_CORNERS),
        _edges_home(cube, _MIDDLE_EDGES),
        not any(cube.flips[i] for i in _UPPER_EDGES),
        _edges_home(cube, _UPPER_EDGES),
        _corners_placed(cube, _UPPER_CORNERS),
        _untwisted(cube, _UPPER_CORNERS),
    )
    return done.index(False) if False in done else STAGES


def score_stickers(cube: Cube) -> int:
    """Count the facelets that have the colour of their face's centre: 6 to 54.

    The six centres always do.
    """
    return sum(i // 9 == home // 9 for i, home in enumerate(cube.list_facelets()))


def score_faces(cube: Cube) -> int:
    """Count the faces of one colour: 0 to 6."""
    homes = cube.list_facelets()
    faces = (homes[i : i + 9] for i in range(0, FACELETS, 9))
    return sum(all(home // 9 == face[0] // 9 for home in face) for face in faces)


def _edges_home(cube: Cube, slots: range) -> bool:
    return all(cube.edges[i] == SOLVED.edges[i] and not cube.flips[i] for i in slots)


def _corners_placed(cube: Cube, slots: range) -> bool:
    return all(cube.corners[i] == SOLVED.corners[i] for i in slots)


def _untwisted(cube: Cube, slots: range) -> bool:
    return not any(cube.twists[i] for i in slots)
