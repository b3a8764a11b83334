"""Tolerant reader of the literals that models write: JSON, JSON5, Python and calls.

It reads what :mod:`json` reads, and besides: trailing and missing commas, comments, single and
typographic quotes, unquoted keys and words, Python's names of constants, tuples, and calls like
``slide(pieces=["red"])``. Work is bounded by a :class:`WorkLimit`, whatever the text is.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import EllipsisType
from typing import NoReturn

__all__ = [
    "Invocation",
    "Literal",
    "LiteralError",
    "LiteralReader",
    "WorkLimit",
    "WorkLimitReached",
    "find_literals",
]

MAX_DEPTH = 64
"""Levels of nesting that are read."""


@dataclass(frozen=True, slots=True)
class Invocation:
    """A call in the syntax of a programming language.

    Attributes:
        name: of the function, with the dots of a qualified name.
        positional: values without a name.
        named: keyword arguments.
    """

    name: str
    positional: tuple["Literal", ...]
    named: Mapping[str, "Literal"]


Literal = (
    str
    | int
    | float
    | bool
    | None
    | EllipsisType
    | Invocation
    | list["Literal"]
    | dict[str, "Literal"]
)
"""A value; ``...`` stands for something that the author left out."""


class LiteralError(Exception):
    """A literal can't be read.

    Attributes:
        position: index of the first character that doesn't fit.
        at_end: whether the text or its fenced block ends inside the literal.
    """

    def __init__(self, reason: str, position: int, at_end: bool = False) -> None:
        super().__init__(reason)
        self.position = position
        self.at_end = at_end


class WorkLimitReached(Exception):
    """Reading takes more work than any honest text does."""


class WorkLimit:
    """Counter of the work that is left.

    Args:
        units: one for each token, and one for each 32 characters.
    """

    def __init__(self, units: int = 300_000) -> None:
        self._left = units

    def subtract(self, characters: int) -> None:
        """Subtract the work for a number of characters.

        Raises:
            WorkLimitReached: none is left.
        """
        self._left -= 1 + characters // 32
        if self._left < 0:
            raise WorkLimitReached


_SKIPPED = re.compile(
    r"(?:[\s\ufeff\u200b]++|//[^\n]*+|\#[^\n]*+|/\*(?:[^*]|\*(?!/)){0,1000}+\*/)*+"
)
_LONGEST_COMMENT = 1000
_END = re.compile(r"\Z|```|~~~")
_DOUBLE = re.compile(r'"([^"\\]*+(?:\\.[^"\\]*+)*+)"', re.DOTALL)
_QUOTES = {
    "'": "'\u2019",
    "\u2018": "\u2019'\u2018",
    "\u201c": '\u201d\u201c"',
    "\u201e": '\u201c\u201d"',
    "\u201d": '\u201d"',
}
"""Opening quotes other than the plain double one, and those that may close them."""
_AFTER_STRING = re.compile(r"[ \t]*(?:[,:;=\]})\uff0c\uff1a]|//|\n|\Z|```)")
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|.)", re.DOTALL)
_ESCAPED = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "\n": ""}
_NUMBER = re.compile(
    r"[+-]?(?:\d{1,400}+(?:\.\d{0,400}+)?|\.\d{1,400}+)(?:[eE][+-]?\d{1,9})?(?![\w'])"
)
_WORD = re.compile(r"[+-]?[^\W\d][\w.'\u2019+/-]*+")
_KEY = re.compile(r"[^\W\d][\w$-]*+|\d{1,9}")
_COLON = re.compile(r"=>|[:=\uff1a]")
_ELLIPSIS = re.compile(r"\.\.\.+|\u2026")
_CONSTANTS: dict[str, bool | float | None] = {
    "true": True,
    "false": False,
    "null": None,
    "none": None,
    "undefined": None,
    "nan": float("nan"),
    "infinity": float("inf"),
    "-infinity": float("-inf"),
}
_CLOSERS = {"[": "]", "(": ")"}
_COMMAS = (",", "\uff0c", ";")


class LiteralReader:
    """Reads the literals of one text.

    Args:
        text: what a model wrote.
        limit: bounds the work; shared by all readers of one answer.
    """

    def __init__(self, text: str, limit: WorkLimit) -> None:
        self._text = text
        self._limit = limit
        self._at = 0

    def read(self, start: int = 0) -> tuple[Literal, int]:
        """Return the literal that begins at ``start``, and the index behind it.

        Raises:
            LiteralError: there is none.
            WorkLimitReached: the text is too tangled.
        """
        self._at = start
        value = self._value(0)
        return value, self._at

    def _fail(self, reason: str) -> NoReturn:
        raise LiteralError(reason, self._at, bool(_END.match(self._text, self._at)))

    def _take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        found = pattern.match(self._text, self._at)
        if found:
            self._limit.subtract(found.end() - self._at)
            self._at = found.end()
        return found

    def _skip(self) -> str:
        """Skip blanks and comments, and return the next character; empty at the end."""
        self._take(_SKIPPED)
        if self._text.startswith("/*", self._at):  # It isn't closed, or too long.
            self._limit.subtract(_LONGEST_COMMENT * 32)
        return self._text[self._at : self._at + 1]

    def _value(self, depth: int) -> Literal:
        sign = self._skip()
        if depth > MAX_DEPTH:
            self._fail("it is nested too deep")
        if sign == "{":
            return self._object(depth)
        if sign in _CLOSERS:
            return self._list(depth)
        if sign == '"' or sign in _QUOTES:
            return self._string(sign)
        if self._take(_ELLIPSIS):
            return ...
        if number := self._take(_NUMBER):
            return _number(number[0])
        return self._word(depth)

    def _word(self, depth: int) -> Literal:
        found = self._take(_WORD)
        if not found:
            self._fail("a value is missing")
        word = found[0]
        if self._text[self._at : self._at + 1] == "(":
            return self._invocation(word, depth)
        return _CONSTANTS.get(word.lower(), word.replace("\u2019", "'"))

    def _list(self, depth: int) -> list[Literal]:
        closer = _CLOSERS[self._text[self._at]]
        self._at += 1
        values: list[Literal] = []
        while self._skip() != closer:
            values.append(self._value(depth + 1))
            nested = isinstance(values[-1], list | dict | Invocation)
            self._separate(closer, "{[" if nested else "")
        self._at += 1
        return values

    def _object(self, depth: int) -> dict[str, Literal]:
        self._at += 1
        values: dict[str, Literal] = {}
        try:
            while self._skip() != "}":
                self._member(values, depth)
                self._separate("}", "")
        except LiteralError as error:
            opens = self._text.startswith(("{", "["), error.position)
            if depth or opens or not _is_settled(values):
                raise
            return values
        self._at += 1
        return values

    def _member(self, values: dict[str, Literal], depth: int) -> None:
        if self._take(_ELLIPSIS):
            values["..."] = ...
            return
        key = self._key()
        self._skip()
        if not self._take(_COLON):
            self._fail(f"a colon is missing after {key[:40]!r}")
        values[key] = self._value(depth + 1)

    def _key(self) -> str:
        sign = self._skip()
        if sign == '"' or sign in _QUOTES:
            return self._string(sign)
        found = self._take(_KEY)
        if not found:
            self._fail("a key is missing")
        return found[0]

    def _separate(self, closer: str, openers: str) -> None:
        """Go past a comma; it may be missing at the end of a line, and before ``openers``."""
        before = self._at
        sign = self._skip()
        if sign in _COMMAS:
            self._at += len(sign)
            if not sign:
                self._fail("it isn't closed")
        elif sign != closer and not (sign and sign in openers):
            quoted = sign == '"' or sign in _QUOTES
            if not quoted or "\n" not in self._text[before : self._at]:
                self._fail("a comma or a closing bracket is missing" if sign else "it isn't closed")

    def _invocation(self, name: str, depth: int) -> Invocation | dict[str, Literal]:
        self._at += 1
        positional: list[Literal] = []
        named: dict[str, Literal] = {}
        while self._skip() != ")":
            begin = self._at
            key = self._take(_KEY)
            self._skip()
            if key and self._take(_COLON):
                named[key[0]] = self._value(depth + 1)
            else:
                self._at = begin
                positional.append(self._value(depth + 1))
            self._separate(")", "")
        self._at += 1
        if name == "dict" and not positional:
            return named
        return Invocation(name, tuple(positional), named)

    def _string(self, quote: str) -> str:
        if quote == '"':
            found = self._take(_DOUBLE)
            if found:
                return _unescaped(found[1])
            self._limit.subtract(len(self._text) - self._at)
            raise LiteralError("a text isn't closed", len(self._text), at_end=True)
        return self._quoted(_QUOTES[quote])

    def _quoted(self, closers: str) -> str:
        """Return a text in other quotes: up to one that something follows which ends a text."""
        start = self._at + 1
        stop = self._text.find("\n", start)
        stop = len(self._text) if stop < 0 else stop
        self._limit.subtract(stop - start)
        at = start
        while at < stop:
            sign = self._text[at]
            if sign in closers and _AFTER_STRING.match(self._text, at + 1):
                self._limit.subtract(at - start)
                self._at = at + 1
                return _unescaped(self._text[start:at]).replace("\u2019", "'")
            at += 2 if sign == "\\" else 1
        raise LiteralError("a text isn't closed", stop, at_end=stop == len(self._text))


def _is_settled(values: Mapping[str, Literal]) -> bool:
    """Return whether a list of actions is whole, so that damage behind it does no harm."""
    return any(key.lower() == "actions" and isinstance(v, list) for key, v in values.items())


def _number(text: str) -> int | float:
    try:
        return int(text)
    except ValueError:
        return float(text)


def _unescaped(text: str) -> str:
    if "\\" not in text:
        return text
    plain = _ESCAPE.sub(_escape, text)
    # Two halves of one character that were escaped by themselves.
    return plain.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")


def _escape(found: re.Match[str]) -> str:
    sign = found[1]
    if len(sign) > 1:
        return chr(int(sign[1:], 16))
    return _ESCAPED.get(sign, sign)


def find_literals(text: str, limit: WorkLimit) -> Iterator[tuple[Literal, int, int]]:
    """Yield the outermost objects and lists in a text, each with its begin and end.

    Raises:
        WorkLimitReached: the text is too tangled.
    """
    reader, at = LiteralReader(text, limit), 0
    while found := re.compile(r"[{\[]").search(text, at):
        try:
            value, at = reader.read(found.start())
        except LiteralError:
            at = found.end()
            limit.subtract(0)
        else:
            yield value, found.start(), at
