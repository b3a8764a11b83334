"""Datasets of chats: ``train.jsonl``, a line for each episode, and its pictures beside it.

::

    train.jsonl     messages, tools, images, and where the episode comes from
    images/         each picture once, named after its bytes
    dataset.json    format, episodes, answers, renderer
"""

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from bridge.agents.journal import JOURNAL_NAME
from bridge.episode.records import Obs, Options
from bridge.episode.sanitize import sanitize_json
from bridge.recording.dataset.episodes import Recording
from bridge.recording.dataset.errors import DatasetError
from bridge.recording.dataset.folder import Seal, new_folder, write_nothing
from bridge.recording.errors import RecordingError, reason_of
from bridge.recording.log import Log, read_log
from bridge.recording.replay import ReplayMismatch
from bridge.runs.chats.answers import read_recorded_answers
from bridge.runs.chats.transcript import ChatMessage, ChatPicture, Transcript, transcribe
from bridge.runs.play import Mode
from pysim.puzzle import Outcome
from pysim.render.renderer import Renderer

__all__ = ["FORMAT", "ChatRequest", "ChatSource", "ExportedChats", "export_chats"]

FORMAT = "luban-chat/1"


@dataclass(frozen=True, slots=True)
class ChatSource:
    """An episode that becomes a chat.

    Attributes:
        recording: its log; the agent's journal lies beside it, if there is one.
        mode: how the agent was asked.
    """

    recording: Recording
    mode: Mode


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """Observations of a dataset of chats.

    Attributes:
        obs: what is shown; None for what the agent saw.
        picture_size: edge of each view in pixels; None likewise.
        only_solved: whether other episodes are left out.
    """

    obs: Obs | None = None
    picture_size: int | None = None
    only_solved: bool = False

    def make_options(self, log: Log) -> Options:
        """Return the options of an episode that is shown in this way."""
        options = log.header.options
        return replace(
            options,
            obs=self.obs or options.obs,
            picture_size=self.picture_size or options.picture_size,
        )


@dataclass(frozen=True, slots=True)
class ExportedChats:
    """Counts of a dataset that was made.

    Attributes:
        episodes: lines.
        answers: messages of the assistant.
        pictures: different ones.
        families: of the levels, sorted.
    """

    episodes: int
    answers: int
    pictures: int
    families: tuple[str, ...]


def export_chats(
    sources: Sequence[ChatSource],
    out: Path,
    request: ChatRequest,
    make_renderer: Callable[[], Renderer],
    *,
    force: bool = False,
    progress: Callable[[int, int], None] = lambda done, total: None,
    seal: Seal = write_nothing,
) -> ExportedChats:
    """Make a dataset of chats; the folder appears whole or not at all.

    Args:
        sources: in the order of the lines.
        out: the folder.
        make_renderer: makes the renderer, if any pictures are wanted; it isn't closed here.
        force: whether a dataset that is there is replaced.
        progress: receives the number of episodes done and of all.
        seal: writes what describes the dataset, once everything else is there.

    Raises:
        DatasetError: something doesn't fit, or can't be replaced; the message says what.
        LogError, InputError: a log or a journal is damaged; the message names it.
        RecordingError: something can't be written.
    """
    chosen, pictured = _survey(sources, request)
    renderer = make_renderer() if pictured else None
    with new_folder(out, force=force) as folder, _told(folder):
        writer = _ChatWriter(folder, renderer)
        for number, source in enumerate(chosen, 1):
            log = read_log(source.recording.path)
            writer.add(source, log, request.make_options(log))
            progress(number, len(chosen))
        done = writer.finish()
        seal(folder, [source.recording for source in chosen])
    return done


def _survey(sources: Sequence[ChatSource], request: ChatRequest) -> tuple[list[ChatSource], bool]:
    """Return the episodes that are wanted, and whether any of them shows pictures."""
    chosen, pictured = [], False
    for source in sources:
        log = read_log(source.recording.path)
        if _is_wanted(log, request):
            chosen.append(source)
            pictured = pictured or request.make_options(log).obs.has_images
    if not chosen:
        raise DatasetError(
            "none of these episodes was solved" if sources else "there is no episode"
        )
    return chosen, pictured


def _is_wanted(log: Log, request: ChatRequest) -> bool:
    return not request.only_solved or _outcome(log) is Outcome.SOLVED


def _outcome(log: Log) -> Outcome | None:
    return None if log.ending is None else log.ending.outcome


@contextmanager
def _told(folder: Path) -> Iterator[None]:
    """Report errors of the system in the project's words."""
    try:
        yield
    except RecordingError:
        raise
    except OSError as error:
        raise RecordingError(f"can't write {folder}: {reason_of(error)}") from error


class _ChatWriter:
    """Writes the lines and pictures of a dataset.

    Args:
        folder: an empty one.
        renderer: makes the pictures; None if there are none at all.
    """

    def __init__(self, folder: Path, renderer: Renderer | None) -> None:
        self._folder, self._renderer = folder, renderer
        self._lines = folder / "train.jsonl"
        self._known: set[str] = set()
        self._episodes = self._answers = 0
        self._families: set[str] = set()

    def add(self, source: ChatSource, log: Log, options: Options) -> None:
        """Write an episode.

        Raises:
            DatasetError: it can't be played again.
            InputError: its journal is damaged.
            OSError: it can't be written.
        """
        path = source.recording.path
        answers = read_recorded_answers(log, path.with_name(JOURNAL_NAME), source.mode)
        if not answers:
            return
        try:
            chat = transcribe(log, answers, source.mode, options, self._renderer)
        except ReplayMismatch as error:
            raise DatasetError(f"{path}: {error}") from error
        images = [self._save(picture) for picture in chat.pictures]
        document = {
            **self._messages(chat),
            **({"images": images} if self._renderer is not None else {}),
            **_facts(source, log, options),
        }
        with self._lines.open("ab") as file:
            line = json.dumps(sanitize_json(document), separators=(",", ":"))
            file.write(line.encode("ascii") + b"\n")
        self._episodes += 1
        self._answers += sum(m["role"] == "assistant" for m in chat.messages)
        self._families.add(log.header.level.family)

    def finish(self) -> ExportedChats:
        """Write the description of the dataset, and return its counts.

        Raises:
            DatasetError: no episode has a step.
            OSError: it can't be written.
        """
        if not self._episodes:
            raise DatasetError("none of these episodes has a step")
        families = tuple(sorted(self._families))
        done = ExportedChats(self._episodes, self._answers, len(self._known), families)
        renderer = self._renderer
        about = {
            "format": FORMAT,
            "families": list(families),
            "episodes": done.episodes,
            "answers": done.answers,
            "pictures": done.pictures,
            "renderer": "" if renderer is None else f"{renderer.name} {renderer.version}",
        }
        (self._folder / "dataset.json").write_text(json.dumps(about, indent=1) + "\n", "utf-8")
        return done

    def _messages(self, chat: Transcript) -> dict[str, Any]:
        """Return messages and tools; contents are texts where no episode has pictures."""
        listed = self._renderer is not None
        messages = chat.messages if listed else [_plain(message) for message in chat.messages]
        return {"messages": messages, **({"tools": list(chat.tools)} if chat.tools else {})}

    def _save(self, picture: ChatPicture) -> str:
        """Write a picture unless it is there, and return its name."""
        digest = hashlib.sha256(picture.data).hexdigest()[:32]
        name = f"images/{digest}.{picture.format}"
        if name not in self._known:
            path = self._folder / name
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(picture.data)
            self._known.add(name)
        return name


def _plain(message: ChatMessage) -> ChatMessage:
    return {**message, "content": "\n\n".join(part["text"] for part in message["content"])}


def _facts(source: ChatSource, log: Log, options: Options) -> dict[str, Any]:
    """Return where an episode comes from, and how it ended."""
    level, outcome = log.header.level, _outcome(log)
    return {
        "recording": source.recording.name,
        "level": level.id,
        "level_hash": level.hash,
        "family": level.family,
        "tier": level.tier.value,
        "agent": log.header.options.agent,
        "seed": str(log.header.options.seed),
        "mode": source.mode.value,
        "obs": options.obs.value,
        "picture_size": options.picture_size,
        "history_window": options.history_window,
        "luban": log.header.luban,
        "steps": len(log.steps),
        "plan": None if level.plan is None else len(level.plan),
        "outcome": None if outcome is None else outcome.value,
        "solved": outcome is Outcome.SOLVED,
        "state_hash": log.steps[-1].state_hash if log.steps else log.header.state_hash,
    }
