"""Disks that are full, that can't be written, and that are slow, under commands long and quick.

A case is one command. On a full or read-only disk it ends with one line that names what could not
be written, and once there is room the same command finishes, with what it would have made anyway.
"""

import ctypes
import os
import resource
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

from tests.soak.budget import Budget, Finding, Row, make_rng
from tests.soak.commands import Runner, verdict_of
from tests.soak.long import LONG, QUICK, Content, Long, prepared

__all__ = ["attack", "full", "read_only", "slow"]

_CAPABILITY_VERSION, _DAC_OVERRIDE = 0x20080522, 1
"""Of ``linux/capability.h``."""
_LINE = 400


def full() -> None:
    """Let no file of this process get larger than the file ``room`` says."""
    room = int(Path("room").read_text())
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, resource.RLIM_INFINITY))


def read_only() -> None:
    """Let nothing be written here, not even by root, who loses the right to ignore modes."""
    Path("out").mkdir(exist_ok=True)
    for folder in (Path(), Path("out")):
        folder.chmod(0o555)
    libc = ctypes.CDLL(None, use_errno=True)
    head, sets = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION, 0), (ctypes.c_uint32 * 6)()
    if libc.capget(head, sets) == 0:
        sets[0] &= ~(1 << _DAC_OVERRIDE)
        libc.capset(head, sets)


def slow() -> None:
    """Make every forced write take a while, as a disk does that is busy."""
    honest: Callable[[Any], None] = os.fsync

    def forced(file: Any) -> None:
        time.sleep(0.05)
        honest(file)

    os.fsync = forced


COMMANDS = (*LONG, *QUICK)
WAYS = ("full", "read_only", "slow")


def attack(budget: Budget, seed: int) -> Row:
    """Run ``budget.count`` commands on such disks."""
    row = Row("disks", "commands on full, read-only and slow disks")
    place = budget.work("disks")
    whole: dict[str, Content] = {}
    with Runner() as runner:
        prepared(runner, place)
        for case in budget.cases():
            long = COMMANDS[case % len(COMMANDS)]
            if long.name not in whole:
                folder = place / f"{long.name}-whole"
                folder.mkdir()
                assert (ended := long.run(runner, folder)).status == 0, ended.words
                whole[long.name] = long.content(folder / "out")
            way = WAYS[case // len(COMMANDS) % len(WAYS)]
            _case(budget, runner, row, place, long, whole[long.name], way, case, seed)
            row.number += 1
            budget.watch(row)
    return row


def _case(
    budget: Budget,
    runner: Runner,
    row: Row,
    place: Path,
    long: Long,
    whole: Content,
    way: str,
    case: int,
    seed: int,
) -> None:
    folder = place / f"{long.name}-{case}"
    folder.mkdir()
    largest = max(len(data) for data in whole.values())
    room = _room(make_rng(seed, "disks", case), largest)
    (folder / "room").write_text(str(room))
    ended = runner.wait(runner.start(long.words(folder), folder, f"tests.soak.disks:{way}"))
    words = f"{long.name} on a {way.replace('_', '-')} disk"
    if verdict := verdict_of(ended):
        budget.tell(row, Finding(case, verdict, f"{words}: {ended.words}"), seed)
    for path in (folder, folder / "out"):
        if path.exists():
            path.chmod(0o755)
    if way == "read_only" and not any((folder / "out").iterdir()):
        (folder / "out").rmdir()  # The attack has made it.
    again = long.run(runner, folder) if ended.status else ended
    (folder / "room").unlink()
    if again.status:
        told = f"{words}, resumed with room: {again.words}; before: {ended.words}"
        budget.tell(row, Finding(case, verdict_of(again) or "lost", told), seed)
    elif long.content(folder / "out") != whole:
        budget.tell(row, Finding(case, "lost", f"{words}: the folder differs"), seed)


def _room(random: Random, largest: int) -> int:
    """Bytes that a file may have: any number, small ones more often.

    What a command says goes to a file as well, which has to hold a line.
    """
    return _LINE + int(random.random() ** 2 * largest)
