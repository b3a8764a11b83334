"""Observation of an agent: the same type in this process, over the wire and elsewhere."""

import base64
from collections.abc import Callable
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pysim.errors import InputError
from pysim.puzzle import Outcome

__all__ = ["Observation", "View"]


@dataclass(frozen=True, slots=True, repr=False)
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

    def __repr__(self) -> str:
        size = f"{self.width}x{self.height}"
        return f"View({self.name!r}, {size} {self.format}, {len(self.data):,} bytes)"

    def _repr_png_(self) -> bytes:
        """Return the picture for notebooks."""
        return self.encoded("png").data

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


@dataclass(frozen=True, slots=True, repr=False)
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

    def __repr__(self) -> str:
        parts = [f"step {self.step}", f"{self.budget_left} steps left"]
        parts += [f"{len(self.colours)} pieces", f"{len(self.views)} pictures"]
        if self.outcome is not None:
            parts.append(self.outcome)
        return f"Observation({', '.join(parts)})"

    def _repr_png_(self) -> bytes | None:
        """Return all pictures in one, for notebooks; None if there are none."""
        from pysim.render.views import encode, tile

        sizes = {(view.width, view.height) for view in self.views}
        if len(sizes) != 1:  # Side by side they would have gaps; a notebook shows them one by one.
            return self.views[0]._repr_png_() if self.views else None
        return encode(tile([view.rgb() for view in self.views], 4), "png")

    def _repr_html_(self) -> str:
        """Return pictures and text for notebooks; the text is escaped."""
        pictures = "".join(map(_format_picture, self.views))
        return (
            f"<div><div>{pictures}</div><details{'' if self.views else ' open'}>"
            f"<summary>{escape(repr(self))}</summary>"
            f'<pre style="white-space:pre-wrap">{escape(self.text())}</pre></details></div>'
        )

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


def _format_picture(view: View) -> str:
    shown = view if view.format == "jpeg" else view.encoded("png")
    data = base64.b64encode(shown.data).decode()
    return (
        f'<img alt="{escape(view.name)}" title="{escape(view.name)}" '
        f'style="width:320px;max-width:100%" src="data:image/{shown.format};base64,{data}">'
    )
