"""Chambers as JSON: the ``puzzle`` part of a level document."""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from pysim.errors import InputError
from pysim.families.portal.chamber import (
    Button,
    Chamber,
    Door,
    Emitter,
    MovableBox,
    Pad,
    Receiver,
)
from pysim.families.portal.flight import check_rest
from pysim.families.portal.paths import check_paths
from pysim.geometry import Cell, Direction
from pysim.limits import quote
from pysim.options import is_whole
from pysim.restoring import build_unchecked
from pysim.scene import Colour

__all__ = ["read_chamber", "restore_chamber", "write_chamber"]

T = TypeVar("T")
MOST_THINGS = 32
"""Of a kind that a chamber has, at most."""
_Entry = Mapping[str, object]


def read_chamber(document: Mapping[str, object]) -> Chamber:
    """Return a chamber from its document; lists that are empty may be missing.

    Raises:
        InputError: something is missing, of the wrong type or impossible; the message says what.
    """
    layers = tuple(
        tuple(_text(row, "a row") for row in _list(layer, "a layer"))
        for layer in _list(document.get("layers"), "layers")
    )
    chamber = Chamber(layers=layers, **_read_things(document))
    check_rest(chamber)
    check_paths(chamber)
    return chamber


def restore_chamber(document: Mapping[str, Any]) -> Chamber:
    """Return a chamber from the document that :func:`write_chamber` has made.

    What has to fit together isn't checked.
    """
    layers = tuple(map(tuple, document["layers"]))
    return build_unchecked(Chamber, layers=layers, **_read_things(document))


def _read_things(document: Mapping[str, object]) -> dict[str, Any]:
    """Return all values of a chamber but its layers."""
    return {
        "agent": Colour(_name(document.get("agent"))),
        "start": _cell(document.get("start")),
        "exit": _cell(document.get("exit")),
        "boxes": _each(document, "boxes", _box),
        "buttons": _each(document, "buttons", _button),
        "doors": _each(document, "doors", _door),
        "receivers": _each(document, "receivers", _receiver),
        "lasers": _each(document, "lasers", _emitter),
        "bridges": _each(document, "bridges", _emitter),
        "beams": _each(document, "beams", _emitter),
        "fields": tuple(_cell(cell) for cell in _list(document.get("fields", []), "fields")),
        "pads": _each(document, "pads", _pad),
    }


def _box(entry: _Entry) -> MovableBox:
    turns = entry.get("turns")
    name, cell = Colour(_name(entry.get("name"))), _cell(entry.get("cell"))
    return MovableBox(name, cell, None if turns is None else _way(turns))


def _button(entry: _Entry) -> Button:
    ticks = _whole(entry.get("ticks", 0))
    if not 0 <= ticks <= 100:
        raise InputError(f"a button works for at most 100 ticks, not {ticks}")
    return Button(_name(entry.get("name")), _cell(entry.get("cell")), ticks)


def _door(entry: _Entry) -> Door:
    return Door(_name(entry.get("name")), _cell(entry.get("cell")), _names(entry.get("needs")))


def _receiver(entry: _Entry) -> Receiver:
    return Receiver(_name(entry.get("name")), _cell(entry.get("cell")))


def _pad(entry: _Entry) -> Pad:
    return Pad(_cell(entry.get("cell")), _cell(entry.get("speed")))


def _emitter(entry: _Entry) -> Emitter:
    needs = _names(entry.get("needs", []))
    return Emitter(_cell(entry.get("cell")), _way(entry.get("way")), needs)


def _each(document: _Entry, key: str, read: Callable[[_Entry], T]) -> tuple[T, ...]:
    found = _list(document.get(key, []), key)
    if len(found) > MOST_THINGS:
        raise InputError(f"a chamber has at most {MOST_THINGS} {key}, not {len(found)}")
    if not all(isinstance(entry, Mapping) for entry in found):
        raise InputError(f"{key} are objects")
    return tuple(read(entry) for entry in found if isinstance(entry, Mapping))


def _list(value: object, what: str) -> list[object]:
    if not isinstance(value, list):
        raise InputError(f"{what} is a list, not {quote(value, 60)}")
    return value


def _text(value: object, what: str) -> str:
    if not isinstance(value, str):
        raise InputError(f"{what} is a text, not {quote(value, 60)}")
    return value


def _name(value: object) -> str:
    name = _text(value, "a name")
    if not (name.isascii() and name.replace("-", "").isalnum() and name.islower()):
        raise InputError(f"a name is a word in lower case, not {quote(name, 60)}")
    return name[:64]


def _names(value: object) -> tuple[str, ...]:
    return tuple(map(_name, _list(value, "what a thing needs")))


def _whole(value: object) -> int:
    if not is_whole(value, -1000, 1000):
        raise InputError(f"a small whole number is needed, not {quote(value, 60)}")
    return value


def _cell(value: object) -> Cell:
    numbers = [_whole(number) for number in _list(value, "a cell")]
    if len(numbers) != 3:
        raise InputError(f"a cell is three whole numbers, not {quote(value, 60)}")
    return (numbers[0], numbers[1], numbers[2])


def _way(value: object) -> Direction:
    if value not in list(Direction):
        raise InputError(f"a way is one of {', '.join(Direction)}, not {quote(value, 60)}")
    return Direction(str(value))


def write_chamber(chamber: Chamber) -> dict[str, object]:
    """Return the document that :func:`read_chamber` reads."""
    lists: dict[str, list[object]] = {
        "boxes": [
            {"name": b.name, "cell": list(b.cell)} | ({"turns": b.turns.value} if b.turns else {})
            for b in chamber.boxes
        ],
        "buttons": [
            {"name": b.name, "cell": list(b.cell)} | ({"ticks": b.ticks} if b.ticks else {})
            for b in chamber.buttons
        ],
        "doors": [
            {"name": d.name, "cell": list(d.cell), "needs": list(d.needs)} for d in chamber.doors
        ],
        "receivers": [{"name": r.name, "cell": list(r.cell)} for r in chamber.receivers],
        "lasers": [_written(one) for one in chamber.lasers],
        "bridges": [_written(one) for one in chamber.bridges],
        "beams": [_written(one) for one in chamber.beams],
        "fields": [list(cell) for cell in chamber.fields],
        "pads": [{"cell": list(p.cell), "speed": list(p.speed)} for p in chamber.pads],
    }
    return {
        "layers": [list(layer) for layer in chamber.layers],
        "agent": chamber.agent,
        "start": list(chamber.start),
        "exit": list(chamber.exit),
        **{name: entries for name, entries in lists.items() if entries},
    }


def _written(emitter: Emitter) -> dict[str, object]:
    entry: dict[str, object] = {"cell": list(emitter.cell), "way": emitter.way.value}
    return entry | ({"needs": list(emitter.needs)} if emitter.needs else {})
