"""Every setting shows what ``solve_cube`` takes: pictures are read here as the texts say they lie.

Nothing of :mod:`pysim.families.rubik.strings` or of the pictures' own layout is used: a reader has
the pixels, the words of the observation and those of the tool.
"""

from collections.abc import Callable, Iterator, Mapping
from itertools import cycle, product

import numpy as np
import pytest
from numpy.typing import NDArray

from bridge.benches.cubebench.solvers import solve_ideal
from bridge.episode.episode import Episode
from bridge.episode.records import Obs, Options
from bridge.episode.rendering import SharedRenderer
from bridge.episode.tools import ToolCall
from pysim.catalog import AnyLevel, find_shipped_level
from pysim.families.rubik.moves import Move
from pysim.families.rubik.puzzle import Setting
from pysim.families.rubik.scene import WHOLE
from pysim.render.camera import fit
from pysim.render.palette import PALETTE
from pysim.suites import find_suite
from tests.sampling import these_by_day

Face = NDArray[np.str_]
"""(3, 3) letters of colours, as a face is seen with what is above it above."""

LETTERS = {"W": "white", "R": "red", "B": "blue", "O": "orange", "G": "green", "Y": "yellow"}
ABOVE = {"U": "B", "L": "U", "F": "U", "R": "U", "D": "F", "B": "D"}
"""What is above each face where ``solve_cube`` reads it, as its text says."""
AROUND = {"U": "BRFL", "D": "FRBL", "F": "URDL", "B": "ULDR", "L": "UFDB", "R": "UBDF"}
"""The neighbours of each face, clockwise."""
SIZE = 256


@pytest.fixture(scope="module")
def renderer() -> Iterator[SharedRenderer]:
    shared = SharedRenderer("auto")
    yield shared
    shared.close()


def letter(rgb: NDArray[np.uint8]) -> str:
    """The colour of a pixel by its hue, for corners are lit."""
    seen = rgb / np.linalg.norm(rgb)
    paints = {one: np.array(PALETTE[name], float) for one, name in LETTERS.items()}
    return max(paints, key=lambda one: float(seen @ paints[one] / np.linalg.norm(paints[one])))


def grid(rgb: NDArray[np.uint8], left: float, top: float, side: float) -> Face:
    """Nine stickers row by row; all lengths in shares of the picture."""
    places = [(k + 0.5) * side / 3 for k in range(3)]
    size = rgb.shape[0]
    return np.array(
        [
            [letter(rgb[int((top + y) * size), int((left + x) * size)]) for x in places]
            for y in places
        ]
    )


def upright(face: str, seen: Face, above: str) -> Face:
    """The face turned so that what ``solve_cube`` wants above it is above."""
    quarters = AROUND[face].index(ABOVE[face]) - AROUND[face].index(above)
    return np.rot90(seen, quarters % 4)


def text_of(faces: Mapping[str, Face]) -> str:
    return "".join("".join(faces[name].ravel()) for name in "ULFRDB")


def read_symbolic(episode: Episode) -> str:
    return (episode.observe().state or "").strip()


def read_net(episode: Episode) -> str:
    rgb = episode.observe().views[0].rgb()
    places = {"U": (1, 0), "L": (0, 1), "F": (1, 1), "R": (2, 1), "D": (1, 2), "B": (1, 3)}
    return text_of({f: grid(rgb, (x + 0.5) / 4, y / 4, 1 / 4) for f, (x, y) in places.items()})


def look(episode: Episode, direction: str) -> None:
    episode.step(ToolCall("apply_view_transformation", {"direction": direction}))


def read_faces(episode: Episode) -> str:
    found: dict[str, Face] = {}
    for direction in ("left", "left", "left", "left", "up", "down", "down"):
        seen = episode.observe()
        words = (seen.state or "").split()
        face, above = words[words.index("Face") + 1], words[words.index("above") - 1]
        found[face] = upright(face, grid(seen.views[0].rgb(), 0, 0, 1), above)
        look(episode, direction)
    seen = episode.observe()
    words = (seen.state or "").split()
    face, above = words[words.index("Face") + 1], words[words.index("above") - 1]
    found[face] = upright(face, grid(seen.views[0].rgb(), 0, 0, 1), above)
    return text_of(found)


def corner(rgb: NDArray[np.uint8]) -> list[Face]:
    """The faces on the left, on the right and on top, the last with what is behind it above.

    They are where F, R and U are in a picture of the corner that is nearest at first.
    """
    camera = fit("", (1.0, -1.0, 1.0), WHOLE, up=(0.0, 0.0, 1.0))
    shown = []
    for outward, right, down in (
        ((0, -1, 0), (1, 0, 0), (0, 0, -1)),
        ((1, 0, 0), (0, 1, 0), (0, 0, -1)),
        ((0, 0, 1), (1, 0, 0), (0, -1, 0)),
    ):
        spots = [
            1.5 * np.array(outward) + (column - 1) * np.array(right) + (row - 1) * np.array(down)
            for row in range(3)
            for column in range(3)
        ]
        pixels = camera.project(np.array(spots), rgb.shape[0])
        shown.append(np.array([letter(rgb[int(y), int(x)]) for x, y, _ in pixels]).reshape(3, 3))
    return shown


def read_corners(episode: Episode) -> str:
    found: dict[str, Face] = {}
    for direction in ("left", "left", "down", "down"):
        seen = episode.observe()
        words = (seen.state or "").replace(",", "").split()
        left, right, above = (
            words[words.index(f"({side})") - 1] for side in ("left", "right", "above")
        )
        views = corner(seen.views[0].rgb())
        behind = next(f for f in AROUND if f not in (left, *AROUND[left]))
        for face, view, over in zip(
            (left, right, above), views, (above, above, behind), strict=True
        ):
            found[face] = upright(face, view, over)
        look(episode, direction)
    return text_of(found)


READERS: Mapping[Setting, Callable[[Episode], str]] = {
    Setting.FULL_SYMBOLIC: read_symbolic,
    Setting.FULL_VISUAL: read_net,
    Setting.FACE_VIEW: read_faces,
    Setting.VERTEX_VIEW: read_corners,
}


def check(level: AnyLevel, renderer: SharedRenderer) -> None:
    options = Options(obs=Obs.IMAGE_STATE, picture_size=SIZE)
    with Episode(level, "lattice", renderer, options, image_format="raw") as episode:
        text = READERS[level.puzzle.setting](episode)
    moves = solve_ideal(text)
    assert level.puzzle.start.turn(map(Move.parse, moves)).solved, f"{level.id}: {text}"


@pytest.mark.parametrize(
    "case", these_by_day(zip(Setting, cycle([20, 2])), product(Setting, [2, 20]))
)
def test_observation_read_as_described_is_taken_by_the_ideal_solver(
    case: tuple[Setting, int], renderer: SharedRenderer
) -> None:
    setting, depth = case
    check(find_shipped_level(f"cubebench-d{depth:02}-3-{setting}"), renderer)


@pytest.mark.slow
@pytest.mark.parametrize("level_id", find_suite("cubebench-160").level_ids)
def test_every_level_read_as_described_is_taken_by_the_ideal_solver(
    level_id: str, renderer: SharedRenderer
) -> None:
    check(find_shipped_level(level_id), renderer)
