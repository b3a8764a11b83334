"""Sessions of trainers on one server: they lose their connections at random, and come back.

A case is one step. Each session plays a task of its own again and again, by a script of legal and
refused calls whose states an episode in this process has told before. So a step that is lost, made
twice, or made in the episode of another session is seen at once. One step in some loses its answer:
its connection is cut while it is under way, and the session repeats it over another one. Others
only come back over another connection.
"""

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import count
from random import Random

import grpc

import luban
from bridge.agents.random_calls import random_call
from bridge.episode.episode import EpisodeOver
from bridge.episode.tools import ToolCall
from bridge.rpc._pb.luban.v1 import episode_service_pb2 as pb
from bridge.rpc._pb.luban.v1 import episode_service_pb2_grpc as pb_grpc
from bridge.rpc.client import Client, RemoteEpisode, ServerError
from pysim.puzzle import ActionError
from tests.soak.budget import Budget, Finding, Row
from tests.soak.playing import LANES, play
from tests.soak.servers import ServerProcess

__all__ = ["SESSIONS", "Lane", "attack"]

SESSIONS = 256
"""At once: as many as a server takes as it comes."""
ROUND = 10
"""Steps of a session between two looks at the budget."""
FAMILIES = ("burr", "nets", "jigsaw", "packing", "portal", "rubik")
LONGEST = 40
"""Steps of a script, at most."""
CUT, LEFT, LOST = 0.01, 0.02, 0.0005
"""Shares of steps before which a connection is cut with a step under way, and is left by its
session or by all of a lane."""
PATIENT = 0.01
"""Seconds after which a connection is cut, at most."""
WRONG = (ServerError, EpisodeOver, AssertionError)
"""Errors of a session that is not answered, or not as its script has it."""


@dataclass(frozen=True, slots=True)
class _Told:
    """A call, and what comes of it."""

    call: ToolCall
    refused: bool
    state_hash: str


def attack(budget: Budget, seed: int) -> Row:
    """Make ``budget.count`` steps."""
    row = Row("trainers", f"steps in {SESSIONS} sessions that lose connections")
    count = partial(_count, budget, row, seed, time.monotonic())
    return play(budget, row, seed, Lane, SESSIONS * ROUND, count)


def _count(budget: Budget, row: Row, seed: int, began: float, lanes: "Sequence[Lane]") -> None:
    row.number = sum(lane.steps for lane in lanes)
    row.notes["steps a second"] = round(row.number / (time.monotonic() - began), 1)
    row.notes["cut"] = sum(lane.cuts for lane in lanes)
    row.notes["left"] = sum(lane.lefts for lane in lanes)
    for lane in lanes:
        for words, late in lane.errors:
            budget.tell(row, Finding(row.number, "hung" if late else "lost", words), seed)
        lane.errors.clear()


class Lane:
    """Some of the sessions, played by one thread in turn.

    Attributes:
        sessions: those.
        steps: that were answered as the script says.
        cuts, lefts: connections that were cut with a step under way, or left.
        errors: what went wrong, and whether that was a late answer.
    """

    def __init__(self, server: ServerProcess, seed: int, number: int) -> None:
        self._server, self._client = server, server.client()
        self.steps = self.cuts = self.lefts = 0
        self.errors: list[tuple[str, bool]] = []
        own = range(number, SESSIONS, LANES)
        self.sessions = [_Session(Random(f"{seed}/trainers/{k}"), k) for k in own]

    def begin(self) -> None:
        """Begin the sessions."""
        for session in self.sessions:
            session.begin(self._client)

    def step(self) -> None:
        """Make some steps in each."""
        for _ in range(ROUND):
            for session in self.sessions:
                self._attempt(session, partial(self._step, session))

    def end(self) -> None:
        """End the sessions."""
        for session in self.sessions:
            if session.forgotten:
                continue
            try:
                session.end()
            except WRONG as error:
                self.errors.append((f"session {session.number} at its end: {error!r}", False))
        self._client.close()

    def _attempt(self, session: "_Session", act: Callable[[], None]) -> None:
        """Do something with a session; note what went wrong, and let it begin anew."""
        try:
            act()
        except WRONG as error:
            code = error.code if isinstance(error, ServerError) else None
            late = code is grpc.StatusCode.DEADLINE_EXCEEDED
            self.errors.append((f"session {session.number}: {error!r}", late))
            session.forget(self._client)

    def _step(self, session: "_Session") -> None:
        if session.forgotten:
            session.begin(self._client)
        drawn = session.rng.random()
        if drawn < CUT:
            session.cut(self._server.address)
            self.cuts += 1
        if drawn < CUT + LEFT:
            session.come_back(self._client)
            self.lefts += drawn >= CUT
        elif drawn > 1 - LOST:
            self.lose()
        if session.forgotten:  # It was lost on its way back.
            return
        session.step(self._client)
        self.steps += 1

    def lose(self) -> None:
        """Lose the connection of all sessions; they come back over another one."""
        self._client.close()
        self._client = self._server.client()
        for session in self.sessions:
            if not session.forgotten:
                self._attempt(session, partial(session.come_back, self._client))
        self.lefts += len(self.sessions)


class _Session:
    """A session, whose steps are compared with those of its script.

    Attributes:
        rng: its random numbers.
        number: of the session.
    """

    def __init__(self, rng: Random, number: int) -> None:
        self.rng, self.number = rng, number
        family = FAMILIES[number % len(FAMILIES)]
        self._task = f"{family}:train:{number // len(FAMILIES)}"
        self._script = _write_script(self._task, rng)
        self._episode: RemoteEpisode | None = None
        self._made = 0

    def begin(self, client: Client) -> None:
        """Begin an episode."""
        self._episode = client.start(
            self._task,
            observation="none",
            budget=2 * LONGEST,
            stream=self.number % 2 == 0,
        )
        self._made = 0

    @property
    def forgotten(self) -> bool:
        """Whether it has no episode."""
        return self._episode is None

    def forget(self, client: Client) -> None:
        """Give the episode up, in which something went wrong, and its place on the server."""
        episode, self._episode = self._episode, None
        if episode is not None:
            with suppress(*WRONG):
                client.join(episode.id, episode.lease).end()

    def come_back(self, client: Client) -> None:
        """Go on over another connection; the number of steps is as before."""
        episode = self._playing
        episode.leave()
        self._episode = client.join(episode.id, episode.lease)
        assert self._episode.steps - self._made in (0, 1), "steps were lost or made twice"

    def cut(self, address: str) -> None:
        """Send the next step over a connection that is cut before its answer is read."""
        episode, call = self._playing, self._script[self._made].call
        request = pb.StepRequest(
            episode_id=episode.id, lease=episode.lease, expected_step=self._made + 1
        )
        request.action.name = call.name
        request.action.arguments_json = call.arguments_json()
        channel = grpc.insecure_channel(address, [("grpc.use_local_subchannel_pool", 1)])
        pb_grpc.EpisodeServiceStub(channel).Step.future(request)
        time.sleep(self.rng.random() * PATIENT)
        channel.close()

    def step(self, client: Client) -> None:
        """Make the next step, and begin anew after the last one."""
        episode, told = self._playing, self._script[self._made]
        episode.steps = self._made  # A step whose answer was lost is repeated.
        refused = False
        try:
            episode.step(told.call)
        except ActionError:
            refused = True
        self._made += 1
        assert (refused, episode.steps) == (told.refused, self._made), "another step was made"
        assert refused or episode.state_hash == told.state_hash, "another state"
        if self._made == len(self._script):
            self.end()
            self.begin(client)

    def end(self) -> None:
        """End the episode, of which no step is missing."""
        assert self._playing.end().steps == self._made, "a step is missing at the end"

    @property
    def _playing(self) -> RemoteEpisode:
        assert self._episode is not None
        return self._episode


def _write_script(task: str, rng: Random) -> list[_Told]:
    """Play a task here by random calls and its plan; return the calls, and what came of them."""
    level, script = luban.load(task), list[_Told]()
    assert level.plan is not None
    plan = iter([ToolCall.of(action) for action in level.plan.actions])
    with luban.start(level, observation="none", budget=2 * LONGEST) as episode:
        for _ in count():
            if len(script) == LONGEST or episode.outcome is not None:
                return script
            random = rng.random() < 0.7
            call = random_call(rng, episode.actions.schemas()) if random else next(plan, None)
            if call is None:
                return script
            refused = True
            with suppress(ActionError):
                episode.step(call)
                refused = False
            script.append(_Told(call, refused, episode.state_hash))
