"""Long commands are killed, again and again; what they leave in the end is as if they had not been.

A case is one kill. After a few kills in one folder the command may finish there, and the folder is
compared, byte by byte, with that of a command that nobody killed.
"""

import time
from pathlib import Path
from random import Random

from tests.soak.budget import Budget, Finding, Row, make_rng
from tests.soak.commands import Ended, Runner, verdict_of
from tests.soak.long import KILLED, Content, Long, prepared
from tests.soak.memory import peak

__all__ = ["attack"]

ROUND = 4
"""Kills in one folder."""


def attack(budget: Budget, seed: int) -> Row:
    """Kill each of the long commands ``budget.count`` times."""
    row = Row("kills", "kills of long commands")
    place = budget.work("kills")
    with Runner() as runner:
        prepared(runner, place)
        known = {long.name: _Whole(runner, place, long) for long in KILLED}
        for case in budget.cases(ROUND):
            for long in KILLED:
                _round(budget, runner, row, known[long.name], case, seed)
    return row


class _Whole:
    """What a command does that nobody kills.

    Attributes:
        content: what it leaves.
        seconds: how long it takes.
    """

    def __init__(self, runner: Runner, place: Path, long: Long) -> None:
        folder = place / f"{long.name}-whole"
        folder.mkdir()
        began = time.monotonic()
        ended = long.run(runner, folder)
        assert ended.status == 0, ended.words
        self.seconds = time.monotonic() - began
        self.content = long.content(folder / "out")
        self.place, self.long = place, long


def _round(budget: Budget, runner: Runner, row: Row, whole: _Whole, case: int, seed: int) -> None:
    long = whole.long
    random = make_rng(seed, f"kills/{long.name}", case)
    folder = whole.place / f"{long.name}-{case}"
    folder.mkdir()
    said = []
    for _ in range(min(ROUND, budget.first + budget.count - case)):
        ended = _killed(runner, row, whole, folder, random)
        row.number += 1
        if verdict_of(ended) and ended.status != -9:
            budget.tell(row, _finding(case, long, ended), seed)
        said.append(ended.words)
    budget.watch(row)
    ended = long.run(runner, folder)
    if verdict := verdict_of(ended):
        budget.tell(row, Finding(case, verdict, f"{long.name} resumed: {ended.words}"), seed)
        return
    if ended.status:
        words = f"{long.name} can't be resumed: {ended.words}; before: {said}"
        budget.tell(row, Finding(case, "lost", words), seed)
    elif differing := _differing(long.content(folder / "out"), whole.content):
        budget.tell(row, Finding(case, "lost", f"{long.name} differs in {differing}"), seed)


def _killed(runner: Runner, row: Row, whole: _Whole, folder: Path, random: Random) -> Ended:
    """Begin or resume a command, and kill it at any time of its life, or just after it."""
    pid = runner.start(whole.long.words(folder), folder)
    time.sleep(random.random() * whole.seconds)
    row.worst = max(row.worst, peak(pid))
    runner.kill(pid)
    return runner.wait(pid)


def _finding(case: int, long: Long, ended: Ended) -> Finding:
    verdict = verdict_of(ended)
    assert verdict is not None
    return Finding(case, verdict, f"{long.name}: {ended.words}")


def _differing(one: Content, other: Content) -> list[str]:
    names = sorted({*one, *other})
    return [name for name in names if one.get(name) != other.get(name)][:5]
