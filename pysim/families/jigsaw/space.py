"""The space of jigsaw cubes: pieces are attached by slot, face and the way they lie on it."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pysim.errors import InputError
from pysim.families.jigsaw.actions import Attach, Detach
from pysim.families.jigsaw.faces import SIDE, Seat, ShellFace, list_seats
from pysim.families.jigsaw.puzzle import Jigsaw
from pysim.families.jigsaw.shell import CELLS, list_cells, mask_of
from pysim.families.jigsaw.state import JigsawState
from pysim.learning.spaces import ActionNumbers, ArraySpec, FamilySpace, draw_shapes, name_slot
from pysim.puzzle import Action, Level

__all__ = ["JigsawSpace", "create_spaces"]

_PIECES = _FACES = len(ShellFace)
_TURNS = len(list_seats()) // _FACES
_EDGES = (SIDE, SIDE, SIDE)


class JigsawSpace(FamilySpace[Jigsaw, JigsawState]):
    """All jigsaw cubes: they are equally large."""

    name = "cube"
    bounds: Mapping[str, int] = {"pieces": _PIECES, "edge of the cube": SIDE}
    actions = ActionNumbers(
        {"piece": _PIECES, "face": _FACES, "turn": _TURNS},
        {"attach": ("piece", "face", "turn"), "detach": ("piece",)},
    )
    arrays: Mapping[str, ArraySpec] = {
        "occupancy": ArraySpec(
            _EDGES, np.uint8, _PIECES, "x, y, z: slot + 1 of the piece in a cell of the cube"
        ),
        "shapes": ArraySpec(
            (_PIECES, SIDE, SIDE, 1), np.uint8, 1,
            "slot, x, y, z: cells of a piece as it lies on the table",
        ),
        "pieces": ArraySpec(
            (_PIECES, 3), np.uint8, 7, "slot: 1 on the cube, 2 on the table; face; turn"
        ),
        "goal": ArraySpec(_EDGES, np.uint8, 1, "x, y, z: cells of the surface, to be filled"),
    }  # fmt: skip

    def check(self, level: Level[Jigsaw]) -> None:
        """See :meth:`pysim.learning.spaces.FamilySpace.check`: there are no others."""

    def list_legal(self, level: Level[Jigsaw], state: JigsawState) -> NDArray[np.int64]:
        """See :meth:`pysim.learning.spaces.FamilySpace.list_legal`."""
        places = list(enumerate(zip(level.puzzle.rows, state.places, strict=True)))
        filled = sum(mask_of(rows, seat) for _, (rows, seat) in places if seat is not None)
        found = [
            self.actions.encode("attach", slot, *_number_seat(seat))
            for slot, (rows, place) in places
            if place is None
            for seat in list_seats()
            if not mask_of(rows, seat) & filled
        ]
        found += [
            self.actions.encode("detach", slot) for slot, (_, place) in places if place is not None
        ]
        return np.array(found, np.int64)

    def make_action(self, level: Level[Jigsaw], state: JigsawState, number: int) -> Action:
        """See :meth:`pysim.learning.spaces.FamilySpace.make_action`."""
        tool, values = self.actions.decode(number)
        colour = name_slot(level, values[0])
        if tool == "detach":
            return Detach(colour)
        seat = list_seats()[values[1] * _TURNS + values[2]]
        return Attach(colour, seat.face, seat.left, seat.top)

    def find_numbers(
        self, level: Level[Jigsaw], state: JigsawState, action: Action
    ) -> Sequence[int]:
        """See :meth:`pysim.learning.spaces.FamilySpace.find_numbers`."""
        index = level.puzzle.index
        match action:
            case Attach(piece, face, left, top):
                seat = Seat(face, left, top)
                return [self.actions.encode("attach", index[piece], *_number_seat(seat))]
            case Detach(piece):
                return [self.actions.encode("detach", index[piece])]
        raise InputError(f"a jigsaw cube has no action {action.tool}")

    def observe(self, level: Level[Jigsaw], state: JigsawState) -> dict[str, NDArray[Any]]:
        """See :meth:`pysim.learning.spaces.FamilySpace.observe`."""
        seen = {name: spec.make_zeros() for name, spec in self.arrays.items()}
        for slot, (rows, place) in enumerate(zip(level.puzzle.rows, state.places, strict=True)):
            if place is None:
                seen["pieces"][slot, 0] = 2
                continue
            seen["pieces"][slot] = 1, *_number_seat(place)
            cells = np.array(list_cells(mask_of(rows, place)))
            seen["occupancy"][tuple(cells.T)] = slot + 1
        seen["shapes"] = draw_shapes(self.arrays["shapes"], level.puzzle.shapes)
        seen["goal"][tuple(np.array(CELLS).T)] = 1
        return seen


def _number_seat(seat: Seat) -> tuple[int, int]:
    """Return the number of a face, and of the way in which a piece lies on it."""
    return divmod(list_seats().index(seat), _TURNS)


def create_spaces() -> tuple[JigsawSpace, ...]:
    """Return the one space."""
    return (JigsawSpace(),)
