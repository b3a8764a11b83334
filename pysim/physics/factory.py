"""Worlds by name."""

from collections.abc import Callable

from pysim.errors import InputError
from pysim.limits import quote
from pysim.physics.bullet import BulletWorld
from pysim.physics.lattice import LatticeWorld
from pysim.physics.world import World

__all__ = ["create_world", "explain_unavailable", "list_worlds"]

_MAKERS: dict[str, Callable[[], World]] = {
    LatticeWorld.name: LatticeWorld,
    BulletWorld.name: BulletWorld,
}


def list_worlds() -> tuple[str, ...]:
    """Return the names that :func:`create_world` knows, the exact one first."""
    return tuple(_MAKERS)


def create_world(name: str) -> World:
    """Return a new world, without a scene.

    Raises:
        InputError: no world has that name.
        WorldUnavailable: its engine is not installed; the message says what to do.
    """
    maker = _MAKERS.get(name)
    if maker is None:
        raise InputError(f"there is no world {quote(name)}; known are {', '.join(_MAKERS)}")
    return maker()


def explain_unavailable(name: str) -> str:
    """Why a world can't be made here, and what to do about it; empty if it can.

    Loads no engine.
    """
    return BulletWorld.why_unavailable() if name == BulletWorld.name else ""
