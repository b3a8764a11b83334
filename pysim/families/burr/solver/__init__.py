"""Solving designs: assemblies, which of them come apart, and in how many moves."""

from pysim.families.burr.solver.solve import (
    Assembly,
    AssemblyTally,
    BurrLevel,
    format_level,
    may_stay_together,
    solve,
)

__all__ = ["Assembly", "AssemblyTally", "BurrLevel", "format_level", "may_stay_together", "solve"]
