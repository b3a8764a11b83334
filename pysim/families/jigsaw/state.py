"""Pieces on the cube, and their placements."""

from dataclasses import dataclass

from pysim.families.jigsaw.faces import Seat

__all__ = ["JigsawState"]


@dataclass(frozen=True, slots=True)
class JigsawState:
    """One place for each piece, in the puzzle's order; None on the table.

    Of placements in which a symmetric piece covers the same cells, the first stands for all.
    """

    places: tuple[Seat | None, ...]

    def replace_place(self, piece: int, place: Seat | None) -> "JigsawState":
        """This state with one piece elsewhere."""
        return JigsawState((*self.places[:piece], place, *self.places[piece + 1 :]))

    def encode(self) -> str:
        """Return a canonical text: one word per piece, in order."""
        return " ".join(
            "t" if place is None else f"{place.face}:{place.left.number}{place.top.number}"
            for place in self.places
        )
