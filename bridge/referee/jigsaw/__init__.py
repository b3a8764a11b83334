"""The referee for hollow cubes of jigsaw pieces."""

from .judging import judge

__all__ = ["judge"]
