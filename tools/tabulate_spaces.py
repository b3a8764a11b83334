"""Write the tables of size classes, of numbers and of arrays into docs/tasks.md.

python -m tools.tabulate_spaces
"""

import re
from collections.abc import Sequence
from math import prod
from pathlib import Path

import numpy as np

from pysim.catalog import discover_families
from pysim.catalog.spaces import AnySpace, find_space, list_spaces

__all__ = ["PAGE", "TABLES", "format_table", "replace_tables"]

PAGE = Path(__file__).resolve().parents[1] / "docs" / "tasks.md"
TABLES = {
    "classes": ("family", "class", "bounds", "actions"),
    "numbers": ("family", "tool", "parts", "numbers"),
    "arrays": ("family", "array", "shape", "type", "axes: entries"),
}
"""Headings of each table, by its name."""


def format_table(name: str) -> str:
    """Return a table."""
    rows = {"classes": _list_classes, "numbers": _list_tools, "arrays": _list_arrays}[name]()
    heading = TABLES[name]
    rule = "|" + "---|" * len(heading)
    return "\n".join([_format_row(heading), rule, *map(_format_row, rows)]) + "\n"


def _format_row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _list_own() -> list[str]:
    """Return the families of the house that have spaces."""
    families = discover_families()
    own = (name for name, offer in families.entry_points.items() if not offer.owner)
    return [name for name in own if families[name].spaces]


def _list_classes() -> list[tuple[str, ...]]:
    return [
        (f"`{family}`", f"`{space.name}`", _describe_bounds(space), f"{space.actions.count:,}")
        for family in _list_own()
        for space in list_spaces(family).values()
    ]


def _describe_bounds(space: AnySpace) -> str:
    return ", ".join(f"{name} {bound}" for name, bound in space.bounds.items())


def _list_tools() -> list[tuple[str, ...]]:
    """Return the tools of the default classes, and of others those that these have not."""
    rows, known = list[tuple[str, ...]](), set[tuple[str, str]]()
    for family in _list_own():
        for space in list_spaces(family).values():
            numbers = space.actions
            for tool, parts in numbers.tools.items():
                if (family, tool) in known:
                    continue
                known.add((family, tool))
                sizes = [numbers.sizes[part] for part in parts]
                words = " x ".join(f"{p} {n}" for p, n in zip(parts, sizes, strict=True))
                rows.append((f"`{family}`", f"`{tool}`", words, f"{prod(sizes):,}"))
    return rows


def _list_arrays() -> list[tuple[str, ...]]:
    return [
        (
            f"`{family}`",
            f"`{name}`",
            " x ".join(map(str, spec.shape)),
            np.dtype(spec.dtype).name,
            spec.meaning,
        )
        for family in _list_own()
        for name, spec in find_space(family).arrays.items()
    ]


def replace_tables(text: str) -> str:
    """Return the page with all tables made anew: each is known by its headings."""
    for name, heading in TABLES.items():
        first, table = re.escape(_format_row(heading)), format_table(name)
        text = re.sub(rf"(?m)^{first}\n(?:\|.*\n)+", table.replace("\\", r"\\"), text)
    return text


def main() -> None:
    """Write the tables."""
    PAGE.write_text(replace_tables(PAGE.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
