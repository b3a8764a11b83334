"""Scoring the attempts of a run, and the file in which the scores are kept.

``selections/NAME.jsonl`` in the run's folder: a first line that says who scored, the notes of a
judge, and for each level a line with its scores. So what a judge was asked is asked once: a choice
that was interrupted is resumed.
"""

import hashlib
import json
import os
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import asdict, dataclass, field
from pathlib import Path
from threading import local

from bridge.agents.journal import EarlierNotes, Journal, sum_usage
from bridge.agents.usage import Usage
from bridge.episode.engines import LOCAL, Engines
from bridge.episode.rendering import SharedRenderer
from bridge.recording.files import whole_lines, write_whole
from bridge.recording.folders import format_folder_name
from bridge.recording.log import LOG_FILE, read_log
from bridge.runs.folders import RunError
from bridge.runs.store import LOG_NAME, RunFolder
from bridge.scoring.selection.candidates import make_candidate
from bridge.scoring.selection.files import read_file_settings
from bridge.scoring.selection.scorers import (
    Scorer,
    ScorerBriefing,
    create_scorer,
    find_scorer_kind,
    score_candidates,
)
from pysim.untrusted import GIB, FileKind, parse_json, read_untrusted

__all__ = ["FORMAT", "RunScores", "ScorerChoice", "read_scores", "score_run"]

FORMAT = "luban-selection/1"
SELECTION_FILE = FileKind("a file of a selection", GIB)
FOLDER = "selections"


@dataclass(frozen=True, slots=True)
class ScorerChoice:
    """Scorer and its settings: everything that scores depend on besides the attempts.

    Attributes:
        name: the scorer's, with its argument.
        settings: what it is given besides, name -> text.
        seed: of its random numbers.
    """

    name: str
    settings: Mapping[str, str] = field(default_factory=dict)
    seed: int = 0

    @staticmethod
    def of(name: str, options: Mapping[str, str], seed: int = 0) -> "ScorerChoice":
        """Return the choice of a scorer, with those of the options that it takes.

        Raises:
            InputError: there is no such scorer, or its file can't be read.
        """
        own = find_scorer_kind(name).select_own(options)
        return ScorerChoice(name, {**own, **read_file_settings(name)}, seed)

    def make_briefing(self, journal: Journal) -> ScorerBriefing:
        """Make the arguments of its maker."""
        return ScorerBriefing("", self.settings, self.seed, journal)


@dataclass(frozen=True, slots=True)
class RunScores:
    """The scores of a whole run.

    Attributes:
        choice: who scored.
        scores: for each level a score for each of its attempts.
        usage: what a model was asked for that.
    """

    choice: ScorerChoice
    scores: Mapping[str, tuple[float, ...]]
    usage: Usage


def score_run(
    folder: RunFolder,
    choice: ScorerChoice,
    *,
    workers: int = 1,
    renderer: str = "auto",
    engines: Engines = LOCAL,
    watch: Callable[[str], None] = lambda level: None,
) -> RunScores:
    """Score every level of a finished run, those that have been scored excepted.

    Args:
        folder: of the run; the scores are kept in it.
        choice: who scores.
        workers: levels that a scorer that waits for a server scores at once.
        renderer: makes the pictures for scorers that look at some.
        engines: make renderers and worlds.
        watch: told of every level as it is scored.

    Raises:
        RunError: episodes are missing, or the kept scores are another scorer's or damaged.
        InputError: no scorer has that name, or it makes no sense.
        ModelError: a judge gives no answer.
    """
    kind = find_scorer_kind(choice.name)
    digests = _digests(folder)
    path = folder.path / FOLDER / f"{format_folder_name(choice.name)}.jsonl"
    known = _begin(path, choice)
    scores = {level: s for level, (digest, s) in known.items() if digests.get(level) == digest}
    left = [level for level in digests if level not in scores]
    journal = Journal(path, earlier=EarlierNotes((path,)))
    artist = SharedRenderer(renderer, engines)
    own = local()

    def work(level: str) -> tuple[str, tuple[float, ...]]:
        if not hasattr(own, "scorer"):
            own.scorer = create_scorer(choice.name, choice.make_briefing(journal))
        found = _score_level(folder, level, own.scorer, artist, engines)
        # Here and not by whoever waits for it, who may not want to know any more.
        journal.record({"type": "scores", "level": level, "logs": digests[level], "scores": found})
        return level, tuple(found)

    threads = ThreadPoolExecutor(max(1, workers) if kind.waits else 1)
    try:
        for future in as_completed([threads.submit(work, level) for level in left]):
            level, scores[level] = future.result()
            watch(level)
    finally:
        threads.shutdown(wait=True, cancel_futures=True)
        artist.close()
    return RunScores(choice, {level: scores[level] for level in digests}, sum_usage(path))


def read_scores(folder: RunFolder) -> Iterator[RunScores]:
    """Yield the scores that are kept in a run's folder, by name; those of all its episodes only.

    Raises:
        RunError: a file of them is damaged.
    """
    for path in sorted((folder.path / FOLDER).glob("*.jsonl")):
        choice, known = _read(path)
        levels = [level for level, _ in folder.settings.levels]
        if all(level in known and known[level][0] == _kept(folder, level) for level in levels):
            scores = {level: known[level][1] for level in levels}
            yield RunScores(choice, scores, sum_usage(path))


def _kept(folder: RunFolder, level: str) -> str | None:
    """Return the hash of a level's logs; None if one is missing."""
    logs = _logs(folder, level)
    return _digest(logs) if all(log.exists() for log in logs) else None


def _score_level(
    folder: RunFolder, level: str, scorer: Scorer, artist: SharedRenderer, engines: Engines
) -> list[float]:
    logs = (read_log(path) for path in _logs(folder, level))
    return score_candidates(scorer, [make_candidate(log, artist, engines) for log in logs])


def _logs(folder: RunFolder, level: str) -> list[Path]:
    attempts = range(1, folder.settings.attempts + 1)
    return [folder.locate_episode(level, attempt) / LOG_NAME for attempt in attempts]


def _digests(folder: RunFolder) -> dict[str, str]:
    """Level -> a hash of its logs, which says that scores are of these attempts."""
    planned = len(folder.settings.levels) * folder.settings.attempts
    missing = planned - len(folder.read_results())
    if missing:
        raise RunError(
            f"{folder.path}: {missing} of {planned} episodes are not finished; the same "
            "`luban eval` with --out resumes them"
        )
    return {level: _digest(_logs(folder, level)) for level, _ in folder.settings.levels}


def _digest(logs: list[Path]) -> str:
    whole = hashlib.sha256()
    for path in logs:
        whole.update(hashlib.sha256(read_untrusted(path, LOG_FILE)).digest())
    return whole.hexdigest()


Known = dict[str, tuple[str, tuple[float, ...]]]
"""Level -> the hash of its logs, and their scores."""


def _begin(path: Path, choice: ScorerChoice) -> Known:
    """Return the scores that there are; a file for them if there is none."""
    path.parent.mkdir(exist_ok=True)
    if not _cut_off_tail(path):
        write_whole(path, _head(choice))
        return {}
    before, known = _read(path)
    if before != choice and not known:  # A model's server has refused it, say.
        lines = read_untrusted(path, SELECTION_FILE).split(b"\n", 1)[1]
        write_whole(path, _head(choice) + lines)
        return {}
    if before != choice:
        raise RunError(f"{path} holds scores of {before}; move it away to have new ones")
    return known


def _head(choice: ScorerChoice) -> bytes:
    document = {"type": "selection", "format": FORMAT, **asdict(choice)}
    return json.dumps(document, separators=(",", ":")).encode() + b"\n"


def _cut_off_tail(path: Path) -> int:
    """Take back a last line that a killed process left half written; the bytes that are left."""
    try:
        left = read_untrusted(path, SELECTION_FILE).rfind(b"\n") + 1
    except FileNotFoundError:
        return 0
    os.truncate(path, left)
    return left


def _read(path: Path) -> tuple[ScorerChoice, Known]:
    """Read the scorer and the last scores of each level; a last line cut off is left out."""
    try:
        head, *lines = [parse_json(line) for line in whole_lines(path, SELECTION_FILE)]
        if head["format"] != FORMAT:
            raise RunError(f"{path} has the format {head['format']!r}; this version reads {FORMAT}")
        choice = ScorerChoice(head["name"], dict(head["settings"]), int(head["seed"]))
        return choice, {
            str(line["level"]): (str(line["logs"]), tuple(map(float, line["scores"])))
            for line in lines
            if line["type"] == "scores"
        }
    except RunError:
        raise
    except (OSError, ValueError, KeyError, TypeError, OverflowError, RecursionError) as error:
        raise RunError(f"{path} holds no scores ({error}); move it away") from None
