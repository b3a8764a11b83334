"""Formats of meshes."""

from enum import StrEnum
from pathlib import Path

__all__ = ["MeshFormat"]


class MeshFormat(StrEnum):
    """Format of a mesh, and the ending of its files."""

    STL = "stl"
    """Triangles alone, as all slicers read them."""
    THREE_MF = "3mf"
    """Triangles in millimetres, with names and colours of pieces."""
    GLB = "glb"
    """Binary glTF, for viewers: in metres, with colours and motion."""
    OBJ = "obj"
    """Triangles as text, with names of pieces."""

    @property
    def suffix(self) -> str:
        """Ending of a file's name: ``.stl``."""
        return f".{self.value}"

    @staticmethod
    def from_path(path: Path) -> "MeshFormat | None":
        """Return the format that a file's name stands for; None if it stands for none."""
        return next((one for one in MeshFormat if one.suffix == path.suffix.lower()), None)
