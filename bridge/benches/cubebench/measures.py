"""CubeBench's metrics over runs (section 3.2, appendices C and E). Pure functions of results.

- Pass rate: the share of runs that solve their cube; a run that ran out of time has not.
- #MM, the number of ``make_move`` calls: its mean over all runs that terminated normally, its mean
  over those that solved the cube, and the most in one that terminated normally.
- #MR: the mean over normally terminated runs of #MM divided by the length of the shortest solution.
  That is the depth in face turns (HTM): over long horizons the paper's #MR are about 0.08 of its
  #MM, which is the mean of 1/8, 1/12, 1/16 and 1/20; lengths in quarter turns would give less.

A run does not terminate normally if its time was over. A run that crashed has no result at all, and
is played again by the command that began it.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass

from bridge.agents.usage import Usage
from bridge.benches.cubebench.results import CubePlay, Horizon, make_cube_play
from bridge.runs.results import EpisodeResult
from bridge.scoring.statistics import compute_mean
from pysim.families.rubik.puzzle import Setting

__all__ = [
    "RunAverages",
    "average_by_depth",
    "average_runs",
    "average_setting",
    "make_document",
    "select_cube_runs",
]


@dataclass(frozen=True, slots=True)
class RunAverages:
    """Averages over some runs. Means over no run are None.

    Attributes:
        runs, solved, normal: counts: all runs, solved ones, normally terminated ones.
        pass_rate: solved among all, from 0 to 1.
        moves: mean #MM of normally terminated runs.
        moves_solved: mean #MM of solved runs.
        moves_most: largest #MM of a normally terminated run.
        ratio: mean #MR of normally terminated runs.
    """

    runs: int
    solved: int
    normal: int
    pass_rate: float | None
    moves: float | None
    moves_solved: float | None
    moves_most: int | None
    ratio: float | None


def select_cube_runs(results: Iterable[EpisodeResult]) -> list[EpisodeResult]:
    """Return the runs whose level is a cube of known depth."""
    return [result for result in results if make_cube_play(result) is not None]


def average_runs(results: Iterable[EpisodeResult]) -> RunAverages:
    """Average some runs; those that are no cubes are left out."""
    plays = [(result.solved, play) for result, play in _plays(results)]
    normal = [play for _, play in plays if play.normal]
    solved = [play for done, play in plays if done]
    return RunAverages(
        runs=len(plays),
        solved=len(solved),
        normal=len(normal),
        pass_rate=len(solved) / len(plays) if plays else None,
        moves=compute_mean(play.moves for play in normal),
        moves_solved=compute_mean(play.moves for play in solved),
        moves_most=max((play.moves for play in normal), default=None),
        ratio=compute_mean(play.ratio for play in normal),
    )


def average_setting(
    results: Iterable[EpisodeResult], setting: Setting, horizon: Horizon
) -> RunAverages:
    """Average the runs of a setting and a horizon."""
    return average_runs(
        r for r, play in _plays(results) if (play.setting, play.horizon) == (setting, horizon)
    )


def average_by_depth(results: Sequence[EpisodeResult], setting: Setting) -> dict[int, RunAverages]:
    """Average the runs of a setting by the depth of their cubes, shallow ones first."""
    there = [(play.depth, r) for r, play in _plays(results) if play.setting is setting]
    depths = sorted({depth for depth, _ in there})
    return {wanted: average_runs(r for depth, r in there if depth == wanted) for wanted in depths}


def _plays(results: Iterable[EpisodeResult]) -> Iterator[tuple[EpisodeResult, CubePlay]]:
    for result in results:
        play = make_cube_play(result)
        if play is not None:
            yield result, play


def make_document(results: Sequence[EpisodeResult]) -> dict[str, object] | None:
    """Return all of it: setting -> horizon and depth -> effort; None if there is no cube."""
    cubes = select_cube_runs(results)
    if not cubes:
        return None
    usage = sum((result.usage for result in cubes), Usage())
    found: dict[str, object] = {
        setting.value: {
            **{h.value: asdict(average_setting(cubes, setting, h)) for h in Horizon},
            "by_depth": {d: asdict(e) for d, e in average_by_depth(cubes, setting).items()},
        }
        for setting in Setting
        if average_by_depth(cubes, setting)
    }
    return {**found, "tokens_in": usage.tokens_in, "tokens_out": usage.tokens_out}
