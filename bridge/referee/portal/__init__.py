"""The referee for portal chambers."""

from .judging import judge

__all__ = ["judge"]
