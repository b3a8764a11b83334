"""What an attack gets and gives: a budget, and a row of the table.

A case is one of the things that an attack does; its number and the attack's seed say what it is, so
that one case can be done again alone.
"""

import json
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from random import Random
from typing import Literal

__all__ = ["Budget", "Finding", "Row", "Verdict", "make_rng"]

MOST = 100
"""Failing cases of an attack that are written down; all are counted."""
Verdict = Literal["lost", "crashed", "hung"]


@dataclass(frozen=True, slots=True)
class Finding:
    """A case that went wrong, and the files with which to look at it."""

    case: int
    verdict: Verdict
    words: str
    files: dict[str, bytes] = field(default_factory=dict)


@dataclass
class Row:
    """What an attack has come to.

    Attributes:
        attack: its name.
        number: how much was done.
        unit: of what.
        lost, crashed, hung: how often something was lost, a program crashed, or none answered.
        worst: most memory in bytes that a process of ours held.
        found: names of the files in which failing cases are told.
        notes: figures besides.
    """

    attack: str
    unit: str
    number: int = 0
    lost: int = 0
    crashed: int = 0
    hung: int = 0
    worst: int = 0
    found: list[str] = field(default_factory=list)
    notes: dict[str, float] = field(default_factory=dict)

    @property
    def clean(self) -> bool:
        """Whether nothing went wrong."""
        return not (self.lost or self.crashed or self.hung)

    def document(self) -> dict[str, object]:
        """As JSON."""
        return asdict(self)


@dataclass(frozen=True)
class Budget:
    """How much an attack may do.

    Attributes:
        count: cases.
        seconds: after which no further case is begun.
        least: cases that are done however long that takes.
        folder: where failing cases are told; also to work in, below ``work``.
        first: number of the first case.
        watch: told of the row whenever it has grown.
        stopped: whether to stop.
    """

    count: int
    seconds: float
    folder: Path
    first: int = 0
    least: int = 1
    watch: Callable[[Row], None] = lambda row: None
    stopped: Callable[[], bool] = lambda: False
    began: float = field(default_factory=time.monotonic)

    def cases(self, step: int = 1) -> Iterator[int]:
        """The numbers of the cases, one of ``step`` that are done together each time."""
        for number in range(self.first, self.first + self.count, step):
            late = time.monotonic() - self.began > self.seconds
            if self.stopped() or (late and number - self.first >= self.least):
                return
            yield number

    def work(self, name: str) -> Path:
        """A new folder to work in."""
        made = self.folder / "work" / name
        made.mkdir(parents=True)
        return made

    def tell(self, row: Row, finding: Finding, seed: int) -> None:
        """Count a case that went wrong, and write it down with the command that repeats it."""
        setattr(row, finding.verdict, getattr(row, finding.verdict) + 1)
        if len(row.found) >= MOST:
            return
        place = self.folder / "found" / f"{row.attack}-{finding.case}-{finding.verdict}"
        place.mkdir(parents=True, exist_ok=True)
        for name, data in finding.files.items():
            (place / name).write_bytes(data)
        again = f"python -m tests.soak --only {row.attack} --seed {seed} --case {finding.case}"
        told = {"attack": row.attack, "case": finding.case, "seed": seed, "again": again}
        told |= {"verdict": finding.verdict, "words": finding.words}
        (place / "case.json").write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
        row.found.append(str(place))
        self.watch(row)


def make_rng(seed: int, attack: str, case: int) -> Random:
    """The numbers of a case: the same whatever was done before it."""
    return Random(f"{seed}/{attack}/{case}")
