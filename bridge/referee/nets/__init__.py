"""The referee for nets that are folded into cubes."""

from .judging import judge

__all__ = ["judge"]
