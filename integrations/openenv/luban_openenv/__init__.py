"""Luban's puzzles as an OpenEnv environment: models, client, environment and server."""

from luban_openenv.client import LubanEnv
from luban_openenv.models import LubanAction, LubanObservation, LubanState, LubanView

__all__ = ["LubanAction", "LubanEnv", "LubanObservation", "LubanState", "LubanView"]
