"""What a server tells of itself and of its levels."""

from dataclasses import dataclass

from pysim.puzzle import Proof

__all__ = ["LevelInfo", "ServerInfo"]


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
