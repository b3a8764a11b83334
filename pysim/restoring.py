"""Values that are built again, without checks, from what was checked when it was written."""

from typing import TypeVar

__all__ = ["build_unchecked"]

T = TypeVar("T")


def build_unchecked(kind: type[T], **fields: object) -> T:
    """Return a dataclass with the values of all of its fields; its ``__post_init__`` isn't run.

    Args:
        kind: the dataclass, without slots.
    """
    made = object.__new__(kind)
    vars(made).update(fields)
    return made
