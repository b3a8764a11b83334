"""Whether the tests notice when the code is wrong: ``python -m tools.mutations``.

Each fault of :mod:`tools.mutants` is put into a copy of the files that git tracks, never into the
working tree, and pytest runs the tests that are named for it, without the slow ones. The fault is
caught if a test fails. Before that the same tests must pass in the copy without any fault.
"""

import argparse
import json
import queue
import signal
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from dataclasses import asdict
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from tools.mutants import MUTATIONS, Mutation
from tools.random_mutants import draw_mutations
from tools.trials import Processes, Stale, Trial, Unfit, Workshop, digest, stale, try_mutation

__all__ = ["BEGIN", "END", "ROOT", "Journal", "main", "table", "write_table"]

ROOT = Path(__file__).resolve().parent.parent
BEGIN, END = "<!-- table -->", "<!-- end of table -->"


class Journal:
    """The trials so far, in a file of JSON if there is one: name of a mutation -> trial."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self.trials: dict[str, Trial] = {}
        if path is not None and path.exists():
            found = json.loads(path.read_text(encoding="utf-8"))
            self.trials = {name: Trial(**trial) for name, trial in found.items()}

    def knows(self, mutation: Mutation, root: Path, *, everywhere: bool) -> bool:
        """Return whether nothing more is to be learnt of a mutation."""
        trial = self.trials.get(mutation.name)
        if trial is None or trial.digest != digest(mutation, root):
            return False
        return bool(trial.by) or trial.everywhere or not everywhere

    def add(self, name: str, trial: Trial) -> None:
        """Keep a trial; the file is there whole at any time."""
        self.trials[name] = trial
        if self._path is not None:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            part = self._path.with_name(self._path.name + ".part")
            text = json.dumps({n: asdict(t) for n, t in self.trials.items()}, indent=1)
            part.write_text(text + "\n", encoding="utf-8")
            part.replace(self._path)


def table(mutations: Iterable[Mutation], trials: Mapping[str, Trial]) -> str:
    """Return the trials as a table in Markdown, and how many faults were caught.

    Raises:
        KeyError: a mutation was not tried.
    """
    chosen = list(mutations)
    lines = ["| fault | file | what is wrong | caught by |", "|---|---|---|---|"]
    lines += [
        f"| `{m.name}` | `{m.file}` | {m.breaks} | {_catcher(trials[m.name])} |" for m in chosen
    ]
    caught = sum(bool(trials[m.name].by) for m in chosen)
    return "\n".join([f"{caught} of {len(chosen)} faults are caught.", "", *lines])


def _catcher(trial: Trial) -> str:
    if not trial.by:
        return "**nothing**" if trial.everywhere else "**none of the tests named for it**"
    file, _, name = trial.by.partition("::")
    return f"`{file.removeprefix('tests/')}`" + (f" `{name.partition('[')[0]}`" if name else "")


def write_table(page: Path, text: str) -> None:
    """Put the table between its marks.

    Raises:
        ValueError: the page has no place for it.
    """
    before, begin, rest = page.read_text(encoding="utf-8").partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"{page} has no {BEGIN} and {END}")
    page.write_text(f"{before}{BEGIN}\n{text}\n{END}{after}", encoding="utf-8")


def try_all(
    mutations: Sequence[Mutation],
    journal: Journal,
    workers: int,
    *,
    everywhere: bool,
    limit: float | None = None,
) -> list[str]:
    """Try mutations and keep what became of them; what could not be tried, and why."""
    tests, problems = Processes(), list[str]()
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    console = Console(stderr=True)
    with (
        tempfile.TemporaryDirectory(prefix="luban-mutations-") as folder,
        ThreadPoolExecutor(workers) as pool,
        Progress(*columns, TimeElapsedColumn(), console=console, transient=True) as bar,
    ):
        shops: queue.SimpleQueue[Workshop] = queue.SimpleQueue()
        for worker in range(workers):
            shops.put(Workshop.of(ROOT, Path(folder) / str(worker), tests, limit))

        def attempt(mutation: Mutation) -> Trial:
            shop = shops.get()
            try:
                return try_mutation(shop, mutation, everywhere=everywhere)
            finally:
                shops.put(shop)

        task = bar.add_task("faults", total=len(mutations))
        try:
            waiting: dict[Future[Trial], Mutation] = {pool.submit(attempt, m): m for m in mutations}
            for done in as_completed(waiting):
                name = waiting[done].name
                try:
                    journal.add(name, done.result())
                except (Stale, Unfit) as error:
                    problems.append(f"{name}: {error}")
                else:
                    trial = journal.trials[name]
                    told = f"{name}: {trial.by or 'SURVIVED'} ({trial.seconds} s)"
                    bar.print(told, highlight=False, markup=False, soft_wrap=True)
                bar.advance(task)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            tests.stop()
            raise
    return problems


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", action="append", default=[], metavar="NAME", help="these faults")
    parser.add_argument("--workers", type=int, default=1, help="faults at a time")
    parser.add_argument(
        "--all", action="store_true", help="run all quick tests where named ones pass"
    )
    parser.add_argument(
        "--results", type=Path, help="a file of JSON that keeps results; a run resumes from it"
    )
    parser.add_argument("--random", type=int, metavar="N", help="draw as many faults instead")
    parser.add_argument("--seed", type=int, default=1, help="of the faults that are drawn")
    parser.add_argument(
        "--limit", type=float, metavar="SECONDS", help="time for the tests of one fault"
    )
    parser.add_argument("--write", type=Path, metavar="PAGE", help="put the table into a page")
    return parser.parse_args()


def _chosen(names: Sequence[str]) -> list[Mutation]:
    known = {mutation.name: mutation for mutation in MUTATIONS}
    unknown = sorted(set(names) - known.keys())
    if unknown:
        raise SystemExit(f"no such faults: {', '.join(unknown)}")
    return [m for m in MUTATIONS if not names or m.name in names]


def _interrupted(number: int, frame: object) -> None:
    raise KeyboardInterrupt


def main() -> None:
    """Try the faults; the exit status is 1 if one survives or could not be tried."""
    options = _options()
    for number in (signal.SIGINT, signal.SIGTERM):  # Shells start jobs with the first one ignored.
        signal.signal(number, _interrupted)
    journal = Journal(options.results)
    if options.random is None:
        chosen = _chosen(options.only)
    else:
        chosen = draw_mutations(ROOT, options.random, options.seed)
    problems = [why for why in (stale(mutation, ROOT) for mutation in chosen) if why]
    if problems:
        raise SystemExit("\n".join(problems))
    others = [m for m in MUTATIONS if m not in chosen] if options.write else []
    if any(not journal.knows(m, ROOT, everywhere=False) for m in others):
        raise SystemExit("--write needs all faults: leave --only away, or give --results of them")
    left = [m for m in chosen if not journal.knows(m, ROOT, everywhere=options.all)]
    try:
        problems = try_all(
            left, journal, options.workers, everywhere=options.all, limit=options.limit
        )
    except KeyboardInterrupt:
        raise SystemExit(130) from None
    if problems:
        raise SystemExit("\n".join(problems))
    text = table(chosen, journal.trials)
    print(text)
    if options.write:
        write_table(options.write, table(MUTATIONS, journal.trials))
    sys.exit(any(not journal.trials[mutation.name].by for mutation in chosen))


if __name__ == "__main__":
    main()
