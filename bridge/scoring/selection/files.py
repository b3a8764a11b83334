"""Scores from a file: those of a reward model that runs elsewhere, for whole attempts.

JSON Lines, one attempt a line::

    {"level": "ID", "attempt": 1, "score": 0.73}
"""

import hashlib
import math
from collections.abc import Mapping, Sequence
from pathlib import Path

from bridge.scoring.selection.candidates import Candidate
from pysim.errors import InputError
from pysim.untrusted import MIB, FileKind, parse_json, read_untrusted

__all__ = ["FILE", "FileScorer", "read_file_settings"]

SCORE_FILE = FileKind("a file of scores", 256 * MIB)
FILE = "file"
"""The name of the scorer; its argument is the path."""


class FileScorer:
    """Gives each attempt the score that a file has for it.

    Args:
        path: of the file.

    Raises:
        InputError: the file can't be read, or a line is no score.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._scores = _read(path)

    def score(self, candidates: Sequence[Candidate]) -> Sequence[float]:
        """Return the scores of all attempts at a level.

        Raises:
            InputError: the file has others than these.
        """
        level = candidates[0].level.id
        found = self._scores.get(level, {})
        wanted = range(1, len(candidates) + 1)
        if sorted(found) != list(wanted):
            raise InputError(
                f"{self._path} scores the attempts {sorted(found)} at {level}, but the run has "
                f"{list(wanted)}: give a score for each of these"
            )
        return [found[attempt] for attempt in wanted]


def read_file_settings(name: str) -> dict[str, str]:
    """Return what scores of a file depend on, for its name as a scorer: the bytes of the file.

    Raises:
        InputError: the file can't be read.
    """
    kind, _, path = name.partition(":")
    return {"sha256": hashlib.sha256(_bytes(Path(path))).hexdigest()} if kind == FILE else {}


def _bytes(path: Path) -> bytes:
    try:
        return read_untrusted(path, SCORE_FILE)
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from None


def _read(path: Path) -> Mapping[str, Mapping[int, float]]:
    """Return level -> attempt -> score."""
    scores: dict[str, dict[int, float]] = {}
    for number, line in enumerate(_bytes(path).splitlines(), 1):
        if not line.strip():
            continue
        level, attempt, value = _score(path, number, line)
        if attempt in scores.setdefault(level, {}):
            raise InputError(f"{path}, line {number}: {level}, attempt {attempt} has a score twice")
        scores[level][attempt] = value
    return scores


def _score(path: Path, number: int, line: bytes) -> tuple[str, int, float]:
    try:
        document = parse_json(line)
        level, attempt = document["level"], document["attempt"]
        value = float(document["score"])
        if isinstance(level, str) and type(attempt) is int and math.isfinite(value):
            return level, attempt, value
    except (ValueError, KeyError, TypeError, OverflowError, RecursionError):
        pass
    raise InputError(
        f'{path}, line {number}: a score is a line like {{"level": "ID", "attempt": 1, "score": '
        "0.5}"
    )
