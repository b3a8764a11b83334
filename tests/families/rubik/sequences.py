"""What the tests of the cube share."""

import random

from hypothesis import strategies as st

from pysim.families.rubik.cube import Cube, make_cube
from pysim.families.rubik.moves import Move, list_moves

__all__ = ["HARDEST", "SUPERFLIP", "cubes", "moves", "random_cube", "sequences"]

SUPERFLIP = "U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2"
"""Twenty face turns that flip every edge (Michael Reid 1995)."""
HARDEST = "F U' F2 D' B U R' F' L D' R' U' L U B' D2 R' F U2 D2"
"""The position of cube20.org that was the hardest for its programs: twenty face turns."""

moves = st.sampled_from(list_moves())
sequences = st.lists(moves, max_size=30).map(tuple)
cubes = sequences.map(make_cube)


def random_cube(seed: int, length: int) -> Cube:
    """The cube after some random moves, no two of one face in a row."""
    rng = random.Random(seed)
    made: list[Move] = []
    while len(made) < length:
        move = rng.choice(list_moves())
        if not made or move.face is not made[-1].face:
            made.append(move)
    return make_cube(made)
