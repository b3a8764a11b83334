"""Every error that the front door raises by purpose."""

from bridge.episode.episode import EpisodeOver
from bridge.episode.protocol import EpisodeRunning
from bridge.recording.errors import LogError, RecordingError
from bridge.recording.replay import ReplayMismatch
from bridge.rpc.errors import ServerError
from pysim.catalog import LevelError
from pysim.errors import LubanError
from pysim.physics.world import WorldError, WorldUnavailable
from pysim.puzzle import ActionError, IllegalMove, InvalidAction
from pysim.render.renderer import RendererUnavailable
from pysim.suites import SuiteError

__all__ = [
    "ActionError",
    "EpisodeOver",
    "EpisodeRunning",
    "IllegalMove",
    "InvalidAction",
    "LevelError",
    "LogError",
    "LubanError",
    "RecordingError",
    "RendererUnavailable",
    "ReplayMismatch",
    "ServerError",
    "SuiteError",
    "WorldError",
    "WorldUnavailable",
]
