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

from bridge.episode.episode import EpisodeOver
from bridge.recording.errors import RecordingError
from bridge.recording.fields import FieldError, Fields
from bridge.web.library import Library
from bridge.web.messages import EpisodeMessage, ErrorMessage, StateMessage, TurnMessage
from bridge.web.store import GameGone, GameStore, OpenGame
from pysim.errors import LubanError

__all__ = ["Message", "Player"]

Message = EpisodeMessage | StateMessage | TurnMessage | ErrorMessage
_ELSEWHERE = "This episode goes on in another tab; go on here to take it back."


class Player:
    """One page, and the game that it plays.

    Args:
        library: the levels that can be begun.
        store: of the games.
        notify: sends the page a message at any time, from any thread.
    """

    def __init__(
        self, library: Library, store: GameStore, notify: Callable[[Message], None]
    ) -> None:
        self._library = library
        self._store = store
        self._notify = notify
        self._open: OpenGame | None = None

    def answer(self, text: str) -> list[Message]:
        """Return the answers to a request; nothing that a page sends raises an error."""
        try:
            return list(self._answer(Fields.parse(text.encode("utf-8", "replace"))))
        except GameGone as error:
            return [ErrorMessage(words=f"{error}", gone=True)]
        except (FieldError, EpisodeOver, RecordingError, LubanError) as error:
            return [ErrorMessage(words=f"{error}")]

    def leave(self) -> None:
        """The page is gone; its episode stays open for it to come back."""
        known = self._open
        if known is not None and known.holder is self:
            known.holder = None
        self._open = None

    def _answer(self, fields: Fields) -> Iterator[Message]:
        match fields.text("type"):
            case "start":
                yield from self._begin(self._start(fields))
            case "resume":
                yield from self._begin(self._store.find(fields.text("key")))
            case other:
                known = self._require_game()
                with known.lock:
                    yield self._use(known, other, fields)

    def _use(self, known: OpenGame, request: str, fields: Fields) -> Message:
        game = known.game
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

    def _start(self, fields: Fields) -> OpenGame:
        number = fields.whole("level", 0)
        if number >= len(self._library.levels):
            raise FieldError("there is no such level: go back to the list")
        level = self._library.levels[number]
        if fields.has("practice") and fields.value("practice") is True:
            return self._store.practice(level)
        pictures = fields.has("pictures") and fields.value("pictures") is True
        return self._store.begin(level, pictures=pictures)

    def _begin(self, known: OpenGame) -> Iterator[Message]:
        """Take a game over from whichever page had it, and show it."""
        self.leave()
        with known.lock:
            before, known.holder = known.holder, self
            self._open = known
            yield known.game.describe()
            yield known.game.look()
        if isinstance(before, Player):
            before._lose()

    def _lose(self) -> None:
        self._open = None
        self._notify(ErrorMessage(words=_ELSEWHERE, gone=True))

    def _require_game(self) -> OpenGame:
        known = self._open
        if known is None or known.holder is not self:
            raise GameGone(_ELSEWHERE if known else "nothing is played here: begin a level")
        return known
