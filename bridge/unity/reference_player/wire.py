"""The player's end of the ML-Agents wire: calls the controller, and does what the answers ask."""

import sys
from collections.abc import Callable

import grpc
from google.protobuf.message import DecodeError

from bridge.rpc._pb.luban.mlagents.v1 import communicator_pb2
from bridge.rpc._pb.luban.v1 import unity_pb2 as pb
from bridge.unity import communicator, framing
from bridge.unity.reference_player.faults import Fault
from bridge.unity.reference_player.simulation import Simulation

__all__ = ["serve"]

_BRAIN = "Luban?team=0"
_QUIT = 2
_CONNECT_S = 60.0

_Exchange = Callable[..., bytes]


def serve(port: int, stage: Simulation, fault: Fault | None) -> None:
    """Play until the controller takes its leave.

    Raises:
        grpc.RpcError: it went without a word, or refused a call.
    """
    # As the genuine library: any size goes out, and 4 MiB come in.
    limits = [
        ("grpc.max_receive_message_length", communicator.MAX_SENT_BYTES),
        ("grpc.max_send_message_length", -1),
    ]
    with grpc.insecure_channel(f"127.0.0.1:{port}", options=limits) as channel:
        path = f"/{communicator.SERVICE}/{communicator.METHOD}"
        exchange: _Exchange = channel.unary_unary(path, None, None)
        _greet(exchange, fault)
        _Agent(stage, fault).play(exchange)


def _greet(exchange: _Exchange, fault: Fault | None) -> None:
    greeting = communicator_pb2.RlInitializationOutput(
        name="Luban",
        communication_version=communicator.COMMUNICATION_VERSION,
        package_version="4.0.0",
        capabilities=communicator.build_capabilities(),
    )
    if fault is not None:
        fault.break_greeting(greeting)
    output = communicator_pb2.UnityOutput(rl_initialization_output=greeting)
    exchange(_message(output), wait_for_ready=True, timeout=_CONNECT_S)


class _Agent:
    """The one agent, which asks for a decision each step, and the side channel beside it."""

    def __init__(self, stage: Simulation, fault: Fault | None) -> None:
        self._stage = stage
        self._fault = fault
        self._requests = 0
        self._steps = 0

    def play(self, exchange: _Exchange) -> None:
        """Take turns with the controller until it parts."""
        outgoing = _message(communicator_pb2.UnityOutput())
        while True:
            incoming = communicator_pb2.UnityMessage.FromString(exchange(outgoing))
            turn = incoming.unity_input.rl_input
            if incoming.header.status != communicator.OK or turn.command == _QUIT:
                return
            self._steps = 0 if turn.command == communicator.RESET else self._steps + 1
            outgoing = self._step(turn)

    def _step(self, turn: communicator_pb2.RlInput) -> bytes:
        answers = [self._answer(request) for request in framing.unpack_messages(turn.side_channel)]
        # Filled in where it stands: a message put into another one is copied, pictures and all.
        message = communicator_pb2.UnityMessage()
        message.header.status = communicator.OK
        self._look(message.unity_output.rl_output.agent_infos[_BRAIN].value.add())
        message.unity_output.rl_output.side_channel = b"".join(answers)
        if turn.command == communicator.RESET:
            brain = message.unity_output.rl_initialization_output.brain_parameters.add()
            brain.brain_name, brain.is_training = _BRAIN, True
            brain.action_spec.num_discrete_actions = 1
            brain.action_spec.discrete_branch_sizes.append(1)
        data = message.SerializeToString()
        if self._fault is not None and answers:
            data = self._fault.break_message(self._requests - 1, data)
        return data

    def _answer(self, data: memoryview) -> bytes:
        """Return the framed response to a request."""
        number, self._requests = self._requests, self._requests + 1
        try:
            response = self._stage.handle(pb.PlayerRequest.FromString(bytes(data)))
        except DecodeError:
            response = pb.PlayerResponse()
            response.failed.error = pb.PLAYER_ERROR_MALFORMED
            response.failed.message = f"{len(data)} bytes are no request"
        if self._fault is None:
            return framing.pack_frame(self._stage.fit_response(response))
        self._fault.break_response(number, response)
        return self._fault.break_side_channel(
            number, framing.pack_frame(self._stage.fit_response(response))
        )

    def _look(self, agent: communicator_pb2.AgentInfo) -> None:
        """Tell what the agent sees: how many steps it has made."""
        agent.id = 1
        agent.observations.add(
            shape=[1],
            float_data=communicator_pb2.FloatData(data=[float(self._steps)]),
            dimension_properties=[1],
            name="steps",
        )


def _message(output: communicator_pb2.UnityOutput) -> bytes:
    header = communicator_pb2.Header(status=communicator.OK)
    return communicator_pb2.UnityMessage(header=header, unity_output=output).SerializeToString()


def report_end(error: grpc.RpcError) -> None:
    """Say on stderr how the connection ended."""
    assert isinstance(error, grpc.Call)
    print(f"the connection ended: {error.code().name}: {error.details()}", file=sys.stderr)
