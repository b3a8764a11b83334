"""Round trips of the gRPC service against a bare unary echo of the same size.

Both servers run in processes of their own with the same thread pool; client and contenders take
turns in short rounds, so that a machine whose speed drifts is fair to all. The actions are legal
moves back and forth on the Piston lock in the lattice world, logged as ever.

``step`` plays as the Python client does unless told otherwise, through one stream; ``unary_step``
makes a call for each step, like the echo. Its aim of 0.6, too, is met by little on a quiet machine
and missed on a busy one, where the echo gains more, so it is no target. ``observe`` asks for the
same state again and again, whose pictures are drawn once: it measures encoding and the wire.
"""

import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import grpc

from bridge.cli.handlers.serve import launch_server
from bridge.episode.tools import ToolCall
from bridge.rpc._pb.luban.v1 import episode_service_pb2 as pb
from bridge.rpc.client import Client, connect
from perf.harness import Report, run_benchmark
from pysim.catalog import find_level
from pysim.families.burr.actions import Slide

ROUNDS = 9
SECONDS = 0.5
"""Length of one round of one contender."""
LEVEL = "burr-piston"


class Stepper:
    """Moves a piece to and fro; starts a new episode when the budget is used up."""

    def __init__(self, client: Client, *, stream: bool) -> None:
        self._client = client
        self._stream = stream
        plan = find_level(LEVEL).plan
        assert plan is not None
        there = plan.actions[0]
        assert isinstance(there, Slide)
        back = Slide(there.pieces, there.direction.opposite, there.distance)
        self._actions = [ToolCall.of(action).arguments_json() for action in (there, back)]
        self._begin()

    def _begin(self) -> None:
        self._episode = self._client.start(
            LEVEL, observation="state", budget=10_000, stream=self._stream
        )

    def __call__(self) -> object:
        """Return one step."""
        if not self._episode.budget_left:
            self._begin()
        return self._episode.step_json("slide", self._actions[self._episode.steps % 2])


def measure() -> Report:
    """Echo, steps as the client makes them, steps by single calls; and observing four views."""
    report = Report("rpc", targets={"step_to_echo": (">=", 0.6)})
    report.notes["unary_step_to_echo"] = "the aim of 0.6 needs a quiet machine: docs/reliability.md"
    with ExitStack() as stack:
        runs = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        client = stack.enter_context(connect(stack.enter_context(launch_server(runs, "auto"))))
        request, response = _message_sizes(client)
        port = stack.enter_context(_echo_process(response))
        channel = stack.enter_context(grpc.insecure_channel(f"127.0.0.1:{port}"))
        echo = channel.unary_unary("/luban.benchmark.Echo/Echo", None, None)
        payload = request * b"x"
        rates = _rates(
            {
                "echo": lambda: echo(payload),
                "step": Stepper(client, stream=True),
                "unary_step": Stepper(client, stream=False),
            }
        )
        for name, rate in rates.items():
            report.figures[f"{name}_per_s"] = statistics.median(rate)
        for name in ("step", "unary_step"):
            ratios = [a / b for a, b in zip(rates[name], rates["echo"], strict=True)]
            report.figures[f"{name}_to_echo"] = statistics.median(ratios)
        report.figures |= {"request_bytes": request, "response_bytes": response}
        for format in ("png", "jpeg", "raw"):
            episode = client.start(LEVEL, image_size=256, image_format=format)
            seen = _rates({"observe": episode.observe}, rounds=3)["observe"]
            report.figures[f"observe_4x256_{format}_per_s"] = statistics.median(seen)
    return report


def _message_sizes(client: Client) -> tuple[int, int]:
    """Bytes of a request and of a response of a step."""
    episode = client.start(LEVEL, observation="state")
    plan = find_level(LEVEL).plan
    assert plan is not None
    action = plan.actions[0]
    result = episode.step(action)
    request = pb.StepRequest(episode_id=episode.id, lease="0" * 32)
    request.action.name, request.action.arguments_json = (
        "slide",
        ToolCall.of(action).arguments_json(),
    )
    response = pb.StepResponse()
    response.result.step, response.result.message = result.step, result.message
    response.result.travel = result.travel or 0
    response.result.budget_left, response.result.state_hash = result.budget_left, result.state_hash
    return request.ByteSize(), response.ByteSize()


def _rates(
    contenders: dict[str, Callable[[], object]], rounds: int = ROUNDS
) -> dict[str, list[float]]:
    """Return calls per second of each contender in each round, after one round to warm up."""
    rates: dict[str, list[float]] = {name: [] for name in contenders}
    for number in range(rounds + 1):
        for name, call in contenders.items():
            began, calls = time.perf_counter(), 0
            while (elapsed := time.perf_counter() - began) < SECONDS:
                call()
                calls += 1
            if number:
                rates[name].append(calls / elapsed)
    return rates


@contextmanager
def _echo_process(size: int) -> Iterator[int]:
    """A bare echo server in a process of its own, answering ``size`` bytes; gives its port."""
    command = [sys.executable, "-m", "perf.echo", str(size)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield int(process.stdout.readline())
        finally:
            process.terminate()


if __name__ == "__main__":
    run_benchmark(measure, "Round trips of the gRPC service against a bare unary echo.")
