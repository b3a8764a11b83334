"""Observation of an agent: the same type in this process, over the wire and elsewhere."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pysim.errors import InputError
from pysim.puzzle import Outcome

__all__ = ["Observation", "View"]


@dataclass(frozen=True, slots=True)
class View:
    """A picture of an observation.

    Attributes:
        name: the camera's or the shot's name.
        width, height: in pixels.
        format: ``png``, ``jpeg`` or ``raw``.
        data: the encoded picture.
    """

    name: str
    width: int
    height: int
    format: str
    data: bytes

    @staticmethod
    def raw(name: str, rgb: NDArray[np.uint8]) -> "View":
        """Return a picture (H, W, 3) as it was rendered."""
        height, width, _ = rgb.shape
        return View(name, width, height, "raw", np.ascontiguousarray(rgb).tobytes())

    def rgb(self) -> NDArray[np.uint8]:
        """Return the picture decoded: (H, W, 3) uint8, sRGB, top row first."""
        if self.format == "raw":
            return np.frombuffer(self.data, np.uint8).reshape(self.height, self.width, 3)
        import cv2

        picture = cv2.imdecode(np.frombuffer(self.data, np.uint8), cv2.IMREAD_COLOR_RGB)
        if picture is None:
            raise InputError(f"view {self.name} is no readable {self.format}")
        return picture.astype(np.uint8, copy=False)

    def encoded(self, format: str, renderer: str | None = None) -> "View":
        """Return the same picture, written as :func:`pysim.render.views.encode` does."""
        if format == self.format:
            return self
        from pysim.render.views import encode

        return replace(self, format=format, data=encode(self.rgb(), format, renderer=renderer))

    def save(self, path: Path | str) -> None:
        """Write the picture as it came; a raw one is written as PNG."""
        written = self.encoded("png") if self.format == "raw" else self
        Path(path).write_bytes(written.data)


@dataclass(frozen=True, slots=True)
class Observation:
    """Observation of an agent.

    Attributes:
        step: steps made so far.
        budget_left: steps left.
        instruction: the task.
        history: the last turns, one line each.
        colours: names of the pieces.
        state: the state in words; None if it is not to be shown.
        views: pictures; empty if they are not to be shown, they were not asked for, or the level
            has none.
        outcome: how the episode ended; None until it has ended.
    """

    step: int
    budget_left: int
    instruction: str
    history: str
    colours: tuple[str, ...]
    state: str | None
    views: tuple[View, ...]
    outcome: Outcome | None

    def text(self) -> str:
        """Return everything but the pictures, as one text for a model or a person."""
        parts = [
            self.instruction,
            f"Step {self.step}; {self.budget_left} steps left.",
            f"Pieces: {', '.join(self.colours)}.",
        ]
        if self.history:
            parts.append(f"Last turns:\n{self.history}")
        if self.state is not None:
            parts.append(f"State:\n{self.state}")
        return "\n\n".join(parts)

    def encoded(self, format: str, renderer: Callable[[], str]) -> "Observation":
        """Return the same, its pictures written in a format.

        Args:
            format: ``png``, ``jpeg`` or ``raw``.
            renderer: gives the renderer's name, for the pictures; asked only if there are any.
        """
        if not self.views:
            return self
        views = tuple(view.encoded(format, renderer()) for view in self.views)
        return replace(self, views=views)
