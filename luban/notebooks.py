"""Displays in 3D of levels, episodes and logs in notebooks: ``%load_ext luban``.

The viewer is a page of its own in a frame, which may run its script and nothing else. It is a part
of the notebook, 0.3 MB for each display. Where a notebook is not trusted its frames are left out,
and what stands under them is shown: pictures and facts, as without the extension.
"""

import json
from collections.abc import Callable, Mapping
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Protocol

from bridge.episode.episode import Episode
from bridge.recording.log import Log
from bridge.web.replays import build_level_document, build_replay_document, build_scene_document
from bridge.web.static_page import build_static_page
from luban.playing import StartedEpisode, read_log
from pysim.errors import LubanError
from pysim.field_types import Json
from pysim.puzzle import Level

__all__ = [
    "Shell",
    "format_episode_in_3d",
    "format_level_in_3d",
    "format_log_in_3d",
    "register_displays",
]

LARGEST = 4_000_000
"""Bytes of a frame; what is larger is shown by its pictures alone."""


class Formatter(Protocol):
    """Formatter of IPython for one MIME type."""

    def for_type(self, kind: type, show: Callable[[Any], str]) -> object:
        """Show instances of a class so."""


class DisplayFormatter(Protocol):
    """Formatters of IPython, by MIME type."""

    formatters: Mapping[str, Formatter]


class Shell(Protocol):
    """Shell of IPython, as far as displays need it."""

    display_formatter: DisplayFormatter


def register_displays(shell: Shell) -> None:
    """Show levels, episodes of this process and logs in 3D from now on."""
    formatter = shell.display_formatter.formatters["text/html"]
    formatter.for_type(Level, format_level_in_3d)
    formatter.for_type(Episode, format_episode_in_3d)
    formatter.for_type(StartedEpisode, format_episode_in_3d)
    formatter.for_type(Log, format_log_in_3d)


def format_level_in_3d(level: Level[Any]) -> str:
    """Return a level as it starts, in 3D, with its picture and facts under it."""
    return _frame(build_level_document(level), level._repr_html_())


def format_episode_in_3d(episode: Episode) -> str:
    """Return an episode in 3D: as it stands, or step by step once it has ended."""
    head = f"{episode.level.name}: {episode.steps} of {episode.budget} steps"
    document = build_scene_document(episode.level, head, episode.scene)
    if episode.outcome is not None and isinstance(episode, StartedEpisode):
        with TemporaryDirectory(prefix="luban-") as folder:
            path = Path(folder, "episode.jsonl")
            episode.save_log(path)
            document = build_replay_document(read_log(path))
    return _frame(document, episode._repr_html_())


def format_log_in_3d(log: Log) -> str:
    """Return a log in 3D, step by step; why it can't be played again, if so."""
    words = f"<p>{escape(str(log.path))}: {len(log.steps)} steps</p>"
    try:
        return _frame(build_replay_document(log), words)
    except LubanError as error:
        return f"{words}<p>It can't be shown: {escape(str(error))}</p>"


def _frame(document: dict[str, Json], rest: str) -> str:
    """Return a frame with the viewer, and what is shown where frames are not."""
    page = build_static_page(document)
    if len(page) > LARGEST:
        size = len(json.dumps(document)) / 1e6
        return f"{rest}<p>It is not shown in 3D: the episode has {size:.0f} MB.</p>"
    style = "width:100%;height:36rem;border:1px solid #8886;border-radius:8px"
    return (
        f'<iframe title="{escape(str(document["title"]))} in 3D" sandbox="allow-scripts" '
        f'style="{style}" srcdoc="{escape(page)}"></iframe>'
        f"<details><summary>Pictures and facts</summary>{rest}</details>"
    )
