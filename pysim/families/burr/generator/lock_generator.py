"""The generator of locks: numbered attempts of every kind."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from random import Random

import numpy as np
from numpy.typing import NDArray

from pysim.families.burr.generator import boards, cubes, rods, sixpiece, stacks
from pysim.families.burr.generator.annealing import Annealed, Sharing, anneal
from pysim.families.burr.generator.canvas import Canvas, Filling
from pysim.families.burr.generator.certify import MOST_DECIDED, Wanted, make_certified_draft
from pysim.families.burr.generator.climbing import Annealer, choose_climb, climb
from pysim.families.burr.generator.filling import fill
from pysim.families.burr.generator.graded import anneal_graded
from pysim.families.burr.generator.rng import create_rng
from pysim.families.burr.generator.sequence import cut, find_forced_order
from pysim.families.burr.generator.settings import LockKind, Settings
from pysim.generation import Draft, GenerationResult, Rejected
from pysim.puzzle import Fact
from pysim.scene import Colour

__all__ = ["LockGenerator"]

_VERSIONS = {LockKind.SIX_PIECE: 2, LockKind.RODS: 3, LockKind.BOARD: 1, LockKind.CUBE: 1}
_STACKED_VERSION = 4
"""Of each kind, and of stacked rods; counted up whenever the same settings make other locks."""
STARTS = 50
"""Ways to share out the cells that are drawn before an attempt is given up."""
MOST_CERTIFIED = 4
"""Locks of a climb whose solutions are counted, from the highest level down."""
ROD_CONFIGURATIONS = 10_000
"""Configurations that the search for a plan of few rods looks at: 0.2 CPU seconds."""
_TITLES = {
    LockKind.SIX_PIECE: "Six-piece burr",
    LockKind.BOARD: "Burr of {} boards",
    LockKind.CUBE: "Box of {} pieces",
    LockKind.RODS: "Burr of {} rods",
}


@dataclass(frozen=True)
class LockGenerator:
    """See :class:`pysim.generation.Generator`.

    Attributes:
        wanted: what locks are to be made.
        colours: names for the pieces, in order.
    """

    wanted: Settings
    colours: tuple[Colour, ...]

    @property
    def family(self) -> str:
        return "burr"

    @property
    def name(self) -> str:
        kind = self.wanted.kind
        version = _STACKED_VERSION if self.wanted.stacked else _VERSIONS[kind]
        return f"burr/{kind} {version}"

    @property
    def slug(self) -> str:
        kind = "sequence" if self.wanted.sequential else self.wanted.kind.value
        kind = "stacks" if self.wanted.stacked else kind
        climb = f"-c{self.wanted.climb}" if self.wanted.climb else ""
        return f"{kind}-{self.wanted.words}-{self.wanted.pieces}{climb}"

    @property
    def seed(self) -> int:
        return self.wanted.seed

    @property
    def settings(self) -> Mapping[str, Fact]:
        return self.wanted.options

    @property
    def command(self) -> str:
        return self.wanted.command

    def attempt(self, number: int) -> GenerationResult:
        """Draw, look for the level that is asked for, certify."""
        rng = Random(f"{self.name}/{self._drawn_from}/{number}")
        return self._sequence(rng) if self.wanted.is_cut else self._search(rng)

    @property
    def _drawn_from(self) -> str:
        """Key of the random numbers.

        It leaves out the level and the rounds of a climb, so that a request for more continues the
        same draw.
        """
        left_out = ("level", "reflections", "climb")
        options = {k: v for k, v in self.settings.items() if k not in left_out}
        return repr(sorted(options.items()))

    def _search(self, rng: Random) -> GenerationResult:
        canvas = self._canvas()
        starts = (canvas.start(rng) for _ in range(STARTS))
        start = next((found for found in starts if found is not None), None)
        if start is None:
            return Rejected("nothing to start from")
        sharing, numbers = canvas.make_sharing(start), create_rng(rng.getrandbits(64))
        if self.wanted.climb:
            return self._climb(canvas, sharing, numbers)
        found = self._annealer(sharing, canvas.least, canvas.cooling, self.wanted.level, numbers)
        return self._finish(canvas, sharing, found, numbers)

    def _climb(
        self, canvas: Canvas, sharing: Sharing, numbers: NDArray[np.uint64]
    ) -> GenerationResult:
        """Return the first lock that is as wanted, from the highest level down."""
        if not self.wanted.starts_apart:
            canvas = replace(canvas, cooling=choose_climb(canvas.pieces))
        rounds, annealer = self.wanted.climb, self._annealer
        locks = climb(sharing, canvas.least, canvas.cooling, rounds, numbers, annealer)
        reason = "level too low"
        best = max((found.level for found in locks), default=0)
        for found in locks[:MOST_CERTIFIED]:
            made = self._finish(canvas, sharing, found, numbers)
            if isinstance(made, Draft):
                return made
            reason = made.reason
        return Rejected(reason, best)

    @property
    def _annealer(self) -> Annealer:
        return anneal_graded if self.wanted.starts_apart else anneal

    def _finish(
        self, canvas: Canvas, sharing: Sharing, found: Annealed, numbers: NDArray[np.uint64]
    ) -> GenerationResult:
        """Return the lock that a search found, its voids filled as its kind is."""
        if found.level < self.wanted.level:
            return Rejected("level too low", found.level)
        if canvas.filling is not Filling.ALWAYS:
            made = self._certify(canvas, found.label)
            if isinstance(made, Draft) or canvas.filling is Filling.NEVER:
                return made
        filled = fill(sharing, found, canvas.cooling.configurations, numbers)
        return self._certify(canvas, filled)

    def _certify(self, canvas: Canvas, label: NDArray[np.int32]) -> GenerationResult:
        pieces = canvas.split(label)
        design, parts = canvas.make_design(pieces)
        return make_certified_draft(design, parts, pieces, self._demands())

    def _sequence(self, rng: Random) -> GenerationResult:
        wanted = self.wanted
        pieces = cut(wanted.pieces, self._box, rng)
        if pieces is None:
            return Rejected("dead end")
        order = find_forced_order(pieces)
        if order is None:
            return Rejected("several pieces can move")
        design, parts = cubes.make_canvas(wanted.pieces, self._box).make_design(pieces)
        return make_certified_draft(design, parts, pieces, self._demands(), order)

    def _canvas(self) -> Canvas:
        pieces, size = self.wanted.pieces, self.wanted.size
        match self.wanted.kind:
            case LockKind.SIX_PIECE:
                return sixpiece.make_canvas(size[0])
            case LockKind.BOARD:
                return boards.make_canvas(pieces, size[0], self.wanted.thickness)
            case LockKind.RODS:
                stacked = self.wanted.stacked
                return stacks.make_canvas() if stacked else rods.make_canvas(pieces, size[0])
            case LockKind.CUBE:
                sequential = self.wanted.sequential
                make = cubes.make_sequential_canvas if sequential else cubes.make_canvas
                return make(pieces, self._box)

    @property
    def _box(self) -> tuple[int, int, int]:
        x, y, z = self.wanted.size
        return (x, y, z)

    def _demands(self) -> Wanted:
        wanted = self.wanted
        demands = Wanted(
            title=_TITLES[wanted.kind].format(wanted.pieces),
            level=wanted.level,
            unique=wanted.kind is not LockKind.CUBE,
            reflections=wanted.reflections,
            colours=self.colours,
        )
        if wanted.kind is LockKind.RODS and wanted.pieces <= MOST_DECIDED:
            return replace(demands, configurations=ROD_CONFIGURATIONS)
        return demands
