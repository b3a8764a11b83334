"""Reports that every benchmark prints.

With ``--json`` one object: ``{"benchmark", "machine", "figures": {name: number}, "targets": {name:
{"value", "op", "goal", "met"}}, "notes": {name: text}}``; without it the same as a table.
"""

import argparse
import json
import platform
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pysim.machine import count_cores

__all__ = ["Report", "run_benchmark"]

_OPERATORS: dict[str, Callable[[float, float], bool]] = {
    ">=": lambda value, goal: value >= goal,
    "<=": lambda value, goal: value <= goal,
}


@dataclass
class Report:
    """Figures and targets of one run.

    Attributes:
        name: the benchmark's module.
        figures: name -> number; units are part of the name.
        targets: name of a figure -> (operator, goal).
        notes: what is to be known of the run; for what was not measured, why, and how it would be.
    """

    name: str
    figures: dict[str, float] = field(default_factory=dict)
    targets: dict[str, tuple[str, float]] = field(default_factory=dict)
    notes: dict[str, str] = field(default_factory=dict)

    def document(self) -> dict[str, object]:
        """Return the report as ``--json`` prints it."""
        return {
            "benchmark": self.name,
            "machine": machine(),
            "figures": {name: round(value, 4) for name, value in self.figures.items()},
            "targets": {
                name: {
                    "value": round(self.figures[name], 4),
                    "op": operator,
                    "goal": goal,
                    "met": _OPERATORS[operator](self.figures[name], goal),
                }
                for name, (operator, goal) in self.targets.items()
            },
            "notes": self.notes,
        }

    def print_table(self) -> None:
        """The figures for people."""
        from rich.console import Console
        from rich.table import Table

        table = Table("figure", "value", "target", title=f"{self.name} on {machine()}", box=None)
        for name, value in self.figures.items():
            target = ""
            if name in self.targets:
                operator, goal = self.targets[name]
                met = "met" if _OPERATORS[operator](value, goal) else "MISSED"
                target = f"{operator} {goal:g} {met}"
            table.add_row(name, f"{value:,.4g}" if abs(value) < 1000 else f"{value:,.0f}", target)
        console = Console()
        console.print(table)
        for name, text in self.notes.items():
            console.print(f"{name}: {text}", highlight=False)


def machine() -> str:
    """Processor, cores and Python of this machine, in one line."""
    model = platform.processor() or platform.machine()
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                model = line.partition(":")[2].strip()
                break
    except OSError:
        pass
    return f"{model}, {count_cores()} cores, Python {platform.python_version()}"


def run_benchmark(
    measure: Callable[..., Report],
    description: str,
    numbers: Mapping[str, tuple[float, str]] | None = None,
    texts: Mapping[str, str] | None = None,
    **flags: str,
) -> None:
    """Parse the options, measure, print.

    Args:
        measure: takes a bool for each flag, a number or a text for each of the others.
        numbers: name of an option with a number -> its default and its help.
        texts: name of an option with a text -> its help; empty if it is not given.
        flags: name of an option without a value -> its help.
    """
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    for name, text in flags.items():
        parser.add_argument(f"--{name.replace('_', '-')}", action="store_true", help=text)
    for name, (default, text) in (numbers or {}).items():
        parser.add_argument(f"--{name.replace('_', '-')}", type=float, default=default, help=text)
    for name, text in (texts or {}).items():
        parser.add_argument(f"--{name.replace('_', '-')}", default="", help=text)
    options = vars(parser.parse_args())
    as_json = options.pop("json")
    report = measure(**options)
    if as_json:
        print(json.dumps(report.document()))
    else:
        report.print_table()
