"""A folder of answers, so that no question is paid for twice.

An answer is found by everything that it depends on: the whole request, the seed of whoever asks,
and how often the same was asked before. So attempts that differ in their seeds get answers of their
own, as without it, and a run that is made again gets those that it had.
"""

import hashlib
import json
import threading
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

from bridge.agents.chat import Completion, WrittenCall
from bridge.agents.usage import Usage
from bridge.recording.files import write_whole
from pysim.errors import InputError
from pysim.kinds import Json

__all__ = ["Asking", "RememberingClient"]


class Asking(Protocol):
    """Whoever can be asked; see :class:`~bridge.agents.chat.ChatClient`."""

    def ask(self, request: Mapping[str, Json], /) -> Completion:
        """The answer to a request."""


class RememberingClient:
    """Asks only what is not in a folder yet; safe to use from many threads.

    Args:
        client: who is asked what is new.
        folder: of the answers; made when the first one is kept.
        seed: of whoever asks.
    """

    def __init__(self, client: Asking, folder: Path, seed: int) -> None:
        self._client = client
        self._folder = folder
        self._seed = seed
        self._asked: Counter[str] = Counter()
        self._lock = threading.Lock()

    def ask(self, request: Mapping[str, Json]) -> Completion:
        """The answer from the folder, or else the client's, which is kept.

        Raises:
            InputError: a file of the folder is damaged.
            ModelError: there is no answer.
        """
        file = self._file(request)
        if file.exists():
            return _read(file)
        answer = self._client.ask(request)
        if answer.finish != "unreadable":
            file.parent.mkdir(parents=True, exist_ok=True)
            write_whole(file, json.dumps(_document(answer)).encode())
        return answer

    def _file(self, request: Mapping[str, Json]) -> Path:
        question = json.dumps([request, self._seed], sort_keys=True)
        with self._lock:
            number = self._asked[question] = self._asked[question] + 1
        name = hashlib.sha256(f"{number} {question}".encode()).hexdigest()
        return self._folder / name[:2] / f"{name}.json"


def _document(answer: Completion) -> dict[str, Json]:
    return {
        "text": answer.text,
        **({"reasoning_text": answer.reasoning_text} if answer.reasoning_text else {}),
        "calls": [[call.name, call.arguments] for call in answer.calls],
        "finish": answer.finish,
        "usage": answer.usage.noted(),
        "tries": answer.tries,
        "seconds": answer.seconds,
    }


def _read(file: Path) -> Completion:
    try:
        told: dict[str, Any] = json.loads(file.read_bytes())
        return Completion(
            text=str(told["text"]),
            calls=tuple(WrittenCall(str(name), str(said)) for name, said in told["calls"]),
            finish=str(told["finish"]),
            usage=Usage.of_note(told["usage"]),
            tries=int(told["tries"]),
            seconds=float(told["seconds"]),
            from_cache=True,
            reasoning_text=str(told.get("reasoning_text", "")),
        )
    except (ValueError, KeyError, TypeError, OverflowError, RecursionError) as error:
        raise InputError(f"{file}: no answer of a model ({error}); remove it") from None
