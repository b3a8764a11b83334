"""Choices of the actions of a cube."""

from enum import Enum, StrEnum, nonmember

__all__ = ["FACE_TURNS", "FaceTurn", "ViewShift"]


class FaceTurn(StrEnum):
    """A quarter turn of a face in Singmaster notation, clockwise or, with ', the other way."""

    noun = nonmember("move")

    F = "F"
    F_PRIME = "F'"
    B = "B"
    B_PRIME = "B'"
    L = "L"
    L_PRIME = "L'"
    R = "R"
    R_PRIME = "R'"
    U = "U"
    U_PRIME = "U'"
    D = "D"
    D_PRIME = "D'"


FACE_TURNS = tuple(FaceTurn)


class ViewShift(Enum):
    """Shift of an observer around the cube."""

    noun = nonmember("shift of the view")

    UP = "up"
    DOWN = "down"
    LEFT = "left"
    RIGHT = "right"
