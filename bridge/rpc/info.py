"""Information of a server about itself and its levels."""

from dataclasses import dataclass

from pysim.puzzle import Proof

__all__ = ["LevelInfo", "ServerInfo"]


@dataclass(frozen=True, slots=True)
class LevelInfo:
    """Information about a level for operators; see ``LevelSummary`` in ``episode.proto``."""

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
    """Properties of a server; see ``GetServerInfoResponse`` in ``episode_service.proto``."""

    version: str
    families: tuple[str, ...]
    worlds: tuple[str, ...]
    renderer: str
    renderer_note: str
    idle_timeout_s: float
