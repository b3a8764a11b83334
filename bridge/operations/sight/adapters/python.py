"""Episodes in this process."""

from collections.abc import Iterator
from contextlib import closing, contextmanager

from bridge.episode.choices import Obs
from bridge.episode.episode import Episode
from bridge.episode.records import Options
from bridge.episode.rendering import SharedRenderer
from bridge.operations.sight.playing import play_out
from bridge.operations.sight.protocol import IMAGE_SIZE, Adapter, Decide, Play, Played, Route
from pysim.catalog import AnyLevel

__all__ = ["ADAPTER", "open_player"]


@contextmanager
def open_player(route: Route) -> Iterator[Play]:
    """Play episodes of this process."""
    with closing(SharedRenderer()) as renderer:

        def play(level: AnyLevel, observation: Obs, decide: Decide) -> Played:
            options = Options(observation, picture_size=IMAGE_SIZE)
            with Episode(level, renderer=renderer, options=options) as episode:
                return play_out(level, episode, decide)

        yield play


ADAPTER = Adapter("episodes of the Python library", open_player)
