"""The generator of scrambled cubes: random quarter turns that no shorter sequence undoes."""

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random

from pysim.errors import InputError
from pysim.families.rubik.cube import make_cube
from pysim.families.rubik.moves import Metric, Move
from pysim.families.rubik.planner import plan_of
from pysim.families.rubik.puzzle import CubePuzzle, Setting
from pysim.families.rubik.solver.meet_in_middle import create_meet_in_middle
from pysim.families.rubik.strings import format_cube
from pysim.generation import Draft, GenerationResult, Rejected
from pysim.puzzle import Fact, Tier

__all__ = ["MOST", "TIERS", "CubeGenerator"]

MOST = 10
"""Quarter turns up to which solutions are proven shortest here."""
TIERS = {Tier.EASY: 4, Tier.MEDIUM: 6, Tier.HARD: 8, Tier.EXPERT: MOST}
"""The most quarter turns of each tier."""


@dataclass(frozen=True, slots=True)
class CubeGenerator:
    """See :class:`pysim.generation.Generator`.

    Attributes:
        moves: quarter turns of a shortest solution, 1 to :data:`MOST`.
        setting: how much of the cube is seen.
        seed: where the random numbers come from.

    Raises:
        InputError: the number of moves is out of range.
    """

    moves: int
    setting: Setting
    seed: int

    def __post_init__(self) -> None:
        if not 1 <= self.moves <= MOST:
            raise InputError(f"a cube is scrambled by 1 to {MOST} quarter turns, not {self.moves}")

    @property
    def family(self) -> str:
        """Return ``rubik``."""
        return "rubik"

    @property
    def name(self) -> str:
        """Return the kind, and the version."""
        return "rubik/scramble 1"

    @property
    def slug(self) -> str:
        """Return the number of quarter turns and the setting."""
        return f"q{self.moves}-{self.setting}"

    @property
    def settings(self) -> Mapping[str, Fact]:
        """Return all that the attempts depend on."""
        return {"moves": self.moves, "setting": self.setting.value, "seed": self.seed}

    @property
    def command(self) -> str:
        """Return the command line that makes the same levels again."""
        return (
            f"luban generate rubik --moves {self.moves} --setting {self.setting} --seed {self.seed}"
        )

    def attempt(self, number: int) -> GenerationResult:
        """Scramble a cube, and prove how far from home it is."""
        rng = Random(f"{self.name} {self.moves} {self.seed} {number}")
        cube = make_cube(_scramble(rng, self.moves))
        solution = create_meet_in_middle(Metric.QTM, (self.moves + 1) // 2).solve(cube)
        if solution is None or len(solution) != self.moves:
            return Rejected("a shorter solution", 0 if solution is None else len(solution))
        plan = plan_of(solution, len(solution))
        return Draft(
            puzzle=CubePuzzle(cube, self.setting),
            title=f"Cube {self.moves} quarter turns from home, {self.setting}",
            tier=next(tier for tier, most in TIERS.items() if self.moves <= most),
            budget=2 * len(plan),
            plan=plan,
            key=format_cube(cube),
            score=len(plan),
            facts={"quarter_turns": len(plan), "quarter_turns_at_least": plan.lower_bound},
        )


def _scramble(rng: Random, length: int) -> list[Move]:
    """Return random quarter turns, none of which takes the one before it back."""
    moves: list[Move] = []
    while len(moves) < length:
        move = rng.choice(Metric.QTM.moves)
        if not moves or move != moves[-1].inverse:
            moves.append(move)
    return moves
