"""The space of nets: faces are folded by slot, and nets turned as a whole.

The slots of the faces of the first net are 0 to 5, and those of the second 6 to 11.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pysim.errors import InputError
from pysim.families.nets.actions import Crease, Fold, TurnNet, Unfold
from pysim.families.nets.cube import ArrowColour
from pysim.families.nets.faces import CubeFace, Heading
from pysim.families.nets.joints import FLAT, MOUNTAIN, VALLEY, compute_poses, list_free_bends
from pysim.families.nets.plates import PITCH
from pysim.families.nets.puzzle import NetPuzzle
from pysim.families.nets.state import NetsState
from pysim.field_types import QuarterTurns
from pysim.geometry import Axis
from pysim.learning.spaces import ActionNumbers, ArraySpec, FamilySpace, name_slot
from pysim.puzzle import Action, Level

__all__ = ["NetSpace", "create_spaces"]

_NETS, _FACES = 2, 6
_AXES, _CREASES = tuple(Axis), tuple(Crease)
_COLOURS, _HEADINGS, _SIDES = tuple(ArrowColour), tuple(Heading), tuple(CubeFace)
_WAYS = {MOUNTAIN: _CREASES.index(Crease.MOUNTAIN), VALLEY: _CREASES.index(Crease.VALLEY)}
_TURNS = 9
"""Turns of one net: three axes, one to three quarters."""
_STEP = PITCH // 2
"""Cells between the middles of faces, wherever they are, are multiples of this."""
_REACH = 2 * (_FACES - 2)
"""Such steps from the middle of the held face to that of the farthest one: 4 squares in a row."""
_EDGE = 2 * _REACH + 1


class NetSpace(FamilySpace[NetPuzzle, NetsState]):
    """All levels: they have one net or two of six faces each."""

    name = "nets"
    bounds: Mapping[str, int] = {"nets": _NETS, "faces": _NETS * _FACES}
    actions = ActionNumbers(
        {"face": _NETS * _FACES, "way": 2, "net": _NETS, "axis": 3, "quarters": 3},
        {"fold": ("face", "way"), "unfold": ("face",), "turn": ("net", "axis", "quarters")},
    )
    arrays: Mapping[str, ArraySpec] = {
        "occupancy": ArraySpec(
            (_NETS, _EDGE, _EDGE, _EDGE), np.uint8, _NETS * _FACES,
            "net, x, y, z: slot + 1 of the face whose middle is in a cell of half a square; "
            "that of the held face is in the middle",
        ),
        "pieces": ArraySpec(
            (_NETS * _FACES, 7), np.uint8, 23,
            "slot: 0 no face, 1 held, 2 hanging; hinge: 0 valley, 1 flat, 2 mountain; "
            "rotation; middle; slot + 1 of the face that it hangs on",
        ),
        "arrows": ArraySpec(
            (_NETS * _FACES, 2), np.uint8, 8,
            "slot: colour of the arrow, 1 to 8; its heading in the drawing: 1 up, 2 right, "
            "3 down, 4 left; 0 for no face",
        ),
        "goal": ArraySpec(
            (3, 2), np.uint8, 8,
            "top, front, right: colour of the arrow, 1 to 8; side that it points to: 1 top, "
            "2 front, 3 right, 4 bottom, 5 back, 6 left; 0: two cubes are to be alike",
        ),
    }  # fmt: skip

    def check(self, level: Level[NetPuzzle]) -> None:
        """See :meth:`pysim.learning.spaces.FamilySpace.check`: there are no others."""

    def list_legal(self, level: Level[NetPuzzle], state: NetsState) -> NDArray[np.int64]:
        """See :meth:`pysim.learning.spaces.FamilySpace.list_legal`."""
        first, turns = self.actions.starts["turn"], _TURNS * len(level.puzzle.nets)
        found = [*self._list_folds(level.puzzle, state), *range(first, first + turns)]
        return np.array(found, np.int64)

    def make_action(self, level: Level[NetPuzzle], state: NetsState, number: int) -> Action:
        """See :meth:`pysim.learning.spaces.FamilySpace.make_action`."""
        tool, values = self.actions.decode(number)
        match tool:
            case "fold":
                return Fold(name_slot(level, values[0]), _CREASES[values[1]])
            case "unfold":
                return Unfold(name_slot(level, values[0]))
        net, axis, quarters = values
        return TurnNet(name_slot(level, _FACES * net), _AXES[axis], QuarterTurns(quarters + 1))

    def find_numbers(
        self, level: Level[NetPuzzle], state: NetsState, action: Action
    ) -> Sequence[int]:
        """See :meth:`pysim.learning.spaces.FamilySpace.find_numbers`."""
        places = level.puzzle.places
        match action:
            case Fold(face, way):
                return [self.actions.encode("fold", _find_slot(places[face]), _CREASES.index(way))]
            case Unfold(face):
                return [self.actions.encode("unfold", _find_slot(places[face]))]
            case TurnNet(face, axis, quarters):
                turn = (places[face][0], _AXES.index(axis), quarters - 1)
                return [self.actions.encode("turn", *turn)]
        raise InputError(f"a net has no action {action.tool}")

    def observe(self, level: Level[NetPuzzle], state: NetsState) -> dict[str, NDArray[Any]]:
        """See :meth:`pysim.learning.spaces.FamilySpace.observe`."""
        seen = {name: spec.make_zeros() for name, spec in self.arrays.items()}
        for number, (net, now) in enumerate(zip(level.puzzle.nets, state.nets, strict=True)):
            poses = compute_poses(net.tree, now.bends)
            for k, (plate, pose) in enumerate(zip(net.plates, poses, strict=True)):
                slot = _find_slot((number, k))
                x, y, z = (v // _STEP + _REACH for v in now.rotation.apply(pose.offset))
                rotation = now.rotation.compose(pose.rotation).index
                parent = _find_slot((number, net.tree[k].parent)) + 1 if k else 0
                hanging = 2 if k else 1
                seen["pieces"][slot] = hanging, now.bends[k] + 1, rotation, x, y, z, parent
                seen["occupancy"][number, x, y, z] = slot + 1
                colour, way = _COLOURS.index(plate.arrow.colour), _HEADINGS.index(plate.arrow.way)
                seen["arrows"][slot] = 1 + colour, 1 + way
        for row, arrow in enumerate(level.puzzle.target or ()):
            colour, towards = _COLOURS.index(arrow.colour), _SIDES.index(arrow.towards)
            seen["goal"][row] = 1 + colour, 1 + towards
        return seen

    def _list_folds(self, puzzle: NetPuzzle, state: NetsState) -> Iterator[int]:
        """Yield the numbers of the folds and unfolds that nothing is in the way of."""
        for number, (net, now) in enumerate(zip(puzzle.nets, state.nets, strict=True)):
            for plate, bend in list_free_bends(net.tree, now.bends):
                slot = _find_slot((number, plate))
                if bend == FLAT:
                    yield self.actions.encode("unfold", slot)
                else:
                    yield self.actions.encode("fold", slot, _WAYS[bend])


def _find_slot(place: tuple[int, int]) -> int:
    """Return the slot of a face, by the number of its net and its own in it."""
    return _FACES * place[0] + place[1]


def create_spaces() -> tuple[NetSpace, ...]:
    """Return the one space."""
    return (NetSpace(),)
