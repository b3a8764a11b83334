"""Errors of a model's server, and signals between the layers that talk to it."""

from pysim.errors import LubanError

__all__ = ["ContextFull", "ModelError", "ModelRefusal", "Refused", "TransientFault"]


class ModelError(LubanError):
    """The model gave no answer; the message says why."""


class ContextFull(ModelError):
    """The conversation has become longer than the model can read."""


class ModelRefusal(ModelError):
    """The server refuses for a reason that lies in the settings and not in one request.

    Attributes:
        certain: whether every request is refused, as with a wrong key. Otherwise that is so as
            long as the server has answered none.
    """

    def __init__(self, message: str, certain: bool) -> None:
        super().__init__(message)
        self.certain = certain


class TransientFault(Exception):
    """Something that may go better the next time.

    Attributes:
        wait: seconds that the server asked for, or None.
        answered: whether the server did its part, and the answer that can't be read may be the
            model's own.
    """

    def __init__(self, message: str, wait: float | None = None, answered: bool = False) -> None:
        super().__init__(message)
        self.wait = wait
        self.answered = answered


class Refused(Exception):
    """A status other than success.

    Attributes:
        status: of HTTP.
        text: the body.
        wait: seconds that the server asked for, or None.
    """

    def __init__(self, status: int, text: str, wait: float | None) -> None:
        super().__init__(f"status {status}")
        self.status = status
        self.text = text
        self.wait = wait
