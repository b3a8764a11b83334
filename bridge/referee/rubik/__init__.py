"""The referee for cubes with faces that turn."""

from .judging import judge

__all__ = ["judge"]
