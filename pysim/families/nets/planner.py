"""Shortest plans: every hinge once, and the fewest turns.

No plan has fewer actions than there are hinges, for all of them end folded and an action bends one;
nor than these and the turns that it takes to bring how the cubes lie to how they are to lie, for
folds turn nothing that is held. Where folds in some order are free the plan has no more. Nets for
which there is no such order are searched breadth first.
"""

from collections.abc import Iterator
from functools import cache
from itertools import compress, product
from typing import Any

from pysim.families.nets.actions import Crease, Fold, TurnNet
from pysim.families.nets.cube import ArrowCube
from pysim.families.nets.joints import FLAT, MOUNTAIN, Bends, Tree, find_obstacles
from pysim.families.nets.puzzle import FlatNet, NetPuzzle
from pysim.families.nets.state import NetState, find_cube
from pysim.field_types import QuarterTurns
from pysim.geometry import IDENTITY, Axis, Rotation, list_rotations, make_quarter_turn
from pysim.puzzle import Action, Level, Plan, Proof, Rules
from pysim.scene import Colour
from pysim.simple_family import find_shortest_plan

__all__ = ["find_folding_order", "find_turns", "plan_for"]

_HINGES = 5
_CUBE: Bends = (FLAT, *(MOUNTAIN,) * _HINGES)


def plan_for(rules: Rules[NetPuzzle, Any], level: Level[NetPuzzle]) -> Plan | None:
    """Return a shortest plan; None if there is none."""
    nets = level.puzzle.nets
    orders = [find_folding_order(net.tree) for net in nets]
    if not all(orders):
        return find_shortest_plan(rules, level)
    folds = [
        Fold(net.plates[plate].name, Crease.MOUNTAIN)
        for net, order in zip(nets, orders, strict=True)
        for plate in order
    ]
    actions: tuple[Action, ...] = (*folds, *_turns(level.puzzle))
    return Plan(actions, Proof.OPTIMAL, len(actions))


@cache
def find_folding_order(tree: Tree) -> tuple[int, ...]:
    """Return the hinges in an order in which each fold is free; none if there is no such order."""
    return next(_orders(tree, (FLAT,) * len(tree)), ())


def _orders(tree: Tree, bends: Bends) -> Iterator[tuple[int, ...]]:
    if bends == _CUBE:
        yield ()
    for plate in range(1, len(tree)):
        if bends[plate] == FLAT and not find_obstacles(tree, bends, plate, MOUNTAIN):
            folded = (*bends[:plate], MOUNTAIN, *bends[plate + 1 :])
            yield from ((plate, *rest) for rest in _orders(tree, folded))


def _turns(puzzle: NetPuzzle) -> tuple[Action, ...]:
    """Return the fewest turns after all folds."""
    last = puzzle.nets[-1]
    cube = _folded(last)
    if puzzle.target is not None:
        fit = [view == puzzle.target for view in cube.views]
    else:
        first = _folded(puzzle.nets[0])
        fit = [turned == first for turned in cube.list_rotations()]
    rotations = compress(list_rotations(), fit)
    return min((_as_actions(last.plates[0].name, rotation) for rotation in rotations), key=len)


def _folded(net: FlatNet) -> ArrowCube:
    cube = find_cube(net, NetState(_CUBE))
    assert cube is not None
    return cube


def _as_actions(held: Colour, rotation: Rotation) -> tuple[Action, ...]:
    return tuple(TurnNet(held, axis, QuarterTurns(k)) for axis, k in find_turns(rotation))


@cache
def find_turns(rotation: Rotation) -> tuple[tuple[Axis, int], ...]:
    """Return the fewest turns about axes that make up a rotation: none, one or two."""
    single = list(product(Axis, (1, 2, 3)))
    if rotation == IDENTITY:
        return ()
    for axis, k in single:
        if make_quarter_turn(axis, k) == rotation:
            return ((axis, k),)
    return next(
        (one, two)
        for one, two in product(single, repeat=2)
        if make_quarter_turn(*two).compose(make_quarter_turn(*one)) == rotation
    )
