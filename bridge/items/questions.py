"""Items as agents are shown them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from bridge.episode.observation import View
from bridge.items.pictures import draw
from pysim.items import Item
from pysim.render.renderer import Renderer

__all__ = ["Before", "Question", "Round", "make_question", "show_item"]


@dataclass(frozen=True, slots=True)
class Question:
    """Text and pictures of an item that an agent gets.

    Attributes:
        system: the task, and the form of the answer.
        text: the question.
        pictures: shown with it, in order.
        earlier: the questions that it follows, with their answers; none if it stands alone.
    """

    system: str
    text: str
    pictures: tuple[View, ...]
    earlier: tuple["Round", ...] = ()


@dataclass(frozen=True, slots=True)
class Round:
    """A question, and what was answered."""

    question: Question
    answer: str


Before = Sequence[tuple[Item[Any], str]]
"""The items of a trial so far, with what was answered."""


def show_item(item: Item[Any], renderer: Renderer, size: int) -> Question:
    """Return an item by itself, with its pictures.

    Raises:
        InputError: as :func:`~bridge.items.pictures.draw`.
    """
    pictures = (view for picture in item.pictures for view in draw(renderer, picture, size))
    return Question(item.system, item.text, tuple(pictures))


def make_question(
    item: Item[Any], before: Before, show: Callable[[Item[Any]], Question]
) -> Question:
    """Return an item, with those before it if it follows them.

    Args:
        show: makes the question of an item by itself.
    """
    followed = before if item.follows else ()
    rounds = tuple(Round(show(one), text) for one, text in followed)
    return replace(show(item), earlier=rounds)
