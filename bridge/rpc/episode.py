"""Client side of an episode that a server hosts."""

import json
import time
from collections.abc import Callable, Iterator
from functools import cached_property
from pathlib import Path
from typing import Protocol, Self, TypeVar

import grpc

from bridge.episode.display import draw_episode, format_episode
from bridge.episode.episode import EpisodeOver
from bridge.episode.observation import Observation
from bridge.episode.records import Ending, StepResult
from bridge.episode.sanitize import sanitize_text
from bridge.episode.tools import ActionSpace, ToolCall
from bridge.rpc import codec
from bridge.rpc._pb.luban.v1 import episode_service_pb2 as pb
from bridge.rpc.errors import WireError, raise_fault
from bridge.rpc.transport import Transport, unpack_answer
from pysim.catalog import discover_families
from pysim.field_types import Json
from pysim.limits import MAX_ACTION_NAME, MAX_NOTED
from pysim.puzzle import Action, Outcome
from pysim.scene import Colour

__all__ = ["RemoteEpisode"]

RequestT = TypeVar("RequestT")
AnswerT = TypeVar("AnswerT")


class Downloader(Protocol):
    """Client that downloads the files of ended episodes."""

    def download_log(self, episode_id: str, lease: str) -> Iterator[bytes]:
        """Return the log of an ended episode, in chunks."""

    def download_video(
        self,
        episode_id: str,
        lease: str,
        size: int,
        progress: Callable[[int, int], None] | None,
    ) -> Iterator[bytes]:
        """Return the video of an ended episode, in chunks, and report frames to ``progress``."""


class RemoteEpisode:
    """One episode, played over the wire; see :class:`~bridge.episode.protocol.PlayedEpisode`.

    A context manager that ends the episode on exit. After an exception the episode stays open, and
    the server closes it once it has been idle for long.

    Attributes:
        id: its identifier on the wire.
        lease: the secret that authorizes its requests.
        run_name: name of its folder on the server.
        level: the level that is played.
        instruction: the task in words.
        colours: names of the pieces.
        tools: the actions as OpenAI function tools.
        budget: steps allowed.
        budget_left: steps left.
        steps: steps made.
        state_hash: hash of the present state.
        outcome: its outcome; None until it has ended.
    """

    def __init__(
        self,
        client: Downloader,
        transport: Transport,
        started: pb.StartEpisodeResponse,
        log: Path | None = None,
        reconnect: float = 0.0,
    ) -> None:
        self._client = client
        self._retry_time = reconnect
        self._log = log
        self._transport = transport
        self.lease = started.lease
        self.id = started.episode_id
        self.run_name = started.run_name
        self.level = codec.decode_level(started.level)
        self.instruction = started.instruction
        self.colours = tuple(Colour(colour) for colour in started.colours)
        self.tools: list[dict[str, Json]] = json.loads(started.tools_json)
        self.budget = self.budget_left = started.budget
        self.steps = 0
        self.state_hash = started.state_hash
        self.outcome: Outcome | None = None
        self._ended = False
        self._ending: Ending | None = None

    @cached_property
    def actions(self) -> ActionSpace:
        """Parser and formatter for the actions of this episode's family."""
        actions = discover_families()[self.level.family].actions
        return ActionSpace(actions, self.colours, tools=self.tools)

    def observe(self, *, images: bool = True) -> Observation:
        """Return the observation, without costing a step."""
        request = pb.ObserveRequest(episode_id=self.id, lease=self.lease, without_images=not images)
        self._require_open()
        answer = unpack_answer(self._send_with_retries(self._transport.observe, request))
        return codec.decode_observation(answer.observation)

    def _repr_png_(self) -> bytes | None:
        """Return what an agent sees now, for notebooks."""
        return draw_episode(self)

    def _repr_html_(self) -> str:
        """Return level, progress and what an agent sees now, for notebooks."""
        return format_episode(self)

    def step(self, action: Action | ToolCall | str, /, **arguments: Json) -> StepResult:
        """Attempt an action, which costs a step even if it is refused.

        Args:
            action: an action, a tool call, or an action's name followed by its arguments.

        Raises:
            InvalidAction: it is malformed; the state is unchanged.
            IllegalMove: it is not allowed now; the state is unchanged.
            EpisodeOver: the episode has ended; no step is counted.
            ServerError: the server can't be reached, or has closed the episode.
        """
        if isinstance(action, str):
            action = ToolCall(action, arguments)
        elif isinstance(action, Action):
            action = ToolCall.of(action)
        try:
            text = action.arguments_json()
        except (TypeError, ValueError, RecursionError):
            text = "arguments that are no JSON"  # The server refuses it and charges a step.
        return self.step_json(action.name, text)

    def step_json(self, name: str, arguments: str) -> StepResult:
        """Act as :meth:`step` with the arguments as JSON text, as models write them."""
        self._require_open()
        request = pb.StepRequest(episode_id=self.id, lease=self.lease, expected_step=self.steps + 1)
        # A server reads no more of them, and takes no request that is much longer.
        request.action.name = sanitize_text(name[: MAX_ACTION_NAME + 1])
        arguments = sanitize_text(arguments[:MAX_NOTED])
        request.action.arguments_json = arguments.encode()[:MAX_NOTED].decode(errors="ignore")
        answer = self._send_with_retries(self._transport.step, request)
        if isinstance(answer, WireError):
            self._charge_step(answer)
            raise_fault(answer)
        result = codec.decode_result(answer.result)
        self.steps, self.budget_left = result.step, result.budget_left
        self.state_hash, self.outcome = result.state_hash, result.outcome
        return result

    def end(self) -> Ending:
        """End the episode, giving up if it is unsolved. Later calls return the same ending."""
        if self._ending is not None:
            return self._ending
        request = pb.EndEpisodeRequest(episode_id=self.id, lease=self.lease)
        self._require_open()
        self._ending = codec.decode_ending(
            unpack_answer(self._send_with_retries(self._transport.end, request)).ending
        )
        self.outcome = self._ending.outcome
        self.leave()
        if self._log is not None:
            self.save_log(self._log)
        return self._ending

    def leave(self) -> None:
        """Disconnect without ending the episode; the server closes it once idle for long."""
        self._ended = True
        self._transport.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None and not self._ended:
            self.end()
        self.leave()

    def save_log(self, path: Path | str) -> None:
        """Write the log of the ended episode to a file."""
        _save_download(Path(path), self._client.download_log(self.id, self.lease))

    def save_video(
        self,
        path: Path | str,
        *,
        size: int = 512,
        progress: Callable[[int, int], None] | None = None,
    ) -> None:
        """Write the video of the ended episode, rendered by the server, to a file.

        Args:
            path: MP4 file to write; an existing one is replaced.
            size: edge length in pixels, 128 to 1080, even.
            progress: called with the numbers of frames done and in total.
        """
        _save_download(Path(path), self._client.download_video(self.id, self.lease, size, progress))

    def make_video(
        self, *, size: int = 512, progress: Callable[[int, int], None] | None = None
    ) -> None:
        """Render the video of the ended episode into its folder on the server."""
        for _ in self._client.download_video(self.id, self.lease, size, progress):
            pass

    def _require_open(self) -> None:
        if self._ended:
            raise EpisodeOver("this episode was ended; start a new one")

    def _send_with_retries(
        self, send: Callable[[RequestT], AnswerT | WireError], request: RequestT
    ) -> AnswerT | WireError:
        """Send a request, again after a lost connection until the retry time is over.

        Retries are safe: the server executes each step once, and other requests are idempotent.
        """
        deadline, delay = time.monotonic() + self._retry_time, 0.1
        while True:
            answer = send(request)
            left = deadline - time.monotonic()
            if not (isinstance(answer, WireError) and _is_disconnected(answer)) or left <= 0:
                return answer
            time.sleep(min(delay, left))
            delay = min(2 * delay, 1.0)

    def _charge_step(self, refusal: WireError) -> None:
        """Update the progress by a refusal, as refused actions cost a step too."""
        progress = refusal.metadata
        if "step" in progress:
            self.steps, self.budget_left = int(progress["step"]), int(progress["budget_left"])
            self.outcome = Outcome(progress["outcome"]) if progress["outcome"] else None


def _is_disconnected(answer: WireError) -> bool:
    """Return whether the connection broke or the server is stopping."""
    return answer.code is grpc.StatusCode.UNAVAILABLE and answer.reason in ("", "STOPPED")


def _save_download(path: Path, chunks: Iterator[bytes]) -> None:
    """Write a download to a file; an incomplete one is removed."""
    partial = path.with_name(path.name + ".part")
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        with partial.open("wb") as file:
            for chunk in chunks:
                file.write(chunk)
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)
