"""Spaces of boxes: pieces are placed by slot, rotation and low corner, and picked up by slot."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import product
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pysim.errors import InputError
from pysim.families.packing.actions import PickUp, Place, PlaceAt
from pysim.families.packing.box import Packing
from pysim.families.packing.grid import find_way_out, list_cells, mask_of
from pysim.families.packing.moves import exit_of
from pysim.families.packing.state import PackingState
from pysim.families.packing.support import find_falling
from pysim.geometry import Cell, Direction, Voxels, list_rotations
from pysim.learning.spaces import (
    ActionNumbers,
    ArraySpec,
    FamilySpace,
    LegalLister,
    PatientLister,
    check_bounds,
    draw_shapes,
    name_slot,
    specify_shapes,
)
from pysim.puzzle import Action, Level

__all__ = ["BoxSpace", "create_spaces", "list_turned"]

_FROM_ABOVE = (Direction.MINUS_Z,)


MakeLister = Callable[["BoxSpace"], LegalLister[Packing, PackingState]]


class BoxSpace(FamilySpace[Packing, PackingState]):
    """A size class of boxes.

    Args:
        name: of the class.
        pieces: most pieces.
        size: most cells of a box along x, y and z.
        directions: in which pieces move in.
        make_lister: makes compiled code for a space.
    """

    def __init__(
        self,
        name: str,
        *,
        pieces: int,
        size: Cell,
        directions: tuple[Direction, ...],
        make_lister: MakeLister | None = None,
    ) -> None:
        self.name, self._directions = name, directions
        compiled = partial(make_lister, self) if make_lister is not None else None
        self._lister = PatientLister(self.list_exactly, compiled)
        self.bounds = {"pieces": pieces, **dict(zip("xyz", size, strict=True))}
        sizes = {"piece": pieces, "rotation": 24, **dict(zip("xyz", size, strict=True))}
        place: tuple[str, ...] = ("piece", "rotation", "x", "y", "z")
        if len(directions) > 1:  # Else it is always the same.
            sizes["direction"] = len(directions)
            place += ("direction",)
        self.actions = ActionNumbers(sizes, {"place": place, "pick_up": ("piece",)})
        self.arrays = _specify_arrays(pieces, size)

    def check(self, level: Level[Packing]) -> None:
        """See :meth:`pysim.learning.spaces.FamilySpace.check`."""
        packing = level.puzzle
        bounds = {"pieces": (len(packing.pieces), self.bounds["pieces"])}
        for axis, cells in zip("xyz", packing.size, strict=True):
            bounds[f"cells along {axis}"] = (cells, self.bounds[axis])
        for piece in packing.pieces:
            bounds["cells along a piece"] = (max(piece.shape.bounds.size), max(self._size))
            check_bounds(level, self.name, bounds)
        if strange := [s for s in packing.exits if s.opposite not in self._directions]:
            raise InputError(
                f"{level.id} doesn't fit the size class {self.name}: it is open at {strange[0]}: "
                "choose another class"
            )

    def compile(self) -> None:
        """See :meth:`pysim.learning.spaces.FamilySpace.compile`."""
        self._lister.compile()

    def list_legal(self, level: Level[Packing], state: PackingState) -> NDArray[np.int64]:
        """See :meth:`pysim.learning.spaces.FamilySpace.list_legal`."""
        return self._lister.list_legal(level, state)

    def list_exactly(self, level: Level[Packing], state: PackingState) -> NDArray[np.int64]:
        """See :meth:`pysim.learning.spaces.FamilySpace.list_exactly`."""
        found = [np.empty(0, np.int64)]
        for slot, spot in enumerate(state.places):
            if spot is None:
                found += self._list_placements(level.puzzle, state, slot)
                continue
            without = state.replace_place(slot, None)
            if exit_of(level.puzzle, state, spot) is not None and _stays(
                level.puzzle, without.list_masks()
            ):
                found.append(np.array([self.actions.encode("pick_up", slot)]))
        return np.concatenate(found)

    def make_action(self, level: Level[Packing], state: PackingState, number: int) -> Action:
        """See :meth:`pysim.learning.spaces.FamilySpace.make_action`."""
        tool, values = self.actions.decode(number)
        colour = name_slot(level, values[0])
        if tool == "pick_up":
            return PickUp(colour)
        _, rotation, x, y, z, direction = (*values, 0)[:6]
        return PlaceAt(colour, list_rotations()[rotation], (x, y, z), self._directions[direction])

    def find_numbers(
        self, level: Level[Packing], state: PackingState, action: Action
    ) -> Sequence[int]:
        """See :meth:`pysim.learning.spaces.FamilySpace.find_numbers`."""
        packing = level.puzzle
        match action:
            case PickUp(piece):
                return [self.actions.encode("pick_up", packing.index[piece])]
            case Place(piece, cells, direction):
                spot = packing.spots[packing.index[piece]][mask_of(packing.size, cells)]
                return [
                    self._number_placement(
                        packing, PlaceAt(piece, spot.rotation, spot.corner, direction)
                    )
                ]
            case PlaceAt():
                return [self._number_placement(packing, action)]
        raise InputError(f"a box has no action {action.tool}")

    def observe(self, level: Level[Packing], state: PackingState) -> dict[str, NDArray[Any]]:
        """See :meth:`pysim.learning.spaces.FamilySpace.observe`."""
        packing = level.puzzle
        seen = {name: spec.make_zeros() for name, spec in self.arrays.items()}
        for slot, spot in enumerate(state.places):
            if spot is None:
                seen["pieces"][slot, 0] = 2
                continue
            seen["pieces"][slot] = 1, spot.rotation.index, *spot.corner
            cells = np.array(list_cells(packing.size, spot.mask))
            seen["occupancy"][tuple(cells.T)] = slot + 1
        seen["shapes"] = draw_shapes(self.arrays["shapes"], (p.shape for p in packing.pieces))
        a, b, c = packing.size
        seen["goal"][:a, :b, :c] = 1
        seen["open"][:] = [side in packing.open for side in Direction]
        seen["gravity"][0] = packing.gravity
        return seen

    @property
    def _size(self) -> Cell:
        return self.bounds["x"], self.bounds["y"], self.bounds["z"]

    def _number_placement(self, packing: Packing, action: PlaceAt) -> int:
        direction = (self._directions.index(action.direction),) * (len(self._directions) > 1)
        slot = packing.index[action.piece]
        return self.actions.encode("place", slot, action.rotation.index, *action.cell, *direction)

    def _list_placements(
        self, packing: Packing, state: PackingState, slot: int
    ) -> Iterator[NDArray[np.int64]]:
        """Yield the numbers of the ways to place a piece, those to the same cells together."""
        filled, masks, ways = state.filled, state.list_masks(), len(self._directions)
        first = self.actions.encode("place", slot, *[0] * (len(self.actions.tools["place"]) - 1))
        for mask, numbers in list_turned(
            packing.size, packing.pieces[slot].shape, self._size
        ).items():
            if mask & filled:
                continue
            open_ = [s for s in packing.exits if not find_way_out(packing.size, mask, s) & filled]
            if open_ and _stays(packing, (*masks, mask)):
                for side in open_:
                    yield first + ways * np.array(numbers) + self._directions.index(side.opposite)


def _specify_arrays(pieces: int, size: Cell) -> dict[str, ArraySpec]:
    return {
        "occupancy": ArraySpec(
            size, np.uint8, pieces, "x, y, z: slot + 1 of the piece in a cell of the box"
        ),
        "shapes": specify_shapes(pieces, max(size)),
        "pieces": ArraySpec(
            (pieces, 5), np.uint8, 23,
            "slot: 0 no piece, 1 in the box, 2 on the table; rotation; low corner",
        ),
        "goal": ArraySpec(size, np.uint8, 1, "x, y, z: cells of the box, all to be filled"),
        "open": ArraySpec((6,), np.uint8, 1, "sides without a wall: +x -x +y -y +z -z"),
        "gravity": ArraySpec((1,), np.uint8, 1, "whether pieces have to be supported"),
    }  # fmt: skip


def _stays(packing: Packing, masks: tuple[int, ...]) -> bool:
    return not packing.gravity or not find_falling(packing.size, masks)


@lru_cache(maxsize=4096)
def list_turned(size: Cell, shape: Voxels, most: Cell) -> Mapping[int, Sequence[int]]:
    """Return the numbers of all rotations and corners of a shape in a box, by the cells it covers.

    Args:
        size: of the box.
        most: cells of the largest box, which the numbers are made for.
    """
    found: dict[int, list[int]] = {}
    (a, b, _), (_, depth, height) = size, most
    for number, rotation in enumerate(list_rotations()):
        turned = shape.rotate(rotation).move_to_origin()
        room = [max(0, size[i] - side + 1) for i, side in enumerate(turned.bounds.size)]
        mask, start = mask_of(size, turned.cells), number * prod(most)
        for x, y, z in product(*map(range, room)):
            place = start + (x * depth + y) * height + z
            found.setdefault(mask << (x + a * (y + b * z)), []).append(place)
    return found


def create_spaces(make_lister: MakeLister | None = None) -> tuple[BoxSpace, ...]:
    """Return the spaces of all size classes, with compiled code where pieces come from above."""
    return (
        BoxSpace("top", pieces=16, size=(4, 4, 5), directions=_FROM_ABOVE, make_lister=make_lister),
        BoxSpace("open", pieces=16, size=(5, 5, 5), directions=tuple(Direction)),
    )
