"""Way of pictures through verifiers, for ``luban doctor --adapter verifiers``.

Rollouts are run in this process as ``vf-eval`` runs them, with the tools in a process of their own
and a scripted model behind the interception server.
"""

import asyncio
import os
import threading
from collections.abc import Coroutine, Iterator
from contextlib import ExitStack, closing, contextmanager
from typing import Any

import verifiers.v1 as vf
from verifiers.v1.configs.cli.eval import EvalConfig
from verifiers.v1.utils.loaders import load_environment

import luban
from luban.testing.sight import (
    IMAGE_SIZE,
    Adapter,
    Decide,
    Play,
    Played,
    Route,
    ScriptedModel,
    serve_model,
)

__all__ = ["ADAPTER"]


class _Loop:
    """An event loop in a thread."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()

    def run(self, work: Coroutine[Any, Any, Any]) -> Any:
        """Return the result of a coroutine."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    def close(self) -> None:
        """Stop."""
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()


class _Environments:
    """Environments of verifiers by family and observation, each opened once."""

    def __init__(self, loop: _Loop, model: ScriptedModel, route: Route, stack: ExitStack) -> None:
        self._loop, self._stack = loop, stack
        self._url = route.gateway or model.url
        self._open: dict[tuple[str, str], tuple[vf.Env, vf.ModelContext]] = {}

    def play(self, level: luban.Level[Any], observation: str) -> vf.Trace:
        """Return the trace of one rollout."""
        env, context = self._find(level, observation)
        (slot,) = env.slots(env.taskset.make_task(level).with_data(idx=0), 1)
        episode = self._loop.run(env.run_slot(slot, context))
        (trace,) = episode.traces
        if trace.errors:
            raise RuntimeError(f"the rollout failed: {trace.errors[0].message}")
        return trace

    def _find(self, level: luban.Level[Any], observation: str) -> tuple[vf.Env, vf.ModelContext]:
        key = level.family, observation
        if key not in self._open:
            config = _configure(level.id, observation, self._url)
            env = load_environment(config.env)
            serving = env.serving()
            self._loop.run(serving.__aenter__())
            self._stack.callback(lambda: self._loop.run(serving.__aexit__(None, None, None)))
            context = vf.ModelContext(
                client=config.client, model=config.model, sampling=config.sampling
            )
            self._open[key] = env, context
        return self._open[key]


def _configure(level: str, observation: str, url: str) -> EvalConfig:
    os.environ.setdefault("LUBAN_SIGHT_KEY", "none")
    return EvalConfig.model_validate(
        {
            "env": {
                "taskset": {
                    "id": "luban-verifiers",
                    "levels": level,
                    "observation": observation,
                    "image_size": IMAGE_SIZE,
                    "reward": "progress",
                },
                "agent": {
                    "harness": {"id": "luban-verifiers"},
                    "runtime": {"type": "subprocess"},
                },
            },
            "client": {"base_url": url, "api_key_var": "LUBAN_SIGHT_KEY"},
            "model": "sight",
        }
    )


@contextmanager
def _open(route: Route) -> Iterator[Play]:
    with closing(_Loop()) as loop, serve_model(route.port) as model, ExitStack() as stack:
        environments = _Environments(loop, model, route, stack)

        def play(level: luban.Level[Any], observation: Any, decide: Decide) -> Played:
            model.decide = decide
            trace = environments.play(level, observation.value)
            if model.error is not None:
                raise model.error
            state = trace.state
            return Played(state.solved, tuple(state.hashes), state.total)

        yield play


ADAPTER = Adapter("rollouts of verifiers with a scripted model", _open, has_route=True)
