"""Former names of keyword arguments, which keep working for one version with a warning."""

import inspect
import warnings
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

__all__ = ["accept_former_keywords"]

P = ParamSpec("P")
R = TypeVar("R")


def accept_former_keywords(**today: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Return a decorator that lets a function take keyword arguments by their former names.

    A former name gives a DeprecationWarning. Signatures show today's names, and ``**former`` for
    callers that look up which keywords are taken.

    Args:
        today: names of parameters, by their former names.

    Raises:
        TypeError: when called with an argument under both names.
    """

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        @wraps(function)
        def call(*args: P.args, **kwargs: P.kwargs) -> R:
            for former in kwargs.keys() & today.keys():
                name = today[former]
                if name in kwargs:
                    raise TypeError(f"{former} is now {name}: give one of them")
                warnings.warn(f"{former} is now {name}", DeprecationWarning, stacklevel=2)
                kwargs[name] = kwargs.pop(former)
            return function(*args, **kwargs)

        signature = inspect.signature(function)
        former_keywords = inspect.Parameter("former", inspect.Parameter.VAR_KEYWORD)
        parameters = [*signature.parameters.values(), former_keywords]
        vars(call)["__signature__"] = signature.replace(parameters=parameters)
        return call

    return decorate
