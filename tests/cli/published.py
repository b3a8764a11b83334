"""Files as the authors of benchmarks publish them: rows, samples of generators, states, boxes."""

import json
from pathlib import Path
from typing import Any

from pysim.catalog import find_shipped_level
from pysim.families.rubik.cube import Cube, make_cube
from pysim.families.rubik.faces import Face
from pysim.families.rubik.moves import parse_moves
from pysim.families.rubik.strings import Letters, Order, format_cube

Document = Any
YELLOW_TOP = dict(zip("URFDLB", "yogwrb", strict=True))
"""Colours of the simulator of Cube Bench's authors, in which yellow is on top."""
COLORS = {"y": "yellow", "o": "orange", "g": "green", "w": "white", "r": "red", "b": "blue"}


def save(document: Document, name: str = "published.json") -> Path:
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(document))
    return path


def stickers(cube: Cube) -> dict[str, list[str]]:
    """The nine letters of each face in the colours of Cube Bench's authors."""
    text = format_cube(cube, Order.SOLVER, Letters.FACES)
    return {face.value: [YELLOW_TOP[c] for c in text[9 * face.number :][:9]] for face in Face}


def sample(moves: str, options: str, answer: str) -> dict[str, Document]:
    faces = stickers(make_cube(parse_moves(moves)))

    def row(names: str, k: int) -> str:
        return "".join(f"[{c}]" for name in names for c in faces[name][3 * k : 3 * k + 3])

    lines = [" " * 9 + row("U", k) for k in range(3)]
    lines += [row("LFRB", k) for k in range(3)] + [" " * 9 + row("D", k) for k in range(3)]
    front = [[COLORS[c] for c in faces["F"][3 * k :][:3]] for k in range(3)]
    return {
        "id": 7,
        "scramble_cube": "\n".join(lines) + "\n",
        "options": dict(zip("ABCD", options.split(), strict=True)),
        "correct_option": answer,
        "difficulty": "easy",
        "front_face_colors": front,
    }


ARRAYS = [
    [[1, 0, 0, 0, 0], [1, 1, 1, 1, 1], [1, 1, 1, 1, 1], [1, 1, 1, 1, 0], [1, 0, 1, 0, 0]],
    [[0, 1, 0, 0, 0], [0, 1, 1, 1, 1], [0, 1, 1, 1, 1], [0, 1, 1, 1, 1], [0, 0, 0, 0, 0]],
    [[1, 1, 1, 0, 1], [0, 1, 1, 1, 1], [0, 1, 1, 1, 0], [1, 1, 1, 1, 0], [1, 0, 1, 1, 0]],
    [[0, 1, 1, 1, 1], [0, 1, 1, 1, 1], [0, 1, 1, 1, 1], [1, 1, 1, 1, 1], [0, 1, 1, 0, 0]],
    [[0, 1, 1, 1, 0], [0, 1, 1, 1, 0], [0, 1, 1, 1, 0], [0, 1, 1, 1, 0], [1, 1, 1, 0, 0]],
    [[0, 1, 0, 0, 1], [1, 1, 1, 1, 0], [0, 1, 1, 1, 1], [1, 1, 1, 1, 1], [0, 1, 0, 0, 0]],
]
PLACES = (
    "A: (Top, 3, 2)\nB: (Back, 4, 3)\nC: (Left, 2, 1)\nD: (Bottom, 4, 1)\nE: (Right, 4, 3)\n"
    "F: (Front, 2, 1)"
)
ROW = {"face_arrays": ARRAYS, "question": "Build a cube.", "reference_solution": PLACES}
BOX = {"box": [2, 2, 2], "pieces": [[[x, y, z] for x in (4, 5) for y in (0, 1)] for z in (3, 7)]}


def states(order: Order = Order.DRAWN) -> dict[str, list[str]]:
    levels = [find_shipped_level(f"cubebench-d{d}-1-full-visual") for d in ("01", "04", "20")]
    return {
        str(level.facts["depth_htm"]): [format_cube(level.puzzle.start, order)] for level in levels
    }
