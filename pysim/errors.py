"""The root of all errors that somebody can do something about."""

__all__ = ["InputError", "LubanError", "MissingPackage"]


class LubanError(Exception):
    """What was given can't be used, or something outside of Luban failed; no bug of Luban's.

    The message is for the person who is to act on it: it says what is wrong, where, and what to do.
    ``except LubanError`` catches all of these, and nothing that should keep its traceback.
    """


class InputError(LubanError, ValueError):
    """A value is wrong or out of range: an argument, an option, or what a file says."""


class MissingPackage(LubanError, ImportError):
    """A package that is only needed for this is not installed; the message says how to get it."""
