"""Worlds and renderers of a process."""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field

from pysim.errors import InputError
from pysim.limits import quote
from pysim.physics.factory import create_world, list_worlds
from pysim.physics.world import World
from pysim.render.factory import create_renderer, list_renderers
from pysim.render.renderer import Renderer

__all__ = ["LOCAL", "Engines", "OpenEngines", "open_local_engines"]


@dataclass(frozen=True, slots=True)
class Engines:
    """Worlds and renderers by name: those of pysim, and others put beside them.

    Attributes:
        more_worlds: name -> makes a world, without a scene.
        more_renderers: name -> makes a renderer.
    """

    more_worlds: Mapping[str, Callable[[], World]] = field(default_factory=dict)
    more_renderers: Mapping[str, Callable[[], Renderer]] = field(default_factory=dict)

    def list_worlds(self) -> tuple[str, ...]:
        """Return the names that :meth:`create_world` knows, the exact one first."""
        return (*list_worlds(), *self.more_worlds)

    def create_world(self, name: str) -> World:
        """Return a new world, without a scene.

        Raises:
            InputError: no world has that name.
            WorldUnavailable, WorldError: its engine is not installed, or does not start.
        """
        if name in self.more_worlds:
            return self.more_worlds[name]()
        if name not in list_worlds():
            known = ", ".join(self.list_worlds())
            raise InputError(f"there is no world {quote(name)}; known are {known}")
        return create_world(name)

    def list_renderers(self) -> tuple[str, ...]:
        """Return the names that :meth:`create_renderer` knows, besides ``auto``."""
        return (*list_renderers(), *self.more_renderers)

    def create_renderer(self, name: str = "auto") -> tuple[Renderer, str]:
        """As :func:`pysim.render.factory.create_renderer`; ``auto`` is always one of pysim's.

        Raises:
            InputError: no renderer has that name.
            RendererUnavailable, WorldError: it can't be used here.
        """
        if name in self.more_renderers:
            return self.more_renderers[name](), ""
        return create_renderer(name)


LOCAL = Engines()
"""Those of pysim alone."""

OpenEngines = Callable[[], AbstractContextManager[Engines]]
"""Opens engines anywhere, also in a process of its own, and closes them again."""


def open_local_engines() -> AbstractContextManager[Engines]:
    """Opens those of pysim alone, where there is nothing to close."""
    return nullcontext(LOCAL)
