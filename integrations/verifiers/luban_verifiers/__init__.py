"""Luban's puzzles as a taskset for verifiers, with a harness that forgets old pictures."""

from luban_verifiers.harness import LubanHarness
from luban_verifiers.taskset import LubanTaskset

__all__ = ["LubanHarness", "LubanTaskset"]
