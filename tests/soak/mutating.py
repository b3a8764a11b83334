"""Damaging what is whole: bytes, fields of JSON, lines, numbers in text, fields of messages."""

import json
import re
from collections.abc import Callable, Sequence
from copy import deepcopy
from io import BytesIO
from random import Random
from typing import Any
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

__all__ = ["arrays_of", "bytes_of", "document_of", "fields_of_message", "lines_of", "numbers_of"]

TOKENS: Sequence[bytes] = (
    b"", b"\x00", b"\xff", b"\xed\xa0\x80", b"\n", b"\r\n", b"{", b"}", b"[", b"]", b'"', b",",
    b"-", b"-1", b"0", b"1e999", b"NaN", b"null", b"true", b"99999999999999999999", b"\\ud800",
    b"[" * 2000, b"9" * 5000, b"\x1b[2J", b"../../", b"<", b"&", b"\xef\xbb\xbf",
)  # fmt: skip
VALUES: Sequence[Any] = (
    None, True, False, 0, 1, -1, 2, 7, 100, 1000, -1000, 10**6, 2**31, -(2**63), 2**64, 10**400,
    0.5, -0.0, 1e308, "", "x", "\ud800", "\x00", "\x1b]0;x\x07", "\u202e", "a\nb", "../../etc",
    "/dev/zero", "red", "burr", "[/]", "[red]x[/red]", "é" * 300, "x" * 5000, [], {}, [[]], [None],
    {"": ""}, {"type": "end"}, [1, 2, 3], ["red"], [[0, 0, 0]], list(range(50)),
)  # fmt: skip


def bytes_of(random: Random, data: bytes) -> bytes:
    """Some bytes changed, taken out, doubled or put in."""
    for _ in range(1 + int(random.expovariate(1))):
        start = random.randrange(len(data) + 1)
        end = min(len(data), start + int(random.expovariate(1 / 8)))
        kind = random.randrange(6)
        if kind == 0 and start < len(data):
            data = (
                data[:start] + bytes([data[start] ^ 1 << random.randrange(8)]) + data[start + 1 :]
            )
        elif kind == 1:
            data = data[:start] + data[end:]
        elif kind == 2:
            data = data[:end] + data[start:]
        elif kind == 3:
            data = data[:start] + random.choice(TOKENS) + data[end:]
        elif kind == 4:
            data = data[:start] + random.randbytes(random.randrange(1, 9)) + data[start:]
        else:
            data = data[:start]
    return data


def document_of(random: Random, document: Any) -> Any:
    """A JSON document with a few fields changed, taken out, renamed or exchanged; a new one."""
    made = json.loads(json.dumps(document))
    for _ in range(1 + int(random.expovariate(1.5))):
        places = list(_places(made))
        if places:
            holder, key = random.choice(places)
            random.choice(_CHANGES)(random, holder, key, places)
    try:
        json.dumps(made)
    except RecursionError:  # It was made deep more than once.
        return document
    return made


def _places(document: Any) -> list[tuple[Any, Any]]:
    """Every place of a document: what holds it, and the key or index there."""
    found: list[tuple[Any, Any]] = []
    left = [document]
    while left:
        holder = left.pop()
        if isinstance(holder, dict | list):
            keys = list(holder) if isinstance(holder, dict) else list(range(len(holder)))
            found += [(holder, key) for key in keys]
            left += [holder[key] for key in keys]
    return found


Place = tuple[Any, Any]
_LARGE = 10**300
"""Whole numbers from here on have no halves."""


def _replace(random: Random, holder: Any, key: Any, places: list[Place]) -> None:
    holder[key] = deepcopy(random.choice(VALUES))  # Which the next change may change.


def _nudge(random: Random, holder: Any, key: Any, places: list[Place]) -> None:
    old = holder[key]
    if isinstance(old, int | float) and not isinstance(old, bool):
        step = random.choice((-1, 1, 0.5, 10, -100, 1000, 10**9))
        holder[key] = old + (step if abs(old) < _LARGE else int(step))
    elif isinstance(old, str):
        text = bytes_of(random, old.encode("utf-8", "surrogatepass"))
        holder[key] = text.decode("utf-8", "replace")
    else:
        holder[key] = deepcopy(random.choice(VALUES))


def _remove(random: Random, holder: Any, key: Any, places: list[Place]) -> None:
    del holder[key]


def _rename(random: Random, holder: Any, key: Any, places: list[Place]) -> None:
    if isinstance(holder, dict):
        holder[random.choice(("", "type", "format", "x", "\ud800", str(key).upper()))] = holder.pop(
            key
        )
    else:
        holder.insert(key, holder[key])


def _exchange(random: Random, holder: Any, key: Any, places: list[Place]) -> None:
    other, there = random.choice(places)
    # A copy, for a document that holds itself is none.
    value = json.loads(json.dumps(other[there]))
    other[there] = json.loads(json.dumps(holder[key]))
    if key in holder if isinstance(holder, dict) else key < len(holder):
        holder[key] = value


def _deepen(random: Random, holder: Any, key: Any, places: list[Place]) -> None:
    for _ in range(random.choice((1, 2, 50, 300))):
        holder[key] = [holder[key]]


_CHANGES: Sequence[Callable[[Random, Any, Any, list[Place]], None]] = (
    _replace, _replace, _nudge, _nudge, _remove, _rename, _exchange, _deepen,
)  # fmt: skip


def lines_of(random: Random, data: bytes) -> bytes:
    """JSON Lines of which one has changed fields, or lines are exchanged, doubled, taken out."""
    lines = data.splitlines(keepends=True)
    if not lines:
        return bytes_of(random, data)
    number = random.randrange(len(lines))
    kind = random.randrange(8)
    if kind == 0:
        del lines[number]
    elif kind == 1:
        lines.insert(random.randrange(len(lines)), lines[number])
    elif kind == 2:
        lines = lines[:number]
    else:
        try:
            document = json.loads(lines[number])
        except ValueError:
            return bytes_of(random, data)
        lines[number] = json.dumps(document_of(random, document)).encode() + b"\n"
    return b"".join(lines)


def arrays_of(random: Random, data: bytes) -> bytes:
    """A NumPy archive of which an array has damaged bytes, another type or shape, or is gone."""
    with ZipFile(BytesIO(data)) as archive:
        content = {name: archive.read(name) for name in archive.namelist()}
    name = random.choice(list(content))
    kind = random.randrange(4)
    if kind == 0:
        del content[name]
    elif kind == 1:
        content[name] = random.choice(list(content.values()))
    elif kind == 2:
        content[name] = content[name][:128] + bytes_of(random, content[name][128:])
    else:
        head, rest = content[name][:128], content[name][128:]
        start, end = random.choice([m.span() for m in re.finditer(rb"[<>|]?\w+", head)] or [(0, 1)])
        content[name] = head[:start] + random.choice(_TYPES) + head[end:] + rest
    made = BytesIO()
    with ZipFile(made, "w", random.choice((ZIP_STORED, ZIP_DEFLATED))) as archive:
        for name, array in content.items():
            archive.writestr(name, array)
    return made.getvalue()


_TYPES = (b"<f8", b"<u2", b"<i8", b"|O", b"<U9", b"<c16", b"0", b"1", b"99", b"-1", b"9" * 30)
"""What stands in the head of an array in place of its type or a number of its shape."""


def numbers_of(random: Random, data: bytes) -> bytes:
    """Text in which a word is another one, or a number."""
    words = data.replace(b'"', b' " ').split(b" ")
    for _ in range(1 + int(random.expovariate(1))):
        number = random.randrange(len(words))
        words[number] = random.choice((random.choice(TOKENS), random.choice(words), b"1", b"2"))
    return b" ".join(words)


def fields_of_message(random: Random, message: Message) -> None:
    """Change a few fields of a message, those of messages inside it among them."""
    for _ in range(1 + int(random.expovariate(1.5))):
        _field_of(random, message)


def _field_of(random: Random, message: Message) -> None:
    field = random.choice(message.DESCRIPTOR.fields or [None])
    if field is None:
        return
    if field.message_type is not None and not field.is_repeated:
        if message.HasField(field.name) and random.random() < 0.1:
            message.ClearField(field.name)
        else:
            inner = getattr(message, field.name)
            inner.SetInParent()
            _field_of(random, inner)
    elif not field.is_repeated:
        setattr(message, field.name, _value(random, field, getattr(message, field.name)))


_INTEGERS = (FieldDescriptor.CPPTYPE_INT32, FieldDescriptor.CPPTYPE_ENUM)


def _value(random: Random, field: FieldDescriptor, old: Any) -> Any:
    kind = field.cpp_type
    if kind in _INTEGERS:
        return random.choice((0, 1, 2, 3, 99, -1, 1000, 2**31 - 1, -(2**31), old))
    if kind == FieldDescriptor.CPPTYPE_INT64:
        return random.choice((0, 1, -1, 2**63 - 1, -(2**63)))
    if kind == FieldDescriptor.CPPTYPE_BOOL:
        return random.random() < 0.5
    return _text(random, old)


def _text(random: Random, old: str) -> str:
    kind = random.randrange(4)
    if kind == 0:
        chosen = random.choice([value for value in VALUES if isinstance(value, str)])
        return chosen.encode("utf-8", "replace").decode()
    if kind == 1:
        return bytes_of(random, old.encode()).decode("utf-8", "replace")
    try:
        document = json.loads(old)
    except (ValueError, RecursionError):  # Some of VALUES are too deep.
        return random.choice(("", old * 2, old + "x", json.dumps(random.choice(VALUES))))
    return json.dumps(document_of(random, document))
