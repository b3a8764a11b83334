"""Strangers who ask for much, with whole calls or half ones, while others play."""

import asyncio
import base64
import random
import time
from collections.abc import Callable, Coroutine, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from bridge.rpc._pb.luban.v1 import episode_service_pb2 as pb
from bridge.rpc._pb.luban.v1.episode_service_pb2_grpc import EpisodeServiceStub
from bridge.rpc.access import KEY
from bridge.rpc.client import RemoteEpisode, ServerError, connect
from bridge.rpc.errors import WireError
from bridge.rpc.http2.frames import DEFAULT_WINDOW, MAX_WINDOW, Kind, Setting, pack_frame
from bridge.rpc.server import LubanServer
from bridge.rpc.serving.event_loop import run_in_loop
from bridge.rpc.serving.limits import MAX_PLAIN_BYTES
from perf.flooding import PLAY, STEP, RawClient, pack_message
from pysim.puzzle import IllegalMove, InvalidAction, Outcome
from tests.rpc.playing import EASY, PISTON, play_plan
from tests.waiting import PATIENCE, wait_for

SECRET = "a key that only operators have"
SERVICE = pb.DESCRIPTOR.services_by_name["EpisodeService"]
UNARY = [method.name for method in SERVICE.methods if not method.client_streaming]


@pytest.fixture
def keyed(tmp_path: Path) -> Iterator[LubanServer]:
    """A server with a key, whose patience with strangers is short."""
    with LubanServer(tmp_path, operator_key=SECRET) as server:
        server._admission.quotas = replace(
            server._admission.quotas,
            strange_connections=16,
            peer_connections=16,
            strange_calls=32,
            connection_calls=24,
            strange_unfinished=1 << 20,
            first_call=1.0,
            slowest=1.0,
        )
        yield server


def flooded(server: LubanServer, attack: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Attack, and see that others are served meanwhile and afterwards."""
    with connect(server.address, operator_key=SECRET) as client:
        episode = client.start(EASY, observation="state")
        run_in_loop(attack())
        play_plan(episode, EASY)
        assert episode.end().outcome is Outcome.SOLVED
    come(server)
    wait_for(lambda: server._admission.calls == 0 or None)
    wait_for(lambda: server._admission._unfinished == server._admission._unsent == 0 or None)


def come(server: LubanServer) -> None:
    """Come as an operator, as an agent with a lease, and as one who asks for the health."""
    with connect(server.address, operator_key=SECRET) as operator:
        begun = operator.start(PISTON, observation="state", stream=False)
        with connect(server.address, operator_key="") as agent:
            agent.join(begun.id, begun.lease).end()
    with grpc.insecure_channel(server.address) as channel:
        health = health_pb2_grpc.HealthStub(channel)
        answer = health.Check(health_pb2.HealthCheckRequest(), timeout=PATIENCE)
        assert answer.status == health_pb2.HealthCheckResponse.SERVING


def test_half_calls_over_one_connection_keep_nobody_out(keyed: LubanServer) -> None:
    async def attack() -> None:
        client = await RawClient.open(keyed.address)
        streams = [client.begin(STEP) for _ in range(600)]
        await reached(lambda: len(client.ended) >= 600 - 24)
        assert keyed._admission.calls <= 1 + 24
        # Those that came first have lost their places to those that came last.
        assert list(client.ended)[:500] == streams[:500]
        await asyncio.to_thread(come, keyed)
        client.close()

    flooded(keyed, attack)


def test_a_request_that_does_not_come_is_not_waited_for(keyed: LubanServer) -> None:
    with grpc.insecure_channel(keyed.address) as channel:
        step = channel.stream_unary("/luban.v1.EpisodeService/Step", None, None)

        def never() -> Iterator[bytes]:
            time.sleep(8.0)
            yield b""

        with pytest.raises(grpc.RpcError) as caught:
            step(never(), timeout=30)
    error = WireError.from_rpc_error(caught.value)
    assert (error.code, error.reason) == (grpc.StatusCode.DEADLINE_EXCEEDED, "NO_REQUEST")


def test_places_for_calls_are_kept_for_those_with_a_key(keyed: LubanServer) -> None:
    keyed._admission.quotas = replace(keyed._admission.quotas, calls=40)

    async def attack() -> None:
        clients = [await RawClient.open(keyed.address) for _ in range(4)]
        for client in clients:
            for _ in range(30):
                client.begin(STEP)
        await reached(lambda: sum(len(client.ended) for client in clients) >= 120 - 32)
        assert len(keyed._admission._strange_calls) <= 32
        await asyncio.to_thread(come, keyed)
        for client in clients:
            client.close()

    flooded(keyed, attack)


def test_chatty_streams_take_no_place_of_agents(keyed: LubanServer) -> None:
    async def attack() -> None:
        clients = [await RawClient.open(keyed.address) for _ in range(4)]
        for client in clients:
            for _ in range(20):
                client.put(client.begin(PLAY), pack_message(b""))
        await reached(lambda: sum(len(client.ended) for client in clients) >= 80 - 32)
        assert len(keyed._admission._strange_waiting) == 0
        await asyncio.to_thread(come, keyed)
        for client in clients:
            client.close()

    flooded(keyed, attack)


def test_large_bodies_without_a_key_are_refused_before_they_come(keyed: LubanServer) -> None:
    async def attack() -> None:
        client = await RawClient.open(keyed.address)
        for _ in range(20):
            stream = client.begin(STEP)
            client.put(stream, pack_message(b"x" * 100, 16 * 2**20))
        await reached(lambda: len(client.ended) == 20)
        assert b"REQUEST_TOO_LARGE" in _details(client.trailers[1])
        client.close()

    flooded(keyed, attack)


def test_unfinished_bodies_have_one_budget(keyed: LubanServer) -> None:
    async def attack() -> None:
        client = await RawClient.open(keyed.address)
        sent: dict[int, int] = {}
        body = pack_message(bytes(MAX_PLAIN_BYTES - 1), MAX_PLAIN_BYTES)
        for _ in range(16):
            sent[client.begin(STEP)] = 0
        most = 0
        for _ in range(300):
            for stream, done in sent.items():
                if stream in client.windows:
                    sent[stream] += client.put(stream, body[done : done + 16384])
            await asyncio.sleep(0.002)
            most = max(most, keyed._admission._strange_unfinished)
        assert 1 << 19 < most <= 1 << 20
        assert b"BUSY" in _details(client.trailers[client.ended[0]])
        client.close()

    flooded(keyed, attack)


@pytest.mark.parametrize("stream", [False, True])
def test_only_a_document_of_an_operator_may_be_large(keyed: LubanServer, stream: bool) -> None:
    document = "{" + " " * (MAX_PLAIN_BYTES + 1)
    start = pb.StartEpisodeRequest(level_json=document)
    step = pb.StepRequest()
    step.action.arguments_json = document
    options = [("grpc.max_send_message_length", -1)]
    for key, name, request, reason in (
        ("", "StartEpisode", pb.PlayRequest(start_episode=start), "REQUEST_TOO_LARGE"),
        (SECRET, "Step", pb.PlayRequest(step=step), "REQUEST_TOO_LARGE"),
        (SECRET, "StartEpisode", pb.PlayRequest(start_episode=start), "BAD_LEVEL"),
    ):
        with grpc.insecure_channel(keyed.address, options) as channel:
            stub, metadata = EpisodeServiceStub(channel), ((KEY, key),)
            try:
                if stream:
                    (answer,) = stub.Play(iter([request]), metadata=metadata)
                    told = answer.error.reason
                else:
                    asked = request.step if request.HasField("step") else request.start_episode
                    getattr(stub, name)(asked, metadata=metadata)
                    told = ""
            except grpc.RpcError as error:
                told = WireError.from_rpc_error(error).reason
            assert told == reason


def test_empty_requests_keep_no_stream_alive(
    keyed: LubanServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bridge.rpc.serving.streams.STREAM_IDLE", 2.0)

    def chat(key: str) -> tuple[WireError, int]:
        """How a stream ends in which a request is empty every tenth of a second, and how many."""
        with grpc.insecure_channel(keyed.address) as channel:
            answered = 0

            def requests() -> Iterator[pb.PlayRequest]:
                for _ in range(100):
                    yield pb.PlayRequest()
                    time.sleep(0.1)

            try:
                for answer in EpisodeServiceStub(channel).Play(
                    requests(), metadata=((KEY, key),), timeout=30
                ):
                    assert answer.error.reason == "EMPTY_REQUEST"
                    answered += 1
            except grpc.RpcError as error:
                return WireError.from_rpc_error(error), answered
        raise AssertionError("the stream was not ended")

    stranger, answered = chat("")
    assert (stranger.reason, answered) == ("TOO_MANY_REFUSALS", 8)
    assert chat(SECRET)[0].reason == "STREAM_IDLE"


def test_streams_without_an_episode_give_way_to_newcomers(keyed: LubanServer) -> None:
    keyed._streams._most = 4
    with connect(keyed.address, operator_key=SECRET) as operator:
        begun = operator.start(PISTON, observation="state", stream=False)

        async def attack() -> None:
            client = await RawClient.open(keyed.address)
            for _ in range(4):
                stream = client.begin(PLAY)
                observe = pb.ObserveRequest(episode_id=begun.id, lease=begun.lease)
                request = pb.PlayRequest(observe=observe)
                client.put(stream, pack_message(request.SerializeToString()))
            await reached(lambda: len(client.received) == 4)
            assert len(keyed._streams._open) == 4
            await asyncio.to_thread(play_in_stream)
            client.close()

        def play_in_stream() -> None:
            episode = operator.start(EASY, observation="state")
            play_plan(episode, EASY)
            assert episode.end().outcome is Outcome.SOLVED

        run_in_loop(attack())


def test_silent_connections_keep_nobody_out(keyed: LubanServer) -> None:
    async def attack() -> None:
        quotas = keyed._admission.quotas
        # None leaves because it was silent for too long, however slow the machine is.
        keyed._admission.quotas = replace(quotas, first_call=10 * PATIENCE)
        clients = [await RawClient.open(keyed.address) for _ in range(100)]
        await reached(lambda: sum(client.is_lost for client in clients) >= 100 - 16)
        lost = [client.is_lost for client in clients]  # Neighbours may be taken out of turn.
        assert sum(lost) == 84 and sum(lost[:50]) >= 45
        await asyncio.to_thread(come, keyed)
        assert not all(client.is_lost for client in clients)
        keyed._admission.quotas = quotas
        await reached(lambda: all(client.is_lost for client in clients))

    flooded(keyed, attack)


def test_one_address_does_not_take_the_places_of_others(keyed: LubanServer) -> None:
    keyed._admission.quotas = replace(keyed._admission.quotas, peer_connections=8)

    async def attack() -> None:
        alone = await RawClient.open(keyed.address)
        await reached(lambda: len(keyed._admission.strangers) == 1)
        next(iter(keyed._admission.strangers)).host = "192.0.2.1"
        keyed._admission._per_host.clear()
        keyed._admission._per_host["192.0.2.1"] = 1
        clients = [await RawClient.open(keyed.address) for _ in range(60)]
        await reached(lambda: sum(client.is_lost for client in clients) >= 52)
        assert not alone.is_lost
        for client in [alone, *clients]:
            client.close()

    run_in_loop(attack())


def test_who_takes_no_answers_keeps_no_memory(keyed: LubanServer) -> None:
    keyed._admission.quotas = replace(keyed._admission.quotas, unsent=1 << 20)

    async def attack() -> None:
        clients = [
            await RawClient.open(
                keyed.address, {Setting.INITIAL_WINDOW_SIZE: 0 if number % 2 else MAX_WINDOW}
            )
            for number in range(4)
        ]
        for client in clients:
            client.stop_reading()
            size = (MAX_WINDOW - DEFAULT_WINDOW).to_bytes(4, "big")
            client.send(pack_frame(Kind.WINDOW_UPDATE, 0, 0, size))
            for _ in range(20):
                stream = client.begin(b"/luban.v1.EpisodeService/ListLevels", SECRET)
                client.put(stream, pack_message(b""), end=True)
        await reached(lambda: keyed._admission.freed > 1 << 20)
        assert keyed._admission._unsent <= 1 << 20
        await reached(lambda: keyed._admission._unsent == 0)
        for client in clients:
            client.close()

    flooded(keyed, attack)


@pytest.mark.parametrize("name", UNARY)
def test_unreadable_bytes_to_a_single_call_are_told_as_such(keyed: LubanServer, name: str) -> None:
    with grpc.insecure_channel(keyed.address) as channel:
        call = channel.unary_stream(f"/luban.v1.EpisodeService/{name}", None, None)
        with pytest.raises(grpc.RpcError) as caught:
            list(call(b"\xff\xff\xff", metadata=((KEY, SECRET),)))
        error = WireError.from_rpc_error(caught.value)
        assert (error.code, error.reason) == (
            grpc.StatusCode.INVALID_ARGUMENT,
            "UNREADABLE_REQUEST",
        )


@pytest.mark.slow
@pytest.mark.timing
@pytest.mark.parametrize("feedback", ["none", "legal"])
def test_the_time_of_a_refusal_does_not_tell_its_reason(keyed: LubanServer, feedback: str) -> None:
    """A rule learned from half of 1,000 tries each tells no more than chance of the other half."""
    with (
        connect(keyed.address, operator_key=SECRET) as operator,
        connect(keyed.address, operator_key="") as agents,
    ):
        begun = operator.start(EASY, observation="state", budget=10_000, feedback=feedback)
        episode = agents.join(begun.id, begun.lease)
        kinds = ["{", '{"pieces": ["red"], "direction": "+x", "distance": 1}']
        order = [kind for kind in (0, 1) for _ in range(1000)]
        random.Random(5).shuffle(order)
        took: list[tuple[float, int]] = []
        for kind in order:
            began = time.perf_counter()
            refuse(episode, kinds[kind])
            took.append((time.perf_counter() - began, kind))
    learned, tried = took[:1000], took[1000:]
    cuts = sorted(seconds for seconds, _ in learned)[10:-10]
    score, cut = max((abs(accuracy(learned, cut) - 0.5), cut) for cut in cuts[::10])
    sign = accuracy(learned, cut) > 0.5
    told = accuracy(tried, cut) if sign else 1 - accuracy(tried, cut)
    assert told < 0.5 + 4 * (0.25 / len(tried)) ** 0.5, (score, told)


def refuse(episode: RemoteEpisode, arguments: str) -> None:
    """Try what is refused; at ``none`` nothing says so."""
    try:
        episode.step_json("slide", arguments)
    except (IllegalMove, InvalidAction, ServerError) as error:
        assert "REFUSED" in str(getattr(error, "reason", ""))


def accuracy(tries: list[tuple[float, int]], cut: float) -> float:
    """How often a try is of the second kind just if it took longer."""
    return sum((seconds > cut) == bool(kind) for seconds, kind in tries) / len(tries)


async def reached(condition: Callable[[], bool]) -> None:
    """Wait in the loop until something holds."""
    until = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < until, "it does not come to pass"
        await asyncio.sleep(0.01)


def _details(trailers: bytes) -> bytes:
    """The status in trailers that were sent without Huffman code."""
    text = trailers.partition(b"grpc-status-details-bin")[2][1:]
    start = next(at for at in range(4) if text[at : at + 1].isalpha())
    text = text[start:]
    return base64.b64decode(text[: len(text) // 4 * 4])
