"""Carrying out a turn: running its code, or making its calls."""

import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from bridge.agents.turns import Prompt, TurnAnswer
from bridge.benches.cubebench.call_parsing import (
    FaultyAnswer,
    Look,
    Moves,
    Observe,
    Solve,
    TurnCall,
    make_call_schemas,
    parse_calls,
)
from bridge.benches.cubebench.prompts import SYSTEM, VERSION, make_call_opening, make_code_opening
from bridge.benches.cubebench.protocol import TurnProtocol
from bridge.benches.cubebench.sandbox.interpreter import (
    CallRefused,
    Interpreter,
    OutOfTime,
    SandboxLimits,
    Value,
)
from bridge.benches.cubebench.tools import CubeTools

__all__ = ["CallTurns", "CodeTurns", "Observed", "TurnEnvironment", "extract_code"]

MOST_CODE = 200_000
"""Characters of an answer's code."""


@dataclass(frozen=True, slots=True)
class Observed:
    """Observation of an agent at its turn.

    Attributes:
        text: all of it.
        results: without code, the parts: one for each call.
    """

    text: str
    results: tuple[str, ...] = ()


class TurnEnvironment(Protocol):
    """Takes turns."""

    def make_opening(self, instruction: str) -> Prompt:
        """Return the prompt of the first turn."""

    def carry_out(self, answer: TurnAnswer, deadline: float) -> Observed:
        """Do what an answer asks for, up to ``deadline`` on the monotonic clock.

        Raises:
            RunOver: the run has ended on the way.
            OutOfTime: the deadline has come.
        """

    def close(self) -> None:
        """Free what is held."""


class CodeTurns:
    """Runs the code of each turn in one sandboxed interpreter.

    Args:
        tools: what the code may call.
        protocol: of the run.
        seed: of the code's random numbers.
        check: called while code runs; what it raises ends the turn.
    """

    def __init__(
        self, tools: CubeTools, protocol: TurnProtocol, seed: int, check: Callable[[], None]
    ) -> None:
        self._functions = tools.functions
        self._has_pictures = tools.has_pictures
        self._protocol = protocol
        self._limits = SandboxLimits()
        self._interpreter = Interpreter(
            self._functions, protocol.sandbox, self._limits, seed, check
        )

    def make_opening(self, instruction: str) -> Prompt:
        text = make_code_opening(
            instruction,
            self._functions,
            self._protocol,
            self._limits.output,
            pictures=self._has_pictures,
        )
        return Prompt(1, text, system=SYSTEM, version=f"prompts {VERSION}")

    def carry_out(self, answer: TurnAnswer, deadline: float) -> Observed:
        try:
            code = extract_code(answer.text)
        except FaultyAnswer as error:
            return Observed(f"Nothing was run: {error}.")
        ran = self._interpreter.run(code, deadline)
        parts = [part for part in (ran.output, ran.error) if part]
        return Observed("\n".join(parts) or "(no output)")

    def close(self) -> None:
        self._interpreter.close()


_BLOCK = re.compile(r"```(?:python|py|Python)?[ \t]*\r?\n(.*?)```", re.DOTALL)


def extract_code(text: str) -> str:
    """Return the code of an answer: what is in its fenced blocks, one after another.

    Raises:
        FaultyAnswer: there is none, or too much.
    """
    code = "\n".join(_BLOCK.findall(text))
    if not code.strip():
        raise FaultyAnswer("the answer has no block that begins with ```python and ends with ```")
    if len(code) > MOST_CODE:
        raise FaultyAnswer(f"the code has more than {MOST_CODE:,} characters")
    return code


class CallTurns:
    """Makes the calls of each turn.

    Args:
        tools: what there is to call.
        protocol: of the run.
        check: called between moves; what it raises ends the turn.
    """

    def __init__(self, tools: CubeTools, protocol: TurnProtocol, check: Callable[[], None]) -> None:
        self._tools = tools
        self._functions = tools.functions
        self._protocol = protocol
        self._check = check

    def make_opening(self, instruction: str) -> Prompt:
        texts = {name: f.__doc__ or "" for name, f in self._functions.items()}
        texts["make_move"] = "Turn faces, one after another; tells the reward of each move."
        pictures = self._tools.has_pictures
        text = make_call_opening(instruction, self._protocol, pictures=pictures)
        return Prompt(
            1, text, tools=make_call_schemas(texts), system=SYSTEM, version=f"prompts {VERSION}"
        )

    def carry_out(self, answer: TurnAnswer, deadline: float) -> Observed:
        try:
            calls = parse_calls(answer, tuple(self._functions))
        except FaultyAnswer as error:
            text = f"Nothing was carried out: {error}."
            return Observed(text, (text,) * len(answer.calls))
        results = tuple(self._result(call, deadline) for call in calls)
        return Observed("\n".join(results), results)

    def close(self) -> None:
        """There is nothing to free."""

    def _result(self, call: TurnCall, deadline: float) -> str:
        self._check()
        try:
            match call:
                case Moves(moves):
                    return self._make(moves, deadline)
                case Look(direction):
                    self._tools.apply_view_transformation(direction)
                    return "done"
                case Observe():
                    return _told(self._tools.get_observation())
                case Solve(state):
                    return _told(self._functions["solve_cube"](state))
        except CallRefused as error:
            return f"error: {error}"

    def _make(self, moves: tuple[str, ...], deadline: float) -> str:
        rewards = []
        for move in moves:
            self._check()
            if time.monotonic() >= deadline:
                raise OutOfTime
            rewards.append(self._tools.make_move(move))
        return f"{len(rewards)} moves made, rewards {' '.join(map(str, rewards))}"


def _told(value: Value) -> str:
    if isinstance(value, np.ndarray):
        return "a picture is attached"
    if isinstance(value, list):
        return " ".join(value) or "the cube is solved"
    return str(value)
