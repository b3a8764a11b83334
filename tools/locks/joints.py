"""Joints of carpenters and cabinet makers, piece by piece as they stand when assembled."""

from collections.abc import Sequence

from pysim.families.burr.generator.carving import Bar
from tools.locks.frames import box

__all__ = ["cabinet", "half_lap", "labyrinth", "tusk_tenon"]


def half_lap() -> tuple[Bar, ...]:
    """Two beams, each notched by half where it crosses the other: the oldest lock of two pieces."""
    lower = box((0, 2, 0), (6, 4, 2)) - box((2, 2, 1), (4, 4, 2))
    upper = box((2, 0, 0), (4, 6, 2)) - box((2, 2, 0), (4, 4, 1))
    return lower, upper


def tusk_tenon() -> tuple[Bar, ...]:
    """A post, a beam whose tenon goes through it, and the wedge that keeps the tenon there."""
    wedge = box((-2, 2, 1), (-1, 3, 7)) | box((-2, 1, 6), (-1, 4, 7))
    tenon = box((-4, 1, 3), (4, 4, 5)) | box((4, 1, 2), (9, 4, 6))
    post = box((0, 0, 0), (4, 5, 9)) - tenon
    return post, tenon - wedge, wedge


_MAZE = (
    "##.########",
    "##.########",
    "##.#...#.##",
    "##.#.#.#.##",
    "##...#.#.##",
    "##.###.#.##",
    "##...#...##",
    "####.###.##",
    "##...###o##",
    "###########",
    "###########",
)


def labyrinth(maze: Sequence[str] = _MAZE) -> tuple[Bar, ...]:
    """A hollow plate with a maze cut through its front, and a button that is held by the maze.

    Args:
        maze: rows from the top; ``#`` stays, ``.`` is cut out, ``o`` is where the button starts.
            It must be left by the top, and keep two cells from the other edges.
    """
    width, height = len(maze[0]), len(maze)
    slots = {
        (x, 0, height - 1 - row)
        for row, line in enumerate(maze)
        for x, mark in enumerate(line)
        if mark != "#"
    }
    row = next(row for row, line in enumerate(maze) if "o" in line)
    x, z = maze[row].index("o"), height - 1 - row
    way_out = maze[0].index(".")
    hollow = box((1, 1, 1), (width - 1, 2, height - 1))
    hollow |= box((way_out - 1, 1, height - 1), (way_out + 2, 2, height))
    plate = box((0, 0, 0), (width, 3, height)) - hollow - slots
    button = box((x - 1, 1, z - 1), (x + 2, 2, z + 2)) | box((x, -2, z), (x + 1, 1, z + 1))
    return plate, button


def cabinet(heights: Sequence[int]) -> tuple[Bar, ...]:
    """Return a cabinet, its drawers from the lowest up, and the hidden bolt that locks all of them.

    The bolt has a tooth in each drawer. A drawer comes out only while the bolt is lifted by the
    number of units that the drawer's groove wants; the bolt comes out when all drawers are.

    Args:
        heights: for each drawer how far the bolt is to be lifted, 0 to 3.
    """
    rows = 6 * len(heights)
    drawers = [_drawer(6 * i, 6 * i + 1 + height) for i, height in enumerate(heights)]
    lift = max(heights)
    bolt = box((7, 3, 0), (8, 5, rows - 1))
    for i in range(len(heights)):
        bolt |= box((6, 3, 6 * i + 1), (7, 5, 6 * i + 2))
    shell = box((0, 0, -1), (9, 9, rows + lift)) - box((1, 0, 0), (7, 8, rows - 1))
    shell -= box((7, 3, 0), (8, 5, rows - 1 + lift))
    # A window to each drawer, or nobody could see that there is a bolt.
    for i in range(len(heights)):
        shell -= box((8, 3, 6 * i + 2), (9, 5, 6 * i + 4))
    # Over the drawers there is only room for the bolt's own top.
    shell -= box((5, 0, rows - 1), (7, 5, rows - 1 + lift))
    for i in range(1, len(heights)):
        shell |= box((1, 0, 6 * i - 1), (5, 8, 6 * i))
    return shell, *drawers, bolt


def _drawer(floor: int, groove: int) -> Bar:
    """An open tray with a knob, and a slot in its right wall that the tooth of the bolt is in."""
    tray = box((1, 0, floor), (7, 8, floor + 5)) - box((2, 1, floor + 1), (6, 7, floor + 5))
    slot = box((6, 3, floor + 1), (7, 5, floor + 5)) | box((6, 3, groove), (7, 8, groove + 1))
    return (tray - slot) | box((3, -1, floor + 2), (5, 0, floor + 3))
