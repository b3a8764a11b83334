"""The generator: sample pieces, check them, measure them (CHAIN, appendix A.5, Algorithm 2)."""

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass

from pysim.families.packing.assembly import Insertion, find_building_order, find_linear_assembly
from pysim.families.packing.box import Packing, Piece, check_size
from pysim.families.packing.figures import CAP, Figures, measure_figures
from pysim.families.packing.generator.growth import make_shape
from pysim.families.packing.generator.plates import has_plate
from pysim.families.packing.generator.sampling import STAGES, Sampling, sample
from pysim.families.packing.generator.signature import compute_signature
from pysim.families.packing.grid import find_neighbours, is_on_surface
from pysim.families.packing.planner import plan_of
from pysim.generation import Draft, GenerationResult, Rejected
from pysim.geometry import IDENTITY, Cell, Direction, Voxels, list_rotations
from pysim.geometry.resting import is_stable
from pysim.puzzle import Fact, Tier
from pysim.scene import Colour

__all__ = ["HARD_EFFORT", "SAMPLINGS", "PackingGenerator", "make_facts"]

HARD_EFFORT = 100
"""Nodes per solution that a puzzle of ``hard`` needs at least."""
_FEWEST = 3
"""Pieces of a puzzle."""
_SAMPLES = 30
"""Samples of one attempt in each stage."""
SAMPLINGS = {Tier.EASY: Sampling.EASY, Tier.MEDIUM: Sampling.MID, Tier.HARD: Sampling.HARD}
"""How the pieces of each tier are drawn."""
_TIERS = {sampling: tier for tier, sampling in SAMPLINGS.items()}
_TOP = (Direction.PLUS_Z,)


@dataclass(frozen=True, slots=True)
class _Laid:
    """Pieces as a level has them.

    Attributes:
        places: for each of them the place among those that were sampled.
        shapes: how each is drawn.
    """

    places: tuple[int, ...]
    shapes: tuple[Voxels, ...]


@dataclass(frozen=True, slots=True)
class PackingGenerator:
    """See :class:`pysim.generation.Generator`.

    Attributes:
        size: of the box.
        sampling: how pieces are drawn.
        seed: where the random numbers come from.
        colours: names for the pieces, in the order in which they are handed out.
        linear: whether the packing has to be one that can be built from the open top, every piece
            straight down and supported at once; else the box is open on all sides, and there is no
            gravity.

    Raises:
        InputError: a size that no puzzle is made for.
    """

    size: Cell
    sampling: Sampling
    seed: int
    colours: tuple[Colour, ...]
    linear: bool = True

    def __post_init__(self) -> None:
        check_size(self.size)

    @property
    def family(self) -> str:
        """``packing``."""
        return "packing"

    @property
    def name(self) -> str:
        """Name of the way pieces are drawn, and the version."""
        return f"packing/{self.sampling} 2"

    @property
    def _drawn(self) -> str:
        """Key of the random numbers: those of version 1, which measured pieces otherwise."""
        return f"packing/{self.sampling} 1"

    @property
    def slug(self) -> str:
        """Name of the way pieces are drawn, and the size."""
        return f"{self.sampling}-{self._size}"

    @property
    def settings(self) -> Mapping[str, Fact]:
        """All that the attempts depend on."""
        return {
            "size": self._size,
            "mode": self.sampling.value,
            "linear": "yes" if self.linear else "no",
            "seed": self.seed,
        }

    @property
    def command(self) -> str:
        """The command line that makes the same levels again, as the first version wrote it.

        Levels hold it, and are the same to the byte as those of that version.
        """
        words = f"luban generate packing --size {self._size} --mode {self.sampling}"
        words += f" --seed {self.seed}"
        return words if self.linear else f"{words} --no-linear"

    def attempt(self, number: int) -> GenerationResult:
        """Samples in stages, the largest pieces first, until one passes all checks.

        Small boxes have few puzzles of large pieces, so some of the attempts begin later.
        """
        rng = random.Random(f"{self._drawn} {self._size} {self.linear} {self.seed} {number}")
        failures: Counter[str] = Counter()
        stages = STAGES[self.sampling]
        first = 0 if rng.random() < 0.75 else rng.randrange(len(stages))
        for least in stages[first:]:
            for _ in range(_SAMPLES):
                found = self._sample(least, rng)
                if isinstance(found, Draft):
                    return found
                failures[found] += 1
        return Rejected(failures.most_common(1)[0][0])

    @property
    def _size(self) -> str:
        return "x".join(map(str, self.size))

    def _sample(self, least: int, rng: random.Random) -> Draft | str:
        """Return a certified puzzle, or why there is none."""
        masks = sample(self.size, self.sampling, least, rng)
        if isinstance(masks, str):
            return masks
        flaw = _flaw(self.size, masks)
        if flaw:
            return flaw
        if len(masks) > len(self.colours):
            return "more pieces than colours"
        order = self._order(masks)
        if order is None:
            return "no linear assembly"
        # The level is measured as it will be written: a search depends on the order of the pieces.
        laid = _laid_out(self.size, masks, rng)
        figures = measure_figures(self.size, laid.shapes)
        if self.sampling is Sampling.HARD and figures.solutions >= CAP:
            return "too many solutions"
        if self.sampling is Sampling.HARD and figures.nodes_per_solution < HARD_EFFORT:
            return "too easy"
        return self._draft(masks, order, figures, least, laid)

    def _order(self, masks: Sequence[int]) -> tuple[Insertion, ...] | None:
        if not self.linear:
            return find_linear_assembly(self.size, masks)
        # The quick test first: without gravity there is an order whenever there is one with it.
        if find_linear_assembly(self.size, masks, _TOP) is None:
            return None
        return find_building_order(self.size, masks, _TOP)

    def _draft(
        self,
        masks: Sequence[int],
        order: Sequence[Insertion],
        figures: Figures,
        least: int,
        laid: _Laid,
    ) -> Draft:
        """Return the level's data."""
        packing = Packing(
            self.size,
            tuple(Piece(c, s) for c, s in zip(self.colours, laid.shapes, strict=False)),
            self.linear,
            frozenset(_TOP if self.linear else Direction),
        )
        steps = tuple(Insertion(laid.places.index(step.piece), step.direction) for step in order)
        a, b, c = self.size
        return Draft(
            puzzle=packing,
            title=f"{len(masks)} pieces into {a} x {b} x {c}",
            tier=_TIERS[self.sampling],
            budget=max(30, 3 * len(masks)),
            plan=plan_of(packing, tuple(masks[i] for i in laid.places), steps),
            key=compute_signature(laid.shapes),
            score=figures.nodes_per_solution,
            facts={"least_cells": least, **make_facts(figures, packing)},
        )


def _laid_out(size: Cell, masks: Sequence[int], rng: random.Random) -> _Laid:
    """The pieces in random order and turned at random; ``rng`` itself draws on as before."""
    own = copy(rng)
    places = list(range(len(masks)))
    own.shuffle(places)
    return _Laid(tuple(places), tuple(_laid_down(make_shape(size, masks[i]), own) for i in places))


def _flaw(size: Cell, masks: Sequence[int]) -> str:
    """Return the flaw of the pieces of a packing; empty if there is none."""
    if len(masks) < _FEWEST:
        return "too few pieces"
    if any(has_plate(size, mask) for mask in masks):
        return "a piece contains a 2 x 3 plate"
    if any(not find_neighbours(size, mask) & (sum(masks) & ~mask) for mask in masks):
        return "a piece touches no other"
    if not all(is_on_surface(size, mask) for mask in masks):
        return "a piece is hidden"
    if not all(_ways_to_lie(make_shape(size, mask)) for mask in masks):
        return "a piece can't lie on a table"
    return ""


def _laid_down(shape: Voxels, rng: random.Random) -> Voxels:
    """Return the shape, turned at random but lying flat, so that it hides as little as it can."""
    ways = _ways_to_lie(shape)
    lowest = min(way.bounds.size[2] for way in ways)
    return rng.choice([way for way in ways if way.bounds.size[2] == lowest])


def _ways_to_lie(shape: Voxels) -> list[Voxels]:
    turned = [shape.rotate(rotation).move_to_origin() for rotation in list_rotations()]
    return [one for one in turned if is_stable(one, IDENTITY)]


def make_facts(figures: Figures, packing: Packing) -> dict[str, Fact]:
    """Make the facts of a puzzle, as a level keeps them."""
    return {
        "search_nodes": figures.search_nodes,
        "nodes_per_solution": figures.nodes_per_solution,
        "solutions": figures.solutions,
        "solutions_complete": "yes" if figures.complete else "no",
        "linear_solutions": figures.linear_solutions,
        "signature": compute_signature(piece.shape for piece in packing.pieces),
    }
