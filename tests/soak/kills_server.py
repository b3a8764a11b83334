"""A server is killed while clients step; every step that was answered stands in its log.

A case is one kill. Four clients play, two of them in streams, each as fast as it can.
"""

import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import grpc

from bridge.agents.random_calls import random_call
from bridge.recording.log import LogError, read_log
from bridge.recording.replay import ReplayMismatch, replay
from bridge.rpc.client import ServerError
from pysim.puzzle import ActionError
from tests.soak.budget import Budget, Finding, Row, make_rng
from tests.soak.commands import Runner
from tests.soak.servers import ForkedServer
from tests.waiting import PATIENCE, wait_for

__all__ = ["attack"]

LEVELS = ("burr-piston", "burr-chinese-cross", "packing-easy-01", "cubebench-d02-1-full-symbolic")
GONE = (
    grpc.StatusCode.UNAVAILABLE,
    grpc.StatusCode.CANCELLED,
    grpc.StatusCode.UNKNOWN,  # A connection that breaks in the middle of an answer.
)


@dataclass
class Played:
    """What a client was told: the state's hash after each step, by number."""

    run_name: str = ""
    answered: dict[int, str] = field(default_factory=dict)
    error: str = ""


def attack(budget: Budget, seed: int) -> Row:
    """Kill ``budget.count`` servers."""
    row = Row("server-kills", "kills of a server")
    row.notes["answered steps"] = 0
    place = budget.work("server-kills")
    with Runner() as runner:
        for case in budget.cases():
            folder = place / f"{case}"
            server = ForkedServer.begun(runner, folder)
            _case(budget, row, server, folder, case, seed)
            budget.watch(row)
    return row


def _case(
    budget: Budget, row: Row, server: ForkedServer, folder: Path, case: int, seed: int
) -> None:
    random = make_rng(seed, "server-kills", case)
    played = [Played() for _ in LEVELS]
    threads = [
        threading.Thread(target=_play, args=(server, random.random(), number, one), daemon=True)
        for number, one in enumerate(played)
    ]
    for thread in threads:
        thread.start()
    wait_for(lambda: any(one.answered or one.error for one in played) or None)
    time.sleep(random.random() ** 2)
    row.worst = max(row.worst, server.peak)
    if not server.alive:
        budget.tell(row, Finding(case, "crashed", server.complaints()), seed)
    server.kill()
    for thread in threads:
        thread.join(PATIENCE)
        if thread.is_alive():
            budget.tell(row, Finding(case, "hung", "a client waits for a killed server"), seed)
    row.number += 1
    for one in played:
        row.notes["answered steps"] += len(one.answered)
        if one.error:
            budget.tell(row, Finding(case, "crashed", one.error), seed)
        if words := _lost(folder / "runs" / one.run_name / "episode.jsonl", one):
            log = {"episode.jsonl": _bytes(folder / "runs" / one.run_name / "episode.jsonl")}
            budget.tell(row, Finding(case, "lost", words, log), seed)


def _play(server: ForkedServer, luck: float, number: int, played: Played) -> None:
    """Step at random until the server is gone, or the puzzle solved."""
    random = Random(luck)
    try:
        with server.client() as client:
            episode = client.start(
                LEVELS[number], observation="state", budget=1_000_000, stream=number % 2 == 0
            )
            played.run_name = episode.run_name
            while episode.outcome is None:
                call = random_call(random, episode.actions.schemas())
                try:
                    result = episode.step(call)
                    played.answered[result.step] = result.state_hash
                except ActionError:
                    played.answered[episode.steps] = ""
    except ServerError as error:
        if error.code not in GONE:
            played.error = f"{error.code} {error.reason}: {error}"
    except Exception as error:
        played.error = f"{type(error).__name__}: {error}"


def _lost(path: Path, played: Played) -> str:
    """What of the answered steps the log does not hold; empty if it holds all."""
    if not played.answered:
        return ""
    try:
        log = read_log(path)
        steps = {step.step: step.state_hash for step in log.steps}
        replay(log)
    except (LogError, ReplayMismatch, OSError) as error:
        return f"{path.parent.name}: {error}"
    for number, hash_ in played.answered.items():
        if number not in steps or hash_ not in ("", steps[number]):
            return f"{path.parent.name}: step {number} was answered and is not in the log"
    return ""


def _bytes(path: Path) -> bytes:
    return path.read_bytes() if path.exists() else b""
