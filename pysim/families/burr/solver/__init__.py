"""Solving designs: assemblies, which of them come apart, and in how many moves."""

from pysim.families.burr.solver.solve import (
    Assembly,
    AssemblyBatch,
    AssemblyTally,
    BurrLevel,
    format_level,
    may_stay_together,
    solve,
    solve_in_batches,
)

__all__ = [
    "Assembly",
    "AssemblyBatch",
    "AssemblyTally",
    "BurrLevel",
    "format_level",
    "may_stay_together",
    "solve",
    "solve_in_batches",
]
