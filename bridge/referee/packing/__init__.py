"""The referee for boxes to be filled."""

from .judging import judge

__all__ = ["judge"]
