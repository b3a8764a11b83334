"""Agents of ``luban eval`` that ask a model server; needs the extra ``openai``."""

from collections.abc import Iterator
from contextlib import closing, contextmanager

from bridge.agents.registry import create_agent
from bridge.episode.choices import Obs
from bridge.episode.episode import Episode
from bridge.episode.records import Options
from bridge.episode.rendering import SharedRenderer
from bridge.operations.sight.playing import sum_rewards
from bridge.operations.sight.protocol import IMAGE_SIZE, Adapter, Decide, Play, Played, Route
from bridge.operations.sight.scripted_model import serve_model
from bridge.runs.play import make_step
from pysim.catalog import AnyLevel
from pysim.puzzle import Outcome

__all__ = ["ADAPTER"]


@contextmanager
def _open(route: Route) -> Iterator[Play]:
    with closing(SharedRenderer()) as renderer, serve_model(route.port) as model:
        settings = {"base_url": route.gateway or model.url, "retries": "0"}

        def play(level: AnyLevel, observation: Obs, decide: Decide) -> Played:
            model.decide = decide
            agent = create_agent("openai:sight", level, obs=observation, settings=settings)
            options = Options(observation, picture_size=IMAGE_SIZE)
            with Episode(level, renderer=renderer, options=options) as episode:
                hashes = [episode.state_hash]
                while episode.outcome is None:
                    make_step(episode, agent.act(episode.observe()))
                    hashes.append(episode.state_hash)
            solved = episode.outcome is Outcome.SOLVED
            return Played(solved, tuple(hashes), sum_rewards(level, hashes, solved=solved))

        yield play


ADAPTER = Adapter("agents that ask a model server, over the OpenAI protocol", _open, has_route=True)
