"""Select an assembly of a design, searched for or stored in the file, and build the lock of it.

Only assemblies that come apart are accepted. The result also has their disassembly.
"""

from collections.abc import Sequence

from pysim.designs import Choice, Chosen, CountListener
from pysim.families.burr.files.design import Design, DesignError, Problem
from pysim.families.burr.files.importing import (
    PlacedPart,
    check_pieces,
    fix_assembly,
    lock_of,
    place_found_parts,
    place_stored_parts,
)
from pysim.families.burr.lock import Goal
from pysim.families.burr.solver import AssemblyTally, format_level, solve

__all__ = ["choose"]

_Placed = tuple[Sequence[PlacedPart], str]
"""An assembly, and its level."""


def choose(design: Design, choice: Choice, count: CountListener) -> Chosen:
    """Return the lock of an assembly; ``count`` is told of those that are looked at.

    Raises:
        DesignError: there is no such assembly, or it can't be a lock.
    """
    problem = design.problems[choice.problem]
    check_pieces(design, problem, most=len(choice.colours))
    if choice.stored:
        placed, level = _stored(design, problem, choice.solution)
    else:
        placed, level = _searched(design, problem, choice.solution, count)
    return Chosen(lock_of(design, problem, placed, Goal(choice.goal), choice.colours), level)


def _searched(design: Design, problem: Problem, number: int, count: CountListener) -> _Placed:
    """Return an assembly that comes apart, by its number among those."""
    if number < 0:
        raise DesignError(f"solutions are numbered from 0; there is no {number}")
    tally = AssemblyTally()
    for assembly in solve(design, problem):
        tally.add(assembly)
        count(tally.assemblies, tally.solutions)
        if assembly.level and tally.solutions > number:
            return place_found_parts(design, problem, assembly.pieces), format_level(assembly.level)
    looked = f"{tally.assemblies:,} assemblies were looked at"
    if not tally.solutions:
        raise DesignError(f"the problem has no solution: {looked}, none comes apart")
    raise DesignError(
        f"the problem has solutions 0 to {tally.solutions - 1}, no {number}; {looked}"
    )


def _stored(design: Design, problem: Problem, number: int) -> _Placed:
    """Return an assembly that the file holds, by its number."""
    placed = place_stored_parts(design, problem, number)
    alone = fix_assembly(design, problem, placed)
    (assembly,) = solve(alone, alone.problems[0])
    if not assembly.level:
        raise DesignError(f"stored assembly {number} does not come apart; choose another one")
    return placed, format_level(assembly.level)
