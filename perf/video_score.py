"""Measure errors of the score of a video: alarms on true films, and forgeries that it misses.

Clean clips are films of plans, drawn again and made worse as videos are: compressed, at other
rates, with borders, tinted, with a camera that drifts, blurred, of wood, by another renderer.
Forged ones hold one thing that is impossible, with a label
(``bridge/recording/dataset/forging``), and that can be seen (``perf/video/telling.py``); how many
can't is told. Illegal pushes are made of poses alone, and cells say whether they are illegal.

The default takes some minutes; ``--full`` is what the documents report: 300 clean clips, 100
forgeries of each kind and strength, 10,000 pushes. It takes hours. ``--families turned`` tries
cubes and nets instead, of which ``--full`` is 100 clean clips and 40 forgeries of each kind. With
``--out FOLDER`` each case is kept as it is done, and the same command goes on where it was stopped;
``--minutes 0`` tells what there is.
"""

import sys
from collections.abc import Sequence
from pathlib import Path
from time import monotonic

from bridge.recording.dataset.forging.forgeries import ForgeryKind
from bridge.runs.folders import RunError
from perf.harness import Report, run_benchmark
from perf.video.cases import CLEAN_CLIP, Sizes, planned
from perf.video.judged import Judged
from perf.video.pushes import missed_pushes
from perf.video.running import Limits, run_cases
from perf.video.tallies import tell_of, told_so_far
from perf.video.turned.cases import TURNED_CLEAN, TurnedKind, planned_turned
from pysim.machine import count_cores

SEED = 2026
FULL, FULL_PUSHES = Sizes(300, 100, 100), 10_000
FULL_TURNED, FULL_TURNED_EACH = 100, 40
KINDS = (CLEAN_CLIP, *(kind.value for kind in ForgeryKind))
TURNED = (TURNED_CLEAN, *(kind.value for kind in TurnedKind))
GROUPS = LOCKS, CUBES_AND_NETS = "locks", "turned"
EVERY = 30.0
"""Seconds between two lines that tell how far it is."""


def measure(
    full: bool,
    verbose: bool,
    out: str,
    only: str,
    families: str,
    clips: float,
    cases: float,
    weaker: float,
    pushes: float,
    seed: float,
    workers: float,
    minutes: float,
) -> Report:
    """Score everything."""
    sizes = FULL if full else Sizes(round(clips), round(cases), round(weaker))
    kinds = _known("kind", only, KINDS + TURNED)
    groups = _known("group", families, GROUPS) or [GROUPS[0]]
    asked = planned(sizes, kinds) if LOCKS in groups and not _none(kinds, KINDS) else []
    if CUBES_AND_NETS in groups and not _none(kinds, TURNED):
        more = (FULL_TURNED, FULL_TURNED_EACH) if full else (sizes.clips, sizes.strongest)
        asked += planned_turned(*more, kinds)
    told = _Told(len(asked), verbose)
    limits = Limits(round(workers) or count_cores(), 60.0 * minutes)
    try:
        results = run_cases(asked, round(seed), Path(out) if out else None, limits, told)
    except RunError as error:
        sys.exit(str(error))
    except KeyboardInterrupt:
        sys.exit("stopped; the same command goes on if it has --out")
    report = Report("video_score")
    tell_of(report, results, asked)
    if LOCKS in groups and not kinds and minutes > 0.0:
        _pushed(report, FULL_PUSHES if full else round(pushes), round(seed))
    report.notes["size"] = "all of it" if full else "a sample; --full is what the documents report"
    report.notes["people"] = "no people and no videos of public models could be had"
    return report


def _known(what: str, text: str, there: Sequence[str]) -> list[str]:
    """Return names with commas between; the program ends if one of them is not there."""
    names = [name for name in text.split(",") if name]
    if unknown := sorted({*names} - {*there}):
        sys.exit(f"there is no {what} {', '.join(unknown)}; there are {', '.join(there)}")
    return names


def _none(chosen: Sequence[str], there: Sequence[str]) -> bool:
    """Return whether some are chosen, but none of these."""
    return bool(chosen) and not {*chosen} & {*there}


def _pushed(report: Report, count: int, seed: int) -> None:
    missed, refused = missed_pushes(count, seed)
    report.figures["pushes"] = count
    report.figures["illegal_moves_missed"] = missed
    report.figures["legal_moves_refused"] = refused
    report.targets["illegal_moves_missed"] = ("<=", 0)


class _Told:
    """Tells on the standard error how far it is.

    Args:
        asked: how many cases there will be.
        verbose: whether to tell of each.
    """

    def __init__(self, asked: int, verbose: bool) -> None:
        self._asked, self._verbose = asked, verbose
        self._begun = self._last = monotonic()
        self._new: list[Judged] = []

    def __call__(self, result: Judged, done: int) -> None:
        self._new.append(result)
        if self._verbose:
            _tell(result)
        now = monotonic()
        if now - self._last >= EVERY or done == self._asked:
            self._last = now
            left = (self._asked - done) * (now - self._begun) / len(self._new)
            told = f"{done} of {self._asked} cases, {left / 60.0:.0f} minutes to go; "
            print(told + f"of these: {told_so_far(self._new)}", file=sys.stderr, flush=True)


def _tell(result: Judged) -> None:
    case = result.case
    said = "no place" if result.nowhere else "found" if result.found else "nothing"
    if case.kind not in (CLEAN_CLIP, TURNED_CLEAN) and not result.found:
        said = said.upper()
    rate = result.frames / max(result.seconds, 1e-9)
    about = f"{result.level}: {said}; {result.frames} frames, {rate:.1f} a core-second"
    lines = (result.nowhere, result.label, *result.violations)
    told = "".join(f"\n    {line}" for line in lines if line)
    print(f"{case.sort} {case.number} {about}{told}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    run_benchmark(
        measure,
        "False alarms and recall of the scores of videos.",
        {
            "clips": (12, "clean clips"),
            "cases": (2, "forgeries of each kind at its greatest strength"),
            "weaker": (1, "forgeries of each kind at each of its other strengths"),
            "pushes": (200, "pushes of pieces, by poses alone"),
            "seed": (SEED, "of all that is drawn"),
            "workers": (0, "processes; 0 for one to each core"),
            "minutes": (1e9, "after so many no case is begun; 0 tells what --out has"),
        },
        {
            "out": "a folder that keeps each case, so that the same command goes on after a stop",
            "only": f"kinds, with commas between: {', '.join(KINDS + TURNED)}",
            "families": "locks, which is usual, turned for cubes and nets, or locks,turned",
        },
        **{"full": "everything, in hours", "verbose": "tell of each clip"},
    )
