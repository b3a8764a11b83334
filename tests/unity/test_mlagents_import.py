"""The genuine mlagents_envs drives the player that our own bridge drives."""

import socket
import subprocess
import sys
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bridge.rpc._pb.luban.v1 import unity_pb2 as pb
from bridge.unity import codec, mlagents_import, pictures
from bridge.unity.framing import CHANNEL
from bridge.unity.link import Launch
from bridge.unity.player import Player
from bridge.unity.state import LatticeState
from pysim.catalog import AnyLevel, find_family
from pysim.motion import Motion
from pysim.render.renderer import PASSES
from tests.sampling import by_day
from tests.unity.sights import bare, cameras
from tests.unity.standins import ROOT, some_levels

pytestmark = [
    pytest.mark.skipif(
        mlagents_import.find_installed_version() is None,
        reason=f"NOT TESTED: {mlagents_import.INSTALL}",
    ),
    # The genuine library compares versions with what Python 3.12 has dropped.
    pytest.mark.filterwarnings("ignore:distutils Version classes:DeprecationWarning"),
]
SOME = some_levels(each=3)


PORTS = 20
"""Ports that are tried."""


def free_port() -> int:
    """Return a port that is free, since tests of this module may run in several processes."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        return int(listening.getsockname()[1])


class Genuine:
    """The genuine environment with Luban's messages in a side channel of its own kind."""

    def __init__(self, player: Path, worker: int = 0, *, graphics: bool = False) -> None:
        environment = mlagents_import.import_environment()
        from mlagents_envs.exception import UnityWorkerInUseException
        from mlagents_envs.side_channel.raw_bytes_channel import RawBytesChannel

        self.channel: Any = RawBytesChannel(CHANNEL)
        self.environment: Any = None
        for left in reversed(range(PORTS)):
            try:
                self.environment = environment.UnityEnvironment(
                    str(player),
                    worker_id=worker,
                    base_port=free_port() - worker,
                    no_graphics=not graphics,
                    timeout_wait=300,
                    side_channels=[self.channel],
                )
                break
            except UnityWorkerInUseException:  # Another process has taken it meanwhile.
                if not left:
                    raise
        self.environment.reset()
        self.id = 0

    def ask(self, **call: Any) -> pb.PlayerResponse:
        self.id += 1
        self.channel.send_raw_data(pb.PlayerRequest(id=self.id, **call).SerializeToString())
        self.environment.step()
        (data,) = self.channel.get_and_clear_received_messages()
        response = pb.PlayerResponse.FromString(bytes(data))
        assert response.id == self.id
        return response


@pytest.fixture(scope="module")
def environment(player: Path) -> Iterator[Genuine]:
    made = Genuine(player)
    yield made
    made.environment.close()


def plan_of(level: AnyLevel) -> list[tuple[Motion, ...]]:
    """The motions of each action of a level's plan."""
    rules = find_family(level).rules
    state, motions = rules.initial(level), []
    assert level.plan is not None
    for action in level.plan.actions:
        transition = rules.apply(level, state, action)
        state = transition.state
        motions.append(transition.motions)
    return motions


def test_the_genuine_environment_sees_one_agent_that_counts_its_steps(
    environment: Genuine,
) -> None:
    genuine_one = environment.environment
    genuine_one.reset()
    (name,) = genuine_one.behavior_specs
    spec = genuine_one.behavior_specs[name]
    assert name == "Luban?team=0" and [o.shape for o in spec.observation_specs] == [(1,)]
    assert spec.action_spec.discrete_branches == (1,) and spec.action_spec.continuous_size == 0
    for step in range(3):
        decisions, ended = genuine_one.get_steps(name)
        assert len(decisions) == 1 and len(ended) == 0
        assert decisions.obs[0].tolist() == [[float(step)]]
        genuine_one.set_actions(name, spec.action_spec.random_action(1))
        genuine_one.step()


def test_the_genuine_environment_says_hello(environment: Genuine) -> None:
    identity = environment.ask(hello=pb.PlayerHello(protocol=2)).identity
    assert identity.protocol == 2 and identity.engine.startswith("Luban stand-in")
    refused = environment.ask(hello=pb.PlayerHello(protocol=3)).failed
    assert refused.error == pb.PLAYER_ERROR_PROTOCOL


@pytest.mark.parametrize("level", by_day(SOME, lambda v: v.family, name=lambda v: v.id))
def test_both_ends_get_the_same_answers_from_the_player(
    environment: Genuine, level: AnyLevel, ours: Player
) -> None:
    rules = find_family(level).rules
    scene = rules.scene(level, rules.initial(level))
    state = LatticeState.of(scene)
    ours.reset(scene)
    built = environment.ask(reset=pb.PlayerReset(scene=codec.encode_scene(scene)))
    assert built.HasField("ready") and built.digest == state.digest
    for motions in plan_of(level):
        state = state.apply(motions)
        call = pb.PlayerExecute(motions=[codec.encode_motion(motion) for motion in motions])
        answer = environment.ask(execute=call)
        assert answer.digest == state.digest
        found, own = codec.decode_report(answer.report), ours.execute(motions)
        assert (found.completed, found.travel) == (True, own.travel)
        assert found.trajectory.duration == own.trajectory.duration


@pytest.fixture(scope="module")
def ours(player: Path) -> Iterator[Player]:
    made = Player(Launch(player))
    yield made
    made.close()


def test_pictures_beyond_what_genuine_grpc_takes_come_in_parts(player: Path) -> None:
    drawing = Genuine(player, worker=3, graphics=True)
    try:
        identity = drawing.ask(hello=pb.PlayerHello(protocol=2)).identity
        scene, size = bare(), 800
        chosen = cameras(scene)[:2]
        drawing.ask(reset=pb.PlayerReset(scene=codec.encode_scene(scene)))
        call = pb.PlayerRender(cameras=map(pictures.encode_camera, chosen), size=size)
        response, data = drawing.ask(render=call), bytearray()
        parts = 0
        while response.HasField("part"):
            data += response.part.data
            parts += 1
            assert response.ByteSize() < 2**22  # What genuine gRPC takes.
            if response.part.last:
                break
            response = drawing.ask(more=pb.PlayerMore())
        assert parts >= 4
        found = pb.PlayerResponse.FromString(bytes(data)).pictures
        drawn = pictures.decode_pictures(found, len(chosen), size, PASSES)
        assert identity.graphics and set(np.unique(drawn.ids)) == {0, 1, 2, 3}
        # What is left is forgotten when something else is asked.
        assert drawing.ask(render=call).HasField("part")
        assert drawing.ask(poses=pb.PlayerPoses()).HasField("bodies")
        assert drawing.ask(more=pb.PlayerMore()).failed.error == pb.PLAYER_ERROR_MALFORMED
    finally:
        drawing.environment.close()


def test_messages_of_other_channels_are_passed_over(environment: Genuine) -> None:
    from mlagents_envs.side_channel.raw_bytes_channel import RawBytesChannel

    other = RawBytesChannel(uuid.UUID(int=7))
    manager = environment.environment._side_channel_manager
    manager._side_channels_dict[other.channel_id] = other
    other.send_raw_data(b"for somebody else")
    assert environment.ask(hello=pb.PlayerHello(protocol=2)).HasField("identity")
    assert other.get_and_clear_received_messages() == []


def test_importing_luban_leaves_the_genuine_library_alone() -> None:
    print_state = "print('mlagents_envs' in sys.modules, len(sys.meta_path))"
    code = f"import sys, bridge.unity.mlagents_import; {print_state}"
    bare = subprocess.run(
        [sys.executable, "-c", f"import sys; {print_state}"],
        capture_output=True,
        text=True,
        check=True,
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout == bare.stdout


def test_the_genuine_classes_are_built_from_the_installed_descriptors() -> None:
    mlagents_import.import_environment()
    from mlagents_envs.communicator_objects.unity_message_pb2 import UnityMessageProto

    from bridge.rpc._pb.luban.mlagents.v1 import communicator_pb2

    def fields(descriptor: Any) -> dict[int, Any]:
        return {field.number: field for field in descriptor.fields}

    def compare(ours: Any, theirs: Any) -> int:
        """Every field of ours is one of theirs, of the same kind; gives how many there are."""
        count = 0
        for number, field in fields(ours).items():
            other = fields(theirs)[number]
            assert field.is_repeated == other.is_repeated
            kinds = {field.type, other.type}
            assert len(kinds) == 1 or kinds == {field.TYPE_INT32, field.TYPE_ENUM}
            count += 1
            if field.message_type is not None:
                count += compare(field.message_type, other.message_type)
        return count

    assert compare(communicator_pb2.UnityMessage.DESCRIPTOR, UnityMessageProto.DESCRIPTOR) >= 60
