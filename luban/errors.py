"""Errors that the public functions raise; all are a :class:`LubanError`."""

from bridge.episode.episode import EpisodeOver
from bridge.episode.protocol import EpisodeRunning
from bridge.generating.folder import BatchError
from bridge.jobs.work import WorkerLost
from bridge.recording.errors import LogError, RecordingError
from bridge.recording.replay import ReplayMismatch
from bridge.rpc.errors import ServerError
from bridge.runs.folders import RunError
from pysim.catalog import LevelError
from pysim.errors import InputError, LubanError
from pysim.physics.world import WorldError, WorldUnavailable
from pysim.puzzle import ActionError, IllegalMove, InvalidAction
from pysim.render.renderer import RendererUnavailable
from pysim.suites import SuiteError

__all__ = [
    "ActionError",
    "BatchError",
    "EpisodeOver",
    "EpisodeRunning",
    "IllegalMove",
    "InputError",
    "InvalidAction",
    "LevelError",
    "LogError",
    "LubanError",
    "RecordingError",
    "RendererUnavailable",
    "ReplayMismatch",
    "RunError",
    "ServerError",
    "SuiteError",
    "WorkerLost",
    "WorldError",
    "WorldUnavailable",
]
