"""Pieces in the box, and their places."""

from dataclasses import dataclass

from pysim.families.packing.grid import Spot

__all__ = ["PackingState"]


@dataclass(frozen=True, slots=True)
class PackingState:
    """One place for each piece, in the puzzle's order: a spot in the box, or None on the table."""

    places: tuple[Spot | None, ...]

    @property
    def filled(self) -> int:
        """The bits of the cells that are covered."""
        return sum(place.mask for place in self.places if place is not None)

    def list_placed(self) -> tuple[int, ...]:
        """Return the pieces in the box, in order."""
        return tuple(i for i, place in enumerate(self.places) if place is not None)

    def list_masks(self) -> tuple[int, ...]:
        """Return the bits of each piece in the box, in order."""
        return tuple(place.mask for place in self.places if place is not None)

    def replace_place(self, piece: int, place: Spot | None) -> "PackingState":
        """This state with one piece elsewhere."""
        return PackingState((*self.places[:piece], place, *self.places[piece + 1 :]))

    def encode(self) -> str:
        """Return a canonical text: one word per piece, in order."""
        return " ".join(_encode(place) for place in self.places)


def _encode(place: Spot | None) -> str:
    if place is None:
        return "t"
    x, y, z = place.corner
    return f"b:{place.rotation.index}:{x},{y},{z}"
