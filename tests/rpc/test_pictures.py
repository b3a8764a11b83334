"""Pictures over the wire, and what is shown of a state."""

import json
import re
import struct
from collections.abc import Iterator
from pathlib import Path

import grpc
import numpy as np
import pytest
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

from bridge.episode.observation import View
from bridge.rpc._pb.luban.v1 import episode_service_pb2 as pb
from bridge.rpc._pb.luban.v1.episode_service_pb2_grpc import EpisodeServiceStub
from bridge.rpc.client import Client, ServerError
from pysim.catalog import find_level
from pysim.field_types import encode_arguments
from tests.rpc.playing import BLOCKED, PISTON, plan_of

SIZE = 96


def views(client: Client, format: str, level: str = PISTON) -> tuple[View, ...]:
    episode = client.start(level, image_size=SIZE, image_format=format)
    seen = episode.observe()
    episode.end()
    return seen.views


def test_every_view_has_the_size_and_format_that_was_asked_for(client: Client) -> None:
    for format in ("png", "jpeg", "raw"):
        seen = views(client, format)
        assert len(seen) >= 4
        assert len({view.name for view in seen}) == len(seen)
        for view in seen:
            assert (view.width, view.height, view.format) == (SIZE, SIZE, format)
            assert view.rgb().shape == (SIZE, SIZE, 3)
            assert view.rgb().dtype == np.uint8


def test_all_formats_decode_to_the_same_picture(client: Client) -> None:
    for raw, png, jpeg in zip(*(views(client, f) for f in ("raw", "png", "jpeg")), strict=True):
        assert np.array_equal(raw.rgb(), png.rgb())
        off = np.abs(raw.rgb().astype(int) - jpeg.rgb().astype(int))
        assert 0 < off.mean() < 8
        assert raw.rgb().std() > 10


def test_a_png_says_which_renderer_made_it(client: Client) -> None:
    for view in views(client, "png"):
        texts = dict(chunk.split(b"\0") for kind, chunk in chunks(view.data) if kind == b"tEXt")
        assert texts[b"Renderer"].decode("latin-1") == client.server_info().renderer


def test_a_goal_that_is_a_shape_is_shown(client: Client) -> None:
    assert [view.name for view in views(client, "png", "burr-piston-assemble")][-1] == "goal"


def test_a_view_can_be_saved(client: Client, tmp_path: Path) -> None:
    for format, start in (("png", b"\x89PNG"), ("raw", b"\x89PNG"), ("jpeg", b"\xff\xd8")):
        view = views(client, format)[0]
        view.save(tmp_path / format)
        assert (tmp_path / format).read_bytes().startswith(start)


def test_messages_of_more_than_4_megabytes_arrive(client: Client, stream: bool) -> None:
    episode = client.start(PISTON, image_size=1024, image_format="raw", stream=stream)
    seen = episode.observe()
    assert sum(len(view.data) for view in seen.views) >= 4 * 3 * 1024**2
    episode.end()


def test_pictures_follow_the_moves_and_can_be_left_out(client: Client, stream: bool) -> None:
    episode = client.start(PISTON, image_size=SIZE, image_format="raw", stream=stream)
    before = episode.observe().views
    assert episode.observe().views == before
    episode.step(plan_of(PISTON)[0])
    assert episode.observe().views != before
    assert episode.observe(images=False).views == ()
    episode.end()


def test_state_mode_has_no_pictures_and_image_mode_no_state(client: Client) -> None:
    shown = {}
    for obs in ("image", "image+state", "state"):
        episode = client.start(PISTON, observation=obs, image_size=SIZE)
        seen = episode.observe()
        shown[obs] = (bool(seen.views), seen.state is not None)
        episode.end()
    assert shown == {"image": (True, False), "image+state": (True, True), "state": (False, True)}


@pytest.mark.slow
def test_no_text_in_image_mode_tells_where_a_piece_is(stub: EpisodeServiceStub) -> None:
    options = {"mode": 1, "picture_size": SIZE}
    started = stub.StartEpisode(pb.StartEpisodeRequest(level_id=PISTON, options=options))
    named = {"episode_id": started.episode_id, "lease": started.lease}
    answers: list[Message] = [started]
    calls = [(action.tool, json.dumps(encode_arguments(action))) for action in plan_of(PISTON)[:-1]]
    turn = {"piece": "red", "axis": "z", "quarter_turns": 1}
    for name, arguments in [
        ("slide", json.dumps(BLOCKED)),
        ("slide", json.dumps(BLOCKED | {"pieces": ["nothing"]})),
        ("slide", json.dumps(BLOCKED | {"pieces": started.colours[:], "direction": "+z"})),
        ("rotate", json.dumps(turn)),
        *calls,
    ]:
        request = pb.StepRequest(**named)
        request.action.name, request.action.arguments_json = name, arguments
        answers += stub.Play(iter([pb.PlayRequest(step=request)]))
        answers.append(stub.Observe(pb.ObserveRequest(**named)))
    answers.append(stub.EndEpisode(pb.EndEpisodeRequest(**named)))
    told = [text for answer in answers for text in texts_of(answer)]
    assert any("BLOCKED" in text for text in told)
    for text in told:
        assert not re.search(r"[+-][XYZ][+-][XYZ]|-?\d+\s*(,|\.\.)\s*-?\d|cells|rotation", text), (
            text
        )


def test_the_task_is_the_same_wherever_the_pieces_are(client: Client) -> None:
    episode = client.start(PISTON, observation="image", image_size=SIZE)
    before = episode.instruction
    episode.step(plan_of(PISTON)[0])
    assert episode.observe(images=False).instruction == before
    assert episode.end().steps == 1
    assert find_level(PISTON).hash not in before


def test_without_a_renderer_only_pictures_are_missing(stub: EpisodeServiceStub) -> None:
    options = {"mode": 3, "picture_format": 3}
    started = stub.StartEpisode(pb.StartEpisodeRequest(level_id=PISTON, options=options))
    named = {"episode_id": started.episode_id, "lease": started.lease}
    assert not stub.Observe(pb.ObserveRequest(**named)).observation.views
    stub.EndEpisode(pb.EndEpisodeRequest(**named))


def test_pictures_too_large_for_a_message_are_refused_and_play_goes_on(client: Client) -> None:
    level = "burr-piston-assemble"
    episode = client.start(level, image_size=2048, image_format="raw", stream=True)
    with pytest.raises(ServerError, match="smaller ones") as caught:
        episode.observe()
    assert caught.value.code is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert caught.value.reason == "OBSERVATION_TOO_LARGE"
    assert episode.step(plan_of(level)[0]).step == 1
    episode.end()


def texts_of(message: Message) -> Iterator[str]:
    """Every text in a message, but for the task and the tools, which know no state."""
    for field, value in message.ListFields():
        if field.name in ("instruction", "tools_json", "level"):
            continue
        for item in value if field.is_repeated else [value]:
            if field.type == FieldDescriptor.TYPE_MESSAGE and isinstance(item, Message):
                yield from texts_of(item)
            elif isinstance(item, str):
                yield item if not field.message_type else f"{item}={value[item]}"


def chunks(png: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = 8
    while at < len(png):
        (length,) = struct.unpack(">I", png[at : at + 4])
        yield png[at + 4 : at + 8], png[at + 8 : at + 8 + length]
        at += length + 12
