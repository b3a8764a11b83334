"""An agent that replays the actions of a file."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from bridge.agents.protocol import GaveUp
from bridge.episode.observation import Observation
from bridge.episode.tools import ActionSpace, ToolCall
from pysim.errors import InputError
from pysim.puzzle import InvalidAction
from pysim.untrusted import MIB, FileKind, parse_json, read_untrusted

__all__ = ["ScriptedAgent"]

SCRIPT_FILE = FileKind("a script", 256 * MIB)


class ScriptedAgent:
    """An agent that replays a script, legal or not, and then gives up.

    Args:
        actions: parser of the script's lines.
        path: a text file with one typed action per line (``#`` begins a comment), an episode log
            whose calls are repeated, or a folder of such files, named ``LEVEL.txt`` or
            ``LEVEL.jsonl``.
        level_id: selects the file in a folder.

    Raises:
        InputError: the file does not exist, or a line of it is no action.
    """

    def __init__(self, actions: ActionSpace, path: Path, level_id: str) -> None:
        file = _find_script(path, level_id)
        parse = _parse_log if file.suffix == ".jsonl" else _parse_text
        try:
            inside = path if path.is_dir() else None
            lines = read_untrusted(file, SCRIPT_FILE, inside).decode().splitlines()
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(f"can't read the script {file}: {error}") from None
        try:
            self._calls = iter(list(parse(lines, actions)))
        except InvalidAction as error:
            raise InputError(f"script {file}: {error.message}") from None

    def act(self, observation: Observation) -> ToolCall:
        """Return the next action of the script."""
        call = next(self._calls, None)
        if call is None:
            raise GaveUp("the script has come to its end")
        return call

    def plan(self, observation: Observation) -> Sequence[ToolCall]:
        """Return the remaining actions of the script."""
        return tuple(self._calls)


def _find_script(path: Path, level_id: str) -> Path:
    if not path.is_dir():
        return path
    for name in (f"{level_id}.txt", f"{level_id}.jsonl"):
        if (path / name).is_file():
            return path / name
    raise InputError(f"there is no script {level_id}.txt or {level_id}.jsonl in {path}")


def _parse_text(lines: Sequence[str], actions: ActionSpace) -> Iterator[ToolCall]:
    for line in lines:
        text = line.partition("#")[0].strip()
        if text:
            yield actions.parse_line(text)


def _parse_log(lines: Sequence[str], actions: ActionSpace) -> Iterator[ToolCall]:
    """Yield the calls of a log without validating them: the level may be of another version."""
    for number, line in enumerate(lines, 1):
        try:
            record = parse_json(line)
            if record["type"] == "step":
                yield ToolCall(str(record["call"]["name"]), dict(record["call"]["arguments"]))
        except (ValueError, KeyError, TypeError, RecursionError):
            raise InputError(f"line {number} of the script is no line of an episode log") from None
