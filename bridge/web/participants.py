"""The page of a participant of a study.

Its requests are ``join`` with a ``code`` (empty for a newcomer) and ``next``, which goes on to what
comes after the present stage; and those of a game while one is played.
"""

import threading
from collections.abc import Callable, Iterator

from bridge.episode.episode import Episode
from bridge.recording.errors import LogError
from bridge.recording.fields import Fields
from bridge.recording.log import read_log
from bridge.recording.resuming import resume
from bridge.web.games import LOG_NAME, EpisodeGame, PracticeGame, start_episode
from bridge.web.messages import StudyMessage
from bridge.web.players import Message, PlayingPage, has_ended
from bridge.web.store import GameGone, OpenGame
from bridge.web.study import Event, Participant, StudyFolder
from pysim.errors import LubanError
from pysim.render.renderer import Renderer

__all__ = ["ParticipantPage", "StudyGames"]


class StudyGames:
    """The games of a study that are open, one for each participant.

    Args:
        folder: of the study.
        renderer: makes pictures; it may be used from any thread.
    """

    def __init__(self, folder: StudyFolder, renderer: Renderer) -> None:
        self.folder = folder
        self._renderer = renderer
        self._open: dict[tuple[int, int], OpenGame] = {}
        self._lock = threading.Lock()

    def find_place(self, participant: Participant) -> int:
        """Return the first place whose level has not ended; the number of levels if all have."""
        for place in range(len(participant.order)):
            _, folder = self.folder.locate(participant, place)
            try:
                if read_log(folder / LOG_NAME).ending is None:
                    return place
            except LogError:  # There is none yet, or it was cut off before its beginning.
                return place
        return len(participant.order)

    def open(self, participant: Participant, place: int) -> OpenGame:
        """Return the episode at a place: one that is open, that goes on, or that begins.

        Raises:
            LubanError, OSError: it can't be read or written.
        """
        with self._lock:
            known = self._open.get((participant.number, place))
            if known is None:
                episode = self._resume(participant, place) or self._start(participant, place)
                known = OpenGame(EpisodeGame(episode))
                self._open[participant.number, place] = known
            return known

    def close(self, participant: Participant, place: int) -> None:
        """Put the episode away that has ended."""
        with self._lock:
            known = self._open.pop((participant.number, place), None)
        if known is not None:
            with known.lock:
                known.game.leave()

    def close_all(self) -> None:
        """Leave all episodes; they go on in the next server."""
        with self._lock:
            games, self._open = list(self._open.values()), {}
        for known in games:
            with known.lock:
                known.game.leave()

    def _resume(self, participant: Participant, place: int) -> Episode | None:
        _, folder = self.folder.locate(participant, place)
        try:
            log = read_log(folder / LOG_NAME)
        except LogError:
            return None
        return resume(log, self._renderer).episode

    def _start(self, participant: Participant, place: int) -> Episode:
        level, folder = self.folder.locate(participant, place)
        if folder.exists():  # Cut off before its first line.
            self.folder.run.set_aside(level.id, participant.number)
        folder.mkdir(mode=0o700, parents=True)
        options = self.folder.run.settings.make_episode_options(participant.number, level)
        episode = start_episode(level, folder, self._renderer, options)
        self.folder.note(participant, Event.BEGAN, level)
        return episode


class ParticipantPage(PlayingPage):
    """A page on which a participant goes through a study.

    Args:
        games: of the study.
        notify: as for :class:`~bridge.web.players.PlayingPage`.
    """

    def __init__(self, games: StudyGames, notify: Callable[[Message], None]) -> None:
        super().__init__(notify)
        self._games = games
        self._folder = games.folder
        self._code = ""
        self._participant: Participant | None = None
        self._place = 0
        self._ended = False

    def _answer(self, fields: Fields) -> Iterator[Message]:
        match fields.text("type"):
            case "join":
                yield from self._join(fields.text("code"))
            case "next":
                yield from self._go_on(self._require_participant())
            case other:
                answer = self._use(other, fields)
                if has_ended(answer):
                    self._end()
                yield answer

    def _join(self, code: str) -> Iterator[Message]:
        if code:
            self._code, self._participant = code, self._folder.find(code)
        else:
            self._code, self._participant = self._folder.join()
        self._place, self._ended = self._games.find_place(self._participant), False
        yield from self._show(self._participant)

    def _go_on(self, participant: Participant) -> Iterator[Message]:
        """Note the present stage as done, and show the next one."""
        if not participant.agreed:
            self._folder.note(participant, Event.AGREED)
        elif not participant.read:
            self._folder.note(participant, Event.READ)
        elif self._is_practicing(participant):
            self.leave()
            self._folder.note(participant, Event.PRACTICED)
        elif self._ended:
            self.leave()
            self._games.close(participant, self._place)
            self._place, self._ended = self._place + 1, False
        elif self._open is None and self._place < len(participant.order):
            yield from self._begin(self._games.open(participant, self._place))
            return
        else:
            raise LubanError("finish what is played, or give it up, before you go on")
        yield from self._show(participant)

    def _show(self, participant: Participant) -> Iterator[Message]:
        """Show the present stage: a text, or a game."""
        study, levels = self._folder.study, len(participant.order)
        if not participant.agreed:
            yield self._tell("consent", study.consent)
        elif not participant.read:
            yield self._tell("instructions", study.instructions)
        elif study.practice is not None and not participant.practiced:
            yield self._tell("practice")
            yield from self._begin(OpenGame(PracticeGame(study.practice)))
        elif self._place == levels:
            yield self._tell("done")
        else:
            yield self._tell("level")
            _, folder = self._folder.locate(participant, self._place)
            if folder.exists():  # It was begun before.
                yield from self._begin(self._games.open(participant, self._place))

    def _tell(self, stage: str, text: str = "") -> StudyMessage:
        return StudyMessage(
            code=self._code,
            title=self._folder.study.title,
            stage=stage,
            text=text,
            place=self._place + 1,
            levels=len(self._folder.study.levels),
        )

    def _is_practicing(self, participant: Participant) -> bool:
        return self._folder.study.practice is not None and not participant.practiced

    def _end(self) -> None:
        """Note that the level has ended; practice has no end."""
        participant = self._require_participant()
        if not self._ended and not self._is_practicing(participant):
            self._ended = True
            level, _ = self._folder.locate(participant, self._place)
            self._folder.note(participant, Event.ENDED, level)

    def _require_participant(self) -> Participant:
        if self._participant is None:
            raise GameGone("join the study first")
        return self._participant
