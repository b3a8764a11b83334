"""Playing all episodes of a run again, before anybody relies on what their logs say."""

from dataclasses import fields
from pathlib import Path

from bridge.episode.records import Options
from bridge.recording.errors import LogError
from bridge.recording.log import Log, read_log
from bridge.recording.replay import ReplayMismatch, replay
from bridge.runs.folders import RunError
from bridge.runs.protocol import Play, make_play
from bridge.runs.settings import RunSettings
from bridge.runs.store import LOG_NAME, RunFolder
from bridge.runs.worker import derive_episode_seed

__all__ = ["replay_run"]

WORLD = "lattice"
"""In which logs are played again, whatever world they were recorded in: the exact one."""


def replay_run(folder: RunFolder) -> int:
    """Play every finished episode again by its log; gives how many there are.

    Each log has to be of the level and with the options that the run's settings ask for, and every
    step has to come out as it says.

    Raises:
        RunError: one is not; the message names its log.
    """
    settings = folder.settings
    play = make_play(settings)
    count = 0
    for level, digest in settings.levels:
        for attempt in range(1, settings.attempts + 1):
            path = folder.locate_episode(level, attempt) / LOG_NAME
            count += path.exists() and _replayed(path, settings, play, (level, digest), attempt)
    return count


def _replayed(
    path: Path, settings: RunSettings, play: Play, level: tuple[str, str], attempt: int
) -> bool:
    """Return whether there was an episode with an end to be played again."""
    try:
        log = read_log(path)
        if log.ending is None:
            return False
        _check_header(log, settings, play, level, attempt)
        replay(log, world=WORLD)
    except (LogError, ReplayMismatch) as error:
        raise RunError(f"{path}: {error}") from None
    return True


def _check_header(
    log: Log, settings: RunSettings, play: Play, level: tuple[str, str], attempt: int
) -> None:
    header = log.header
    if (header.level.id, header.level.hash) != level:
        raise RunError(f"{log.path}: this is another level than the run's {level[0]}")
    if header.world[0] != settings.world:
        raise RunError(f"{log.path}: its world is {header.world[0]}, the run's {settings.world}")
    seed = derive_episode_seed(settings.seed, level[0], attempt)
    wanted = play.options(header.level, settings.make_episode_options(seed, header.level))
    for field in fields(Options):
        found, asked = getattr(header.options, field.name), getattr(wanted, field.name)
        if found != asked:
            raise RunError(f"{log.path}: its {field.name} is {found}, the run's {asked}")
