"""The n-th write, sync, rename and allocation fails, for every n, and what becomes of the work.

``python -m tests.soak.faults eval`` makes the attacks on one scenario and prints a row of JSON for
each; with ``--every 40 --first 17`` for n = 17, 57, 97, ... where every n takes too long. A process
by itself makes them, for it is copied for every case: what it has imported need not be imported
again.

After a fault a command has done its work all the same, or says in one line which file it is about;
killed or not, the same command then goes on to the same bytes. Nothing but that is asked of it: it
may stop early, or try again.
"""

import argparse
import errno
import gc
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from importlib import import_module
from itertools import count
from pathlib import Path

from tests.soak.children import DiskFault, Ended, run_child, run_children, short_of_memory
from tests.soak.mounts import can_mount, mounted
from tests.soak.scenarios import SCENARIOS, Files, Scenario
from tests.soak.syscalls import CALLS, why_impossible

__all__ = ["ATTACKS", "Row", "possible_attacks", "run_faults"]

ROOT = Path(__file__).resolve().parents[2]
_MODULES = "modules:"
_ALL = frozenset(CALLS)
_CHANGES = _ALL - {"sync"}
_GROWS = frozenset({"write", "make"})
_WRITES = frozenset({"write"})

Make = Callable[[int], DiskFault]

DISKS: dict[str, Make] = {
    "one call finds the disk full": lambda n: DiskFault(_ALL - {"remove"}, n, errno.ENOSPC),
    "the disk fills up": lambda n: DiskFault(_GROWS, n, errno.ENOSPC, half=True, lasting=True),
    "the quota is used up": lambda n: DiskFault(_GROWS, n, errno.EDQUOT, lasting=True),
    "one call fails": lambda n: DiskFault(_ALL - {"remove"}, n, errno.EIO),
    "all calls fail from then on": lambda n: DiskFault(_ALL, n, errno.EIO, lasting=True),
    "one write is short": lambda n: DiskFault(_WRITES, n, half=True),
    "the disk becomes read-only": lambda n: DiskFault(_CHANGES, n, errno.EROFS, lasting=True),
    "kill -9": lambda n: DiskFault(_ALL, n, kill=True),
}
MEMORY = "no memory for one call"
AT_ONCE = "two processes at once"
TOO_SMALL = "a disk that is too small"
ATTACKS = (*DISKS, MEMORY, AT_ONCE, TOO_SMALL)
PAIRS = 20
PAGE = 4096
WARNED = "warning: no video of "
"""Beginning of a warning: all is done but a video, which the same command makes afterwards."""

_ENGINES = ("recording", "runs", "generating", "items", "episode", "agents/journal.py")
_WATCHED = [str(ROOT / "bridge" / name) for name in (*_ENGINES, "report/documents.py")]
"""Code that writes files, or decides what is written: its calls are those without memory."""


@dataclass
class Row:
    """What came of an attack.

    Attributes:
        attack: on what, and what it is.
        number: of cases.
        lost: cases in which something was lost: the result differs, or can't be had any more.
        crashed: cases that ended without a line that says what is wrong.
        hung: cases that did not end.
        left_over: cases after which drafts lie about that nothing removes.
        examples: the first of what went wrong.
    """

    attack: str
    number: int = 0
    lost: int = 0
    crashed: int = 0
    hung: int = 0
    left_over: int = 0
    examples: list[str] = field(default_factory=list)


def run_faults(scenario: str, attack: str = "", *, sample: bool = False) -> list[Row]:
    """Make attacks on a scenario, in a process by itself.

    Args:
        scenario: a name of :data:`tests.soak.scenarios.SCENARIOS`.
        attack: one of :data:`ATTACKS`; empty for all that can be made here.
        sample: for n = 1, 5, 25, ... and not for every n.

    Raises:
        RuntimeError: it can't be done here; the message says why.
    """
    command = [sys.executable, "-m", "tests.soak.faults", scenario, "--attack", attack]
    command += ["--sample"] * sample
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr.strip())
    return [Row(**json.loads(line)) for line in done.stdout.splitlines()]


class _Campaign:
    """All cases of one scenario, in folders of their own."""

    def __init__(self, name: str, root: Path) -> None:
        self._name = name
        self._scenario: Scenario = SCENARIOS[name]
        self._root = root
        self._source = root / "source"
        self._source.mkdir()
        prepared = run_child(self._prepare, self._source)
        whole = self._folder("whole")
        ended = run_child(self._make_whole, whole)
        if prepared.status or ended.status:
            raise RuntimeError(f"{name} fails by itself: {prepared.err}{ended.err}")
        self._before = self._scenario.files(self._source)
        self._whole: Files = self._scenario.files(whole)
        for module in ended.out.split(_MODULES)[1].split():
            with suppress(Exception):
                import_module(module)
        gc.freeze()  # So that what is copied stays shared.

    def _make_whole(self) -> int:
        """Do it, and tell what was imported: children that find it imported are quicker."""
        try:
            return self._scenario.act()
        finally:
            print(_MODULES, *sys.modules)

    def _prepare(self) -> int:
        self._scenario.prepare(Path.cwd())
        return 0

    def attack(self, name: str, numbers: Iterable[int]) -> Row:
        """Make an attack for these n, which grow, until there is no moment for one."""
        row = Row(f"{self._name}: {name}")
        make = {AT_ONCE: self._at_once, TOO_SMALL: self._on_small_disk}.get(name, self._case)
        for number in numbers:
            if not make(row, name, number):
                break
        return row

    def _run(self, name: str, number: int, folder: Path) -> Ended:
        act = self._scenario.act
        if name == MEMORY:
            return short_of_memory(act, folder, number, _WATCHED)
        return run_child(act, folder, DISKS[name](number))

    def _case(self, row: Row, name: str, number: int) -> bool:
        """One case; False if there was no moment for it."""
        folder = self._folder("case")
        ended = self._run(name, number, folder)
        if not ended.reached:
            return False
        row.number += 1
        said = _Complaints(row, f"n = {number}")
        killed = name == "kill -9" and ended.status == -9
        if not killed:
            self._judge_end(said, ended, names_file=name in DISKS)
        self._judge_state(said, ended, folder)
        return True

    def _judge_end(self, said: "_Complaints", ended: Ended, *, names_file: bool) -> None:
        if ended.status is None:
            said.add("hung", "")
        elif ended.status not in (0, 1) or "Traceback" in ended.err:
            said.add("crashed", f"status {ended.status}: {ended.err[-600:]}")
        elif ended.status == 1:
            lines = ended.err.splitlines()
            names = not names_file or self._scenario.out in lines[-1]
            if len(lines) != 1 or not lines[0].startswith("luban: ") or not names:
                said.add("crashed", f"says {ended.err!r}")

    def _judge_state(self, said: "_Complaints", ended: Ended, folder: Path) -> None:
        scenario, now = self._scenario, self._scenario.files(folder)
        if ended.status == 0 and now != self._whole and WARNED not in ended.err:
            said.add("lost", f"says that all is well, but {_difference(now, self._whole)}")
        elif not scenario.is_fair(self._before, now, self._whole, ended.out):
            said.add("lost", f"is left with {sorted(now)} after {ended.err!r}")
        elif scenario.resumes or now == self._before:
            self._judge_again(said, folder)

    def _judge_again(self, said: "_Complaints", folder: Path) -> None:
        again = run_child(self._scenario.act, folder)
        now = self._scenario.files(folder)
        if again.status is None:
            said.add("hung", "when it is run again")
        elif again.status:
            said.add("lost", f"does not go on: {again.err!r}")
        elif now != self._whole:
            said.add("lost", f"goes on, but {_difference(now, self._whole)}")
        elif left := self._scenario.litter(folder):
            said.add("left_over", f"{left}")

    def _at_once(self, row: Row, name: str, number: int) -> bool:
        """Two at once: one of them may be refused, and what is made is whole; 20 times."""
        if number > PAIRS:
            return False
        row.number += 1
        folder = self._folder("case")
        said = _Complaints(row, f"pair {number}")
        for ended in run_children([self._scenario.act] * 2, folder):
            self._judge_end(said, ended, names_file=True)
        now = self._scenario.files(folder)
        if now != self._whole:
            self._judge_again(said, folder)
        return True

    def _on_small_disk(self, row: Row, name: str, number: int) -> bool:
        """A real disk in memory, of so many pages more than what has to be there."""
        folder = self._folder("case")
        used = sum(-(-path.stat().st_size // PAGE) + 1 for path in folder.rglob("*"))
        with mounted(folder, (used + number) * PAGE) as grow:
            shutil.copytree(self._source, folder, dirs_exist_ok=True)
            ended = run_child(self._scenario.act, folder)
            if ended.status == 0:
                return False
            row.number += 1
            said = _Complaints(row, f"{number} pages")
            self._judge_end(said, ended, names_file=True)
            grow()
            self._judge_state(said, ended, folder)
        return True

    def _folder(self, name: str) -> Path:
        """A new folder with what has to be there."""
        folder = self._root / name
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(self._source, folder)
        return folder


class _Complaints:
    """Writes down what went wrong in one case."""

    def __init__(self, row: Row, case: str) -> None:
        self._row = row
        self._case = case

    def add(self, column: str, what: str) -> None:
        """Count it, and keep the first few."""
        setattr(self._row, column, getattr(self._row, column) + 1)
        if len(self._row.examples) < 8:
            self._row.examples.append(f"{self._case}: {column}: {what}")


def _difference(now: Files, whole: Files) -> str:
    names = sorted(name for name in {**now, **whole} if now.get(name) != whole.get(name))
    return f"these files differ: {names}"


def main() -> None:
    """Make the attacks that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("scenario", choices=SCENARIOS)
    parser.add_argument("--attack", default="", choices=("", *ATTACKS))
    parser.add_argument("--sample", action="store_true", help="for n = 1, 5, 25, ... alone")
    parser.add_argument("--first", type=int, default=1, help="the first n")
    parser.add_argument("--every", type=int, default=1, help="and then each so many")
    wanted = parser.parse_args()
    if why := why_impossible():
        sys.exit(why)
    with tempfile.TemporaryDirectory(prefix="luban-faults-", dir=_quick_disk()) as root:
        campaign = _Campaign(wanted.scenario, Path(root))
        for attack in [wanted.attack] if wanted.attack else possible_attacks():
            powers, steps = (5**n for n in count()), count(wanted.first, wanted.every)
            row = campaign.attack(attack, powers if wanted.sample else steps)
            print(json.dumps(asdict(row)), flush=True)


def possible_attacks() -> list[str]:
    """Those that can be made here: only root may mount a disk, and not everywhere."""
    return [name for name in ATTACKS if name != TOO_SMALL or can_mount()]


def _quick_disk() -> str | None:
    """A folder in memory, where what is stored is stored at once; None for the usual one."""
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


if __name__ == "__main__":
    main()
