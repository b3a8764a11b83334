"""Actions that are refused: typed errors that cost a step and change nothing."""

import json
from collections.abc import Iterator

import grpc
import pytest
from google.rpc import error_details_pb2
from grpc_status import rpc_status

from bridge.episode.tools import ToolCall
from bridge.rpc._pb.luban.v1 import episode_service_pb2 as pb
from bridge.rpc._pb.luban.v1.episode_service_pb2_grpc import EpisodeServiceStub
from bridge.rpc.client import Client, IllegalMove, InvalidAction, RemoteEpisode
from pysim.field_types import Json
from pysim.puzzle import ActionError, Outcome, Reason
from tests.hostile import VALUES
from tests.rpc.playing import BLOCKED, PISTON

INVALID: list[tuple[str, dict[str, Json], Reason, tuple[str, ...]]] = [
    ("slide", {"pieces": ["pink"]}, Reason.UNKNOWN_COLOUR, ("pink",)),
    ("slide", {"pieces": []}, Reason.BAD_VALUE, ("pieces",)),
    ("slide", {"pieces": ["red", "red"]}, Reason.DUPLICATE_COLOUR, ("red",)),
    ("slide", {"pieces": "red"}, Reason.BAD_VALUE, ("pieces",)),
    ("slide", {"direction": "up"}, Reason.BAD_VALUE, ("direction",)),
    ("slide", {"distance": 0}, Reason.BAD_VALUE, ("distance",)),
    ("slide", {"distance": -1}, Reason.BAD_VALUE, ("distance",)),
    ("slide", {"distance": 10**9}, Reason.BAD_VALUE, ("distance",)),
    ("slide", {"distance": 1.5}, Reason.BAD_VALUE, ("distance",)),
    ("slide", {"distance": None}, Reason.BAD_VALUE, ("distance",)),
    ("slide", {"speed": 3}, Reason.UNKNOWN_FIELD, ("speed",)),
    ("slide", {"pieces": ["\ud800"]}, Reason.BAD_VALUE, ("pieces",)),
    ("rotate", {}, Reason.UNKNOWN_FIELD, ("pieces",)),
    ("smash", {}, Reason.UNKNOWN_ACTION, ("smash",)),
    ("", {}, Reason.UNKNOWN_ACTION, ("",)),
]
UNREADABLE = [
    "{",
    "[]",
    "null",
    "red",
    '{"distance": NaN}',
    "[" * 100_000,
    "9" * 5000,
    " " * 70_000,
]


@pytest.fixture
def episode(client: Client, stream: bool) -> Iterator[RemoteEpisode]:
    episode = client.start(PISTON, observation="state", stream=stream)
    yield episode
    episode.end()


def refusal(episode: RemoteEpisode, name: str, arguments: str) -> ActionError:
    """The error of an action that costs a step and changes nothing."""
    before, steps = episode.observe(), episode.steps
    with pytest.raises(ActionError) as caught:
        episode.step_json(name, arguments)
    after = episode.observe()
    assert (episode.steps, episode.budget_left) == (steps + 1, before.budget_left - 1)
    assert (after.step, after.budget_left) == (steps + 1, before.budget_left - 1)
    assert after.state == before.state
    return caught.value


@pytest.mark.parametrize(("name", "changes", "reason", "culprits"), INVALID)
def test_an_invalid_action_is_refused_with_its_reason(
    episode: RemoteEpisode,
    name: str,
    changes: dict[str, Json],
    reason: Reason,
    culprits: tuple[str, ...],
) -> None:
    error = refusal(episode, name, json.dumps(BLOCKED | changes))
    assert isinstance(error, InvalidAction)
    assert (error.reason, error.culprits, error.travel) == (reason, culprits, None)


@pytest.mark.by_day(20)
@pytest.mark.parametrize("value", VALUES.values(), ids=VALUES)
def test_hostile_calls_reach_the_server_and_cost_a_step(
    episode: RemoteEpisode, value: Json
) -> None:
    name = value if isinstance(value, str) else "slide"
    for call in (ToolCall(name[:1000], {}), ToolCall("slide", {"pieces": value})):
        before = episode.steps
        with pytest.raises(InvalidAction):
            episode.step(call)
        assert episode.steps == before + 1
    with pytest.raises(InvalidAction):
        episode.step_json(name[:1000], name)
    assert "\x1b" not in episode.observe().text()


@pytest.mark.parametrize("arguments", UNREADABLE, ids=range(len(UNREADABLE)))
def test_arguments_that_are_no_json_object_are_malformed(
    episode: RemoteEpisode, arguments: str
) -> None:
    error = refusal(episode, "slide", arguments)
    assert isinstance(error, InvalidAction)
    assert error.reason is Reason.MALFORMED


def test_a_missing_field_is_named(episode: RemoteEpisode) -> None:
    error = refusal(episode, "slide", "{}")
    assert (error.reason, error.culprits) == (Reason.MISSING_FIELD, ("pieces",))


def test_a_blocked_slide_tells_how_far_it_could_go_and_what_blocks(
    episode: RemoteEpisode,
) -> None:
    error = refusal(episode, "slide", json.dumps(BLOCKED))
    assert isinstance(error, IllegalMove)
    assert (error.reason, error.travel) == (Reason.BLOCKED, 0)
    assert error.culprits == ("blue", "green", "orange")
    far = {"pieces": ["purple"], "direction": "+y", "distance": 900}
    error = refusal(episode, "slide", json.dumps(far))
    assert (error.reason, error.travel, error.culprits) == (Reason.BLOCKED, 1, ("green", "orange"))


def test_a_held_piece_can_not_be_turned_or_brought(episode: RemoteEpisode) -> None:
    turn = {"piece": "red", "axis": "z", "quarter_turns": 1}
    bring = {"piece": "red", "rotation": "+X+Y+Z", "cell": [0, 0, 0], "direction": "+x"}
    for name, arguments in (("rotate", turn), ("bring", bring)):
        error = refusal(episode, name, json.dumps(arguments))
        assert isinstance(error, IllegalMove)
        assert (error.reason, error.culprits) == (Reason.NOT_FREE, ("red",))


def test_an_error_that_names_hundreds_of_things_still_arrives(episode: RemoteEpisode) -> None:
    many = [f"a colour that nobody has ever seen, number {i}" for i in range(256)]
    error = refusal(episode, "slide", json.dumps({**BLOCKED, "pieces": many}))
    assert isinstance(error, InvalidAction)
    assert error.reason is Reason.UNKNOWN_COLOUR
    assert error.culprits == tuple(many[: len(error.culprits)])
    assert len(error.message) <= 1000


def test_the_last_step_may_be_a_refused_one(client: Client, stream: bool) -> None:
    episode = client.start(PISTON, observation="state", budget=1, stream=stream)
    with pytest.raises(IllegalMove):
        episode.step("slide", **BLOCKED)
    assert episode.outcome is Outcome.OUT_OF_BUDGET
    assert (episode.steps, episode.budget_left) == (1, 0)
    episode.end()


def test_error_details_can_be_read_with_plain_grpc(stub: EpisodeServiceStub) -> None:
    started = stub.StartEpisode(pb.StartEpisodeRequest(level_id=PISTON, options={"mode": 3}))
    request = pb.StepRequest(episode_id=started.episode_id, lease=started.lease)
    request.action.name, request.action.arguments_json = "slide", json.dumps(BLOCKED)
    with pytest.raises(grpc.RpcError) as caught:
        stub.Step(request)
    assert caught.value.code() is grpc.StatusCode.FAILED_PRECONDITION
    info = error_details_pb2.ErrorInfo()
    assert rpc_status.from_call(caught.value).details[0].Unpack(info)
    assert (info.domain, info.reason) == ("luban", "BLOCKED")
    assert dict(info.metadata) == {
        "error": "IllegalMove",
        "culprits": '["blue", "green", "orange"]',
        "travel": "0",
        "step": "1",
        "budget_left": str(started.budget - 1),
        "outcome": "",
        "state_hash": started.state_hash,
    }
    request.action.Clear()
    with pytest.raises(grpc.RpcError) as caught:
        stub.Step(request)
    assert caught.value.code() is grpc.StatusCode.INVALID_ARGUMENT
    assert rpc_status.from_call(caught.value).details[0].Unpack(info)
    assert (info.reason, info.metadata["error"]) == ("UNKNOWN_ACTION", "InvalidAction")
    end = pb.EndEpisodeRequest(episode_id=started.episode_id, lease=started.lease)
    assert stub.EndEpisode(end).ending.steps == 2
