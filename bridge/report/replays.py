"""Episodes in 3D on the page of a report."""

from typing import Protocol

from bridge.recording.log import Log
from pysim.errors import LubanError

__all__ = ["EpisodeViewer", "PackedReplays"]

PAGE_REPLAYS = 24_000_000
"""Bytes of all replays of a page."""


class EpisodeViewer(Protocol):
    """Viewer of episodes, as a page of a report has it.

    Attributes:
        mark: text of the viewer's page that a packed episode replaces.
    """

    @property
    def mark(self) -> str: ...

    def pack_page(self) -> str:
        """Return the viewer's page as base64 of gzip."""

    def pack_episode(self, log: Log) -> str:
        """Return an episode as the page takes it, base64 of gzip.

        Raises:
            LubanError: it can't be played again.
        """


class PackedReplays:
    """The replays of a page, as far as there is room.

    Args:
        viewer: shows them; None for a page without.
    """

    def __init__(self, viewer: EpisodeViewer | None) -> None:
        self._viewer = viewer
        self._room = PAGE_REPLAYS

    def pack(self, log: Log) -> tuple[str, str]:
        """Return the replay of an episode, and why there is none; either is empty."""
        if self._viewer is None:
            return "", ""
        try:
            packed = self._viewer.pack_episode(log)
        except LubanError as error:
            return "", f"The episode can't be shown in 3D: {error}"
        if len(packed) > self._room:
            return "", "The page is full, so it has no replay; `luban web RUN` shows it in 3D."
        self._room -= len(packed)
        return packed, ""
