"""Checks a proof that a lock's plan is shortest: ``python tools/check_proof.py LEVEL PROOF``.

Needs nothing but Python: no other part of Luban, no other package. docs/referee.md says what a
proof is. Pieces are sets of cells; every set of pieces is pushed in every direction, cell by cell.
"""

import argparse
import hashlib
import itertools
import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

Cell = tuple[int, ...]
Cells = frozenset[Cell]
Group = tuple[tuple[str, Cell], ...]
"""Pieces by name, each with how far it is from home, relative to the first one."""
Document = dict[str, Any]
"""A JSON document as it was read; what it lacks ends the program."""

STEPS: tuple[Cell, ...] = ((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1))
AXES = dict(zip(("+X", "-X", "+Y", "-Y", "+Z", "-Z"), STEPS, strict=True))
NOTCHES = [(x, y, 1) for y in (0, 1) for x in (1, 2, 3, 4)]
NOTCHES += [(x, y, 0) for y in (0, 1) for x in (2, 3)]


class WrongError(Exception):
    """The proof does not hold."""


def main() -> None:
    """Check one proof; the exit status is 1 if it does not hold."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("level", help="the level document")
    parser.add_argument("proof", help="what luban verify --emit-proof wrote for it")
    options = parser.parse_args()
    level, proof = (json.loads(Path(p).read_bytes()) for p in (options.level, options.proof))
    try:
        lemmas, states = check(level, proof)
    except WrongError as error:
        sys.exit(f"{options.proof}: the proof does not hold: {error}")
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        sys.exit(f"{options.proof}: the proof can't be read: {type(error).__name__}: {error}")
    print(
        f"{proof['level']}: no plan has fewer than {proof['actions']} actions "
        f"({lemmas} lemmas, {states} configurations)"
    )


def check(level: Document, proof: Document) -> tuple[int, int]:
    """Return the number of lemmas and of configurations, if the proof holds."""
    same = {key: level[key] for key in ("family", "puzzle", "budget")}
    text = json.dumps(same, sort_keys=True, separators=(",", ":"))
    digest = "sha256:" + hashlib.sha256(text.encode()).hexdigest()
    require(digest == level["hash"] == proof["hash"], "it is about another level")
    require(proof["goal"] == level["puzzle"]["goal"], "it is about another goal")
    lock = Lock(level["puzzle"])
    for lemma in proof["lemmas"]:
        lock.learn(lemma)
    whole = tuple((colour, (0, 0, 0)) for colour in lock.cells)
    claimed = proof["actions"] - (lock.goal == "assemble")
    require(lock.bound(whole) >= claimed, f"the lock costs {lock.bound(whole)} at least")
    require(len(level["plan"]["actions"]) == proof["actions"], "the plan has another length")
    return len(proof["lemmas"]), lock.states


class Lock:
    """The pieces, and what is known of groups of them: what they cost at least."""

    def __init__(self, puzzle: Document) -> None:
        self.goal = puzzle["goal"]
        self.cells = {piece["colour"]: home(piece) for piece in puzzle["pieces"]}
        self.companions = puzzle.get("companions", [])
        self.known: dict[Group, int] = {}
        self.states = 0

    def bound(self, group: Group) -> int:
        """Return the least cost of a group, by a lemma or by its number of pieces."""
        return max(self.known.get(group, 0), self.least([name for name, _ in group]))

    def least(self, names: Sequence[str]) -> int:
        """Return the least cost of any group of these pieces."""
        if self.done(names):
            return 0
        pairs = itertools.combinations(names, 2)
        loose = self.goal == "disassemble" and any(map(self.done, pairs))
        return 1 if self.goal == "key" or loose else len(names) - 1

    def done(self, names: Sequence[str]) -> bool:
        """Return whether nothing needs to be done with these pieces any more."""
        if len(names) == 1 or self.goal != "disassemble":
            return len(names) == 1
        for group in self.companions:
            named = {name for entry in group for name in entry["pieces"]}
            few = all(len(set(e["pieces"]) & set(names)) <= e["most"] for e in group)
            if set(names) <= named and few:
                return True
        return False

    def learn(self, lemma: Document) -> None:
        """Check a lemma by what is known, and keep it."""
        names, bound = lemma["pieces"], lemma["at_least"]
        group = tuple((n, tuple(o)) for n, o in zip(names, lemma["offsets"], strict=True))
        require(group[0][1] == (0, 0, 0), "offsets are relative to the first piece")
        after = max(0, self.least(names) - 1)
        seen, layer = {group}, [group]
        # A separation from layer d takes d + 1 moves, and the parts take `after` at least.
        for depth in range(max(0, bound - 1 - after)):
            if not layer:
                break
            said = lemma["layers"][depth]
            rows = sorted(" ".join(str(v) for _, offset in g for v in offset) for g in layer)
            digest = hashlib.sha256("\n".join(rows).encode()).hexdigest()
            require(said == {"size": len(layer), "digest": digest}, f"layer {depth} of {names}")
            self.states += len(layer)
            following: set[Group] = set()
            for there in layer:
                for parts in self.moves(there):
                    if len(parts) == 1:
                        following.add(parts[0])
                    elif depth + 1 + self.together(*parts) < bound:
                        raise WrongError(f"{names} may come apart in fewer than {bound} moves")
            layer = list(following - seen)
            seen.update(layer)
        self.known[group] = max(bound, self.known.get(group, 0))

    def together(self, one: Group, other: Group) -> int:
        """Return the least cost of two separated parts together."""
        single = min(len(one), len(other)) == 1
        if self.goal == "key":
            return 0 if single else min(self.bound(one), self.bound(other))
        if self.goal == "assemble" and not single:
            sides = self.bound(one) + len(other) - 1, self.bound(other) + len(one) - 1
            return 1 + max(sides)
        return self.bound(one) + self.bound(other)

    def moves(self, group: Group) -> Iterator[tuple[Group, ...]]:
        """Yield the outcome of every move: one group, or two that are separated."""
        placed = {name: moved(self.cells[name], offset) for name, offset in group}
        blocks = map(block, placed.values())
        span = sum(max(shifted(high, low, -1)) + 1 for low, high in blocks)
        # Moving a set is moving the others the other way: the first piece stays.
        for size in range(1, len(group)):
            for moving in itertools.combinations([name for name, _ in group[1:]], size):
                mine = frozenset().union(*(placed[name] for name in moving))
                rest = frozenset().union(*(placed[n] for n in placed if n not in moving))
                for step in STEPS:
                    there = mine
                    for units in range(1, span + 1):
                        there = moved(there, step)
                        if there & rest:
                            break
                        after = [
                            (name, shifted(offset, step, units if name in moving else 0))
                            for name, offset in group
                        ]
                        if apart(there, rest):
                            yield (
                                relative([entry for entry in after if entry[0] not in moving]),
                                relative([entry for entry in after if entry[0] in moving]),
                            )
                        else:
                            yield (relative(after),)


def home(piece: Document) -> Cells:
    """Return the cells of a piece in the assembled lock."""
    axes = [AXES[piece["rotation"][i : i + 2]] for i in (0, 2, 4)]
    cells = frozenset(
        tuple(x * axes[0][k] + y * axes[1][k] + z * axes[2][k] for k in range(3))
        for x, y, z in drawn(piece)
    )
    return moved(cells, shifted(piece["cell"], block(cells)[0], -1))


def drawn(piece: Document) -> list[Cell]:
    """Return the cells of a piece as it is drawn in layers, or as its burr piece number says."""
    if "layers" in piece:
        layers = [layer.split("/") for layer in piece["layers"]]
        return [
            (x, y, z)
            for z, layer in enumerate(layers)
            for y, row in enumerate(layer)
            for x, sign in enumerate(row)
            if sign == "#"
        ]
    length, bits = piece["length"], piece["number"] - 1
    cut = {((x + (length - 6) // 2), y, z) for i, (x, y, z) in enumerate(NOTCHES) if bits >> i & 1}
    return [c for c in itertools.product(range(length), range(2), range(2)) if c not in cut]


def moved(cells: Iterable[Cell], by: Sequence[int]) -> Cells:
    """Return cells translated."""
    return frozenset((x + by[0], y + by[1], z + by[2]) for x, y, z in cells)


def shifted(cell: Sequence[int], by: Sequence[int], times: int) -> Cell:
    """Return a cell, translated so many times."""
    return tuple(c + times * b for c, b in zip(cell, by, strict=True))


def block(cells: Cells) -> tuple[Cell, Cell]:
    """Low and high corner of the block around cells."""
    axes = list(zip(*cells, strict=True))
    return tuple(map(min, axes)), tuple(map(max, axes))


def apart(one: Cells, other: Cells) -> bool:
    """Return whether the blocks around two sets of cells have no cell in common."""
    (low, high), (other_low, other_high) = block(one), block(other)
    return any(high[k] < other_low[k] or other_high[k] < low[k] for k in range(3))


def relative(entries: Sequence[tuple[str, Cell]]) -> Group:
    """Return a group with offsets relative to its first piece."""
    return tuple((name, shifted(offset, entries[0][1], -1)) for name, offset in entries)


def require(holds: bool, otherwise: str) -> None:
    """Raise unless something holds."""
    if not holds:
        raise WrongError(otherwise)


if __name__ == "__main__":
    main()
