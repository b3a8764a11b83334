"""Sources of clips: bundles of a few levels of each family, made once and kept."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray

from bridge.recording.dataset.forging.forgeries import TrueFilm
from bridge.recording.frames import Filming
from bridge.recording.movers import has_surroundings
from bridge.video.reference.bundle import LOG, Bundle, read_bundle
from bridge.video.reference.bundle_making import BundleRequest, make_bundle, play_plan
from perf.clips.bundle_films import list_bodies, read_scenes, read_true_film
from perf.clips.takes import Picture
from pysim.catalog import AnyLevel, list_shipped_levels
from pysim.render.renderer import Renderer
from pysim.scene import Body, Scene

__all__ = ["LEVELS", "Source", "SourcePlan", "list_families", "make_source", "plan_sources"]

LEVELS = 6
"""Levels of each family that a seed draws."""
SIZES = ((416, 240), (520, 300), (624, 360), (728, 420), (832, 480))
"""Sizes of pictures; the least is taken that has enough pixels to a unit."""
DENSITY, LEAST_DENSITY = 18.0, 15.0
"""Pixels to a unit that are enough, and that the largest size must have."""
_STEPS, _MOST_STEPS = 2, 8
"""First steps of a plan that are filmed; more where these move nothing."""
_MOST_FRAMES = 330
_FPS = 24


@dataclass(frozen=True, slots=True)
class SourcePlan:
    """A bundle that is to be made: of a level, with so many first steps, at a size."""

    level: str
    steps: int
    size: tuple[int, int]

    @property
    def folder(self) -> str:
        """Name of its folder."""
        return f"{self.level}-{self.steps}"


@dataclass(frozen=True, eq=False)
class Source:
    """A bundle, with all that clips are made of."""

    bundle: Bundle

    @cached_property
    def pictures(self) -> list[Picture]:
        """Pictures of the true film, in order."""
        return list(self.bundle.frames())

    @cached_property
    def scenes(self) -> list[Scene]:
        """Scenes of all frames."""
        return read_scenes(self.bundle)

    @cached_property
    def film(self) -> TrueFilm:
        """Motion of the bodies."""
        return read_true_film(self.bundle)

    @cached_property
    def bodies(self) -> dict[str, Body]:
        """Bodies at the start, by name."""
        return list_bodies(self.bundle)

    @cached_property
    def pieces(self) -> frozenset[str]:
        """Bodies that never come or go: of what moves in a place, not its doors."""
        movers = frozenset(self.film.names) - self.film.fixed
        if not has_surroundings(self.scenes[0]):
            return movers
        return movers & {*map(str, self.bundle.level.colours)}

    @cached_property
    def steps(self) -> NDArray[np.float64]:
        """(F, B) units that the fastest corner of each body goes from the frame before to each."""
        moved = np.zeros(self.bundle.poses.shape[:2])
        for frame in range(1, len(moved)):
            moved[frame] = self.measure_distances(frame - 1, frame)
        return moved

    def measure_distances(self, one: int, other: int) -> NDArray[np.float64]:
        """Return how far the fastest corner of each body is between two frames, (B,)."""
        poses = self.bundle.poses[[one, other]]
        apart = [
            np.linalg.norm(np.diff(own[:, :3, :3] @ corners + own[:, :3, 3:], axis=0)[0], axis=0)
            for own, corners in zip(poses.transpose(1, 0, 2, 3), self._corners, strict=True)
        ]
        far: NDArray[np.float64] = np.nan_to_num(np.array([corner.max() for corner in apart]))
        return far

    @cached_property
    def _corners(self) -> list[NDArray[np.float64]]:
        """(3, 8) of each body."""
        picks = np.array(np.meshgrid([0, 1], [0, 1], [0, 1])).reshape(3, 8)
        found = []
        for cells in self.film.cells.values():
            ends = np.stack([cells.min(axis=0) - 0.5, cells.max(axis=0) + 0.5])
            found.append(np.take_along_axis(ends, picks.T, axis=0).T)
        return found


def list_families() -> list[str]:
    """Return the families whose films can be tried."""
    return sorted({level.family for level in list_shipped_levels() if level.plan is not None})


def plan_sources(family: str, seed: int, count: int = LEVELS) -> list[SourcePlan]:
    """Return the bundles of a family; two seeds draw other levels as long as there are enough.

    Levels are left out whose units are too small in the largest pictures, or whose films are long.
    """
    levels = [v for v in list_shipped_levels() if v.plan is not None and v.family == family]
    order = np.random.default_rng(0).permutation(len(levels))
    first = seed * 2 * count
    drawn = [levels[order[(first + k) % len(levels)]] for k in range(len(levels))]
    return _take_some(_list_usable(drawn), count)


def _take_some(plans: Iterator[SourcePlan], count: int) -> list[SourcePlan]:
    return [plan for plan, _ in zip(plans, range(count), strict=False)]


def _list_usable(levels: Sequence[AnyLevel]) -> Iterator[SourcePlan]:
    for level in levels:
        plan = _plan_source(level)
        if plan is not None:
            yield plan


def _plan_source(level: AnyLevel) -> SourcePlan | None:
    assert level.plan is not None
    for steps in range(min(_STEPS, len(level.plan.actions)), _MOST_STEPS + 1):
        with TemporaryDirectory() as folder:
            log = play_plan(level, Path(folder, LOG), steps)
        films = [Filming.of(log, fps=_FPS, size=size) for size in SIZES]
        if films[0].frames > _MOST_FRAMES or steps > len(level.plan.actions):
            return None
        if _is_moving(films[0]):
            return _choose_size(level.id, steps, films)
    return None


def _choose_size(level: str, steps: int, films: Sequence[Filming]) -> SourcePlan | None:
    densities = [film.pixels_per_unit() for film in films]
    enough = [k for k, density in enumerate(densities) if density >= DENSITY]
    if not enough and densities[-1] < LEAST_DENSITY:
        return None
    return SourcePlan(level, steps, SIZES[enough[0] if enough else -1])


def _is_moving(film: Filming) -> bool:
    """Return whether any body goes a unit or more."""
    first, last = film.timeline[0].transforms, film.timeline[-1].transforms
    far = [np.abs(last[name] - place).max() for name, place in first.items() if name in last]
    return max(far, default=0.0) >= 0.9


def make_source(plan: SourcePlan, level: AnyLevel, folder: Path, renderer: Renderer) -> Source:
    """Return a source; its bundle is made if the folder doesn't have it."""
    out = folder / plan.folder
    if not out.exists():
        request = BundleRequest(plan.size, _FPS, plan.steps)
        make_bundle(level, out, request, renderer)
    return Source(read_bundle(out, check=False))
