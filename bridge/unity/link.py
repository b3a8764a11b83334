"""Our end of the ML-Agents wire: one gRPC method that the player calls, over and over.

A player's call is held until there is something to answer, so that call and answer swap roles: our
answer is the request, and the player's next call is the response to it.
"""

import asyncio
import contextlib
from collections.abc import Awaitable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import grpc

from bridge.rpc._pb.luban.mlagents.v1 import communicator_pb2 as pb
from bridge.unity import communicator
from bridge.unity.connection_owner import is_from_session
from bridge.unity.errors import (
    PlayerDied,
    PlayerError,
    PlayerHung,
    PlayerLeft,
    PlayerUnavailable,
)
from bridge.unity.process import PlayerProcess, find_player

__all__ = ["Launch", "Link"]

T = TypeVar("T")

_LAST_WORDS = "its last words"


@dataclass(frozen=True, slots=True)
class Launch:
    """Command that starts a player.

    Attributes:
        player: path of the executable, or a command on PATH.
        options: further options on its command line.
        start_s: seconds that it may take until it is connected; Unity loads its engine first.
        answer_s: seconds that it may take for an answer.
        part_s: seconds that it may take to end when it is told to; then it is killed.
    """

    player: str | Path
    options: tuple[str, ...] = ()
    start_s: float = 120.0
    answer_s: float = 60.0
    part_s: float = 5.0


class Link:
    """A running player and the connection with it.

    Used from one thread at a time, also from within an event loop.

    Args:
        launch: how to start it.
        graphics: whether it is to draw.
        seed: for its random numbers.

    Raises:
        PlayerError: it does not start, does not answer, or is incompatible. Nothing is left behind.
    """

    def __init__(self, launch: Launch, *, graphics: bool, seed: int = 0) -> None:
        self._launch = launch
        self._path = find_player(launch.player)
        self._fault: PlayerError | None = None
        self._closed = False
        self._peer: str | None = None
        self._agents: dict[str, pb.AgentInfos] = {}
        self._brains: communicator.Brains = {}
        self._process: PlayerProcess | None = None
        self._loop = asyncio.new_event_loop()
        self._turn: asyncio.Future[bytes] = self._loop.create_future()
        self._answer: asyncio.Future[bytes] = self._loop.create_future()
        try:
            self._run(self._listen())
            self._process = PlayerProcess(self._command(graphics), self._on_exit)
            self._introduce(seed)
        except PlayerError as error:
            raise self.fail(error) from error.__cause__
        except BaseException:
            self.close()
            raise

    @property
    def _waits(self) -> bool:
        """Whether the player's call is waiting for our answer."""
        return self._peer is not None and self._turn.done() and not self._answer.done()

    @property
    def pid(self) -> int:
        """The number of the player's process."""
        assert self._process is not None
        return self._process.pid

    @property
    def sound(self) -> bool:
        """Whether the player runs and has not failed."""
        return not self._closed and self._process is not None and not self._process.has_ended

    def exchange(self, side_channel: bytes) -> bytes:
        """Let the player make one step.

        Args:
            side_channel: framed messages for it.

        Returns:
            Its framed messages.

        Raises:
            PlayerError: it failed, now or before; it is ended.
            InputError: the message is too large.
        """
        return self._exchange(communicator.STEP, side_channel)

    def fail(self, error: PlayerError) -> PlayerError:
        """End the player because of ``error``, which is what every later call raises.

        Returns:
            The error: one line, in which stands what the player said last.
        """
        error.args = (self._in_one_line(str(error)),)
        self._fault = self._fault or error
        self.close()
        return error

    def _in_one_line(self, message: str) -> str:
        words = "" if self._process is None else self._process.read_last_output()
        if words and _LAST_WORDS not in message:
            message += f"; {_LAST_WORDS}: {words}"
        return " ".join(message.split())

    def close(self) -> None:
        """Tell the player to end, and see to it; may be called twice."""
        if self._closed:
            return
        self._closed = True
        try:
            if self._process is not None:
                if self._waits and self._fault is None:
                    with contextlib.suppress(PlayerError):  # Its process is killed anyway.
                        self._part()
                self._process.kill()
            self._run(self._hang_up())
        finally:
            self._loop.close()

    def _introduce(self, seed: int) -> None:
        hello = communicator.read_output(self._next_turn(self._launch.start_s))
        communicator.check_version(hello.rl_initialization_output)
        self._say(communicator.write_introduction(seed))
        communicator.read_output(self._next_turn(self._launch.start_s))
        # The player's first step can take long: it builds its scene.
        self._exchange(communicator.RESET, b"")

    def _exchange(self, command: int, side_channel: bytes) -> bytes:
        if self._fault is not None:
            raise self._fault
        if self._closed:
            raise RuntimeError("this player is closed")
        message = communicator.write_input(command, self._agents, self._brains, side_channel)
        try:
            self._say(message)
            output = communicator.read_output(self._next_turn(self._launch.answer_s))
        except PlayerLeft as error:
            raise self.fail(self._left(error)) from None
        except PlayerError as error:
            raise self.fail(error) from error.__cause__
        for brain in output.rl_initialization_output.brain_parameters:
            self._brains[brain.brain_name] = brain.action_spec
        self._agents = dict(output.rl_output.agent_infos)
        return output.rl_output.side_channel

    def _say(self, message: bytes) -> None:
        """Answer the call that waits."""
        if self._process is not None and self._process.has_ended:
            raise self._died(self._process)
        self._turn = self._loop.create_future()
        self._answer.set_result(message)

    def _next_turn(self, seconds: float) -> bytes:
        """Return the player's next call.

        Raises:
            PlayerError: it does not, in time.
        """
        error = PlayerHung(f"the player {self._path.name} has not answered for {seconds:g} s")
        timer = self._loop.call_later(seconds, self._give_up_waiting, error)
        try:
            return self._run(self._turn)
        finally:
            timer.cancel()

    def _give_up_waiting(self, error: PlayerError) -> None:
        if not self._turn.done():
            self._turn.set_exception(error)

    def _on_exit(self) -> None:
        """In the thread that watches the process."""
        with contextlib.suppress(RuntimeError):  # The loop is closed: nobody waits.
            self._loop.call_soon_threadsafe(self._exited)

    def _exited(self) -> None:
        if self._process is not None:
            self._give_up_waiting(self._died(self._process))

    def _died(self, process: PlayerProcess) -> PlayerDied:
        return PlayerDied(f"the player {self._path.name} {process.describe_end()}")

    def _part(self) -> None:
        """Take leave, and give the player time to do the same.

        Raises:
            PlayerError: it ended, or did not in time.
        """
        farewell = pb.UnityMessage(header=pb.Header(status=communicator.PARTING))
        self._say(farewell.SerializeToString())
        self._next_turn(self._launch.part_s)

    def _left(self, error: PlayerLeft) -> PlayerError:
        """Build the error of a player that took its leave: its exit status and its last words."""
        try:
            self._part()
        except PlayerDied as died:
            return PlayerDied(f"{error}; {died}")
        except PlayerError:
            pass  # It stays; it is killed.
        return error

    def _command(self, graphics: bool) -> list[str]:
        switches = ["-batchmode", "-logFile", "-"] + ([] if graphics else ["-nographics"])
        port = [communicator.PORT_OPTION, str(self._port)]
        return [str(self._path), *switches, *port, *self._launch.options]

    async def _listen(self) -> None:
        """Open the port, to this machine only."""
        self._server = grpc.aio.server(
            options=[
                ("grpc.so_reuseport", 0),
                ("grpc.max_receive_message_length", communicator.MAX_MESSAGE_BYTES),
                ("grpc.max_send_message_length", communicator.MAX_MESSAGE_BYTES),
            ]
        )
        methods = {communicator.METHOD: grpc.unary_unary_rpc_method_handler(self._serve)}
        handler = grpc.method_handlers_generic_handler(communicator.SERVICE, methods)
        self._server.add_generic_rpc_handlers((handler,))
        try:
            self._port = self._server.add_insecure_port("127.0.0.1:0")
        except RuntimeError as error:
            raise PlayerUnavailable(f"no port is free for a player: {error}") from error
        await self._server.start()

    async def _serve(
        self, request: bytes, context: "grpc.aio.ServicerContext[bytes, bytes]"
    ) -> bytes:
        """One call of the player's; one that is too large never comes here, and ends the player."""
        peer = context.peer()
        if self._peer not in (None, peer):
            await context.abort(
                grpc.StatusCode.FAILED_PRECONDITION, "this port belongs to another player"
            )
        if self._peer is None and not self._may_be_ours(peer, request):
            # It is sent away, and the player is waited for as long as it may take.
            await context.abort(
                grpc.StatusCode.FAILED_PRECONDITION, "this port waits for a player of Luban's own"
            )
        self._peer = peer
        if self._turn.done():
            await context.abort(grpc.StatusCode.FAILED_PRECONDITION, "it is not your turn")
        self._answer = self._loop.create_future()
        self._turn.set_result(request)
        return await self._answer

    def _may_be_ours(self, peer: str, request: bytes) -> bool:
        """Whether a first call greets us, and as far as can be told comes from our player."""
        assert self._process is not None
        ours = is_from_session(peer, self._port, self._process.pid)
        return ours is not False and communicator.is_greeting(request)

    async def _hang_up(self) -> None:
        with contextlib.suppress(AttributeError):  # It never came to listening.
            await self._server.stop(None)

    def _run(self, work: "Awaitable[T]") -> T:
        """Do ``work`` in our own loop, which runs only while a call waits."""
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            return self._loop.run_until_complete(work)
        # The caller's thread has a loop of its own that runs; a thread has but one.
        with ThreadPoolExecutor(max_workers=1) as thread:
            return thread.submit(self._loop.run_until_complete, work).result()
