"""Levels whose pictures are shown in place of the played one's, for the arm ``wrong``."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from bridge.episode.records import Obs, Options
from bridge.runs.folders import RunError
from bridge.runs.settings import RunSettings
from pysim.catalog import AnyLevel, find_family
from pysim.scene import Scene

__all__ = ["add_decoy", "check_decoys", "choose_decoy"]

_Shown = tuple[AnyLevel, Scene]
"""A level and its initial scene."""


def add_decoy(options: Options, level: AnyLevel, levels: Sequence[AnyLevel]) -> Options:
    """Return the options of an episode, with the level to be shown if they show a wrong one.

    Args:
        level: the one that is played.
        levels: all of the run.

    Raises:
        RunError: no other level of the run can be shown.
    """
    if options.obs is not Obs.WRONG:
        return options
    return replace(options, shown=choose_decoy(level, levels, options.seed))


def choose_decoy(level: AnyLevel, levels: Sequence[AnyLevel], seed: int) -> AnyLevel:
    """Draw another level of the same family that looks different.

    Levels with as many pieces and as many pictures are preferred, for pictures that give
    themselves away at a glance measure less.

    Args:
        seed: of the episode; the same seed draws the same level.

    Raises:
        RunError: there is none, or the level has no pictures.
    """
    closest = _closest(_shown(level), [_shown(one) for one in levels if one.family == level.family])
    return random.Random(f"{seed}/{level.id}").choice(closest)


def check_decoys(settings: RunSettings, levels: Sequence[AnyLevel]) -> None:
    """Refuse levels that can't be played with wrong pictures before anything is played.

    Raises:
        RunError: the message names the first one.
    """
    if settings.obs is not Obs.WRONG:
        return
    for _, alike in groupby(sorted(levels, key=_family), _family):
        shown = [_shown(level) for level in alike]
        for one in shown:
            _closest(one, shown)


def _family(level: AnyLevel) -> str:
    return level.family


def _shown(level: AnyLevel) -> _Shown:
    rules = find_family(level).rules
    return level, rules.scene(level, rules.initial(level))


def _closest(played: _Shown, others: Sequence[_Shown]) -> list[AnyLevel]:
    """Return those that differ least from the played one in number and names of what is shown.

    Raises:
        RunError: there is none, or the played one has no pictures.
    """
    level, scene = played
    if scene.views == ():
        raise RunError(
            f"--observation wrong shows pictures of another level, and {level.id} has none: play "
            "levels that have pictures"
        )
    found = list(_alternatives(played, others))
    if not found:
        raise RunError(
            f"--observation wrong needs a second level of the family {level.family} that looks "
            f"different from {level.id}: play more levels"
        )
    least = min(_difference(played, one) for one in found)
    return [one[0] for one in found if _difference(played, one) == least]


def _alternatives(played: _Shown, others: Sequence[_Shown]) -> Iterator[_Shown]:
    level, scene = played
    for other, other_scene in others:
        if other.id != level.id and other_scene.views != () and other_scene != scene:
            yield other, other_scene


def _difference(played: _Shown, other: _Shown) -> tuple[bool, int, int]:
    names = _shot_names(played[1]) != _shot_names(other[1])
    colours, theirs = played[0].colours, other[0].colours
    return names, abs(len(colours) - len(theirs)), len(set(colours) ^ set(theirs))


def _shot_names(scene: Scene) -> tuple[str, ...]:
    return tuple(shot.name for shot in scene.views or ())
