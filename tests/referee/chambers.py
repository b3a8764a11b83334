"""Small chambers that are drawn at random, with every device in them."""

import random
from collections.abc import Sequence
from typing import Any

from bridge.referee.portal.play import IllegalAction, get_world
from bridge.referee.portal.room import DIRECTIONS, Room, read_room
from pysim.catalog import discover_families
from pysim.errors import InputError
from pysim.families.portal.chamber import Chamber

__all__ = ["draw_chamber"]

Cell = tuple[int, int, int]
_COLORS = ("red", "blue", "yellow")


def draw_chamber(rng: random.Random) -> tuple[Chamber, Room]:
    """Draw a chamber that can be read and in which everything rests at the start."""
    while True:
        puzzle = _Draft(rng).puzzle
        try:
            chamber = discover_families()["portal"].read(puzzle)
            room = read_room({"puzzle": puzzle})
            if get_world(room).settle(room.start) == room.start:
                return chamber, room
        except (InputError, IllegalAction):
            continue


class _Draft:
    """A puzzle whose things lie anywhere; many can't be read."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.size = (rng.randint(4, 8), rng.randint(3, 6), rng.randint(5, 9))
        self.signs = self.draw_signs()
        free = [cell for cell, sign in self.signs.items() if sign == "."]
        self.free = free or [(1, 1, 1)]
        self.floor = [(x, y, z) for x, y, z in free if self.signs[x, y, z - 1] in "#o"]
        rng.shuffle(self.floor)
        self.faces = [
            (cell, way)
            for cell, sign in self.signs.items()
            for way in DIRECTIONS
            if sign in "#o" and self.signs.get(_step(cell, way), "#") in ".~"
        ]
        rng.shuffle(self.faces)
        self.puzzle = self.draw_puzzle()

    def draw_signs(self) -> dict[Cell, str]:
        """Draw a floor with stairs, pits and pillars, and a little of everything above it."""
        rng, (width, depth, height) = self.rng, self.size
        base, panels = rng.randint(1, 2), rng.choice([0, 0.1, 0.3])
        signs = {}
        for x in range(width):
            for y in range(depth):
                is_inside = 0 < x < width - 1 and 0 < y < depth - 1
                ground = rng.choice([base] * 13 + [base + 1] * 3 + [base + 2, 1, 1, height])
                for z in range(height):
                    wall = "o" if rng.random() < panels else "#"
                    is_free = is_inside and ground <= z < height - 1
                    odd = "~" if z == ground else rng.choice("#o~")
                    air = odd if rng.random() < 0.06 else "."
                    signs[x, y, z] = air if is_free else wall
        return signs

    def draw_puzzle(self) -> dict[str, Any]:
        width, depth, height = self.size
        start, end = self.take_floor(), self.take_floor()
        buttons = [self.draw_button(n) for n in self.count(3)]
        receivers = [{"name": f"r{n}", "cell": self.take_face()["cell"]} for n in self.count(3)]
        names = [str(thing["name"]) for thing in (*buttons, *receivers)]
        doors = [
            {"name": f"d{n}", "cell": self.take_floor(), "needs": self.draw_needs(names, 1)}
            for n in self.count(4 if names else 0)
        ]
        return {
            "layers": [
                ["".join(self.signs[x, y, z] for x in range(width)) for y in range(depth)]
                for z in range(height)
            ],
            "agent": "green",
            "start": start,
            "exit": end,
            "boxes": self.draw_boxes(),
            "buttons": buttons,
            "receivers": receivers,
            "doors": doors,
            "lasers": [self.draw_emitter(names, 0.2) for _ in self.count(3)],
            "bridges": [self.draw_emitter(names, 0.4) for _ in self.count(2)],
            "beams": [self.draw_emitter(names, 0.4) for _ in self.count(2)],
            "fields": [self.take_floor() for _ in self.count(3)],
            "pads": [
                {"cell": self.take_floor(), "speed": self.draw_speed()} for _ in self.count(3)
            ],
        }

    def count(self, most: int) -> range:
        return range(self.rng.choice([0, 0, *range(1, most + 1)]) if most else 0)

    def take_floor(self) -> list[int]:
        return list(self.floor.pop() if self.floor else self.rng.choice(self.free))

    def take_face(self) -> dict[str, Any]:
        cell, way = self.faces.pop() if self.faces else ((0, 0, 0), "+x")
        return {"cell": list(cell), "way": way}

    def draw_boxes(self) -> list[dict[str, Any]]:
        """Draw boxes, some of them on others and some with an arrow."""
        boxes: list[dict[str, Any]] = []
        for n in self.count(len(_COLORS)):
            cell = self.take_floor()
            if boxes and self.rng.random() < 0.4:
                x, y, z = boxes[-1]["cell"]
                cell = [x, y, z + 1]
            arrow = {"turns": self.rng.choice(DIRECTIONS)} if self.rng.random() < 0.5 else {}
            boxes.append({"name": _COLORS[n], "cell": cell} | arrow)
        return boxes

    def draw_button(self, number: int) -> dict[str, Any]:
        ticks = {"ticks": self.rng.randint(1, 9)} if self.rng.random() < 0.5 else {}
        return {"name": f"b{number}", "cell": self.take_floor()} | ticks

    def draw_needs(self, names: Sequence[str], chance: float) -> list[str]:
        if not names or self.rng.random() > chance:
            return []
        return self.rng.sample(names, min(len(names), self.rng.randint(1, 2)))

    def draw_emitter(self, names: Sequence[str], chance: float) -> dict[str, Any]:
        return self.take_face() | {"needs": self.draw_needs(names, chance)}

    def draw_speed(self) -> list[int]:
        return [self.rng.randint(-3, 3), self.rng.randint(-3, 3), self.rng.randint(0, 4)]


def _step(cell: Cell, way: str) -> Cell:
    x, y, z = (
        v + (1 if way[0] == "+" else -1) * (way[1] == a) for v, a in zip(cell, "xyz", strict=True)
    )
    return x, y, z
