"""Packages that only some of Luban needs. Each set is an extra: ``pip install luban[NAME]``.

Modules of an extra are imported where they are used. :func:`require_extra` is called before, as
early as it is known that they will be needed.
"""

import sys
from collections.abc import Mapping
from importlib.util import find_spec

from pysim.errors import MissingPackage, describe_missing_pybullet

__all__ = [
    "EXTRAS",
    "describe_missing_extra",
    "find_missing_module",
    "is_installed",
    "require_extra",
]

EXTRAS: Mapping[str, tuple[str, ...]] = {
    "bullet": ("pybullet",),
    "dataset": ("pyarrow",),
    "gymnasium": ("gymnasium",),
    "inspect": ("inspect_ai",),
    "mcp": ("mcp",),
    "openai": ("httpx2", "openai"),
    "plots": ("matplotlib",),
    "ray": ("ray",),
    "solve": ("numba", "scipy", "xcover"),
    "torch": ("torch",),
    "video": ("av",),
    "web": ("starlette", "uvicorn", "websockets"),
}
"""Modules that each extra brings."""


def require_extra(purpose: str, *extras: str) -> None:
    """Refuse to begin what can't be done without extras.

    Args:
        purpose: the subject of the message, in the plural: ``videos``.

    Raises:
        MissingPackage: a module of them is missing; the message has the command that installs it.
    """
    if any(find_missing_module(extra) for extra in extras):
        raise MissingPackage(describe_missing_extra(purpose, *extras))


def describe_missing_extra(purpose: str, *extras: str) -> str:
    """Return the message on missing extras: the modules, and the command that installs them."""
    lacking = [extra for extra in extras if find_missing_module(extra)] or [*extras]
    modules = [find_missing_module(extra) or EXTRAS[extra][0] for extra in lacking]
    if modules == ["pybullet"]:
        return f"{purpose} need PyBullet; {describe_missing_pybullet()}"
    return f"{purpose} need {' and '.join(modules)}: pip install 'luban[{','.join(lacking)}]'"


def find_missing_module(extra: str) -> str:
    """Return the first module of an extra that is not installed; empty if all are there."""
    return next((module for module in EXTRAS[extra] if not is_installed(module)), "")


def is_installed(module: str) -> bool:
    """Return whether a module can be imported."""
    if module in sys.modules:  # None stands for one whose import is forbidden.
        return sys.modules[module] is not None
    try:
        return find_spec(module) is not None
    except (ImportError, ValueError):
        return False
