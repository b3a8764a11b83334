"""Relations of pieces as bytes of words, held against sets in plain Python."""

from random import Random

import numpy as np

from pysim.families.burr.batch_few import SLOTS, close_near, find_equal, spread
from pysim.search.bits import find_highest, find_lowest
from tests.sampling import more

WORDS = more(40, night=200)


def write_word(rows: list[set[int]]) -> int:
    return sum(1 << 8 * i + j for i, row in enumerate(rows) for j in row)


def follow(piece: int, rows: list[set[int]], group: set[int]) -> set[int]:
    """Return the pieces that go with a piece, found one after another."""
    found, waiting = {piece}, [piece]
    while waiting:
        new = (rows[waiting.pop()] & group) - found
        found |= new
        waiting += new
    return found


def test_closure_of_random_relations_is_all_that_is_reached() -> None:
    rng = Random(4)
    for _ in range(WORDS):
        group = {i for i in range(SLOTS) if rng.random() < 0.8}
        near, relations = np.zeros((4, SLOTS), np.uint64), list[list[list[set[int]]]]()
        for k in range(4):
            few = rng.random() / 3
            rows = [[{j for j in range(SLOTS) if rng.random() < few} for _ in range(SLOTS)]
                    for _ in range(SLOTS)]  # fmt: skip
            relations.append(rows)
            near[k] = [write_word(one) for one in rows]
        nears = np.zeros((4, SLOTS), np.uint64)
        close_near(near, nears, np.uint64(sum(1 << i for i in group)))
        for k in range(4):
            for direction in range(SLOTS):
                rows = relations[k]
                closed = [follow(i, rows[direction], group) for i in range(SLOTS)]
                for i in group:
                    found = int(nears[k, direction]) >> 8 * i & 255
                    assert found == sum(1 << j for j in closed[i])


def test_bytes_of_words_are_found_and_filled() -> None:
    rng = Random(5)
    for _ in range(WORDS):
        parts = [rng.choice([0, 1, 127, 128, 255, rng.randrange(256)]) for _ in range(SLOTS)]
        word, value = np.uint64(int.from_bytes(bytes(parts), "little")), rng.choice(parts)
        equal = find_equal(word, np.uint64(value))
        assert [int(equal) >> i & 1 for i in range(SLOTS)] == [one == value for one in parts]
        filled = int(spread(np.uint64(value))).to_bytes(SLOTS, "little")
        assert list(filled) == [255 * (value >> i & 1) for i in range(SLOTS)]


def test_lowest_and_highest_bits_are_those_of_integers() -> None:
    rng = Random(6)
    for bits in [1, 1 << 63, (1 << 64) - 1, *(rng.getrandbits(rng.randint(1, 64)) | 1 << 9
                                              for _ in range(WORDS))]:  # fmt: skip
        assert find_lowest(np.uint64(bits)) == (bits & -bits).bit_length() - 1
        assert find_highest(np.uint64(bits)) == bits.bit_length() - 1
