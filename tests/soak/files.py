"""Damaged files through every command that reads them.

A case is one file: a level, a log, a journal, a design, or one of the other files of a run, of a
batch, of certificates, prices and moves. It was whole; its bytes, lines or fields are damaged, and
the hash of a level is often made right again, so that what is behind the check is reached too. Then
a command reads it: it may refuse it, in a line, and has to do so soon and in bounded memory.
"""

import shutil

from tests.soak.budget import Budget, Finding, Row, chance
from tests.soak.commands import Runner, verdict_of
from tests.soak.kit import Kit

__all__ = ["attack"]

LIMIT = 20.0
"""Seconds of processor time that a command may take for a small file, searches excepted."""
REFRESH = 2000
"""Commands after which a process of its own begins, with nothing kept."""


def attack(budget: Budget, seed: int) -> Row:
    """Have ``budget.count`` damaged files read."""
    row = Row("files", "damaged files")
    place = budget.work("files")
    with Runner() as runner:
        kit = Kit.made(runner, place)
        for case in budget.cases():
            _case(budget, runner, row, kit, case, seed)
            if not case % 100:
                budget.watch(row)
            if case % REFRESH == REFRESH - 1:
                runner.close()
    return row


def _case(budget: Budget, runner: Runner, row: Row, kit: Kit, case: int, seed: int) -> None:
    folder = kit.place / str(case)
    folder.mkdir()
    task = kit.task(chance(seed, "files", case), folder)
    ended = runner.run(task.arguments, folder, LIMIT)
    row.number += 1
    row.worst = max(row.worst, ended.peak)
    if verdict := verdict_of(ended, patient=task.searches):
        words = f"luban {' '.join(task.arguments)}: {ended.words}"
        files = {task.file.name: task.file.read_bytes(), "stderr": ended.err.encode()}
        budget.tell(row, Finding(case, verdict, words, files), seed)
    shutil.rmtree(folder, ignore_errors=True)
