"""Folding by hand: each face is dragged about its crease."""

from collections.abc import Iterator

from pysim.families.nets.actions import Crease, Fold, Unfold
from pysim.families.nets.joints import FLAT
from pysim.families.nets.moves import BENDS, make_hinge_turn
from pysim.families.nets.puzzle import NetPuzzle
from pysim.families.nets.state import NetsState
from pysim.puzzle import Level, TurnGesture

__all__ = ["list_gestures"]


def list_gestures(level: Level[NetPuzzle], state: NetsState) -> Iterator[TurnGesture]:
    """Yield the folds of all flat hinges, both ways, and the unfolds of the others."""
    puzzle = level.puzzle
    for number, (net, bent) in enumerate(zip(puzzle.nets, state.nets, strict=True)):
        for plate in range(1, len(net.plates)):
            name, bend = net.plates[plate].name, bent.bends[plate]
            grips = frozenset((name,))
            if bend != FLAT:
                turn = make_hinge_turn(puzzle, state, number, plate, FLAT - bend)
                yield TurnGesture(Unfold(name), grips, turn)
                continue
            for way in Crease:
                turn = make_hinge_turn(puzzle, state, number, plate, BENDS[way])
                yield TurnGesture(Fold(name, way), grips, turn)
