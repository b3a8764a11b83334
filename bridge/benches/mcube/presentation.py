"""Presentations of the pieces of a cube, and renderers of their pictures."""

from enum import StrEnum

__all__ = ["Presentation", "Style"]


class Presentation(StrEnum):
    """Presentations of pieces.

    The usual way is pictures, but arrays in CUBE-easy. In the blind arms the question is put as
    with pictures, but there is none, or there are those of another cube.
    """

    USUAL = "usual"
    PICTURES = "pictures"
    TEXT = "text"
    NO_PICTURE = "no-picture"
    WRONG_PICTURE = "wrong-picture"

    @classmethod
    def _missing_(cls, value: object) -> "Presentation | None":
        """Read the words for the same arms of levels; None for any other."""
        return {"none": cls.NO_PICTURE, "wrong": cls.WRONG_PICTURE}.get(str(value))


class Style(StrEnum):
    """Renderers of the pictures."""

    LUBAN = "luban"
    PAPER = "paper"
