"""Reading small XML files that anyone may have written, without trusting them.

Everything is bounded before it is stored: bytes on disk and after unpacking, length of a tag, depth
and number of elements. There are no document types, so no entities but XML's own five.
"""

import codecs
import re
import zlib
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from xml.parsers import expat

from pysim.families.burr.files.design import DesignError
from pysim.untrusted import FileKind, FileRefused, read_untrusted

__all__ = ["MAX_BYTES", "Element", "check_text", "guess_encoding", "load_bytes", "read_xml"]

MAX_BYTES = 16 * 1024 * 1024
"""Longest file, and longest text that a packed file may hold: a hundred times what is usual."""
DESIGN_FILE = FileKind("a design", MAX_BYTES)
MAX_ELEMENTS = 50_000
"""Elements that become :class:`Element` values."""
MAX_VERBATIM = 500_000
"""Elements inside those that are kept as they are written."""
MAX_DEPTH = 1_000
MAX_TAG = 256 * 1024
"""Bytes of the longest tag: a parser must hold it whole."""
CHUNK = 64 * 1024
GZIP_MAGIC = b"\x1f\x8b"
_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(slots=True)
class Element:
    """One XML element.

    Attributes:
        tag: its name.
        attributes: name -> value.
        children: elements directly inside, in order.
        parts: pieces of the text directly inside, in order.
        verbatim: the element as it is written, if it is one of those to keep so; the rest is empty.
    """

    tag: str
    attributes: dict[str, str]
    children: list["Element"] = field(default_factory=list)
    parts: list[str] = field(default_factory=list)
    verbatim: str = ""

    @property
    def text(self) -> str:
        """The text directly inside."""
        return "".join(self.parts)

    def find_all(self, tag: str) -> Iterator["Element"]:
        """Return the children called ``tag``."""
        return (child for child in self.children if child.tag == tag)

    def find(self, tag: str) -> "Element | None":
        """Return the child called ``tag``, or None.

        Raises:
            DesignError: there are several.
        """
        found = list(self.find_all(tag))
        if len(found) > 1:
            raise DesignError(f"<{self.tag}> holds {len(found)} <{tag}> where one may be")
        return found[0] if found else None

    def get(self, tag: str) -> "Element":
        """Return the child called ``tag``.

        Raises:
            DesignError: there is none, or several.
        """
        found = self.find(tag)
        if found is None:
            raise DesignError(f"<{self.tag}> holds no <{tag}>")
        return found


def load_bytes(source: bytes | Path) -> bytes:
    """Return the content of a file, unpacked if it is gzipped.

    Raises:
        DesignError: it can't be read, is empty, damaged or too large.
    """
    data = source if isinstance(source, bytes) else _read_file(source)
    if len(data) > MAX_BYTES:
        raise DesignError(f"the file is larger than {MAX_BYTES:,} bytes")
    if not data:
        raise DesignError("the file is empty")
    return _unpacked(data) if data.startswith(GZIP_MAGIC) else data


def _read_file(path: Path) -> bytes:
    try:
        return read_untrusted(path, DESIGN_FILE)
    except FileRefused as error:
        raise DesignError(str(error)) from None
    except OSError as error:
        raise DesignError(f"can't read {str(path)!r}: {error}") from error


def _unpacked(data: bytes) -> bytes:
    unpacker = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
    try:
        text = unpacker.decompress(data, MAX_BYTES + 1)
    except zlib.error as error:
        raise DesignError(f"the packed file is damaged: {error}") from error
    if len(text) > MAX_BYTES:
        raise DesignError(f"unpacked, the file is larger than {MAX_BYTES:,} bytes")
    if not unpacker.eof:
        raise DesignError("the packed file is cut short")
    # Some tools fill the last block of a file with zeros.
    if unpacker.unused_data.strip(b"\0"):
        raise DesignError(f"{len(unpacker.unused_data):,} bytes follow the end of the packed file")
    if not text:
        raise DesignError("the packed file is empty")
    return text


def guess_encoding(data: bytes) -> str:
    """``utf-8`` if ``data`` is that, else ``iso-8859-1``: old files don't say what they hold."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        for start in range(0, len(data), CHUNK):
            decoder.decode(data[start : start + CHUNK])
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return "iso-8859-1"
    return "utf-8"


def check_text(text: str) -> str:
    """``text``, if it is made of characters that XML can hold.

    Raises:
        DesignError: it holds another, such as a control character.
    """
    if bad := _FORBIDDEN.search(text):
        raise DesignError(f"a text can't hold the character {bad[0]!r}")
    return text


def read_xml(data: bytes, *, verbatim: Collection[str] = ()) -> Element:
    """Return the root element of an XML text in utf-8 or latin-1.

    Args:
        data: the text, not packed.
        verbatim: tags of elements that are kept as they are written instead of being taken apart.

    Raises:
        DesignError: it is no XML, declares a document type, or is larger than the limits above.
    """
    return _Reader(data.removeprefix(codecs.BOM_UTF8), frozenset(verbatim)).read()


class _Reader:
    """Builds elements from what the parser reports."""

    def __init__(self, data: bytes, verbatim: frozenset[str]) -> None:
        self._data = data
        self._encoding = guess_encoding(data)
        self._verbatim = verbatim
        self._top = Element("", {})
        self._open = [self._top]
        self._count = 0
        # While an element is kept as it is written: where it starts, and how deep in it we are.
        self._start = 0
        self._inside = 0
        self._skipped = 0
        self._parser = expat.ParserCreate(self._encoding)
        self._parser.buffer_text = True
        self._parser.StartElementHandler = self._begin
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._characters
        self._parser.StartDoctypeDeclHandler = self._doctype

    def read(self) -> Element:
        try:
            for start in range(0, len(self._data), CHUNK):
                self._parser.Parse(self._data[start : start + CHUNK], False)
                if start + CHUNK - self._parser.CurrentByteIndex > MAX_TAG:
                    raise DesignError(f"a tag or comment is longer than {MAX_TAG:,} bytes")
            self._parser.Parse(b"", True)
        except expat.ExpatError as error:
            raise DesignError(
                f"the file is no XML ({error}): save it again in the program that made it"
            ) from error
        return self._top.children[0]

    def _begin(self, tag: str, attributes: dict[str, str]) -> None:
        if len(self._open) + self._inside > MAX_DEPTH:
            raise DesignError(f"elements are nested more than {MAX_DEPTH:,} deep")
        if self._inside:
            self._inside += 1
            self._skipped += 1
            if self._skipped > MAX_VERBATIM:
                raise DesignError(f"the file has more than {MAX_VERBATIM:,} elements of solutions")
            return
        self._count += 1
        if self._count > MAX_ELEMENTS:
            raise DesignError(f"the file has more than {MAX_ELEMENTS:,} elements")
        if tag in self._verbatim:
            self._inside = 1
            self._start = self._parser.CurrentByteIndex
            return
        element = Element(tag, attributes)
        self._open[-1].children.append(element)
        self._open.append(element)

    def _end(self, tag: str) -> None:
        if not self._inside:
            self._open.pop()
            return
        self._inside -= 1
        if not self._inside:
            text = self._data[self._start : self._end_of(tag)].decode(self._encoding)
            self._open[-1].children.append(Element(tag, {}, verbatim=text))

    def _end_of(self, tag: str) -> int:
        """Return the end of the closing element, which the parser is at or has just passed."""
        here = self._parser.CurrentByteIndex
        if self._data.startswith(b"</" + tag.encode(self._encoding), here):
            return self._data.index(b">", here) + 1
        return here

    def _characters(self, text: str) -> None:
        if not self._inside:
            self._open[-1].parts.append(text)

    def _doctype(self, *_: object) -> None:
        raise DesignError("the file declares a document type, which a puzzle has no use for")
