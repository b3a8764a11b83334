"""Mutated messages, over every call of a server, unary and in streams, with the key and without.

A case is one message. Genuine requests are damaged in their bytes or in their fields. Beside them
an episode is played of which every step has to be answered rightly.
"""

import json
import threading
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import islice
from random import Random

import grpc
from google.protobuf.message import Message
from grpc_health.v1 import health_pb2
from grpc_status import rpc_status

from bridge.rpc._pb.luban.v1 import episode_service_pb2 as pb
from bridge.rpc.access import KEY
from bridge.rpc.client import Client, RemoteEpisode, ServerError
from pysim.catalog import encode_level, find_level
from pysim.puzzle import ActionError
from tests.soak.budget import Budget, Finding, Row, make_rng
from tests.soak.memory import processor_seconds
from tests.soak.mutating import bytes_of, fields_of_message
from tests.soak.servers import SECRET, ServerProcess, running_server
from tests.waiting import PATIENCE

__all__ = ["attack"]

BATCH = 500
"""Messages between two looks at the server."""
IDLE = 5
"""Seconds after which the server closes what was begun and left."""
FLIGHT = 64
"""Calls that are under way at once."""
LEVEL = "burr-three-bars"
SERVICE = "/luban.v1.EpisodeService/"
HEALTH = "/grpc.health.v1.Health/Check"


@dataclass(frozen=True, slots=True)
class Shot:
    """A message on its way."""

    case: int
    method: str
    data: bytes
    key: bool


def attack(budget: Budget, seed: int) -> Row:
    """Send ``budget.count`` messages."""
    row = Row("messages", "mutated messages")
    options = ("--idle-timeout", str(IDLE))
    with running_server(budget.work("messages"), *options) as server, server.client() as client:
        known = _Known.of(client.start(LEVEL, observation="state", budget=1_000_000, stream=False))
        with _touched(known.watched):
            for start in budget.cases(BATCH):
                known.renew(client)
                last = min(start + BATCH, budget.first + budget.count)
                shots = [_shot(known, seed, case) for case in range(start, last)]
                _fire(budget, row, server, shots, seed)
                _look(budget, row, server, known, shots, seed)
                budget.watch(row)
                if not server.alive:
                    break
    return row


@contextmanager
def _touched(episode: RemoteEpisode) -> Iterator[None]:
    """Look at an episode again and again, so that it stays open."""
    over = threading.Event()

    def touch() -> None:
        while not over.wait(IDLE / 10):
            with suppress(ServerError):
                episode.observe(images=False)

    thread = threading.Thread(target=touch, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


@dataclass
class _Known:
    """What genuine requests need: an episode that the attack plays, and one that it may spoil."""

    watched: RemoteEpisode
    spoilt: pb.StartEpisodeResponse
    document: str

    @staticmethod
    def of(watched: RemoteEpisode) -> "_Known":
        document = json.dumps(encode_level(find_level(LEVEL)))
        return _Known(watched, pb.StartEpisodeResponse(), document)

    def renew(self, client: Client) -> None:
        """Begin another episode to be spoilt, if the server has room for it."""
        try:
            episode = client.start(LEVEL, observation="state", budget=1_000_000, stream=False)
        except ServerError as error:
            if error.code is not grpc.StatusCode.RESOURCE_EXHAUSTED:
                raise
        else:
            self.spoilt = pb.StartEpisodeResponse(episode_id=episode.id, lease=episode.lease)


def _shot(known: _Known, seed: int, case: int) -> Shot:
    random = make_rng(seed, "messages", case)
    method = random.choices(list(WEIGHTS), list(WEIGHTS.values()))[0]
    message = _genuine(random, known, method)
    if random.random() < 0.5:
        fields_of_message(random, message)
        data = message.SerializeToString()
    else:
        data = bytes_of(random, message.SerializeToString())
    return Shot(case, method, data, random.random() < 0.7)


WEIGHTS = {
    SERVICE + "GetServerInfo": 2,
    SERVICE + "ListLevels": 1,
    SERVICE + "StartEpisode": 6,
    SERVICE + "Step": 30,
    SERVICE + "Observe": 10,
    SERVICE + "EndEpisode": 4,
    SERVICE + "Play": 42,
    SERVICE + "DownloadLog": 2,
    SERVICE + "DownloadVideo": 1,
    HEALTH: 2,
}


def _genuine(random: Random, known: _Known, method: str) -> Message:
    """A request as clients send it."""
    lease = {"episode_id": known.spoilt.episode_id, "lease": known.spoilt.lease}
    name = method.rpartition("/")[2]
    if name == "Play":
        kind = random.choice(("StartEpisode", "Step", "Step", "Observe", "EndEpisode"))
        inner = _genuine(random, known, kind)
        field = {"StartEpisode": "start_episode", "EndEpisode": "end_episode"}.get(
            kind, kind.lower()
        )
        return pb.PlayRequest(**{field: inner})
    if name == "Check":
        return health_pb2.HealthCheckRequest(service="luban.v1.EpisodeService")
    if name == "GetServerInfo":
        return pb.GetServerInfoRequest()
    if name == "ListLevels":
        return pb.ListLevelsRequest(family="burr", suite="locks-32")
    if name == "StartEpisode":
        options = {"mode": 3, "budget": 10, "history_window": 5, "agent": "x", "seed": 1}
        level = {"level_json": known.document} if random.random() < 0.3 else {"level_id": LEVEL}
        return pb.StartEpisodeRequest(options=options, **level)
    if name == "Step":
        action = {"name": "slide", "arguments_json": json.dumps(SLIDE)}
        return pb.StepRequest(action=action, **lease)
    if name == "Observe":
        return pb.ObserveRequest(without_images=True, **lease)
    if name == "DownloadVideo":
        return pb.DownloadVideoRequest(size=128, **lease)
    return (pb.EndEpisodeRequest if name == "EndEpisode" else pb.DownloadLogRequest)(**lease)


SLIDE = {"pieces": ["red"], "direction": "+x", "distance": 1}


# -- sending --------------------------------------------------------------------------------------


def _fire(
    budget: Budget, row: Row, server: ServerProcess, shots: Sequence[Shot], seed: int
) -> None:
    options = [("grpc.max_send_message_length", -1), ("grpc.max_receive_message_length", -1)]
    streamed = [shot for shot in shots if shot.method.endswith("Play")]
    with grpc.insecure_channel(server.address, options) as channel:
        for shot, wrong in _unary(channel, [shot for shot in shots if shot not in streamed]):
            budget.tell(row, _finding(shot, wrong), seed)
        for shot, wrong in _streams(channel, streamed):
            budget.tell(row, _finding(shot, wrong), seed)
    row.number += len(shots)


def _unary(channel: grpc.Channel, shots: Sequence[Shot]) -> Iterator[tuple[Shot, str]]:
    """The shots that were answered as none may be, and how."""
    flight: deque[tuple[Shot, object]] = deque()
    for shot in shots:
        call = channel.unary_stream(shot.method)
        flight.append((shot, call(shot.data, timeout=PATIENCE, metadata=_metadata(shot))))
        if len(flight) >= FLIGHT:
            yield from _landed(*flight.popleft())
    while flight:
        yield from _landed(*flight.popleft())


def _landed(shot: Shot, answers: object) -> Iterator[tuple[Shot, str]]:
    try:
        for _ in answers:  # type: ignore[attr-defined]
            pass
    except grpc.RpcError as error:
        if wrong := _wrong(error):
            yield shot, wrong


def _streams(channel: grpc.Channel, shots: Sequence[Shot]) -> Iterator[tuple[Shot, str]]:
    """The same in streams of some shots each; what breaks one off is what it asked last."""
    left = deque(shots)
    call = channel.stream_stream(SERVICE + "Play")
    while left:
        part = list(islice(left, 20))
        asked: list[Shot] = []
        answered = 0

        def asking(part: list[Shot] = part, asked: list[Shot] = asked) -> Iterator[bytes]:
            for shot in part:
                asked.append(left.popleft())
                yield shot.data

        try:
            for answer in call(asking(), timeout=PATIENCE, metadata=_metadata(part[0])):
                error = pb.PlayResponse.FromString(answer).error
                if error.reason == "INTERNAL" or error.code == grpc.StatusCode.UNKNOWN.value[0]:
                    yield part[answered], f"in a stream: {error.message}"
                answered += 1
        except grpc.RpcError as broken:
            if not asked:  # It broke before it had begun.
                asked.append(left.popleft())
            if wrong := _wrong(broken):
                yield (asked or part)[-1], wrong


def _metadata(shot: Shot) -> list[tuple[str, str]]:
    return [(KEY, SECRET)] if shot.key else []


def _wrong(error: grpc.RpcError) -> str:
    """What is wrong with a refusal; empty if nothing is."""
    assert isinstance(error, grpc.Call)
    code, words = error.code(), error.details() or ""
    if code is grpc.StatusCode.DEADLINE_EXCEEDED:
        return "hung"
    inner = code is grpc.StatusCode.INTERNAL and rpc_status.from_call(error) is not None
    if inner or code is grpc.StatusCode.UNKNOWN:
        return f"{code.name}: {words}"
    return ""


def _finding(shot: Shot, wrong: str) -> Finding:
    words = f"{shot.method}, {'with' if shot.key else 'without'} the key: {wrong}"
    verdict = "hung" if wrong == "hung" else "crashed"
    return Finding(shot.case, verdict, words, {"request.bin": shot.data})


# -- looking after the server ---------------------------------------------------------------------


def _look(
    budget: Budget, row: Row, server: ServerProcess, known: _Known, shots: Sequence[Shot], seed: int
) -> None:
    """Whether the server still answers, and answers rightly."""
    row.worst = max(row.worst, server.peak)
    row.notes["server seconds"] = round(processor_seconds(server.process.pid), 1)
    case = shots[-1].case
    if not server.alive:
        budget.tell(row, Finding(case, "crashed", server.complaints()), seed)
        return
    try:
        wanted = known.watched.steps + 1
        with suppress(ActionError):
            known.watched.step("slide", **SLIDE)
        if known.watched.steps != wanted:
            words = f"step {wanted} was answered as step {known.watched.steps}"
            budget.tell(row, Finding(case, "lost", words), seed)
    except ServerError as error:
        verdict = "hung" if error.code is grpc.StatusCode.DEADLINE_EXCEEDED else "lost"
        budget.tell(row, Finding(case, verdict, f"{error.reason}: {error}"), seed)
