"""Zones of a chamber: the parts that its fields leave, as a tree with the exit at its root."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from .room import Emitter, Room, iterate_bits

__all__ = ["Zones", "find_zones", "join_zones"]


@dataclass(frozen=True)
class Zones:
    """Parts of a chamber.

    Attributes:
        numbers: zone of each free cell. A field belongs to the zone that is farther from the exit.
        ahead: by zone, all zones on the way to the exit, itself among them.
        doorways: fields between zones, a bit set.
        cells: by zone, its cells as a bit set.
    """

    numbers: Mapping[int, int]
    ahead: Mapping[int, frozenset[int]]
    doorways: int

    @cached_property
    def cells(self) -> Mapping[int, int]:
        found = dict.fromkeys(self.ahead, 0)
        for cell, zone in self.numbers.items():
            found[zone] |= 1 << cell
        return found


def join_zones(room: Room) -> Zones:
    """Return the whole chamber as one zone."""
    cells = iterate_bits(room.everything & ~room.solid)
    return Zones(dict.fromkeys(cells, 0), {0: frozenset([0])}, 0)


def find_zones(room: Room) -> Zones | None:
    """Find the zones of a chamber; None if there is one alone, or if they are no tree.

    Zones that depend on each other are one zone: where a thing needs something of another one.
    """
    numbers = _unite(_flood(room), _list_bonds(room))
    doorways = {
        field: sorted({numbers[c] for c in _list_neighbours(room, field) if c in numbers})
        for field in iterate_bits(room.fields)
    }
    ways = {tuple(sides) for sides in doorways.values()}
    zones = set(numbers.values())
    if len(zones) < 2 or len(ways) != len(doorways) or {len(way) for way in ways} != {2}:
        return None
    ahead = {numbers[room.exit]: frozenset([numbers[room.exit]])} if room.exit in numbers else {}
    for _ in zones:
        for a, b in ways:
            for near, far in ((a, b), (b, a)):
                if near in ahead and far not in ahead:
                    ahead[far] = ahead[near] | {far}
    if len(ways) != len(zones) - 1 or len(ahead) != len(zones):
        return None
    farther = {field: max(sides, key=lambda z: len(ahead[z])) for field, sides in doorways.items()}
    return Zones(numbers | farther, ahead, room.fields)


def _list_neighbours(room: Room, cell: int) -> list[int]:
    return [cell + step for step in room.steps]


def _flood(room: Room) -> dict[int, int]:
    """Number the connected parts of the cells that are neither solid nor fields."""
    left = room.everything & ~room.solid & ~room.fields
    numbers: dict[int, int] = {}
    while left:
        part, grown = 0, left & -left
        while grown != part:
            part = grown
            for step in room.steps:
                grown |= (part << step if step > 0 else part >> -step) & left
        numbers |= dict.fromkeys(iterate_bits(part), len(numbers))
        left &= ~part
    return numbers


def _list_bonds(room: Room) -> Iterator[list[int]]:
    """Yield cells whose parts depend on each other."""
    places: dict[str, list[int]] = {}
    for cell, name, _ in room.buttons:
        places.setdefault(name, []).append(cell)
    for cell, name in room.receivers.items():
        places.setdefault(name, []).extend(_list_neighbours(room, cell))
    emitters: Iterable[Emitter] = (*room.lasers, *room.bridges, *room.beams)
    needy = [(e.start, e.needs) for e in emitters]
    needy += [(cell, needs) for cell, (_, needs) in room.doors.items()]
    for cell, needs in needy:
        yield [cell, *(place for need in needs for place in places.get(need, ()))]


def _unite(numbers: dict[int, int], bonds: Iterable[list[int]]) -> dict[int, int]:
    """Give parts that depend on each other one number."""
    for bond in bonds:
        united = {numbers[cell] for cell in bond if cell in numbers}
        numbers = {c: min(united) if n in united else n for c, n in numbers.items()}
    return numbers
