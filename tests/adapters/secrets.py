"""What agents must not be told, and looking for it in what they are told."""

import base64
import json
import re
import struct
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from bridge.episode.episode import state_hash
from bridge.episode.tools import ActionSpace, ToolCall
from pysim.catalog import find_family
from pysim.puzzle import ActionError, Level

__all__ = [
    "always_secret",
    "every_form",
    "found_in",
    "hidden_cells",
    "picture_texts",
    "secret_in_pictures_only",
    "states_of",
    "without_pictures",
]

ROOT = Path(__file__).resolve().parents[2]


def states_of(level: Level[Any], calls: Sequence[ToolCall]) -> list[Any]:
    """The states that an episode of these calls goes through."""
    rules = find_family(level).rules
    space = ActionSpace(find_family(level).actions, level.colours)
    states = [rules.initial(level)]
    for call in calls:
        try:
            after = rules.apply(level, states[-1], space.parse(call)).state
        except ActionError:
            continue
        states.append(after)
    return states


_DEVICES = frozenset({"Beam", "Bridge", "Button", "Gates", "bridge", "button", "gates"})
"""Names and facts of some chambers, but words as well for what there is in any."""


def always_secret(level: Level[Any], calls: Sequence[ToolCall], *folders: Path) -> set[str]:
    """What no agent is told in any mode: of which level it is, what is planned, where files are."""
    rules = find_family(level).rules
    states = states_of(level, calls)
    return {
        *(level.id, level.name, level.hash, level.hash.removeprefix("sha256:")),
        *(level.source.reference, level.source.generator or level.id),
        *([str(level.source.seed)] if (level.source.seed or 0) > 99_999 else []),
        *(fact for fact in level.facts.values() if isinstance(fact, str) and len(fact) > 4),
        *(state_hash(level, state) for state in states),
        *(rules.encode(state) for state in states),
        *_planned(level, calls),
        *(str(folder) for folder in (ROOT, *folders)),
    } - _DEVICES


def _planned(level: Level[Any], said: Sequence[ToolCall]) -> Iterator[str]:
    """The actions of the plan that the agent has not made itself, as lines and as JSON."""
    assert level.plan is not None
    space = ActionSpace(find_family(level).actions, level.colours)
    names = [action.tool for action in level.plan.actions]
    if len(names) > 2:
        yield from (json.dumps(names), json.dumps(names, separators=(",", ":")), str(names))
        yield from (join.join(names) for join in (",", ", ", " ", "\n", ";"))
    for action in level.plan.actions:
        call = ToolCall.of(action)
        if call not in said:
            yield space.line(action)
            yield call.arguments_json()
            yield json.dumps(dict(call.arguments))
            yield str(dict(call.arguments))


def secret_in_pictures_only(level: Level[Any], calls: Sequence[ToolCall]) -> set[str]:
    """What an agent that is shown pictures alone is not told: the state in words."""
    family = find_family(level)
    told = [family.rules.describe(level, state) for state in states_of(level, calls)]
    if family.text_only is not None:
        describe = family.text_only.describe
        told += [describe(level.puzzle, state) for state in states_of(level, calls)]
    lines = {line for text in told for line in text.splitlines()}
    cells = {line.partition("cells ")[2] for line in lines}
    facelets = {word for line in lines for word in re.findall(r"\b[WRBOGY]{9,}\b", line)}
    return {text for text in lines | cells | facelets if text}


def every_form(secrets: Iterable[str]) -> set[str]:
    """Secrets as they are, escaped in JSON, in hexadecimal digits, backwards, and in base64."""
    return {form for secret in secrets for form in _forms(secret)}


def _forms(secret: str) -> Iterator[str]:
    data = secret.encode()
    yield from (secret, secret[::-1], data.hex(), json.dumps(secret)[1:-1])
    if len(data) < 6:
        return
    for shift in range(3):  # Where it begins among the groups of three bytes.
        coded = base64.b64encode(b"\0" * shift + data).decode()
        first, last = -(-8 * shift // 6), (shift + len(data)) * 8 // 6
        yield coded[first:last]
        yield coded[first:last].translate(str.maketrans("+/", "-_"))


def hidden_cells(level: Level[Any], calls: Sequence[ToolCall]) -> set[str]:
    """The cells of each piece in each state, where they are and in its own frame, as numbers.

    As lists of them are written in Python, in JSON, and in words.
    """
    found: set[str] = set()
    for state in states_of(level, calls):
        for body in find_family(level).rules.scene(level, state).bodies:
            for shape in (body.shape, body.place()):
                cells = [tuple(map(int, cell)) for cell in shape.cells]
                if len(cells) > 3:
                    found |= _written(cells)
    return found


def _written(cells: Sequence[tuple[int, ...]]) -> set[str]:
    lists = [list(cell) for cell in cells]
    flat = [number for cell in cells for number in cell]
    words = [",".join(map(str, cell)) for cell in cells]
    texts = {
        *(str(part)[1:-1] for part in (cells, lists, flat)),
        *(json.dumps(part, separators=(",", ":"))[1:-1] for part in (lists, flat)),
        *(join.join(words) for join in (";", " ", "; ", "\n")),
        " ".join(map(str, flat)),
        " ".join(f"({word})" for word in words),
    }
    return texts


def without_pictures(captured: Iterable[str | bytes]) -> list[str | bytes]:
    """What was captured, but for the pixels of its PNGs: any short number is in them somewhere."""
    pixels = re.compile(rb"IDAT.*?IEND", re.DOTALL)
    return [pixels.sub(b"", part) if isinstance(part, bytes) else part for part in captured]


def found_in(captured: Iterable[str | bytes], secrets: Iterable[str]) -> set[str]:
    """The secrets that stand somewhere in what was captured."""
    texts = [part.encode() if isinstance(part, str) else part for part in captured]
    return {secret for secret in secrets if any(secret.encode() in text for text in texts)}


def picture_texts(captured: Iterable[str | bytes]) -> list[bytes]:
    """The chunks of the PNGs in what was captured that are neither pixels nor their frame."""
    return [
        chunk
        for part in captured
        for picture in _pngs(part)
        for name, chunk in _chunks(picture)
        if name not in (b"IHDR", b"IDAT", b"IEND")
    ]


def _pngs(part: str | bytes) -> Iterator[bytes]:
    text = part if isinstance(part, bytes) else part.encode()
    yield from (text[match.start() :] for match in re.finditer(rb"\x89PNG\r\n", text))
    for match in re.finditer(rb"iVBORw0KGgo[A-Za-z0-9+/]*={0,2}", text):
        yield base64.b64decode(match[0])


def _chunks(png: bytes) -> Iterator[tuple[bytes, bytes]]:
    place = 8
    while True:
        length, name = struct.unpack(">I4s", png[place : place + 8])
        yield name, png[place + 8 : place + 8 + length]
        place += length + 12
        if name == b"IEND":
            return
