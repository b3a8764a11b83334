"""Attacks in processes of their own, some at once; what they have come to is told as they go."""

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from tests.soak.attacks import Attack, budget_of, find
from tests.soak.budget import Row

__all__ = ["Order", "perform"]

GRACE = 60.0
"""Seconds in which an attack that is to stop finishes its case; then it is ended."""


@dataclass(frozen=True, slots=True)
class Order:
    """What is to be done.

    Attributes:
        attacks: names, in the order in which they begin.
        minutes: for all of them.
        seed: of the attacks.
        case: the only case to be done; None for all.
        folder: for what they make and find.
        lanes: attacks that go on at once.
    """

    attacks: Sequence[str]
    minutes: float
    seed: int
    case: int | None
    folder: Path
    lanes: int


@dataclass(slots=True)
class _Lane:
    attack: Attack
    process: BaseProcess
    told: Connection
    row: Row


def perform(order: Order, watch: Callable[[Row, bool], None]) -> list[Row]:
    """Do all attacks; Ctrl-C ends them after the cases that are under way.

    Args:
        watch: told of a row that has grown, and whether its attack is over.

    Returns:
        The rows of what was begun, in the order of the attacks.
    """
    left = list(order.attacks)
    lanes: list[_Lane] = []
    rows: dict[str, Row] = {}
    stop_by: float | None = None
    while left or lanes:
        try:
            while left and len(lanes) < order.lanes:
                lanes.append(_begin(order, find(left.pop(0))))
            for lane in _ready(lanes):
                over = not _hear(lane)
                rows[lane.attack.name] = lane.row
                watch(lane.row, over)
                if over:
                    lanes.remove(lane)
                    lane.process.join()
            if stop_by is not None and time.monotonic() > stop_by:
                for lane in lanes:
                    _end(lane)
        except KeyboardInterrupt:
            left.clear()
            stop_by = stop_by or time.monotonic() + GRACE
            for lane in lanes:
                _say_stop(lane)
    return [rows[name] for name in order.attacks if name in rows]


def _begin(order: Order, attack: Attack) -> _Lane:
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe()
    process = context.Process(target=_work, args=(order, attack.name, there), name=attack.name)
    process.start()
    there.close()
    return _Lane(attack, process, here, Row(attack.name, "not begun"))


def _ready(lanes: Sequence[_Lane]) -> list[_Lane]:
    heard = wait([lane.told for lane in lanes], timeout=0.5)
    return [lane for lane in lanes if lane.told in heard]


def _hear(lane: _Lane) -> bool:
    """Take what a lane says; False if it has nothing more to say."""
    try:
        lane.row = lane.told.recv()
        return True
    except EOFError:
        lane.process.join()
        if lane.process.exitcode:
            lane.row.crashed += 1
            lane.row.found.append(f"the attack itself ended with {lane.process.exitcode}")
        return False


def _say_stop(lane: _Lane) -> None:
    with suppress(OSError):  # It may just have ended.
        lane.told.send("stop")


def _end(lane: _Lane) -> None:
    """End an attack and all that it has started."""
    if lane.process.pid is not None and lane.process.is_alive():
        os.killpg(lane.process.pid, signal.SIGKILL)


# -- in the process of an attack ------------------------------------------------------------------


def _work(order: Order, name: str, told: Connection) -> None:
    os.setsid()  # Ctrl-C reaches the one that asks, which decides what it means.
    stopped = threading.Event()
    threading.Thread(target=_listen, args=(told, stopped), daemon=True).start()
    attack = find(name)
    folder = order.folder / name
    budget = replace(
        budget_of(attack, order.minutes, folder), watch=told.send, stopped=stopped.is_set
    )
    if order.case is not None:
        budget = replace(budget, first=order.case, count=1)
    row = attack.function(budget, order.seed)
    row.notes["seconds"] = round(time.monotonic() - budget.began)
    told.send(row)
    told.close()


def _listen(told: Any, stopped: threading.Event) -> None:
    """Wait for the word to stop, or for the end of the one that would say it."""
    try:
        told.recv()
        stopped.set()
    except (EOFError, OSError):
        if not told.closed:
            os.killpg(0, signal.SIGKILL)
