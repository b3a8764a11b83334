"""The fault injector of :mod:`tests.soak.faults` as an attack.

A case is one sort of fault in one scenario, for n = 1, 5, 25, ...;
``tests/soak/test_faults.py`` has every n.
"""

from importlib import import_module

from tests.soak.budget import Budget, Finding, Row, Verdict

__all__ = ["attack"]

VERDICTS: tuple[Verdict, ...] = ("lost", "crashed", "hung")


def attack(budget: Budget, seed: int) -> Row:
    """Make ``budget.count`` sorts of faults, each as often as its sample holds."""
    faults = import_module("tests.soak.faults")
    scenarios = import_module("tests.soak.scenarios").SCENARIOS
    pairs = [(place, name) for name in faults.possible_attacks() for place in scenarios]
    row = Row("faults", "calls that fail")
    for case in budget.cases():
        scenario, name = pairs[case % len(pairs)]
        try:
            found = faults.run_faults(scenario, name, sample=True)
        except faults.Impossible:
            break  # The kernel does not let system calls be answered.
        for one in found:
            row.number += one.number
            words = f"{one.attack}: {one.examples}"
            for verdict in VERDICTS:
                for _ in range(getattr(one, verdict)):
                    budget.tell(row, Finding(case, verdict, words), seed)
        budget.watch(row)
    return row
