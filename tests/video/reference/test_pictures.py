"""Pictures that are kept as their differences."""

import pickle

import numpy as np
from numpy.typing import NDArray

from bridge.video.reference.pictures import PackedPictures


def make_pictures(count: int) -> list[NDArray[np.uint8]]:
    rng = np.random.default_rng(0)
    pictures = [rng.integers(0, 256, (9, 13, 3), dtype=np.uint8)]
    for _ in range(count - 1):
        picture = pictures[-1].copy()
        row, column = rng.integers(0, 7, 2)
        picture[row : row + 3, column : column + 3] = rng.integers(0, 256, 3)
        pictures.append(picture)
    return pictures


def test_packed_pictures_are_the_same_in_any_order() -> None:
    pictures = make_pictures(130)
    packed = PackedPictures(iter(pictures))
    assert len(packed) == 130
    order = np.random.default_rng(1).integers(-130, 130, 400)
    assert all(np.array_equal(packed[k], pictures[k]) for k in order.tolist())
    assert all(map(np.array_equal, packed, pictures))
    assert all(map(np.array_equal, packed[3:90:7], pictures[3:90:7]))


def test_packed_pictures_take_the_memory_of_what_changes() -> None:
    first = np.zeros((40, 60, 3), np.uint8)
    pictures = [first.copy() for _ in range(50)]
    for number, picture in enumerate(pictures):
        picture[3, number] = 7
    assert len(pickle.dumps(PackedPictures(pictures))) < 3 * first.nbytes
