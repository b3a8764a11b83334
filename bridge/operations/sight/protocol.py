"""Protocol of adapters: surfaces through which an agent plays an episode.

An adapter is a module of :mod:`bridge.operations.sight.adapters`, or an entry point of the group
``luban.adapters`` in another package. It plays through the real library of its surface, so that
whatever the library does to pictures happens here as well.
"""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass

from bridge.episode.choices import Obs
from bridge.episode.observation import View
from bridge.episode.tools import ToolCall
from pysim.catalog import AnyLevel
from pysim.discovery import DiscoveryError, EntryPoints, discover
from pysim.errors import InputError, MissingPackage
from pysim.extras import find_missing_module
from pysim.limits import quote

__all__ = [
    "GROUP",
    "IMAGE_SIZE",
    "Adapter",
    "Decide",
    "Play",
    "Played",
    "Received",
    "Route",
    "discover_adapters",
    "find_adapter",
]

GROUP = "luban.adapters"
"""Entry points of this group are adapters."""
IMAGE_SIZE = 256
"""Edge of each view in pixels."""
_EXTRAS = {"gymnasium": "gymnasium", "inspect_ai": "inspect", "mcp": "mcp"}
"""Extras that bring the libraries of adapters, by the library's name."""


@dataclass(frozen=True, slots=True)
class Received:
    """Everything that reached an agent before an action.

    Attributes:
        text: all words.
        views: pictures in the order of their arrival. The name is empty if the surface passes none.
            Width and height are 0 if the picture can't be decoded.
    """

    text: str
    views: tuple[View, ...] = ()


@dataclass(frozen=True, slots=True)
class Played:
    """An episode as the surface reports it.

    Attributes:
        solved: whether the level was solved.
        hashes: state hashes, at the start and after each action.
        reward: sum of all rewards for progress.
    """

    solved: bool
    hashes: tuple[str, ...]
    reward: float


Decide = Callable[[Received], ToolCall]
"""An agent: the next action. It is asked until the episode is over."""
Play = Callable[[AnyLevel, Obs, Decide], Played]
"""Play one episode to its end, with pictures of ``IMAGE_SIZE``."""


@dataclass(frozen=True, slots=True)
class Route:
    """Way between the agent and the simulator.

    Attributes:
        port: port of this machine on which the serving end listens; 0 for a free one.
        gateway: URL of a program that stands between and forwards to that port; empty for none.
    """

    port: int = 0
    gateway: str = ""


@dataclass(frozen=True, slots=True)
class Adapter:
    """A surface.

    Attributes:
        about: the surface in a few words.
        open: returns the way to play, until it is closed.
        has_route: whether it has a port, to which a gateway may forward.
    """

    about: str
    open: Callable[[Route], AbstractContextManager[Play]]
    has_route: bool = False


def discover_adapters() -> Mapping[str, Adapter]:
    """Return every adapter that is installed, by name; each is loaded when it is looked up."""
    found: EntryPoints[Adapter] = discover(
        GROUP, _as_adapter, package="bridge.operations.sight.adapters", attribute="ADAPTER"
    )
    return found


def find_adapter(name: str) -> Adapter:
    """Return the adapter of a name.

    Raises:
        InputError: there is none.
        MissingPackage: its library is not installed.
    """
    known = discover_adapters()
    extra = _EXTRAS.get(name)
    if extra and find_missing_module(extra):
        raise MissingPackage(f"the adapter {name} needs the extra: pip install 'luban[{extra}]'")
    if name not in known:
        raise InputError(
            f"there is no adapter {quote(name)}; there are {', '.join(known)}. Those of trainers "
            "are packages of the folder integrations, each in an environment of its own"
        )
    return known[name]


def _as_adapter(name: str, offered: object) -> Adapter:
    if not isinstance(offered, Adapter):
        raise DiscoveryError(f"{name!r} is no Adapter but a {type(offered).__name__}")
    return offered
