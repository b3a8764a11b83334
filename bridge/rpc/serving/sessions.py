"""An episode as a server keeps it, and what is left of it when it has ended."""

import asyncio
import hashlib
import logging
import os
import secrets
import time
from dataclasses import dataclass, field
from pathlib import Path

import grpc

from bridge.episode.episode import Episode
from bridge.episode.records import Ending, Feedback, StepKind, StepRecord, StepResult
from bridge.episode.tools import MAX_WRITTEN, ToolCall
from bridge.recording.errors import RecordingError, reason_of
from bridge.rpc._pb.luban.v1 import episode_pb2 as pb
from bridge.rpc.errors import RequestError, WireError, encode_error
from bridge.rpc.serving.leases import hash_lease
from bridge.rpc.serving.limits import MAX_LEASE
from pysim.limits import MAX_ACTION_NAME, MAX_NOTED
from pysim.puzzle import ActionError, InvalidAction

__all__ = ["LOG_NAME", "AnsweredStep", "LogSync", "Session", "encode_refusal"]

LOG_NAME = "episode.jsonl"
VIDEO_NAME = "episode.mp4"


@dataclass(frozen=True, slots=True)
class AnsweredStep:
    """The last step of an episode, kept to be answered again if its answer is lost.

    Attributes:
        step: its number.
        made_by: hash of the action; or, of an episode that was resumed, what its log says.
        answer: what was answered.
    """

    step: int
    made_by: bytes | StepRecord
    answer: StepResult | WireError

    def is_of(self, name: str, arguments: str) -> bool:
        """Return whether it was made by this action, as far as that can be said."""
        if isinstance(self.made_by, bytes):
            return self.made_by == _digest(name, arguments)
        if self.made_by.kind is StepKind.INVALID or len(arguments) > MAX_WRITTEN:
            return True  # A log may hold less of these than was sent.
        try:
            return ToolCall.from_json(name, arguments) == self.made_by.call
        except InvalidAction:
            return False


class LogSync:
    """Has the log of an ended episode stored on the disk, once somebody has the time to wait."""

    def __init__(self) -> None:
        self._file: int | None = None

    @property
    def is_due(self) -> bool:
        """Whether there is something to store."""
        return self._file is not None

    def schedule(self, file: int) -> None:
        """Note an open file to be stored; it may be closed before."""
        self._file = os.dup(file)

    def store(self) -> None:
        """Store it.

        Raises:
            RecordingError: the system could not.
        """
        file, self._file = self._file, None
        if file is None:
            return
        try:
            os.fsync(file)
        except OSError as error:
            raise RecordingError(f"can't store the log: {reason_of(error)}") from error
        finally:
            os.close(file)


@dataclass(slots=True, eq=False)
class Session:
    """One episode of one client.

    Attributes:
        id: its name on the wire.
        lease: hash of the secret that every call carries.
        folder: where its files are.
        episode: the controller, used under ``lock`` only; None once the episode has been ended,
            and its world freed.
        world: the name of its world.
        brought: whether a client has brought the level, which may cost anything to play.
        picture_format: how its pictures are encoded.
        storing: the end of its log, which has yet to be stored on the disk.
        ending: how it ended, once it has been.
        answered: its last step.
        touched: when it was last used, seconds of ``time.monotonic``.
        waiting: calls that wait for ``lock``.
        holder: the stream in which it was last used; None after a single call.
        left: when that stream ended; None while it is there.
    """

    id: str
    lease: bytes
    folder: Path
    episode: Episode | None
    world: str
    picture_format: str
    storing: "LogSync"
    brought: bool = False
    ending: Ending | None = None
    answered: AnsweredStep | None = None
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    touched: float = field(default_factory=time.monotonic)
    waiting: int = 0
    holder: object | None = None
    left: float | None = None

    @property
    def log_path(self) -> Path:
        """The episode's log."""
        return self.folder / LOG_NAME

    @property
    def video_path(self) -> Path:
        """The episode's video, once it has been made."""
        return self.folder / VIDEO_NAME

    @property
    def tells_reasons(self) -> bool:
        """Whether an agent is told why an action was refused."""
        episode = self.episode
        return episode is None or episode.options.feedback in (Feedback.REASON, Feedback.FULL)

    def get_episode(self) -> Episode:
        """Return the controller.

        Raises:
            RequestError: the episode has been ended.
        """
        if self.episode is None:
            raise RequestError(
                grpc.StatusCode.FAILED_PRECONDITION, "EPISODE_OVER", "the episode has been ended"
            )
        return self.episode

    def require_lease(self, lease: str) -> None:
        """Let only those in who hold the lease.

        Raises:
            RequestError: it is another's.
        """
        if len(lease) > MAX_LEASE or not secrets.compare_digest(self.lease, hash_lease(lease)):
            raise RequestError(
                grpc.StatusCode.PERMISSION_DENIED,
                "WRONG_LEASE",
                "this episode belongs to another client",
            )

    def touch(self, holder: object | None) -> None:
        """Somebody uses the episode: a stream, or a single call."""
        self.touched, self.holder, self.left = time.monotonic(), holder, None

    def release(self, holder: object) -> None:
        """A stream has ended; if nobody else has used the episode since, it is on its own."""
        if self.holder is holder:
            self.holder, self.left = None, time.monotonic()

    def make_step(self, action: pb.Action, expected: int | None) -> StepResult | WireError:
        """Make a step, or answer again what was answered to the same one.

        Args:
            expected: the number that it is to have; None for whatever comes next.

        Raises:
            RequestError: it can't have that number; or the episode has been ended.
            EpisodeOver, RecordingError, WorldError: no step was made.
        """
        name = action.name[: MAX_ACTION_NAME + 1]  # So that a longer one is no action's.
        arguments = action.arguments_json[:MAX_NOTED]
        if expected is not None and (known := self._known(expected, name, arguments)):
            return known.answer
        episode = self.get_episode()
        answer: StepResult | WireError
        try:
            answer = episode.step_json(name, arguments)
        except ActionError as error:
            answer = encode_refusal(episode, error)
        self.answered = AnsweredStep(episode.steps, _digest(name, arguments), answer)
        return answer

    def shut(self, note: str, *, whatever_comes: bool = False) -> None:
        """Give up if the episode has not ended, and free its world.

        Args:
            whatever_comes: even if the log can't be finished, about which nothing can be done then.

        Raises:
            RecordingError: the log can't be finished; the episode stays open.
        """
        episode = self.episode
        if episode is None:
            return
        try:
            episode.give_up(note)
            self.storing.store()
        except RecordingError as error:
            if not whatever_comes:
                raise
            logging.getLogger(__name__).warning("%s", error)
        self.ending, self.episode = episode.ending, None
        episode.close()

    def _known(self, expected: int, name: str, arguments: str) -> AnsweredStep | None:
        """Return the earlier answer to a step that is requested again; None if it is to be made."""
        made = self.episode or self.ending
        steps = 0 if made is None else made.steps
        if expected == steps + 1:
            return None
        known = self.answered
        if known and known.step == expected == steps and known.is_of(name, arguments):
            return known
        raise _wrong_step(expected, steps, self.episode)


def encode_refusal(episode: Episode, error: ActionError) -> WireError:
    """Return a refused action, and where the episode stands after it."""
    return encode_error(error, _progress(episode) | {"state_hash": episode.state_hash})


def _digest(name: str, arguments: str) -> bytes:
    text = f"{name}\n{arguments}"
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


def _progress(episode: Episode) -> dict[str, str]:
    return {
        "step": str(episode.steps),
        "budget_left": str(episode.budget_left),
        "outcome": "" if episode.outcome is None else episode.outcome.value,
    }


def _wrong_step(expected: int, steps: int, episode: Episode | None) -> RequestError:
    return RequestError(
        grpc.StatusCode.FAILED_PRECONDITION,
        "WRONG_STEP",
        f"this step can't be number {expected}: {steps} were made, the last one perhaps by another "
        "client or with another action",
        {} if episode is None else _progress(episode),
    )
