"""What an agent on the other side of the wire holds in its hands."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pysim.puzzle import Outcome, Proof

__all__ = ["LevelInfo", "RemoteObservation", "RemoteView", "ServerInfo"]


@dataclass(frozen=True, slots=True)
class RemoteView:
    """A picture as the server sent it.

    Attributes:
        name: the camera's name.
        width, height: in pixels.
        format: ``png``, ``jpeg`` or ``raw``.
        data: the encoded picture.
    """

    name: str
    width: int
    height: int
    format: str
    data: bytes

    def rgb(self) -> NDArray[np.uint8]:
        """The picture decoded: (H, W, 3) uint8, sRGB, top row first."""
        if self.format == "raw":
            return np.frombuffer(self.data, np.uint8).reshape(self.height, self.width, 3)
        import cv2

        picture = cv2.imdecode(np.frombuffer(self.data, np.uint8), cv2.IMREAD_COLOR_RGB)
        if picture is None:
            raise ValueError(f"view {self.name} is no readable {self.format}")
        return picture.astype(np.uint8, copy=False)

    def save(self, path: Path | str) -> None:
        """Write the picture as it came; a raw one is written as PNG."""
        data = self.data
        if self.format == "raw":
            from pysim.render.views import encode

            data = encode(self.rgb(), "png")
        Path(path).write_bytes(data)


@dataclass(frozen=True, slots=True)
class RemoteObservation:
    """What an agent sees, as in :class:`bridge.episode.records.Observation`; pictures encoded."""

    step: int
    budget_left: int
    instruction: str
    history: str
    colours: tuple[str, ...]
    state: str | None
    views: tuple[RemoteView, ...]
    outcome: Outcome | None

    def text(self) -> str:
        """Everything but the pictures, as one text for a model or a person."""
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


@dataclass(frozen=True, slots=True)
class LevelInfo:
    """What operators are told of a level; see ``LevelSummary`` in ``episode.proto``."""

    id: str
    family: str
    name: str
    tier: str
    pieces: int
    plan: int | None
    plan_proof: Proof | None
    budget: int
    hash: str
    designer: str
    reference: str


@dataclass(frozen=True, slots=True)
class ServerInfo:
    """What a server is and has; see ``GetServerInfoResponse`` in ``episode_service.proto``."""

    version: str
    families: tuple[str, ...]
    worlds: tuple[str, ...]
    renderer: str
    renderer_note: str
    idle_timeout_s: float
