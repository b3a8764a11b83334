"""Try the score of a video on clips of all families whose truth is known.

True clips are films of a plan's first steps, made worse as videos are (``perf/clips/degradations``)
or so bad that nothing is seen. Corrupted ones hold one thing that is impossible, with a label
(``perf/clips/corruptions``). Rankings are six models of one level, of which two show the truth.

A seed draws the levels of each family, and all else. ``--out FOLDER`` keeps bundles, clips with
labels, and outcomes: the same command goes on where it was stopped, and another version of the
scorer is tried on the same clips. The default takes some minutes; ``--sample 0`` takes every case.
"""

import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic

from bridge.runs.folders import RunError
from perf.clips.cases import GROUPS, Case, list_recipes, plan_cases
from perf.clips.figures import add_figures
from perf.clips.judging import Outcome
from perf.clips.running import Limits, run_cases
from perf.clips.sources import list_families
from perf.harness import Report, run_benchmark
from pysim.machine import count_cores

SAMPLE = 24


def measure(
    make_only: bool,
    verbose: bool,
    sample: float,
    seed: float,
    workers: float,
    minutes: float,
    out: str,
    only: str,
    families: str,
) -> Report:
    """Make and score everything."""
    kinds = _split_known("recipe", only, [*GROUPS, *list_recipes()])
    chosen = _split_known("family", families, list_families()) or list_families()
    cases = plan_cases(chosen, kinds)
    cases = cases[: round(sample)] if sample else cases
    limits = Limits(round(workers) or count_cores(), 60.0 * minutes)
    told = _Progress(len(cases), verbose)
    with TemporaryDirectory() as folder:
        try:
            outcomes = run_cases(
                cases, round(seed), Path(out or folder), limits, told, score=not make_only
            )
        except RunError as error:
            sys.exit(str(error))
        except KeyboardInterrupt:
            sys.exit("stopped; the same command goes on if it has --out")
    report = Report("video_score")
    report.figures["cases"] = len(outcomes)
    if not make_only:
        add_figures(report, outcomes)
    report.notes["size"] = f"{len(outcomes)} of {len(plan_cases(list_families()))} cases"
    return report


def _split_known(what: str, text: str, known: Sequence[str]) -> list[str]:
    """Return names with commas between; the program ends if one of them is not known."""
    names = [name for name in text.split(",") if name]
    if unknown := sorted({*names} - {*known}):
        sys.exit(f"there is no {what} {', '.join(unknown)}; there are {', '.join(known)}")
    return names


class _Progress:
    """Tells on the standard error how far it is: with ``verbose`` of each case."""

    def __init__(self, count: int, verbose: bool) -> None:
        self._count, self._verbose, self._begin, self._new = count, verbose, monotonic(), 0

    def __call__(self, outcome: Outcome, done: int) -> None:
        self._new += 1
        if self._verbose:
            print(_describe(outcome), file=sys.stderr, flush=True)
        left = (self._count - done) * (monotonic() - self._begin) / self._new
        if self._verbose or self._new % 10 == 0:
            print(f"{done} of {self._count}, {left / 60.0:.0f} minutes to go", file=sys.stderr)


def _describe(one: Outcome) -> str:
    case: Case = one.case
    told = f"{case.name} of {one.level or 'no place'} ({one.recipe})"
    if one.error or one.ranks:
        return f"{told}: {one.error or ' > '.join(one.ranks)}"
    found = f"{one.found} of {one.causes} found, {one.right} right, {one.early} early"
    rate = one.frames / max(one.seconds, 1e-9)
    lines = "".join(f"\n    {line}" for line in one.violations)
    seen = f"undecided {one.undecided:.2f}, plan {one.plan}, off {one.errors[10:20:9]}"
    return f"{told}: {found}, {seen}; {one.frames} frames, {rate:.1f} a core-second{lines}"


if __name__ == "__main__":
    run_benchmark(
        measure,
        "Alarms and recall of the scores of videos, in all families.",
        {
            "sample": (SAMPLE, "cases, of all families and recipes in turn; 0 for every one"),
            "seed": (0, "of levels and all that is drawn"),
            "workers": (0, "processes; 0 for one to each core"),
            "minutes": (1e9, "after so many no case is begun; 0 tells what --out has"),
        },
        {
            "out": "a folder that keeps bundles, clips and outcomes",
            "only": f"groups or recipes, with commas between: {', '.join(GROUPS)}; "
            f"{', '.join(list_recipes())}",
            "families": "families, with commas between",
        },
        **{"make-only": "make clips with labels, and score none", "verbose": "tell of each case"},
    )
