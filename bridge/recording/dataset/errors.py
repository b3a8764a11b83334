"""Errors of datasets."""

from pysim.errors import LubanError

__all__ = ["DatasetError"]


class DatasetError(LubanError, ValueError):
    """A dataset can't be made; the message names the log, or says what to do."""
