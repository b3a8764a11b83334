"""Damaged files through every command that reads them.

A case is one file of any kind that a command reads; the kinds are listed from the code. It was
whole; its bytes, lines, arrays or fields are damaged, or a pipe, a link or a terabyte is in its
place. Hashes are often made right again, so that what is behind the check is reached too. Then a
command reads it: it may refuse it, in a line, and has to do so soon and in bounded memory.
"""

import shutil
import stat
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import count

from tests.soak.budget import Budget, Finding, Row, make_rng
from tests.soak.commands import Ended, Runner, verdict_of
from tests.soak.kit import Kit, Task

__all__ = ["attack"]

LIMIT = 20.0
"""Seconds of processor time that a command may take for a small file, searches excepted."""
READERS = 2
"""Commands that run at once."""
REFRESH = 2000
"""Commands after which a process of its own begins, with nothing kept."""


def attack(budget: Budget, seed: int) -> Row:
    """Have ``budget.count`` damaged files read, by some processes at once."""
    row = Row("files", "damaged files")
    place = budget.work("files")
    with Runner() as runner:
        kit = Kit.made(runner, place)
    cases, alone = budget.cases(), threading.Lock()
    readers = [_Reader(budget, row, kit, seed, cases, alone) for _ in range(READERS)]
    with ThreadPoolExecutor(READERS) as pool:
        for _ in pool.map(_Reader.read, readers):
            pass
    return row


@dataclass(frozen=True)
class _Reader:
    """Has files read by a process of its own.

    Attributes:
        cases: what is left, for all readers.
        alone: who holds it may look at the cases and change the row.
    """

    budget: Budget
    row: Row
    kit: Kit
    seed: int
    cases: Iterator[int]
    alone: threading.Lock

    def read(self) -> None:
        """Take cases until there are none left."""
        with Runner() as runner:
            for number in count(1):
                with self.alone:
                    case = next(self.cases, None)
                if case is None:
                    return
                self._case(runner, case)
                if number % REFRESH == 0:
                    runner.close()

    def _case(self, runner: Runner, case: int) -> None:
        folder = self.kit.place / str(case)
        folder.mkdir()
        task = self.kit.task(make_rng(self.seed, "files", case), folder)
        ended = runner.run(task.arguments, folder, LIMIT)
        with self.alone:
            self._note(case, task, ended)
        shutil.rmtree(folder, ignore_errors=True)

    def _note(self, case: int, task: Task, ended: Ended) -> None:
        row = self.row
        row.number += 1
        row.worst = max(row.worst, ended.peak)
        if verdict := verdict_of(ended, patient=task.searches):
            words = f"luban {' '.join(task.arguments)}: {ended.words}"
            regular = stat.S_ISREG(task.file.lstat().st_mode) and task.file.stat().st_size < 2**30
            whole = task.file.read_bytes() if regular else b""
            files = {task.file.name: whole, "stderr": ended.err.encode()}
            self.budget.tell(row, Finding(case, verdict, words, files), self.seed)
        if not row.number % 100:
            self.budget.watch(row)
