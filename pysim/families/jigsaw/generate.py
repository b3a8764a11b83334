"""The generator of levels: cut a cube, count its solutions, take the pieces apart."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from random import Random

from pysim.errors import InputError
from pysim.families.jigsaw.cutting import Cut, cut_cube
from pysim.families.jigsaw.faces import Seat, ShellFace
from pysim.families.jigsaw.planner import plan_for
from pysim.families.jigsaw.puzzle import Jigsaw, Piece
from pysim.families.jigsaw.shell import list_masks
from pysim.families.jigsaw.solving import Placing, Placings, count_assemblies, search_space, solve
from pysim.generation import Draft, GenerationResult, Rejected
from pysim.puzzle import Fact, Tier
from pysim.scene import Colour

__all__ = ["GIVEN", "JigsawGenerator"]

GIVEN = 4
"""Pieces that are in place from the start in a level of the tier easy, as in CUBE-easy."""
_BUDGET = 30


@dataclass(frozen=True, slots=True)
class JigsawGenerator:
    """See :class:`pysim.generation.Generator`.

    Attributes:
        tier: ``easy`` has four pieces in place and none turned over, ``medium`` none in place and
            none turned over, ``hard`` none in place, each turned over at random.
        seed: where the random numbers come from.
        colours: names for the pieces, in the order in which they are handed out.
        unique: whether there has to be one solution only, turned and mirrored cubes left out; of
            easy levels also: one way to place what is missing.
        whole: whether every piece has to be in one part. MARBLE's need not be: a corner may be left
            without the cells beside it.
        given: number of pieces in place; None for the tier's.

    Raises:
        InputError: too few colours, or a tier that is not made.
    """

    tier: Tier
    seed: int
    colours: tuple[Colour, ...]
    unique: bool = True
    whole: bool = True
    given: int | None = None

    def __post_init__(self) -> None:
        if self.tier is Tier.EXPERT:
            raise InputError("jigsaw cubes are made easy, medium or hard")
        if len(self.colours) < len(ShellFace):
            raise InputError(
                f"a cube has {len(ShellFace)} pieces, unlike {len(self.colours)} colours"
            )

    @property
    def family(self) -> str:
        """``jigsaw``."""
        return "jigsaw"

    @property
    def name(self) -> str:
        """The tier, and the version."""
        return f"jigsaw/{self.tier} 1"

    @property
    def slug(self) -> str:
        """The tier."""
        return self.tier.value

    @property
    def settings(self) -> Mapping[str, Fact]:
        """All that the attempts depend on."""
        return {
            "tier": self.tier.value,
            "unique": "yes" if self.unique else "no",
            "whole": "yes" if self.whole else "no",
            "seed": self.seed,
            **({} if self.given is None else {"given": self.given}),
        }

    @property
    def command(self) -> str:
        """The command line that makes the same levels again."""
        words = f"luban generate jigsaw --tier {self.tier} --seed {self.seed}"
        words += "" if self.given is None else f" --given {self.given}"
        words += "" if self.unique else " --no-unique"
        return words if self.whole else f"{words} --no-whole"

    def attempt(self, number: int) -> GenerationResult:
        """Return one cube, cut at random."""
        asked = "" if self.given is None else f" {self.given}"
        random = Random(f"{self.name} {self.unique} {self.whole} {self.seed} {number}{asked}")
        cut = cut_cube(random, flipped=self.tier is Tier.HARD)
        if self.whole and not cut.whole:
            return Rejected("a piece in two parts")
        solved = solve(Placing(cut.pieces, {}))
        solutions = count_assemblies(cut.pieces, solved.found)
        if self.unique and solutions > 1:
            return Rejected("several solutions")
        given = random.sample(range(len(ShellFace)), self._given)
        question = Placing(cut.pieces, {i: cut.places[i] for i in given})
        rest = solve(question) if given else solved
        if self.unique and given and count_assemblies(cut.pieces, rest.found) > 1:
            return Rejected("several ways to place the rest")
        return self._draft(cut, question, rest, solutions)

    @property
    def _given(self) -> int:
        usual = GIVEN if self.tier is Tier.EASY else 0
        return usual if self.given is None else self.given

    def _draft(self, cut: Cut, question: Placing, solved: Placings, solutions: int) -> Draft:
        pieces = tuple(map(Piece, self.colours, cut.pieces))
        start = tuple(question.given.get(i) for i in range(len(pieces)))
        jigsaw, missing = Jigsaw(pieces, start), len(question.missing)
        placed: tuple[Seat, ...] = solved.found[0]
        return Draft(
            puzzle=jigsaw,
            title=f"{missing} of 6 jigsaw pieces" if start.count(None) < 6 else "6 jigsaw pieces",
            tier=self.tier,
            budget=_BUDGET,
            plan=plan_for(jigsaw, placed),
            key=_signature(jigsaw),
            score=solved.nodes,
            facts={
                "missing": missing,
                "solutions": solutions,
                "right_answers": solved.right,
                "search_space": search_space(missing, flips=True),
                "teeth": _teeth(cut),
            },
        )


def _signature(jigsaw: Jigsaw) -> str:
    """Equal for puzzles of the same pieces, however they lie, and with the same ones given."""
    shapes = sorted(
        f"{min(list_masks(piece.rows)):x} {place is not None}"
        for piece, place in zip(jigsaw.pieces, jigsaw.start, strict=True)
    )
    return hashlib.sha256("/".join(shapes).encode()).hexdigest()[:32]


def _teeth(cut: Cut) -> str:
    """Return the number of cells around the middle of each piece, ascending."""
    return "+".join(str(n) for n in sorted("".join(rows).count("#") - 9 for rows in cut.pieces))
