"""HTTP/2 as clients speak it, well and badly. The oracles are gRPC's own client and curl's."""

import asyncio
import json
import shutil
import subprocess
import time
from pathlib import Path

import grpc
import pytest
from grpc_health.v1 import health_pb2
from hypothesis import given, settings
from hypothesis import strategies as st

from bridge.rpc._pb.luban.v1 import episode_service_pb2 as pb
from bridge.rpc._pb.luban.v1.episode_service_pb2_grpc import EpisodeServiceStub
from bridge.rpc.client import Client, connect
from bridge.rpc.errors import WireError
from bridge.rpc.http2.frames import (
    MAX_WINDOW,
    PREFACE,
    Flag,
    Kind,
    Setting,
    encode_headers,
    pack_frame,
    pack_settings,
)
from bridge.rpc.server import LubanServer
from bridge.rpc.serving.event_loop import run_in_loop
from perf.flooding import STEP, RawClient, pack_message
from pysim.catalog import encode_level, find_level
from pysim.puzzle import Outcome
from tests.rpc.playing import EASY, PISTON, play_plan
from tests.waiting import wait_for

HEALTH = b"/grpc.health.v1.Health/Check"


def headers_to(path: bytes) -> bytes:
    return encode_headers(
        [
            (b":method", b"POST"),
            (b":scheme", b"http"),
            (b":path", path),
            (b":authority", b"localhost"),
            (b"content-type", b"application/grpc"),
            (b"te", b"trailers"),
        ]
    )


HEADERS = headers_to(HEALTH)
CHECK = pack_message(b"")
CALL = pack_frame(Kind.HEADERS, Flag.END_HEADERS, 1, HEADERS) + pack_frame(
    Kind.DATA, Flag.END_STREAM, 1, CHECK
)


def _nuisance(kind: Kind, flags: int = 0, stream: int = 0, payload: bytes = b"") -> bytes:
    return 2000 * pack_frame(kind, flags, stream, payload)


def _resets() -> bytes:
    """Calls that are given up at once, again and again."""
    calls = (
        pack_frame(Kind.HEADERS, Flag.END_HEADERS, stream, HEADERS)
        + pack_frame(Kind.RST_STREAM, 0, stream, bytes(4))
        for stream in range(1, 4001, 2)
    )
    return b"".join(calls)


BAD = {
    "no HTTP/2": (b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", 1),
    "many pings": (PREFACE + _nuisance(Kind.PING, payload=bytes(8)), 11),
    "many settings": (PREFACE + _nuisance(Kind.SETTINGS), 11),
    "many resets": (PREFACE + _resets(), 11),
    "empty data": (
        PREFACE
        + pack_frame(Kind.HEADERS, Flag.END_HEADERS, 1, headers_to(STEP))
        + _nuisance(Kind.DATA, stream=1),
        11,
    ),
    "endless headers": (
        PREFACE + pack_frame(Kind.HEADERS, 0, 1) + _nuisance(Kind.CONTINUATION, 0, 1, bytes(64)),
        11,
    ),
    "a header bomb": (
        # One long header goes into the table, and a hundred references to it follow.
        PREFACE
        + pack_frame(
            Kind.HEADERS,
            Flag.END_HEADERS,
            1,
            b"\x40\x01x\x7f\xa1\x1e" + b"y" * 4000 + 100 * b"\xbe",
        ),
        9,
    ),
    "a block that can't be read": (PREFACE + pack_frame(Kind.HEADERS, 4, 1, b"\xff" * 40), 9),
    "a frame that is too large": (PREFACE + b"\x00\x40\x01\x00\x00\x00\x00\x00\x01", 6),
    "a call in between a block": (PREFACE + pack_frame(Kind.HEADERS, 0, 1) + CALL, 1),
    "an even stream": (PREFACE + pack_frame(Kind.HEADERS, Flag.END_HEADERS, 2, HEADERS), 1),
    "data of no stream": (PREFACE + pack_frame(Kind.DATA, 0, 0, b"x"), 1),
    "a push": (PREFACE + pack_frame(Kind.PUSH_PROMISE, 0, 1, bytes(4)), 1),
    "a window that overflows": (
        PREFACE + pack_frame(Kind.WINDOW_UPDATE, 0, 0, MAX_WINDOW.to_bytes(4, "big")),
        3,
    ),
    "a window that does not grow": (PREFACE + pack_frame(Kind.WINDOW_UPDATE, 0, 0, bytes(4)), 1),
    "an initial window that is too large": (
        PREFACE + pack_settings({Setting.INITIAL_WINDOW_SIZE: 2**32 - 1}),
        3,
    ),
    "padding without end": (
        PREFACE
        + pack_frame(Kind.HEADERS, Flag.END_HEADERS | Flag.PADDED, 1, b"\xff" + HEADERS[:40]),
        1,
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_frames_end_their_connection_and_nothing_else(
    server: LubanServer, client: Client, name: str
) -> None:
    data, code = BAD[name]
    episode = client.start(EASY, observation="state")
    assert run_in_loop(goodbye_after(server.address, data)) == code
    play_plan(episode, EASY)
    assert episode.end().outcome is Outcome.SOLVED


async def goodbye_after(address: str, data: bytes) -> int:
    """The code with which the server closes a connection."""
    reader, writer = await asyncio.open_connection(*address.rsplit(":", 1))
    writer.write(data)
    said = await asyncio.wait_for(reader.read(-1), 20)
    writer.close()
    frames = [(kind, payload) for kind, _, payload in frames_of(said)]
    (goodbye,) = [payload for kind, payload in frames if kind == Kind.GOAWAY]
    return int.from_bytes(goodbye[4:8], "big")


def frames_of(data: bytes) -> list[tuple[int, int, bytes]]:
    """Kind, stream and payload of frames."""
    found = []
    while data:
        after = 9 + int.from_bytes(data[:3], "big")
        found.append((data[3], int.from_bytes(data[5:9], "big"), data[9:after]))
        data = data[after:]
    return found


@given(st.lists(st.integers(1, 60), min_size=1, max_size=30), st.integers(0, 200))
@settings(max_examples=20)
def test_frames_are_read_however_they_are_cut(
    server: LubanServer, cuts: list[int], padding: int
) -> None:
    padded = bytes((padding,)) + CHECK + bytes(padding)
    data = (
        PREFACE
        + pack_settings({})
        + pack_frame(Kind.HEADERS, 0, 1, HEADERS[:20])
        + pack_frame(Kind.CONTINUATION, Flag.END_HEADERS, 1, HEADERS[20:])
        + pack_frame(Kind.DATA, Flag.PADDED, 1, padded[:1] + padded[1:3] + bytes(padding))
        + bytes((0, 0, 4, 0x20, 0, 0, 0, 0, 1))
        + bytes(4)  # Of a kind that nobody knows.
        + pack_frame(Kind.DATA, Flag.END_STREAM | Flag.PADDED, 1, padded[:1] + padded[3:])
    )
    said = run_in_loop(answer_to(server.address, data, cuts))
    (answer,) = [payload for kind, stream, payload in said if (kind, stream) == (Kind.DATA, 1)]
    response = health_pb2.HealthCheckResponse.FromString(answer[5:])
    assert response.status == health_pb2.HealthCheckResponse.SERVING


async def answer_to(address: str, data: bytes, cuts: list[int]) -> list[tuple[int, int, bytes]]:
    """What the server says to data that are sent piece by piece, until a call is answered."""
    reader, writer = await asyncio.open_connection(*address.rsplit(":", 1))
    at = 0
    while at < len(data):
        size = cuts[at % len(cuts)]
        writer.write(data[at : at + size])
        await writer.drain()
        await asyncio.sleep(0)
        at += size
    said = b""
    until = time.monotonic() + 20.0
    while b"grpc-status" not in said and time.monotonic() < until:
        said += await asyncio.wait_for(reader.read(65536), 20)
    writer.close()
    return frames_of(said)


@pytest.mark.skipif(shutil.which("curl") is None, reason="NOT TESTED: there is no curl")
def test_curl_is_answered(server: LubanServer, tmp_path: Path) -> None:
    (tmp_path / "request").write_bytes(CHECK)
    command = ["curl", "-sS", "--http2-prior-knowledge", "-D", str(tmp_path / "headers")]
    command += ["-H", "content-type: application/grpc", "-H", "te: trailers"]
    command += ["--data-binary", f"@{tmp_path}/request", "-o", str(tmp_path / "answer")]
    for path, answer, status in (
        (HEALTH.decode(), pack_message(b"\x08\x01"), "grpc-status: 0"),
        ("/luban.v1.EpisodeService/Step", b"", "grpc-status: 5"),
    ):
        (tmp_path / "answer").write_bytes(b"")
        subprocess.run([*command, f"http://{server.address}{path}"], check=True, timeout=30)
        assert (tmp_path / "answer").read_bytes() == answer
        assert status in (tmp_path / "headers").read_text()


def test_compressed_requests_are_read(server: LubanServer) -> None:
    gzip, deflate = grpc.Compression.Gzip, grpc.Compression.Deflate
    big = [("grpc.max_send_message_length", -1)]
    document = json.dumps(encode_level(find_level(PISTON))) + " " * 2 * 2**20
    for compression, reason in ((gzip, ""), (deflate, "UNKNOWN_ENCODING")):
        with grpc.insecure_channel(server.address, big, compression) as channel:
            stub = EpisodeServiceStub(channel)
            try:
                assert stub.StartEpisode(pb.StartEpisodeRequest(level_json=document)).episode_id
                told = ""
            except grpc.RpcError as error:
                told = WireError.from_rpc_error(error).reason
            assert told == reason


def test_a_compressed_bomb_is_refused(server: LubanServer) -> None:
    options = [("grpc.max_send_message_length", -1)]
    compression = grpc.Compression.Gzip
    with grpc.insecure_channel(server.address, options, compression) as channel:
        for size, call in ((2**25, "StartEpisode"), (2**21, "Step")):
            request = pb.PlayRequest(
                step={"action": {"arguments_json": " " * size}},
            ).step.SerializeToString()
            with pytest.raises(grpc.RpcError) as caught:
                channel.unary_unary(f"/luban.v1.EpisodeService/{call}", None, None)(request)
            assert WireError.from_rpc_error(caught.value).reason == "REQUEST_TOO_LARGE"


@pytest.mark.slow
def test_a_client_may_send_all_that_flow_control_lets_it(server: LubanServer) -> None:
    """Ten thousand requests without a look at the answers: each is answered, in order."""
    with grpc.insecure_channel(server.address) as channel, connect(server.address) as client:
        begun = client.start(PISTON, observation="state", budget=100_000, stream=False)
        look = pb.ObserveRequest(episode_id=begun.id, lease=begun.lease, without_images=True)
        requests = [pb.PlayRequest(observe=look)] * 2000
        answers = list(EpisodeServiceStub(channel).Play(iter(requests), timeout=60))
        assert len(answers) == 2000
        assert all(answer.WhichOneof("response") == "observe" for answer in answers)


def test_more_than_a_window_allows_ends_the_call(server: LubanServer) -> None:
    async def attack() -> None:
        client = await RawClient.open(server.address)
        stream = client.begin(STEP)
        client.send(pack_frame(Kind.DATA, 0, stream, pack_message(bytes(10), 2**19)))
        for _ in range(400):  # Faster than the server can let it send more.
            client.send(pack_frame(Kind.DATA, 0, stream, bytes(16_000)))
        until = time.monotonic() + 20
        while not client.ended and not client.is_lost and time.monotonic() < until:
            await asyncio.sleep(0.01)
        assert client.ended or client.is_lost
        client.close()

    run_in_loop(attack())


def test_the_deadline_of_a_client_ends_its_call(server: LubanServer) -> None:
    with grpc.insecure_channel(server.address) as channel, connect(server.address) as client:
        health = channel.unary_stream("/grpc.health.v1.Health/Watch", None, None)
        with pytest.raises(grpc.RpcError) as caught:
            list(health(b"", timeout=0.5))
        assert isinstance(caught.value, grpc.Call)
        assert caught.value.code() is grpc.StatusCode.DEADLINE_EXCEEDED
        assert client.server_info().version
    wait_for(lambda: server._health._seats._taken == 0 or None)
