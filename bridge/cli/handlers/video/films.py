"""Films of levels: their size, finishes, and the levels that have a plan to film."""

import re
from collections.abc import Sequence

from bridge.cli.errors import CommandError
from pysim.catalog import AnyLevel
from pysim.level_selection import select_levels
from pysim.limits import quote
from pysim.render.scenery import Finish

__all__ = ["parse_film_size", "parse_finishes", "select_named_levels", "select_planned_levels"]


def parse_film_size(text: str) -> tuple[int, int]:
    """Return width and height in pixels.

    Raises:
        CommandError: they can't be read, or not be filmed.
    """
    match = re.fullmatch(r"(\d{1,5})x(\d{1,5})", text)
    pixels = (int(match[1]), int(match[2])) if match else (0, 0)
    if not all(16 <= edge <= 4096 and edge % 2 == 0 for edge in pixels):
        raise CommandError(
            f"a film's size is two even numbers from 16 to 4096, such as 832x480, not {quote(text)}"
        )
    return pixels


def parse_finishes(looks: Sequence[str]) -> tuple[Finish, ...]:
    """Return finishes of bodies, each once.

    Raises:
        CommandError: one of them is unknown.
    """
    unknown = [look for look in looks if look not in list(Finish)]
    if unknown:
        raise CommandError(f"{quote(unknown[0])} is no look; known: {', '.join(Finish)}")
    return tuple(dict.fromkeys(Finish(look) for look in looks))


def select_named_levels(texts: Sequence[str]) -> tuple[AnyLevel, ...]:
    """Return the levels that are named, each once."""
    found = (level for text in texts for level in select_levels(text))
    return tuple({level.id: level for level in found}.values())


def select_planned_levels(texts: Sequence[str]) -> tuple[AnyLevel, ...]:
    """Return the levels that are named and have a plan.

    Raises:
        CommandError: none of them has one.
    """
    levels = tuple(level for level in select_named_levels(texts) if level.plan is not None)
    if not levels:
        raise CommandError("none of these levels has a plan, so there is nothing to film")
    return levels
