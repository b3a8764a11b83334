"""Plans: solutions in quarter turns, proven shortest where that is cheap."""

from pysim.families.rubik.actions import MakeMove
from pysim.families.rubik.choices import FaceTurn
from pysim.families.rubik.cube import Cube, compute_parity
from pysim.families.rubik.moves import Metric, Move, split_half_turns
from pysim.families.rubik.solver.meet_in_middle import create_meet_in_middle
from pysim.puzzle import Plan, Proof

__all__ = ["plan_for", "plan_of"]

DEPTH = 4
"""Up to twice so many quarter turns, plans are proven shortest."""


def plan_for(cube: Cube) -> Plan:
    """Return a shortest plan of up to 8 quarter turns, or else one by the two-phase algorithm."""
    near = create_meet_in_middle(Metric.QTM, DEPTH).solve(cube)
    if near is not None:
        return plan_of(near, len(near))
    from pysim.families.rubik.solver.twophase import solve_in_two_phases  # It loads compiled code.

    least = 2 * DEPTH + 1
    return plan_of(solve_in_two_phases(cube), least + (least + compute_parity(cube.corners)) % 2)


def plan_of(moves: tuple[Move, ...], lower_bound: int) -> Plan:
    """Return the plan that makes some moves, half turns as two quarter turns.

    Args:
        lower_bound: no solution has fewer quarter turns.
    """
    actions = tuple(MakeMove(FaceTurn(str(move))) for move in split_half_turns(moves))
    proof = Proof.OPTIMAL if len(actions) == lower_bound else Proof.UPPER_BOUND
    return Plan(actions, proof, lower_bound)
