"""Write the tables of difficulties into docs/tasks.md, measured on the pools that ship.

python -m tools.tabulate_tasks
"""

import re
from collections.abc import Sequence
from pathlib import Path
from statistics import mean

from bridge.generating.walks import plan_shape
from pysim.catalog import discover_families
from pysim.tasks import TaskSource
from pysim.tasks.recipe import TaskRecipe, has_tasks

__all__ = ["PAGE", "format_rows", "list_families"]

PAGE = Path(__file__).resolve().parents[1] / "docs" / "tasks.md"
SAMPLE = 10
"""Tasks of each difficulty whose branching is measured, the first of the split for tests."""
_HEAD = """\
| difficulty | made by | pieces | plan | branching | bits |
|---|---|---|---|---|---|
"""


def list_families() -> list[str]:
    """Return the families that have tasks."""
    return [name for name in discover_families() if has_tasks(name)]


def format_rows(family: str) -> list[str]:
    """Return the rows of a family's table, a difficulty each."""
    difficulties = TaskSource(family).difficulties
    return [_format_row(family, difficulty) for difficulty in difficulties]


def _format_row(family: str, difficulty: int) -> str:
    source = TaskSource(family, {"difficulties": (difficulty,)})
    levels = {
        split: [source.get_task(split, k).level for k in range(source.count_prepared(split))]
        for split in source.splits
    }
    every = [level for found in levels.values() for level in found]
    shapes = [plan_shape(level) for level in levels[source.splits[-1]][:SAMPLE]]
    lengths = [len(level.plan or ()) for level in every]
    cells = (
        str(difficulty),
        _describe_generators(family, difficulty),
        _format_range([len(level.colours) for level in every]),
        f"{mean(lengths):.1f} ({_format_range(lengths)})",
        f"{mean(shape.branching for shape in shapes):.1f}",
        f"{mean(shape.bits for shape in shapes):.1f}",
    )
    return f"| {' | '.join(cells)} |"


def _describe_generators(family: str, difficulty: int) -> str:
    """Return the options of the generators, without the seed."""
    commands = (one.command for one in TaskRecipe(family).generators[difficulty - 1])
    options = (re.sub(r"luban generate \w+| --seed \d+", "", command) for command in commands)
    return ", ".join(f"`{text.strip()}`" for text in options)


def _format_range(numbers: Sequence[int]) -> str:
    low, high = min(numbers), max(numbers)
    return str(low) if low == high else f"{low} to {high}"


def _replace_table(text: str, family: str) -> str:
    """Return the page with the table below a family's heading made anew."""
    table = _HEAD + "\n".join(format_rows(family)) + "\n"
    pattern = rf"(?ms)^(### {family.capitalize()}\n\n)\|.*?(?=^\n|\Z)"
    return re.sub(pattern, lambda found: found[1] + table, text)


def main() -> None:
    """Write the tables."""
    text = PAGE.read_text(encoding="utf-8")
    for family in list_families():
        text = _replace_table(text, family)
    PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
