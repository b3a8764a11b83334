"""Where a user's own files are, also of a user that the machine does not know."""

from pathlib import Path

__all__ = ["find_home"]


def find_home() -> Path:
    """The user's home folder.

    Containers run with any user id, for which there may be neither a name nor a home; then it is
    ``/``, as Docker sets it, which can't be written to.
    """
    try:
        return Path.home()
    except RuntimeError:
        return Path("/")
