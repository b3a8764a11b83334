"""Items: questions whose answers are checked by rule, for families that ask besides play.

An item shows text and pictures and wants an answer of a certain form. A trial is what one attempt
consists of: one item, or several of which each may depend on the answers before. Trials are pure:
the same answers lead to the same items, so that a log of answers tells everything.
"""

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from random import Random
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar, runtime_checkable

from pysim.answer_keys import AnswerKey
from pysim.errors import InputError
from pysim.field_types import Json
from pysim.scene import Scene
from pysim.viewpoints import Panel, View

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = [
    "AnswerForm",
    "Brightness",
    "Cover",
    "Drawing",
    "Item",
    "Picture",
    "Retouch",
    "Shade",
    "Single",
    "Trial",
    "parse_word",
]

A = TypeVar("A")
S = TypeVar("S")
W = TypeVar("W", bound=StrEnum)


@dataclass(frozen=True, slots=True)
class Brightness:
    """Makes a picture brighter or darker.

    Attributes:
        factor: by which its sRGB values are multiplied, then cut off at white.
    """

    factor: float


@dataclass(frozen=True, slots=True)
class Shade:
    """Lights a picture from one side.

    Attributes:
        angle: from where the light comes, in degrees counter-clockwise from the right.
        depth: how much darker the other side is, from 0 (not at all) to 1 (black).
    """

    angle: float
    depth: float


@dataclass(frozen=True, slots=True)
class Cover:
    """Lays a grey bar over a picture.

    Attributes:
        left, top, width, height: of the bar, in shares of the picture's width and height.
    """

    left: float
    top: float
    width: float
    height: float


Retouch = Brightness | Shade | Cover


@runtime_checkable
class Drawing(Protocol):
    """A picture that needs no renderer: a net, a plot, a page."""

    def draw(self, size: int, /) -> "NDArray[np.uint8]":
        """It, (H, W, 3) sRGB, the same in every process.

        Args:
            size: its longer edge in pixels, about.
        """


@dataclass(frozen=True, slots=True)
class Picture:
    """Contents of a picture, or of several views of one scene.

    Attributes:
        name: what it is called. Of a scene with several shots each view is called by this name and
            its shot's.
        of: the scene, whose ``shots`` say from where it is looked at, or a drawing of its own.
        key: a text that tells unlike scenes or drawings of the item's kind apart.
        retouches: what is done to the finished views, in order.
        title: what its view is called where it is shown; empty for ``name``. Digests of items are
            made of names, and some are older than titles.
    """

    name: str
    of: Scene | Drawing = field(repr=False)
    key: str
    retouches: tuple[Retouch, ...] = ()
    title: str = ""

    @property
    def views(self) -> tuple[View, ...] | None:
        """The scene's; none of a drawing."""
        return self.of.views if isinstance(self.of, Scene) else ()

    def to_document(self) -> dict[str, Json]:
        """Return the document for logs: ``towards`` is the direction from which each panel is seen.

        ``eyes`` are there if a tile is seen from a point, ``changes`` if one leaves out or adds
        bodies.
        """
        tiles = [tile for shot in self.views or () for tile in shot.panels]
        eyes: list[Json] = [None if tile.eye is None else list(tile.eye) for tile in tiles]
        return {
            "name": self.name,
            "key": self.key,
            "towards": [list(tile.towards) for tile in tiles],
            "retouches": [{"kind": type(r).__name__, **asdict(r)} for r in self.retouches],
            **({"eyes": eyes} if any(eyes) else {}),
            **({"changes": _changes(tiles)} if any(map(_changed, tiles)) else {}),
        }


def _format_views(views: tuple[View, ...] | None) -> str:
    """Return the text of views in digests, in the words of the first that were written."""
    if views is None:
        return repr(None)
    return _format_tuple(
        f"Shot(name={view.name!r}, tiles={_format_tuple(map(_format_panel, view.panels))})"
        for view in views
    )


def _format_panel(panel: Panel) -> str:
    return (
        f"Tile(towards={panel.towards!r}, up={panel.up!r}, parallel={panel.parallel!r}, "
        f"shaded={panel.shaded!r}, row={panel.row!r}, column={panel.column!r}, "
        f"label={panel.label!r})"
    )


def _format_tuple(texts: Iterable[str]) -> str:
    """Return the text that ``repr`` gives of a tuple of what has such texts."""
    listed = tuple(texts)
    return f"({', '.join(listed)}{',' * (len(listed) == 1)})"


def _changed(tile: Panel) -> bool:
    """Return whether a tile shows other bodies than its scene has."""
    return bool(tile.leaves_out or tile.adds)


def _changes(tiles: Sequence[Panel]) -> list[Json]:
    """Of each tile the bodies that it leaves out, and those that it adds."""
    return [[sorted(tile.leaves_out), sorted(tile.adds)] for tile in tiles]


class AnswerForm(Protocol[A]):
    """Form of answers of a kind."""

    def parse(self, text: str) -> A | None:
        """Parse the answer in a text; None if it has not the form. It takes any text."""

    def format(self, answer: A) -> str:
        """Return the answer as a careful agent writes it; :meth:`parse` gives it back."""

    def draw(self, random: Random) -> A:
        """Return an answer drawn evenly among all that can be given."""


@dataclass(frozen=True, slots=True)
class Item(Generic[A]):
    """One question.

    Attributes:
        id: unique in its suite.
        system: what is said of the task and of the form of the answer.
        text: the question.
        pictures: shown with it, in order.
        form: of the answer.
        gold: the right answer, or one of them: the one that logs and the oracle give.
        group: shared by items that belong together: a contrastive pair, or the same question in
            several modes; empty if it stands alone.
        key: which answers are right; None if ``gold`` alone is.
        follows: whether the questions before it in its trial, and what was answered, stay before
            the agent's eyes. If not, the question stands alone.
        counts: whether it is right or wrong at all; what asks for a thought, say, is neither.

    Raises:
        InputError: the key does not take ``gold``.
    """

    id: str
    system: str
    text: str
    pictures: tuple[Picture, ...]
    form: AnswerForm[A]
    gold: A
    group: str = ""
    key: AnswerKey[A] | None = None
    follows: bool = False
    counts: bool = True

    def __post_init__(self) -> None:
        if not self.accepts(self.gold):
            raise InputError(f"the key of {self.id} does not take its own gold answer")

    @property
    def digest(self) -> str:
        """``sha256:`` and 64 hexadecimal digits over all that an agent is shown, and the answer."""
        shown = [
            (picture.name, picture.key, _format_views(picture.views), repr(picture.retouches))
            for picture in self.pictures
        ]
        said: list[object] = [self.id, self.system, self.text, shown]
        said.append(self.form.format(self.gold))
        # What is as usual is left out: it was not there when the first digests were written.
        said += [self.key.name] if self.key is not None else []
        tiles = [tile for p in self.pictures for shot in p.views or () for tile in shot.panels]
        eyes = [tile.eye for tile in tiles]
        said += [eyes] if any(eye is not None for eye in eyes) else []
        said += [_changes(tiles)] if any(map(_changed, tiles)) else []
        said += ["follows"] if self.follows else []
        text = json.dumps(said, separators=(",", ":"))
        return "sha256:" + hashlib.sha256(text.encode()).hexdigest()

    def accepts(self, answer: A) -> bool:
        """Return whether an answer that was read is right."""
        right: bool = answer == self.gold if self.key is None else self.key.accepts(answer)
        return right

    def check(self, text: str) -> bool:
        """Return whether a text is a right answer."""
        read = self.form.parse(text)
        return read is not None and self.accepts(read)


class Trial(Protocol[S]):
    """One attempt: a state that answers lead on, and the items that it asks on the way."""

    @property
    def id(self) -> str:
        """Unique in its suite."""

    def start(self) -> S:
        """Return the state before the first answer."""

    def ask(self, state: S) -> Item[Any] | None:
        """Return the item of a state; None if the trial is over."""

    def after(self, state: S, text: str) -> S:
        """Return the state after an answer to its item; any text is an answer."""


@dataclass(frozen=True, slots=True)
class Single(Generic[A]):
    """The trial of one item; its state is the answers so far, none or one."""

    item: Item[A]

    @property
    def id(self) -> str:
        """The item's."""
        return self.item.id

    def start(self) -> tuple[str, ...]:
        """No answer."""
        return ()

    def ask(self, state: Sequence[str]) -> Item[A] | None:
        """Return the item, once."""
        return None if state else self.item

    def after(self, state: Sequence[str], text: str) -> tuple[str, ...]:
        """Return the answer."""
        return (text,)

    def get_answer(self, state: Sequence[str]) -> A | None:
        """Return the answer; None if it had not the form."""
        return self.item.form.parse(state[0])


def parse_word(name: str, kind: type[W], text: str) -> W:
    """Return the value of a setting of trials that is one of some words.

    Raises:
        InputError: it is none of them.
    """
    if text not in list(kind):
        raise InputError(f"{name} is one of {', '.join(kind)}, not {text[:60]!r}")
    return kind(text)
