"""Episodes on a server, over gRPC."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from bridge.episode.choices import Obs
from bridge.operations.sight.playing import play_out
from bridge.operations.sight.protocol import IMAGE_SIZE, Adapter, Decide, Play, Played, Route
from bridge.rpc.client import connect
from bridge.rpc.server import LubanServer
from pysim.catalog import AnyLevel

__all__ = ["ADAPTER"]


@contextmanager
def _open(route: Route) -> Iterator[Play]:
    with TemporaryDirectory() as runs, LubanServer(Path(runs), port=route.port) as server:
        address = route.gateway.removeprefix("http://").rstrip("/") or server.address
        with connect(address) as client:

            def play(level: AnyLevel, observation: Obs, decide: Decide) -> Played:
                with client.start(level, observation=observation, image_size=IMAGE_SIZE) as episode:
                    return play_out(level, episode, decide)

            yield play


ADAPTER = Adapter("a server and its client, over gRPC", _open, has_route=True)
