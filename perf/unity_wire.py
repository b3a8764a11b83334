"""Our end of the ML-Agents wire against the genuine ``UnityEnvironment``, on the same player.

The player is the stand-in. Both ends drive one of their own and take turns in short rounds, so that
a machine whose speed drifts is fair to both. A round trip is a step of the player; ``request`` is a
step with a request of Luban's in the side channel (to carry out no motions), written and read in
protobuf by both; ours compares digests besides. The pictures are four views of 512 pixels, raw,
which the player has drawn before: it is the wire that is measured.
"""

import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

from bridge.rpc._pb.luban.v1 import unity_pb2 as pb
from bridge.unity import codec, mlagents_import
from bridge.unity.framing import CHANNEL
from bridge.unity.link import Launch
from bridge.unity.player import Player
from bridge.unity.pool import PlayerPool
from bridge.unity.renderer import UnityRenderer
from perf.harness import Report, run_benchmark
from pysim.catalog import find_family, find_level
from pysim.render.camera import make_camera_set, measure_bounds
from pysim.render.renderer import PASSES, Pass
from pysim.scene import Scene

ROUNDS = 41
SECONDS = 0.1
"""Length of one round of one contender."""
SIZE = 512
LEVEL = "burr-piston"
BASE_PORT = 6205


class Genuine:
    """The genuine environment, with Luban's messages in a side channel."""

    def __init__(self, player: Path, scene: Scene) -> None:
        environment = mlagents_import.import_environment()
        channels = import_module("mlagents_envs.side_channel.raw_bytes_channel")
        self._channel: Any = channels.RawBytesChannel(CHANNEL)
        self._environment: Any = environment.UnityEnvironment(
            str(player), base_port=BASE_PORT, no_graphics=True, side_channels=[self._channel]
        )
        self._environment.reset()
        self._ask(pb.PlayerRequest(id=1, reset=pb.PlayerReset(scene=codec.encode_scene(scene))))

    def step(self) -> object:
        """Return one step, without a request."""
        return self._environment.step()

    def request(self) -> object:
        """Return one step with a request."""
        response = self._ask(pb.PlayerRequest(id=1, execute=pb.PlayerExecute()))
        return codec.decode_report(response.report)

    def close(self) -> None:
        """End the player."""
        self._environment.close()

    def _ask(self, request: pb.PlayerRequest) -> pb.PlayerResponse:
        self._channel.send_raw_data(request.SerializeToString())
        self._environment.step()
        (data,) = self._channel.get_and_clear_received_messages()
        return pb.PlayerResponse.FromString(bytes(data))


def measure() -> Report:
    """Steps and requests of both ends, and pictures."""
    report = Report(
        "unity_wire",
        targets={"step_to_genuine": (">=", 1.3), "pictures_4x512_raw_per_s": (">=", 100.0)},
    )
    level = find_level(LEVEL)
    scene = find_family(level).rules.scene(level, find_family(level).rules.initial(level))
    with ExitStack() as stack:
        player = stack.enter_context(_player())
        ours = Player(Launch(player))
        stack.callback(ours.close)
        ours.reset(scene)
        theirs = Genuine(player, scene)
        stack.callback(theirs.close)
        contenders: dict[str, Callable[[], object]] = {
            "step_ours": ours.step,
            "step_genuine": theirs.step,
            "request_ours": lambda: ours.execute([]),
            "request_genuine": theirs.request,
        }
        rates = _rates(contenders)
    for name, rate in rates.items():
        report.figures[f"{name}_per_s"] = statistics.median(rate)
    for what in ("step", "request"):
        pairs = zip(rates[f"{what}_ours"], rates[f"{what}_genuine"], strict=True)
        report.figures[f"{what}_to_genuine"] = statistics.median(a / b for a, b in pairs)
    with _player() as player, PlayerPool(Launch(player)) as players:
        renderer = UnityRenderer(players)
        cameras = make_camera_set("iso4", measure_bounds(scene))
        for name, passes in (("raw", (Pass.RGB,)), ("raw_ids_depth", PASSES)):
            drawn = _rates({name: partial(renderer.render, scene, cameras, SIZE, None, passes)})
            report.figures[f"pictures_4x512_{name}_per_s"] = statistics.median(drawn[name])
        renderer.close()
    return report


def _rates(contenders: dict[str, Callable[[], object]]) -> dict[str, list[float]]:
    """Return calls per second of each contender in each round, after one round to warm up."""
    rates: dict[str, list[float]] = {name: [] for name in contenders}
    for number in range(ROUNDS + 1):
        for name, call in contenders.items():
            began, calls = time.perf_counter(), 0
            while (elapsed := time.perf_counter() - began) < SECONDS:
                call()
                calls += 1
            if number:
                rates[name].append(calls / elapsed)
    return rates


@contextmanager
def _player() -> Iterator[Path]:
    """The stand-in as an executable such as Unity builds for Linux."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "luban-player.x86_64"
        root = Path(__file__).resolve().parent.parent
        command = f'cd "{root}" && exec "{sys.executable}" -m bridge.unity.reference_player "$@"'
        path.write_text(f"#!/bin/sh\n{command}\n", encoding="utf-8")
        path.chmod(0o755)
        yield path


if __name__ == "__main__":
    run_benchmark(measure, "Our end of the ML-Agents wire against mlagents_envs.")
