"""Way of pictures through OpenEnv, for ``luban doctor --adapter openenv``.

The real server and the real client play over a WebSocket.
"""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import uvicorn
from openenv.core.env_server.http_server import create_app

import luban
from luban.testing.sight import (
    IMAGE_SIZE,
    Adapter,
    Decide,
    Play,
    Played,
    Received,
    Route,
    read_data_url,
)
from luban_openenv.client import LubanEnv
from luban_openenv.environment import LubanEnvironment, Settings
from luban_openenv.models import LubanAction, LubanObservation, LubanState

__all__ = ["ADAPTER"]


@contextmanager
def _open(route: Route) -> Iterator[Play]:
    def play(level: luban.Level[Any], observation: Any, decide: Decide) -> Played:
        settings = Settings(observation=observation.value, image_size=IMAGE_SIZE, reward="progress")
        with _serve(settings, route.port) as address:
            return _play(route.gateway or address, level.id, decide)

    yield play


@contextmanager
def _serve(settings: Settings, port: int) -> Iterator[str]:
    app = create_app(
        lambda: LubanEnvironment(settings),
        LubanAction,
        LubanObservation,
        env_name="luban",
        state_cls=LubanState,
    )
    server = uvicorn.Server(uvicorn.Config(app, port=port, log_level="error"))
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        while not server.started and thread.is_alive():
            time.sleep(0.01)
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()


def _play(address: str, level: str, decide: Decide) -> Played:
    with LubanEnv(base_url=address).sync() as env:
        result = env.reset(task=level)
        hashes = [env.state().state_hash]
        while not result.done:
            seen = result.observation
            views = tuple(read_data_url(view.name, view.url) for view in seen.views)
            call = decide(Received(seen.text, views))
            result = env.step(LubanAction(name=call.name, arguments=dict(call.arguments)))
            hashes.append(env.state().state_hash)
        state = env.state()
        return Played(state.outcome == "SOLVED", tuple(hashes), state.total)


ADAPTER = Adapter("an OpenEnv server and its client, over a WebSocket", _open, has_route=True)
