"""Solving designs: assemblies, which of them come apart, and in how many moves."""

from pysim.families.burr.solver.solve import (
    Assembly,
    AssemblyTally,
    BurrLevel,
    level_name,
    may_stay_together,
    solve,
)

__all__ = ["Assembly", "AssemblyTally", "BurrLevel", "level_name", "may_stay_together", "solve"]
