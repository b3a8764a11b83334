"""Items of a file, as suites of one's own and the headers of runs have them."""

import hashlib
import json
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Generic, Self, TypeVar

from pysim.errors import InputError
from pysim.field_types import Json

__all__ = ["GivenItems"]

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class GivenItems(ABC, Generic[T]):
    """The puzzles of a suite of one's own. A bench derives a class that reads and writes them.

    Attributes:
        name: name of the suite.
        entries: the puzzles, in order.
        digest: digest of all of them, by which two are compared: there may be thousands.
        key: name of the list of puzzles in a document.
    """

    name: str
    entries: tuple[T, ...] = field(compare=False)
    digest: str = field(init=False, repr=False)
    key: ClassVar[str]

    @staticmethod
    @abstractmethod
    def write(entry: T) -> dict[str, Json]:
        """Return a puzzle as an object."""

    @staticmethod
    @abstractmethod
    def read(document: object) -> T:
        """Read a puzzle.

        Raises:
            InputError: it is damaged.
        """

    def __post_init__(self) -> None:
        text = json.dumps(self.to_document())
        object.__setattr__(self, "digest", hashlib.sha256(text.encode()).hexdigest())

    def pick(self, seed: int) -> T:
        """Return the puzzle of a seed."""
        return self.entries[seed % len(self.entries)]

    def to_document(self) -> Json:
        """Return the object that :meth:`from_document` reads."""
        return {"name": self.name, self.key: [self.write(one) for one in self.entries]}

    @classmethod
    def from_document(cls, document: Json) -> Self:
        """Read the puzzles in the header of a run.

        Raises:
            InputError: they are damaged.
        """
        found = document.get(cls.key) if isinstance(document, Mapping) else None
        if not isinstance(document, Mapping) or not isinstance(found, list) or not found:
            raise InputError(f"given cubes are an object with a name and a list of {cls.key}")
        return cls(str(document.get("name")), tuple(map(cls.read, found)))
