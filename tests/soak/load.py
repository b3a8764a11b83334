"""Many episodes at once on one server; ``perf/load.py`` measures the same, and more.

A case is one step. Half of the episodes are played in streams. No step may fail, and afterwards the
server is as it was.
"""

import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from random import Random

import grpc

from bridge.agents.random_calls import random_call
from bridge.rpc.client import RemoteEpisode, ServerError
from pysim.puzzle import ActionError
from tests.soak.budget import Budget, Finding, Row
from tests.soak.playing import LANES, play
from tests.soak.servers import ServerProcess

__all__ = ["attack"]

EPISODES = 128
"""At once; half of what a server takes as it comes."""
ROUND = 10
"""Steps of an episode between two looks at the budget."""


def attack(budget: Budget, seed: int) -> Row:
    """Make ``budget.count`` steps."""
    row = Row("load", f"steps in {EPISODES} episodes at once")
    count = partial(_count, budget, row, seed)
    return play(budget, row, seed, _Lane, EPISODES * ROUND, count)


def _count(budget: Budget, row: Row, seed: int, lanes: "Sequence[_Lane]") -> None:
    row.number = sum(lane.steps for lane in lanes)
    waits = sorted(wait for lane in lanes for wait in lane.waits)
    if waits:
        row.notes["p99 of a step, ms"] = round(waits[int(0.99 * len(waits))] * 1000, 1)
    for lane in lanes:
        for error in lane.errors:
            late = error.code is grpc.StatusCode.DEADLINE_EXCEEDED
            words = f"{error.code} {error.reason}: {error}"
            budget.tell(row, Finding(row.number, "hung" if late else "lost", words), seed)
        lane.errors.clear()


class _Lane:
    """Some of the episodes, played by one thread in turn.

    Attributes:
        steps: that were answered.
        waits: seconds that each of the last of them took.
        errors: what went wrong.
    """

    def __init__(self, server: ServerProcess, seed: int, number: int) -> None:
        self._random = Random(f"{seed}/load/{number}")
        self._client = server.client()
        self._episodes: list[RemoteEpisode] = []
        self._lock = threading.Lock()
        self.steps = 0
        self.waits: list[float] = []
        self.errors: list[ServerError] = []

    def begin(self) -> None:
        """Begin the episodes."""
        for number in range(EPISODES // LANES):
            self._episodes.append(self._begun(number % 2 == 0))

    def step(self) -> None:
        """Some steps in each."""
        self.waits.clear()
        for _ in range(ROUND):
            for number, episode in enumerate(self._episodes):
                try:
                    self._step(episode)
                except ServerError as error:
                    self.errors.append(error)
                if episode.outcome is not None:
                    episode.end()
                    self._episodes[number] = self._begun(number % 2 == 0)

    def end(self) -> None:
        """End the episodes."""
        for episode in self._episodes:
            try:
                if episode.end().steps != episode.steps:
                    raise ServerError(grpc.StatusCode.DATA_LOSS, "", "a step is missing at the end")
            except ServerError as error:
                self.errors.append(error)
        self._client.close()

    def _begun(self, stream: bool) -> RemoteEpisode:
        return self._client.start(
            "burr-three-bars", observation="state", budget=10_000, stream=stream
        )

    def _step(self, episode: RemoteEpisode) -> None:
        call = random_call(self._random, episode.actions.schemas())
        wanted, began = episode.steps + 1, time.monotonic()
        with suppress(ActionError):
            episode.step(call)
        self.waits.append(time.monotonic() - began)
        self.steps += 1
        if episode.steps != wanted:
            words = f"step {wanted} was answered as step {episode.steps}"
            raise ServerError(grpc.StatusCode.DATA_LOSS, "", words)
