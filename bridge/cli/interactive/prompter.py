"""Shows an observation in the terminal and reads a line."""

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TextIO

from bridge.cli.interactive.inline import encode_inline_picture
from bridge.cli.interactive.lines import read_line
from bridge.cli.interactive.position import Position
from bridge.cli.terminal import find_raw_stream
from bridge.episode.observation import Observation
from bridge.episode.tools import ActionSpace
from bridge.recording.files import write_whole
from bridge.runs.play import StepReport
from pysim.render.views import encode, tile

__all__ = ["Prompter", "save_views"]

_MOST_LISTED = 100
"""Legal actions that are listed."""


def save_views(observation: Observation, path: Path, renderer: str) -> None:
    """All views of an observation as one PNG, which says what rendered them."""
    pictures = [view.rgb() for view in observation.views]
    columns = 2 if len(pictures) <= 4 else 3
    write_whole(path, encode(tile(pictures, columns), "png", renderer=renderer))


class Prompter:
    """Shows an observation in the terminal and reads a line."""

    def __init__(self, out: TextIO, actions: ActionSpace, position: Position | None) -> None:
        """Shows on ``out``, reads ``actions``, and lists what is legal of a ``position``."""
        self._out = out
        self._actions = actions
        self._position = position
        self.picture: Path | None = None
        self.renderer = ""
        self._shown = -1

    def __call__(self, observation: Observation, hint: str) -> str:
        if hint:
            self._print(f"  {hint}")
        elif observation.step != self._shown:
            self._show(observation)
        while (line := self._read()).strip().lower() in self._helps:
            self._helps[line.strip().lower()]()
        return line

    def _read(self) -> str:
        self._print("> ", end="")
        return read_line()

    @property
    def _helps(self) -> Mapping[str, Callable[[], None]]:
        """Commands besides actions, which cost nothing."""
        return {"help": self._help, "?": self._help, "legal": self._list_legal}

    def _help(self) -> None:
        self._print(
            "Type an action; 'legal' lists those that are legal now, 'help' says this again,"
        )
        self._print("'quit' gives up:")
        for name in self._actions.names:
            self._print(f"  {self._actions.usage(name)}")

    def _list_legal(self) -> None:
        if self._position is None:
            self._print("  which actions are legal is not told at this level of feedback")
            return
        found = self._position.list_legal(_MOST_LISTED + 1)
        for line in found[:_MOST_LISTED]:
            self._print(f"  {line}")
        if len(found) > _MOST_LISTED:
            self._print(f"  and more than {_MOST_LISTED} in all")

    def show_result(self, turn: StepReport) -> None:
        """Show what came of an action."""
        self._print(f"{turn.step}. {turn.action}: {turn.message}")
        if self._position is not None and turn.ok:
            self._position.follow(turn.action)

    def _show(self, observation: Observation) -> None:
        if self._shown < 0:
            self._print(f"\n{observation.instruction}")
            self._help()
        self._shown = observation.step
        if observation.state is not None:
            self._print(f"\n{observation.state}")
        if self.picture is not None and observation.views:
            save_views(observation, self.picture, self.renderer)
            if self._out.isatty():
                drawn = encode_inline_picture(self.picture.read_bytes(), os.environ)
                find_raw_stream(self._out).write(drawn)
            self._print(f"picture: {self.picture}")
        self._print(f"{observation.budget_left} steps left")

    def _print(self, text: str, end: str = "\n") -> None:
        print(text, end=end, file=self._out, flush=True)
