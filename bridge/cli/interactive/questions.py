"""Questions in the terminal: text, pictures as files, and the lines that a person types."""

import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TextIO

from bridge.cli.interactive.inline import encode_inline_picture
from bridge.cli.interactive.lines import read_line
from bridge.cli.terminal import find_raw_stream
from bridge.episode.observation import View
from bridge.items.person import SKIP, PersonLeft
from bridge.items.questions import Question
from bridge.recording.files import write_whole

__all__ = ["QuestionPrompter", "find_viewer"]

_QUIT = ("quit", "exit")
_HELP = (
    "Answers are read as those of models. One that can't be read may be typed again before it "
    f"counts. '{SKIP}' gives no answer, 'quit', Ctrl-D or Ctrl-C stops here, and the same command "
    "goes on. Right and wrong are not shown."
)


def find_viewer(environment: Mapping[str, str]) -> str:
    """Return the program that opens a picture in a window; empty where there is no window."""
    if sys.platform == "darwin":
        return shutil.which("open") or ""
    has_windows = environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY")
    path = environment.get("PATH")
    return (shutil.which("xdg-open", path=path) or "") if has_windows else ""


class QuestionPrompter:
    """Asks a person questions; see :class:`~bridge.items.person.AskPerson`.

    Args:
        out: the terminal.
        folder: for the pictures, which take the place of those of the question before.
        environment: variables by which terminals and screens are known.
    """

    def __init__(self, out: TextIO, folder: Path, environment: Mapping[str, str]) -> None:
        self._out = out
        self._folder = folder
        self._environment = environment
        self._viewer = find_viewer(environment)
        self._system = ""
        self._shown: set[str] = set()
        self._finished, self._total = 0, 0

    def follow(self, finished: int, total: int) -> None:
        """Take note of the number of trials that are finished, and of all."""
        self._finished, self._total = finished, total

    def show(self, question: Question) -> None:
        """Print a question, and write its pictures."""
        if not self._shown:
            self._print(f"\n{_HELP}")
        self._print(f"\n--- {self._finished + 1} of {self._total} ---")
        for earlier in question.earlier:
            if earlier.question.text not in self._shown:  # Of a session before this one.
                self._print(f"\n{earlier.question.text}\n> {earlier.answer}")
        if question.system != self._system:
            self._print(f"\n{question.system}")
            self._system = question.system
        self._print(f"\n{question.text}\n")
        self._shown.add(question.text)
        self._show_pictures(question.pictures)

    def read(self, hint: str, *, several_lines: bool) -> str:
        """Return a line, or several up to an empty one."""
        if hint:
            self._print(hint)
        if not several_lines:
            return self._read_line()
        self._print("(several lines; an empty line ends the answer)")
        lines: list[str] = []
        while (line := self._read_line()).strip() or not lines:
            lines += [line] if line.strip() else []
            if line.strip().lower() == SKIP:
                return line
        return "\n".join(lines)

    def _read_line(self) -> str:
        self._print("> ", end="")
        try:
            line = read_line()
        except (EOFError, KeyboardInterrupt):
            self._print("")
            raise PersonLeft from None
        if line.strip().lower() in _QUIT:
            raise PersonLeft
        return line.rstrip("\n")

    def _show_pictures(self, views: tuple[View, ...]) -> None:
        for number, view in enumerate(views, 1):
            path = self._folder / f"current-{number}.png"
            write_whole(path, view.data)
            drawn = encode_inline_picture(view.data, self._environment)
            find_raw_stream(self._out).write(drawn)
            self._print(f"{view.name or 'picture'}: {path}")
            if self._viewer and not drawn:
                self._open(path)
        number = len(views) + 1
        while (left := self._folder / f"current-{number}.png").exists():
            left.unlink()
            number += 1

    def _open(self, path: Path) -> None:
        """Open a picture in a window; the person has its path in any case."""
        try:
            subprocess.Popen(
                [self._viewer, path],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
                env=dict(self._environment),
            )
        except OSError:
            self._viewer = ""

    def _print(self, text: str, end: str = "\n") -> None:
        print(text, end=end, file=self._out, flush=True)
