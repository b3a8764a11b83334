"""Pictures that are kept as their differences."""

import numpy as np

from bridge.video.reference.pictures import PackedPictures


def make_pictures(count: int) -> list[np.ndarray]:
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


def test_packed_pictures_keep_only_what_changes() -> None:
    first = np.zeros((40, 60, 3), np.uint8)
    other = first.copy()
    other[3, 4:6] = 7
    packed = PackedPictures([first, other, first])
    first_change, other_change, last_change = (places for places, _ in packed._changes)
    assert (len(first_change), len(last_change)) == (0, 0)
    assert other_change.tolist() == [3 * 60 + 4, 3 * 60 + 5]
