"""Parts for adapters of other packages, which ``luban doctor --adapter`` finds.

An adapter is an entry point of the group ``luban.adapters``, an :class:`Adapter`. ``check_sight``
is the check itself, for tests.
"""

from bridge.operations.sight.check import Arrival, SightCheck, check_sight
from bridge.operations.sight.playing import read_data_url, receive, serve_app, sum_rewards
from bridge.operations.sight.protocol import (
    IMAGE_SIZE,
    Adapter,
    Decide,
    Play,
    Played,
    Received,
    Route,
    find_adapter,
)
from bridge.operations.sight.scripted_model import ScriptedModel, serve_model

__all__ = [
    "IMAGE_SIZE",
    "Adapter",
    "Arrival",
    "Decide",
    "Play",
    "Played",
    "Received",
    "Route",
    "ScriptedModel",
    "SightCheck",
    "check_sight",
    "find_adapter",
    "read_data_url",
    "receive",
    "serve_app",
    "serve_model",
    "sum_rewards",
]
