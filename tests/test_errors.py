"""One root: every exception of ours is a LubanError, or is argued for here."""

import importlib
import inspect
import pkgutil
from collections.abc import Iterator

import pytest

import bridge
import luban
import pysim
from pysim.errors import InputError, LubanError

SIGNALS = {
    "bridge.agents.protocol.GaveUp": "an agent's way to end an episode",
    "bridge.agents.servers.errors.Refused": "a complaint; what is left of it is a ModelError",
    "bridge.agents.servers.errors.TransientFault": "asks for another try, or becomes a ModelError",
    "bridge.agents.answers.literals.LiteralError": "ends the reading of one value",
    "bridge.agents.answers.literals.WorkLimitReached": "becomes a PlanError",
    "bridge.agents.streaming.BrokenStream": "asks for another try",
    "bridge.benches.cubebench.sandbox.interpreter.CallRefused": "becomes the code's own ValueError",
    "bridge.benches.cubebench.sandbox.process.OutOfTime": "ends a turn",
    "bridge.benches.cubebench.sandbox.process.InterpreterLost": "ends a turn",
    "bridge.benches.cubebench.tools.RunOver": "ends a run",
    "bridge.rpc.http2.frames.ProtocolError": "ends a client's connection",
    "bridge.runs.play.PlayStopped": "ends a worker that is asked to",
    "bridge.unity.reference_player.simulation._Refusal": "becomes the player's answer",
    "pysim.families.burr.solver.shortest._LimitReachedError": "ends a search",
    "pysim.families.burr.solver.turning_takedown._CutOffError": "ends a search",
    "pysim.families.burr.solver.turning_takedown._StuckError": "ends a search",
}
"""Tell somebody of ours what to do next, and never reach a user."""
STRANGERS = {
    "bridge.benches.cubebench.sandbox.lockdown.LockdownError": "its process imports nothing",
}
BUGS = {
    "pysim.carrying.NoPath": "rules ask only for ways that there are: its traceback is wanted",
}
ARGUED = SIGNALS | STRANGERS | BUGS


def ours() -> Iterator[type[Exception]]:
    """All exceptions that are defined in our modules, but for the referee's: it imports nothing."""
    for package in (pysim, bridge, luban):
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if found.name.startswith("bridge.referee") or found.name.endswith("__main__"):
                continue
            module = importlib.import_module(found.name)
            for value in vars(module).values():
                if not (inspect.isclass(value) and value.__module__ == module.__name__):
                    continue
                if issubclass(value, Exception):
                    yield value


def name_of(kind: type[Exception]) -> str:
    return f"{kind.__module__}.{kind.__qualname__}"


def test_every_exception_of_ours_is_a_luban_error_or_argued_for() -> None:
    found = list(ours())
    assert len(found) > 40
    assert {name_of(kind) for kind in found if not issubclass(kind, LubanError)} == set(ARGUED)


def test_callers_that_catch_what_python_offers_go_on_doing_so() -> None:
    kept = {name_of(kind): kind for kind in ours()}
    for name, base in {
        "bridge.recording.errors.RecordingError": OSError,
        "bridge.rpc.errors.ServerError": RuntimeError,
        "bridge.runs.folders.RunError": ValueError,
        "pysim.catalog.documents.LevelError": ValueError,
        "pysim.errors.InputError": ValueError,
        "pysim.physics.world.WorldError": RuntimeError,
        "pysim.physics.world.WorldUnavailable": ImportError,
        "pysim.render.renderer.RendererUnavailable": RuntimeError,
    }.items():
        assert issubclass(kept[name], base)


def test_wrong_values_are_input_errors_of_the_root_and_bugs_are_not() -> None:
    from pysim.catalog import find_level
    from pysim.render.views import tile

    with pytest.raises(InputError):
        find_level("no such level")
    with pytest.raises(ValueError, match="at least one picture") as caught:
        tile([], 1)
    assert not isinstance(caught.value, LubanError)
