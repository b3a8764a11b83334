"""Reading deeds: what who tracked a video takes to have been done, executed by the rules.

Where much is hidden, poses alone do not tell what was done. So the deeds come with the tracks; here
they are held against the rules, and against where pieces are seen to rest.
"""

from collections.abc import Iterator, Mapping, Sequence, Set
from typing import Any

from bridge.video.verdict.reading import Deed, ReadMove, ReadPlan
from bridge.video.verdict.resting import LONG, HeldCells, held_cells, places_of, rests_of
from bridge.video.verdict.subject import Subject
from bridge.video.verdict.tracks import Tracks
from bridge.video.verdict.violations import Violation, ViolationKind
from pysim.catalog import AnyLevel, find_family
from pysim.errors import InputError
from pysim.field_types import build_action
from pysim.puzzle import IllegalMove, Outcome
from pysim.scene import Scene

__all__ = ["read_deeds"]


def read_deeds(subject: Subject, tracks: Tracks) -> ReadPlan:
    """Execute the deeds of tracks as long as the rules allow them and pieces rest where they lead.

    A piece that is seen to rest elsewhere was moved as the rules do not allow.
    """
    rules, level = find_family(subject.level).rules, subject.level
    moves: list[ReadMove] = []
    states = [rules.initial(level)]
    for deed in tracks.deeds or ():
        after, reason = _executed(level, states[-1], deed)
        legal = not reason
        moves.append(ReadMove(deed.tool, deed.arguments, deed.first, deed.last, legal, reason))
        if not legal:
            break
        states.append(after)
    reached, wrong = _elsewhere(subject, tracks, states)
    prefix = len(states) - 1 if wrong is None else reached
    moves = [*moves[:prefix], *(move for move in moves[prefix:] if not move.legal)]
    solved = rules.outcome(level, states[prefix]) is Outcome.SOLVED
    return ReadPlan(tuple(moves), () if wrong is None else (wrong,), prefix, solved)


def _executed(level: AnyLevel, state: Any, deed: Deed) -> tuple[Any, str]:
    """The state after a deed, or why there is none."""
    family = find_family(level)
    types = {action.tool: action for action in family.actions}
    try:
        action = build_action(types[deed.tool], deed.arguments)
        return family.rules.apply(level, state, action).state, ""
    except KeyError:
        return state, f"there is no {deed.tool}"
    except (InputError, IllegalMove) as error:
        return state, str(error)


def _elsewhere(
    subject: Subject, tracks: Tracks, states: Sequence[Any]
) -> tuple[int, Violation | None]:
    """The first rest, as long as it takes, in which a piece is where no deed leads.

    Before it is said how many of the deeds were done until then.

    What was done in hiding may be known only later, so that of deeds just the order counts.
    """
    rules, level = find_family(subject.level).rules, subject.level
    should = [_of_scene(rules.scene(level, state), tracks) for state in states]
    reached = first = count = 0
    for frame, now in _held(subject, tracks):
        sure = {n for i, n in enumerate(tracks.names) if tracks.decided[frame, i]}
        fitting = (k for k in range(reached, len(states)) if not _astray(should[k], now, sure))
        found = next(fitting, None)
        if found is not None:
            reached, count = found, 0
            continue
        first, count = (first if count else frame), count + 1
        if count >= LONG * tracks.fps:
            astray = _astray(should[reached], now, sure)
            size, reason = float(len(astray)), "no legal move leads there"
            return reached, Violation(ViolationKind.ILLEGAL, first, frame, astray, size, reason)
    return reached, None


def _held(subject: Subject, tracks: Tracks) -> Iterator[tuple[int, Mapping[str, HeldCells]]]:
    for frame in rests_of(tracks):
        now = held_cells(subject.scene, places_of(tracks, frame))
        if now is not None:
            yield frame, now


def _of_scene(scene: Scene, tracks: Tracks) -> Mapping[str, HeldCells]:
    places = {name: scene.find_body(name).pose.transform() for name in tracks.names}
    return held_cells(scene, places) or {}


def _astray(
    should: Mapping[str, HeldCells], now: Mapping[str, HeldCells], sure: Set[str]
) -> tuple[str, ...]:
    return tuple(name for name in now if name in sure and should.get(name) != now[name])
