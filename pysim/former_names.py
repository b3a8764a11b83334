"""Former names of keyword arguments, which keep working for one version with a warning."""

import inspect
import warnings
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

__all__ = ["accept_former_keywords"]

P = ParamSpec("P")
R = TypeVar("R")


def accept_former_keywords(**current: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Return a decorator that accepts keyword arguments by their former names.

    A former name raises a DeprecationWarning. The signature shows the current names, and
    ``**former`` for callers that inspect the accepted keywords.

    Args:
        current: current names of parameters, by former name.

    Raises:
        TypeError: when called with an argument under both names.
    """

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        @wraps(function)
        def call(*args: P.args, **kwargs: P.kwargs) -> R:
            for former in kwargs.keys() & current.keys():
                name = current[former]
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
