"""Way of pictures through OpenEnv, for ``luban doctor --adapter openenv``.

The real server and the real client play over a WebSocket.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

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
    serve_app,
)
from luban_openenv.client import LubanEnv
from luban_openenv.environment import LubanEnvironment, Settings
from luban_openenv.models import LubanAction, LubanObservation, LubanState

__all__ = ["ADAPTER"]


@contextmanager
def _open(route: Route) -> Iterator[Play]:
    def play(level: luban.Level[Any], observation: Any, decide: Decide) -> Played:
        settings = Settings(observation=observation.value, image_size=IMAGE_SIZE, reward="progress")
        with serve_app(_create_app(settings), route.port) as address:
            return _play(route.gateway or address, level.id, decide)

    yield play


def _create_app(settings: Settings) -> Any:
    return create_app(
        lambda: LubanEnvironment(settings),
        LubanAction,
        LubanObservation,
        env_name="luban",
        state_cls=LubanState,
    )


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
