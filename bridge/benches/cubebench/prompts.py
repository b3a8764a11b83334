"""Instructions that agents get before their first turn.

A change of a word requires a new ``VERSION``.
"""

import inspect
import textwrap
from collections.abc import Mapping

from bridge.benches.cubebench.protocol import Setup, TurnProtocol
from bridge.benches.cubebench.sandbox.interpreter import Function
from pysim.families.rubik.rewards import Reward

__all__ = ["SYSTEM", "VERSION", "describe_reward", "make_call_opening", "make_code_opening"]

VERSION = "2"
SYSTEM = (
    "You solve a Rubik's cube by acting on it in turns. Follow the way of answering that the first "
    "message describes."
)

_REWARDS = {
    Reward.NONE: "always 0",
    Reward.STICKER: (
        "by how much it changes the number of stickers that have the colour of their face's centre"
    ),
    Reward.FACE: "by how much it changes the number of faces that are of one colour",
    Reward.HEURISTIC: (
        "by how much it changes the number of finished stages of the layer-by-layer method (cross "
        "below, corners below, middle edges, cross above, its edges placed, corners above placed, "
        "these turned right)"
    ),
}


def describe_reward(reward: Reward) -> str:
    """Describe the reward of a move."""
    return f"The reward of a move is {_REWARDS[reward]}."


def make_code_opening(
    instruction: str,
    functions: Mapping[str, Function],
    protocol: TurnProtocol,
    output: int,
    *,
    pictures: bool,
) -> str:
    """Return the task for agents that write code.

    Args:
        output: characters of a turn that are shown.
        pictures: whether the cube is seen in pictures.
    """
    described = "\n\n".join(_signature(name, f) for name, f in functions.items())
    return (
        f"{instruction}\n\n"
        f"{_frame(protocol)} In each turn think first, then write Python code in one block that "
        "begins with ```python and ends with ```. It is run, and you are told what it printed (use "
        f"print; of more than {output} characters the middle is left out) and the error, if one "
        "stopped it. Variables are kept from turn to turn. The standard library and numpy can be "
        "imported; there are no files, no network, no processes and no threads. The code may call "
        "these functions as often as you like:\n\n"
        f"{described}\n\n"
        f"{describe_reward(protocol.reward)} A call that is not possible raises a ValueError."
        f"{_attached('returns', ' as well') if pictures else ''}"
    )


def make_call_opening(instruction: str, protocol: TurnProtocol, *, pictures: bool) -> str:
    """Return the task for agents that call tools; the tools go beside it.

    Args:
        pictures: whether the cube is seen in pictures.
    """
    return (
        f"{instruction}\n\n"
        f"{_frame(protocol)} In each turn think first, then call one or several of the tools; the "
        "calls are carried out in order. make_move takes a sequence that you have planned, like "
        '{"moves": ["D\'", "B", "B"]}, and tells the rewards of its moves. If anything in an '
        "answer can't be read, nothing of it is carried out, and the turn is used up all the same. "
        f"{describe_reward(protocol.reward)}"
        f"{_attached('makes') if pictures else ''}"
    )


def _attached(verb: str, more: str = "") -> str:
    """Return where pictures are to be found."""
    return f" Pictures that get_observation {verb} are shown to you with the next message{more}."


def _frame(protocol: TurnProtocol) -> str:
    solver = "" if protocol.setup is Setup.BASIC else " You may ask a solver with solve_cube."
    return (
        f"You act in turns, at most {protocol.turns} of them, and have {protocol.seconds / 60:g} "
        f"minutes. The run ends as soon as the cube is solved.{solver}"
    )


def _signature(name: str, function: Function) -> str:
    parameters = ", ".join(inspect.signature(function).parameters)
    text = textwrap.indent(inspect.getdoc(function) or "", "    ")
    return f"{name}({parameters})\n{text}"
