"""Puzzles that several batches have made, so that none of them makes one twice.

A registry is a folder that processes share, on one machine or on many. A file in it is the
reservation of a puzzle, with the level in it and the batch that made it: it is written under
another name first and then linked to its own, which fails if there is one already, on network
drives too. So a reservation is there as a whole or not at all, and a crash never leaves one without
its level.
"""

import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path
from uuid import uuid4

from bridge.generating.folder import BatchError
from bridge.recording.files import named, write_all
from pysim.untrusted import MIB, FileKind, read_untrusted

__all__ = ["Registry"]

ENTRY_FILE = FileKind("an entry of a registry", 64 * MIB)


class Registry:
    """The puzzles in a folder, as one batch uses it.

    Args:
        folder: is made if it is not there.
        owner: names the batch; no other batch has the same name.

    Raises:
        BatchError: the folder can't be made.
    """

    def __init__(self, folder: Path, owner: str) -> None:
        self._owner = owner
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise BatchError(f"{folder} can't be a registry: {error.strerror}") from None
        self._folder = folder

    def reserve(self, key: str, document: Mapping[str, object]) -> bool:
        """Return whether a puzzle is this batch's: nobody had it, or this batch did before.

        Args:
            key: equal for puzzles that count as the same.
            document: the level.

        Raises:
            OSError: the folder can't be written, or the disk is full; nothing is reserved.
        """
        path = self._folder / f"{hashlib.sha256(key.encode()).hexdigest()}.json"
        partial = self._folder / f".{uuid4().hex}.part"
        text = json.dumps({"batch": self._owner, "level": document}, ensure_ascii=False)
        try:
            with named(partial), partial.open("wb", buffering=0) as file:
                write_all(file, text.encode())
                os.fsync(file.fileno())
            path.hardlink_to(partial)
        except FileExistsError:
            # A batch that was killed before it noted its level comes to the same one again.
            return read_untrusted(path, ENTRY_FILE, self._folder) == text.encode()
        finally:
            partial.unlink(missing_ok=True)
        return True
