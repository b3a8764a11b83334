"""The rules of chambers, compiled: the same as those of the other modules, on rows of numbers.

A function that moves things changes the state that it is given, and returns whether the rules allow
that. After a refusal the state is of no use. Bodies have the numbers of their places in a state:
:data:`~pysim.families.portal.tables.AGENT`, and those from ``BOXES`` on.
"""

from pysim.families.portal.compiled.actions import list_legal, perform
from pysim.families.portal.compiled.features import observe_state
from pysim.families.portal.compiled.walking import copy_state

__all__ = ["copy_state", "list_legal", "observe_state", "perform"]
