"""Luban's front door.

::

    import luban

    with luban.start("burr-piston") as episode:
        episode.observe().views[0].save("first_view.png")
        print(episode.step("slide", pieces=["purple"], direction="+y", distance=1).message)

Nothing is imported until it is asked for. ``luban.connect(address)`` gives an object with the same
``levels`` and ``start``, whose episodes are played on a server. The code is in ``pysim`` and
``bridge``.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bridge.rpc.client import connect as connect
    from luban import errors as errors
    from luban.playing import levels as levels
    from luban.playing import load as load
    from luban.playing import start as start

    __version__: str

__all__ = ["__version__", "connect", "errors", "levels", "load", "start"]

_HOMES = {
    "connect": "bridge.rpc.client",
    "levels": "luban.playing",
    "load": "luban.playing",
    "start": "luban.playing",
}
_MODULES = ("errors", "testing")


def __getattr__(name: str) -> object:
    """Return an export, which is loaded when it is first used."""
    if name in _MODULES:
        return import_module(f"luban.{name}")
    if name == "__version__":
        from importlib.metadata import version

        return version("luban")
    if name not in _HOMES:
        raise AttributeError(f"module 'luban' has no attribute {name!r}")
    found = globals()[name] = getattr(import_module(_HOMES[name]), name)
    return found


def __dir__() -> list[str]:
    return sorted(__all__)
