"""What can go wrong with a dataset."""

__all__ = ["DatasetError"]


class DatasetError(ValueError):
    """A dataset can't be made; the message names the log, or says what to do."""
