"""Errors of requests to a model's server.

:class:`ModelError` and its subclasses reach the caller. :class:`Refused` and
:class:`TransientFault` stay among the modules that send requests, which retry them or turn them
into a ``ModelError``.
"""

from pysim.errors import LubanError

__all__ = ["ContextFull", "ModelError", "ModelRefusal", "Refused", "TransientFault"]


class ModelError(LubanError):
    """The model gave no answer; the message says why."""


class ContextFull(ModelError):
    """The conversation exceeds the model's context window."""


class ModelRefusal(ModelError):
    """The server refuses requests because of the settings of the run.

    Attributes:
        certain: whether every request will be refused, as with a wrong key. If not, the settings
            are at fault only as long as the server has answered no request at all.
    """

    def __init__(self, message: str, certain: bool) -> None:
        super().__init__(message)
        self.certain = certain


class TransientFault(Exception):
    """A request failed, and may succeed if it is sent again.

    Attributes:
        wait: seconds to wait as the server asks for (``Retry-After``), or None.
        answered: whether the server answered, and only the answer can't be read, which may be the
            model's own fault.
    """

    def __init__(self, message: str, wait: float | None = None, answered: bool = False) -> None:
        super().__init__(message)
        self.wait = wait
        self.answered = answered


class Refused(Exception):
    """The server answered with an HTTP status other than success.

    Attributes:
        status: the HTTP status code.
        text: the body of the answer.
        wait: seconds to wait as the server asks for (``Retry-After``), or None.
    """

    def __init__(self, status: int, text: str, wait: float | None) -> None:
        super().__init__(f"status {status}")
        self.status = status
        self.text = text
        self.wait = wait
