"""Cube Bench: seven tasks that ask about scrambled cubes.

After D. Anand and E. Shareghi, "Cube Bench: A Benchmark for Spatial Visual Reasoning in MLLMs"; its
sections and appendices are named where they are followed. The prompts are Luban's own.
"""

from pysim.families.rubik.cube_bench.condition import Condition, Task, list_conditions
from pysim.families.rubik.cube_bench.trials import make_trials

__all__ = ["Condition", "Task", "list_conditions", "make_trials"]
