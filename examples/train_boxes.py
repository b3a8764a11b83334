"""A policy that packs boxes, trained on 1,500 tasks and evaluated on 200 that it never saw.

Needs the extras ``gymnasium``, ``plots`` and ``solve``::

    python examples/train_boxes.py --seeds 0 1 2 --out runs/boxes

The policy gets what the features of a batch say, no pictures, and remembers what it saw and did in
its episode. Of each legal action it sees the box as it would be then. See ``actor_critic.py``
for how it learns.
"""

import numpy as np
from actor_critic import Describer, Floats, Legal, Seen, Settings, main
from numpy.typing import NDArray

from pysim.geometry import list_rotations

__all__ = ["BoxDescriber"]

PIECES, PART = 16, 5
SIZE, EDGE = (4, 4, 5), 5
"""Most cells of a box along x, y and z, and of a piece along each axis."""
PLACE = (PIECES, 24, 80)
"""Numbers of the tool ``place``: piece, rotation, low corner. Those of ``pick_up`` follow."""
PICK = int(np.prod(PLACE))

Layers = NDArray[np.uint16]
"""(..., 5) cells of a box: for each layer, the lowest first, a bit for each x + 4 y."""


class BoxDescriber(Describer):
    """Placements in boxes of the size class ``top``."""

    family = "packing"
    size = 29

    def __init__(self, rows: int) -> None:
        self._shapes = np.zeros((rows, PIECES), np.int64)
        self._boxes, self._walls = np.zeros((2, rows, SIZE[2]), np.uint16)

    def begin(self, rows: NDArray[np.int64], seen: Seen) -> None:
        """See :class:`Describer`."""
        drawn = seen[:, PIECES * PART + 4 :].reshape(len(seen), PIECES, -1)
        self._shapes[rows] = [[SHAPES.find(one.tobytes()) for one in row] for row in drawn]
        for row, (x, y, z) in zip(rows, seen[:, PIECES * PART :][:, :3], strict=True):
            inside = sum(1 << a + 4 * b for a in range(x) for b in range(y))
            self._boxes[row] = [inside] * z + [0] * (SIZE[2] - z)
            self._walls[row] = [0xFFFF & ~inside] * z + [0] * (SIZE[2] - z)

    def narrow(self, seen: Seen, legal: Legal) -> Legal:
        """Leave out rotations in which a piece looks alike, and pieces that are like others."""
        rows, numbers, counts = legal
        slot, rotation, _ = np.unravel_index(np.minimum(numbers, PICK - 1), PLACE)
        shape = np.where(seen[:, : PIECES * PART : PART] == 2, self._shapes, -1)
        alike = (shape[:, :, None] == shape[:, None, :]) & np.tri(PIECES, k=-1, dtype=bool)
        is_first = SHAPES.is_first[self._shapes[rows, slot], rotation]
        kept = (numbers >= PICK) | is_first & ~alike.any(axis=2)[rows, slot]
        return Legal(rows[kept], numbers[kept], np.bincount(rows[kept], minlength=len(counts)))

    def describe(self, seen: Seen, legal: Legal) -> Floats:
        """See :class:`Describer`."""
        (rows, numbers, counts), pieces = legal, seen[:, : PIECES * PART].reshape(-1, PIECES, PART)
        picks = numbers >= PICK
        slot, rotation, corner = np.unravel_index(np.where(picks, 0, numbers), PLACE)
        slot = np.where(picks, numbers - PICK, slot)
        places = pieces.astype(np.int64)
        corners = 20 * places[:, :, 2] + 5 * places[:, :, 3] + places[:, :, 4]
        covered = SHAPES.masks[self._shapes, places[:, :, 1], corners]
        covered[places[:, :, 0] != 1] = 0
        own = SHAPES.masks[self._shapes[rows, slot], rotation, corner]
        own = np.where(picks[:, None], covered[rows, slot], own)
        before = np.bitwise_or.reduce(covered, axis=1)[rows]
        box, walls = self._boxes[rows], self._walls[rows]
        after = np.where(picks[:, None], before & ~own, before | own)
        weights = SHAPES.weights[self._shapes]
        left = np.where(places[:, :, 0] == 2, weights, 0)
        most, fewest = left.max(axis=1)[rows], np.where(left > 0, left, 99).min(axis=1)[rows]
        weight, empty = weights[rows, slot], count(box & ~after)
        touching = [count(own & one) for one in list_neighbours((before & ~own) | walls, 0)]
        inner = sum(count(own & one) for one in list_neighbours(own, 0))
        holes, former = count_holes(box, after), count_holes(box, before)
        alone, ends, surface = measure_rest(box & ~after)
        low = (own != 0).argmax(axis=1)
        open_layer = ((box & ~before) != 0).argmax(axis=1)
        same = np.bincount(rows * PIECES + slot)[rows * PIECES + slot]
        columns = [
            ~picks,
            weight / 8,
            weight / np.maximum(most, 1),
            weight == most,
            (left > 0).sum(axis=1)[rows] / PIECES,
            (places[:, :, 0] == 1).sum(axis=1)[rows] / PIECES,
            np.minimum(fewest, 8) / 8,
            low / 5,
            (low - open_layer) / 5,
            (own != 0).sum(axis=1) / 5,
            *(one / weight for one in touching),
            sum(touching) / (6 * weight - inner),
            np.minimum(holes, 4) / 4,
            holes > 0,
            np.clip(holes - former, -2, 2) / 2,
            alone > 0,
            np.minimum(alone, 4) / 4,
            np.minimum(ends, 4) / 4,
            surface / (6 * empty + 1),
            empty / count(box),
            count(box) / 80,
            empty == 0,
            same / counts[rows],
            np.log(same) / 4,
        ]
        return np.stack(columns, axis=1).astype(np.float32)


class Shapes:
    """Tables of all shapes that were seen.

    Attributes:
        masks: (shapes, 24, 80), the cells of a turned shape, by its rotation and low corner.
        is_first: (shapes, 24), whether no earlier rotation looks alike.
        weights: (shapes,), number of cells.
    """

    def __init__(self) -> None:
        self._known: dict[bytes, int] = {}
        self.masks = np.zeros((64, 24, 80, SIZE[2]), np.uint16)
        self.is_first = np.zeros((64, 24), np.bool_)
        self.weights = np.zeros(64, np.int64)

    def find(self, bits: bytes) -> int:
        """Return the number of a shape by its bits, as features have them."""
        if bits not in self._known:
            number = self._known[bits] = len(self._known)
            if number == len(self.masks):
                self.masks = np.concatenate([self.masks, np.zeros_like(self.masks)])
                self.is_first = np.concatenate([self.is_first, np.zeros_like(self.is_first)])
                self.weights = np.concatenate([self.weights, np.zeros_like(self.weights)])
            drawn = np.unpackbits(np.frombuffer(bits, np.uint8))[: EDGE**3].reshape((EDGE,) * 3)
            self._fill(number, np.argwhere(drawn))
        return self._known[bits]

    def _fill(self, number: int, cells: NDArray[np.int64]) -> None:
        self.weights[number] = len(cells)
        if not len(cells):
            return
        looks = list[bytes]()
        corners = np.stack(np.unravel_index(np.arange(80), SIZE), axis=1)
        for rotation in list_rotations():
            turned = cells @ np.array(rotation.matrix).T
            turned -= turned.min(axis=0)
            looks.append(turned[np.lexsort(turned.T)].tobytes())
            self.is_first[number, rotation.index] = looks[-1] not in looks[:-1]
            x, y, z = np.moveaxis(corners[:, None] + turned, 2, 0)
            fits = ((x < 4) & (y < 4) & (z < 5)).all(axis=1)
            for layer in range(SIZE[2]):
                bits = np.where(z == layer, 1 << (x & 3) + 4 * (y & 3), 0).sum(axis=1)
                self.masks[number, rotation.index, :, layer] = np.where(fits, bits, 0)


SHAPES = Shapes()


def count(layers: Layers) -> NDArray[np.int64]:
    """(m,) number of cells."""
    found: NDArray[np.int64] = np.bitwise_count(layers).sum(axis=1, dtype=np.int64)
    return found


def list_neighbours(layers: Layers, above: int) -> list[Layers]:
    """Return which cells have one of some cells beside them: below, above, and on four sides.

    What is outside counts as one of them, but above only if that is said.

    Args:
        above: bits of the layer above all.
    """
    low, high = np.full((len(layers), 1), 0xFFFF, np.uint16), np.full((len(layers), 1), above)
    return [
        np.concatenate([low, layers[:, :-1]], axis=1),
        np.concatenate([layers[:, 1:], high.astype(np.uint16)], axis=1),
        (layers & 0x7777) << 1 | 0x1111,
        (layers & 0xEEEE) >> 1 | 0x8888,
        layers << 4 | 0x000F,
        layers >> 4 | 0xF000,
    ]


def count_holes(box: Layers, filled: Layers) -> NDArray[np.int64]:
    """(m,) number of empty cells under filled ones, into which nothing can come any more."""
    over = np.bitwise_or.accumulate(filled[:, ::-1], axis=1)[:, ::-1]
    return count(box & over & ~filled)


def measure_rest(
    empty: Layers,
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """(m,) empty cells without an empty neighbour, those with just one, and faces of them all."""
    one, two, faces = np.zeros_like(empty), np.zeros_like(empty), np.zeros(len(empty), np.int64)
    for full in list_neighbours(~empty, 0xFFFF):
        two |= one & ~full
        one |= ~full
        faces += count(empty & full)
    return count(empty & ~one), count(empty & one & ~two), faces


if __name__ == "__main__":
    main(BoxDescriber, Settings(updates=90), "Boxes packed")
