"""Display of an episode in a notebook."""

from html import escape

from bridge.episode.observation import Observation
from bridge.episode.protocol import PlayableEpisode
from pysim.errors import LubanError

__all__ = ["draw_episode", "format_episode"]


def draw_episode(episode: PlayableEpisode) -> bytes | None:
    """Return the pictures that an agent sees now as one PNG; None if there are none."""
    seen = _try_observe(episode)
    return seen._repr_png_() if isinstance(seen, Observation) else None


def format_episode(episode: PlayableEpisode) -> str:
    """Return the level, how far it is played, and what an agent sees now, as HTML.

    Looking is free. What is not to be seen any more is told in words.
    """
    seen = _try_observe(episode)
    shown = seen._repr_html_() if isinstance(seen, Observation) else f"<p>{escape(seen)}</p>"
    outcome = episode.outcome or "running"
    head = f"{episode.level.id}: {outcome}, {episode.steps} of {episode.budget} steps"
    return f"<div><b>{escape(head)}</b>{shown}</div>"


def _try_observe(episode: PlayableEpisode) -> Observation | str:
    """Return an observation, or why there is none."""
    try:
        return episode.observe()
    except LubanError as error:
        return str(error)
