"""The fault injector of :mod:`tests.soak.faults` as an attack.

A case is one sort of fault in one scenario, for n = 1, 5, 25, ...;
``tests/soak/test_faults.py`` has every n.
"""

from tests.soak.budget import Budget, Finding, Row, Verdict
from tests.soak.faults import possible_attacks, run_faults
from tests.soak.scenarios import SCENARIOS
from tests.soak.syscalls import why_impossible

__all__ = ["attack"]

VERDICTS: tuple[Verdict, ...] = ("lost", "crashed", "hung")


def attack(budget: Budget, seed: int) -> Row:
    """Make ``budget.count`` sorts of faults, each as often as its sample holds."""
    row = Row("faults", "calls that fail")
    if why_impossible():  # The kernel does not let system calls be answered.
        return row
    pairs = [(place, name) for name in possible_attacks() for place in SCENARIOS]
    for case in budget.cases():
        scenario, name = pairs[case % len(pairs)]
        found = run_faults(scenario, name, sample=True)
        for one in found:
            row.number += one.number
            words = f"{one.attack}: {one.examples}"
            for verdict in VERDICTS:
                for _ in range(getattr(one, verdict)):
                    budget.tell(row, Finding(case, verdict, words), seed)
        budget.watch(row)
    return row
