"""``luban doctor --adapter``: whether pictures reach an agent whole, in plain words."""

import warnings
from collections.abc import Iterator

from bridge.cli.handlers.diagnosis import Diagnosis, Health
from bridge.cli.notices import print_notice
from bridge.operations.sight.check import SUITE, Arrival, SightCheck, check_sight
from bridge.operations.sight.protocol import IMAGE_SIZE, Route, find_adapter
from pysim.errors import InputError

__all__ = ["diagnose_adapter"]

_SEARCH = "look for what drops or changes pictures between the simulator and the agent"
_HARMLESS = (Arrival.IDENTICAL, Arrival.SAME_PIXELS)


def diagnose_adapter(name: str, port: int, gateway: str) -> Iterator[Diagnosis]:
    """Play through an adapter, and yield the findings.

    Raises:
        InputError: there is no such adapter, or it has no port.
        MissingPackage: its library is not installed.
    """
    adapter = find_adapter(name)
    if (port or gateway) and not adapter.has_route:
        raise InputError(f"the adapter {name} has no port: leave out `--port` and `--gateway`")
    if gateway and not port:
        raise InputError("`--gateway` requires `--port`, to which it forwards")
    print_notice(f"plays 30 short episodes through {adapter.about}, which may take a minute")
    yield Diagnosis(name, Health.OK, adapter.about, required=True)
    try:
        with warnings.catch_warnings(action="ignore"), adapter.open(Route(port, gateway)) as play:
            found = check_sight(play)
    except Exception as error:  # Whatever stands between may fail in any way.
        failed = f"an episode can't be played: {type(error).__name__}: {error}"
        yield Diagnosis("episodes", Health.BROKEN, failed, required=True)
        return
    yield _judge_pictures(found)
    yield _judge_sight(found)
    yield _judge_families(found)
    yield _judge_blindness(found)
    yield _judge_texts(found)


def _judge_pictures(found: SightCheck) -> Diagnosis:
    """Return how many pictures arrived, and in which condition."""
    arrived = found.drawn - found.arrivals[Arrival.LOST]
    said = {
        condition: count
        for condition, count in found.arrivals.items()
        if count and condition is not Arrival.LOST
    }
    if len(said) == 1 and arrived == found.drawn:
        text = f"all {arrived} arrived, {next(iter(said)).value}"
    else:
        parts = [f"{count} {condition.value}" for condition, count in said.items()]
        text = ": ".join(filter(None, [f"{arrived} of {found.drawn} arrived", ", ".join(parts)]))
    if found.sizes:
        sizes = ", ".join(found.sizes)
        text += f" ({sizes} instead of {IMAGE_SIZE} x {IMAGE_SIZE})"
    if found.lost_later:
        lost = found.arrivals[Arrival.LOST]
        text += f"; {found.lost_later} of the {lost} lost ones belong to results of actions"
    if found.extra:
        text += f"; {found.extra} arrived that were not drawn"
    if not found.is_whole:
        health = Health.BROKEN if arrived else Health.MISSING
        return Diagnosis("pictures", health, text, _SEARCH, True)
    if any(found.arrivals[one] for one in Arrival if one not in _HARMLESS):
        advice = "small details may be gone: compare scores with and without what changes pictures"
        return Diagnosis("pictures", Health.LIMITED, text, advice, True)
    return Diagnosis("pictures", Health.OK, text, required=True)


def _judge_sight(found: SightCheck) -> Diagnosis:
    text = f"an agent that reads pixels solved {found.seen} of {found.levels} levels of {SUITE}"
    if found.seen == found.levels:
        return Diagnosis("sight", Health.OK, text, required=True)
    return Diagnosis("sight", Health.BROKEN, f"{text}: it can't see", _SEARCH, True)


def _judge_families(found: SightCheck) -> Diagnosis:
    if not found.unsolved:
        text = "the plan of a level of each family solved it"
        return Diagnosis("plans", Health.OK, text, required=True)
    text = f"the plan did not solve a level of {', '.join(found.unsolved)}"
    advice = "look for what changes or drops tool calls"
    return Diagnosis("plans", Health.BROKEN, text, advice, True)


def _judge_blindness(found: SightCheck) -> Diagnosis:
    text = (
        f"without pictures it guesses, and solved {found.guessed} of {found.levels}; chance is "
        f"{found.chance:.1%}"
    )
    if found.is_at_chance:
        return Diagnosis("blind", Health.OK, text, required=True)
    advice = "something else than pictures tells the solution"
    return Diagnosis("blind", Health.BROKEN, text, advice, True)


def _judge_texts(found: SightCheck) -> Diagnosis:
    if found.has_equal_texts:
        text = f"the words are the same for all levels of {SUITE}, so that they tell nothing"
        return Diagnosis("words", Health.OK, text, required=True)
    advice = "leave out what names the level"
    return Diagnosis(
        "words", Health.BROKEN, f"the words tell levels of {SUITE} apart", advice, True
    )
