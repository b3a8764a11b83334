"""The ML-Agents protocol as Luban speaks it: versions, and the controller's messages."""

from collections.abc import Mapping
from typing import Final

from bridge.rpc._pb.luban.mlagents.v1 import communicator_pb2 as pb
from bridge.unity.errors import IncompatiblePlayer, PlayerLeft, ProtocolError
from pysim.errors import InputError

__all__ = [
    "COMMUNICATION_VERSION",
    "MAX_MESSAGE_BYTES",
    "MAX_SENT_BYTES",
    "METHOD",
    "OK",
    "PACKAGE_VERSION",
    "PARTING",
    "PORT_OPTION",
    "RESET",
    "SERVICE",
    "STEP",
    "Brains",
    "build_capabilities",
    "check_version",
    "is_greeting",
    "read_output",
    "write_input",
    "write_introduction",
]

SERVICE: Final = "communicator_objects.UnityToExternalProto"
METHOD: Final = "Exchange"
PORT_OPTION: Final = "--mlagents-port"
"""The option with which every ML-Agents build takes the port."""
COMMUNICATION_VERSION: Final = "1.5.0"
PACKAGE_VERSION: Final = "1.1.0"
"""The release of mlagents-envs that speaks the same; players write it into their logs."""
MAX_MESSAGE_BYTES: Final = 64 * 2**20
"""What we take, and players send, goes up to this size."""
MAX_SENT_BYTES: Final = 4 * 2**20
"""What players take: gRPC's own limit, which the genuine library leaves as it is."""
OK: Final = 200
PARTING: Final = 400
STEP, RESET = 0, 1

Brains = dict[str, pb.ActionSpec]
"""What the agents of each brain can do."""


def build_capabilities() -> pb.Capabilities:
    """Build the capabilities of version 1.5.0."""
    return pb.Capabilities(
        base_rl_capabilities=True,
        concatenated_png_observations=True,
        compressed_channel_mapping=True,
        hybrid_actions=True,
        training_analytics=True,
        variable_length_observation=True,
        multi_agent_groups=True,
    )


def check_version(hello: pb.RlInitializationOutput) -> None:
    """Refuse a player of another major version.

    Raises:
        IncompatiblePlayer: it is one.
    """
    if hello.communication_version.split(".")[0] != COMMUNICATION_VERSION.split(".")[0]:
        raise IncompatiblePlayer(
            f"the player {hello.name!r} (com.unity.ml-agents {hello.package_version or '?'}) "
            f"speaks version {hello.communication_version or '?'} of the ML-Agents protocol, and "
            f"Luban {COMMUNICATION_VERSION}: build it with com.unity.ml-agents 2.0 to 4.0"
        )


def is_greeting(data: bytes) -> bool:
    """Return whether it is what a player says first, of whatever version it is."""
    try:
        return bool(read_output(data).rl_initialization_output.communication_version)
    except ProtocolError:
        return False


def read_output(data: bytes) -> pb.UnityOutput:
    """Read the output of a player.

    Raises:
        ProtocolError: it can't be read.
        PlayerLeft: the player takes its leave.
    """
    # The error of the library's fast half is not the class that it documents.
    from google.protobuf.message import DecodeError

    try:
        message = pb.UnityMessage.FromString(data)
    except DecodeError as error:
        raise ProtocolError(f"the player sent {len(data)} bytes that are no message") from error
    if message.header.status != OK:
        raise PlayerLeft(f"the player takes its leave with status {message.header.status}")
    return message.unity_output


def write_introduction(seed: int) -> bytes:
    """Return the controller's first message."""
    hello = pb.RlInitializationInput(
        seed=seed,
        communication_version=COMMUNICATION_VERSION,
        package_version=PACKAGE_VERSION,
        capabilities=build_capabilities(),
        num_areas=1,
    )
    return _message(pb.UnityInput(rl_initialization_input=hello))


def write_input(
    command: int, agents: Mapping[str, pb.AgentInfos], brains: Brains, side_channel: bytes
) -> bytes:
    """Return a step or a reset, in which every agent that asks does nothing.

    Raises:
        InputError: it is larger than MAX_SENT_BYTES.
    """
    turn = pb.RlInput(command=command, side_channel=side_channel)
    if command == STEP:
        for brain, infos in agents.items():
            nothing = _nothing(brains.get(brain, pb.ActionSpec()))
            turn.agent_actions[brain].value.extend([nothing] * _asking(infos))
    data = _message(pb.UnityInput(rl_input=turn))
    if len(data) > MAX_SENT_BYTES:
        raise InputError(f"a message of {len(data):,} bytes is too large for a player")
    return data


def _message(content: pb.UnityInput) -> bytes:
    return pb.UnityMessage(header=pb.Header(status=OK), unity_input=content).SerializeToString()


def _asking(infos: pb.AgentInfos) -> int:
    return sum(not info.done for info in infos.value)


def _nothing(spec: pb.ActionSpec) -> pb.AgentAction:
    return pb.AgentAction(
        continuous_actions=[0.0] * spec.num_continuous_actions,
        discrete_actions=[0] * spec.num_discrete_actions,
    )
