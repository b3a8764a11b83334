"""The requests of a playing page, and what they do to its game.

A request is a JSON object with a ``type``:

- ``start``: begin a level of the library, by its ``level`` number; ``practice`` or ``pictures``
  may be true;
- ``resume``: go on with the episode of a ``key``;
- ``act``: try an action, by its ``name``, with ``arguments`` as an object;
- ``undo``: take the last step of practice back;
- ``give_up``: end the episode, or begin practice anew;
- ``look``: return the present state.
"""

import json
from collections.abc import Callable, Iterator

from bridge.recording.fields import FieldError, Fields
from bridge.web.games import Game
from bridge.web.library import Library
from bridge.web.messages import (
    EpisodeMessage,
    ErrorMessage,
    StateMessage,
    StudyMessage,
    TurnMessage,
)
from bridge.web.store import GameGone, GameStore, OpenGame
from pysim.errors import LubanError

__all__ = ["Message", "Player", "PlayingPage", "has_ended", "use_game"]

Message = EpisodeMessage | StateMessage | TurnMessage | StudyMessage | ErrorMessage
_ELSEWHERE = "This episode goes on in another tab; go on here to take it back."


class PlayingPage:
    """A page, and the game that it plays; subclasses say how games are begun.

    Args:
        notify: sends the page a message at any time, from any thread.
    """

    def __init__(self, notify: Callable[[Message], None]) -> None:
        self._notify = notify
        self._open: OpenGame | None = None

    def answer(self, text: str) -> list[Message]:
        """Return the answers to a request; nothing that a page sends raises an error."""
        try:
            return list(self._answer(Fields.parse(text.encode("utf-8", "replace"))))
        except GameGone as error:
            return [ErrorMessage(words=f"{error}", gone=True)]
        except LubanError as error:
            return [ErrorMessage(words=f"{error}")]
        except OSError as error:
            return [ErrorMessage(words=f"it can't be written down: {error.strerror}")]

    def leave(self) -> None:
        """The page is gone; its episode stays open for it to come back."""
        known = self._open
        if known is not None and known.holder is self:
            known.holder = None
        self._open = None

    def _answer(self, fields: Fields) -> Iterator[Message]:
        """Answer a request.

        Raises:
            LubanError, OSError: nothing came of it.
        """
        raise NotImplementedError

    def _use(self, request: str, fields: Fields) -> Message:
        """Return what comes of a request to the present game."""
        known = self._require_game()
        with known.lock:
            return use_game(known.game, request, fields)

    def _begin(self, known: OpenGame) -> Iterator[Message]:
        """Take a game over from whichever page had it, and show it."""
        self.leave()
        with known.lock:
            before, known.holder = known.holder, self
            self._open = known
            yield known.game.describe()
            yield known.game.look()
        if isinstance(before, PlayingPage):
            before._lose()

    def _lose(self) -> None:
        self._open = None
        self._notify(ErrorMessage(words=_ELSEWHERE, gone=True))

    def _require_game(self) -> OpenGame:
        known = self._open
        if known is None or known.holder is not self:
            raise GameGone(_ELSEWHERE if known else "nothing is played here: begin a level")
        return known


class Player(PlayingPage):
    """A page that plays levels of the library.

    Args:
        library: the levels that can be begun.
        store: of the games.
        notify: as for :class:`PlayingPage`.
    """

    def __init__(
        self, library: Library, store: GameStore, notify: Callable[[Message], None]
    ) -> None:
        super().__init__(notify)
        self._library = library
        self._store = store

    def _answer(self, fields: Fields) -> Iterator[Message]:
        match fields.text("type"):
            case "start":
                yield from self._begin(self._start(fields))
            case "resume":
                yield from self._begin(self._store.find(fields.text("key")))
            case other:
                known = self._require_game()
                answer = self._use(other, fields)
                if has_ended(answer):
                    self._store.forget(known)
                yield answer

    def _start(self, fields: Fields) -> OpenGame:
        number = fields.whole("level", 0)
        if number >= len(self._library.levels):
            raise FieldError("there is no such level: go back to the list")
        level = self._library.levels[number]
        if fields.has("practice") and fields.value("practice") is True:
            return self._store.practice(level)
        pictures = fields.has("pictures") and fields.value("pictures") is True
        return self._store.begin(level, pictures=pictures)


def use_game(game: Game, request: str, fields: Fields) -> Message:
    """Return what comes of a request to a game that is played.

    Raises:
        FieldError: there is no such request.
        LubanError: nothing came of it.
    """
    match request:
        case "act":
            arguments = json.dumps(dict(fields.mapping("arguments")))
            return game.act(fields.text("name"), arguments)
        case "undo":
            return game.undo()
        case "give_up":
            return game.give_up()
        case "look":
            return game.look()
        case _:
            raise FieldError(f"there is no request {request[:40]!r}")


def has_ended(answer: Message) -> bool:
    """Return whether a game has ended with an answer."""
    state = answer.state if isinstance(answer, TurnMessage) else answer
    return isinstance(state, StateMessage) and state.outcome is not None
