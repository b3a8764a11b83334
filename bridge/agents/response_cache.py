"""Answers that were paid for are not asked for again.

There are two places for them. The notes of an agent's earlier try at the same episode, which was
cut off by a limit, a kill or a fault, answer what they answered then, so that the episode goes on
where it was. A folder of answers, if the user gives one, does so for every run.

An answer is found by everything that it depends on: the whole request, the seed of the agent, and
how often the same was asked before. So attempts that differ in their seeds get answers of their
own, as without it, and a run that is made again gets those that it had.
"""

import hashlib
import json
import threading
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

from bridge.agents.chat import Completion, WrittenCall
from bridge.agents.journal import JOURNAL_FILE, EarlierNotes
from bridge.agents.usage import Usage
from bridge.recording.files import whole_lines, write_whole
from pysim.errors import InputError
from pysim.field_types import Json
from pysim.untrusted import MIB, FileKind, read_untrusted

__all__ = ["CachingClient", "ModelClient", "encode_completion"]

ANSWER_FILE = FileKind("an answer of a model", 64 * MIB)
_DAMAGED = (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError)


class ModelClient(Protocol):
    """A client of a model; see :class:`~bridge.agents.chat.ChatClient`."""

    def ask(self, request: Mapping[str, Json], /, about: str = "") -> Completion:
        """Return the answer to a request.

        Args:
            about: the question's name, where several may be put in the same words.
        """


class CachingClient:
    """Asks only what is not known yet; safe to use from many threads.

    Args:
        client: is asked what is new.
        seed: of the agent.
        earlier: the notes of earlier tries.
        folder: of answers, made when the first one is kept; None for none.
    """

    def __init__(
        self,
        client: ModelClient,
        seed: int,
        earlier: EarlierNotes,
        folder: Path | None = None,
    ) -> None:
        self._client = client
        self._seed = seed
        self._earlier = _paid_answers(earlier)
        self._folder = folder
        self._asked: Counter[tuple[str, str]] = Counter()
        self._lock = threading.Lock()

    def ask(self, request: Mapping[str, Json], about: str = "") -> Completion:
        """Return the answer that is known, or else the client's, which is kept.

        Raises:
            InputError: a file of the folder is damaged.
            ModelError: there is no answer.
        """
        question = json.dumps([request, self._seed], sort_keys=True)
        digest = hashlib.sha256(question.encode()).hexdigest()
        with self._lock:
            number = self._asked[digest, about] = self._asked[digest, about] + 1
            whole = self._asked[digest, ""] if not about else self._count_all(digest)
        paid = self._earlier.get((digest, about, number))
        answer = paid or self._from_folder(request, question, whole)
        return replace(answer, asked=digest)

    def _count_all(self, digest: str) -> int:
        return sum(count for (asked, _), count in self._asked.items() if asked == digest)

    def _from_folder(self, request: Mapping[str, Json], question: str, number: int) -> Completion:
        if self._folder is None:
            return self._client.ask(request)
        name = hashlib.sha256(f"{number} {question}".encode()).hexdigest()
        file = self._folder / name[:2] / f"{name}.json"
        if file.exists():
            return _read(file)
        answer = self._client.ask(request)
        if answer.finish != "unreadable":
            file.parent.mkdir(parents=True, exist_ok=True)
            write_whole(file, json.dumps(_document(answer)).encode())
        return answer


def encode_completion(answer: Completion) -> dict[str, Json]:
    """Return the part of a journal's note from which an answer can be given again."""
    return {
        **({"reasoning_text": answer.reasoning_text} if answer.reasoning_text else {}),
        "text": answer.text,
        "calls": [{"name": call.name, "arguments": call.arguments} for call in answer.calls],
        "finish": answer.finish,
        **({"reasoning": list(answer.reasoning)} if answer.reasoning else {}),
        **({"api": answer.api} if answer.api != "chat" else {}),
        **({"without": list(answer.without)} if answer.without else {}),
        "tries": answer.tries,
        "seconds": round(answer.seconds, 3),
        "usage": answer.usage.to_note(),
        **({"from_cache": True} if answer.from_cache else {}),
        "asked": answer.asked,
    }


Paid = dict[tuple[str, str, int], Completion]
"""Digest of a question, its name, and how often it was asked, to the answer."""


def _paid_answers(earlier: EarlierNotes) -> Paid:
    """The answers in the notes of earlier tries; each try repeats what it was given again."""
    paid: Paid = {}
    for path in earlier.paths:
        used, asked = Counter(earlier.used), Counter[tuple[str, str]]()
        for note in _notes(path):
            about = str(note.get("item", ""))
            if used[about]:
                used[about] -= 1
                continue
            if (answer := _noted_answer(note)) is not None:
                key = (answer.asked, about)
                asked[key] += 1
                paid.setdefault((*key, asked[key]), answer)
    return paid


def _notes(path: Path) -> Iterator[Mapping[str, Any]]:
    """The notes in a journal; none if there is no journal, and lines that are none left out."""
    for line in whole_lines(path, JOURNAL_FILE) if path.exists() else ():
        try:
            note = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(note, dict):
            yield note


def _noted_answer(note: Mapping[str, Any]) -> Completion | None:
    """Return the answer of a note; None if it holds none that could be given again."""
    try:
        calls = [(str(call["name"]), str(call["arguments"])) for call in note.get("calls", ())]
        return _given_again(note, calls, str(note["asked"]))
    except _DAMAGED:
        return None


def _given_again(
    note: Mapping[str, Any], calls: list[tuple[str, str]], asked: str = ""
) -> Completion:
    return Completion(
        text=str(note["text"]),
        calls=tuple(WrittenCall(name, arguments) for name, arguments in calls),
        finish=str(note["finish"]),
        usage=Usage.parse_note(note["usage"]),
        tries=int(note["tries"]),
        seconds=float(note["seconds"]),
        from_cache=True,
        reasoning=tuple(note.get("reasoning", ())),
        reasoning_text=str(note.get("reasoning_text", "")),
        api=str(note.get("api", "chat")),
        without=tuple(map(str, note.get("without", ()))),
        asked=asked,
    )


def _document(answer: Completion) -> dict[str, Json]:
    return {
        "text": answer.text,
        **({"reasoning_text": answer.reasoning_text} if answer.reasoning_text else {}),
        "calls": [[call.name, call.arguments] for call in answer.calls],
        "finish": answer.finish,
        **({"reasoning": list(answer.reasoning)} if answer.reasoning else {}),
        "usage": answer.usage.to_note(),
        "tries": answer.tries,
        "seconds": answer.seconds,
    }


def _read(file: Path) -> Completion:
    try:
        told: dict[str, Any] = json.loads(read_untrusted(file, ANSWER_FILE))
        return _given_again(told, [(str(name), str(said)) for name, said in told["calls"]])
    except _DAMAGED as error:
        raise InputError(f"{file}: no answer of a model ({error}); remove it") from None
