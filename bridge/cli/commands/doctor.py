"""``luban doctor``."""

from dataclasses import dataclass, field

from bridge.cli.dataclass_options import make_command
from bridge.cli.options import AS_JSON, UNITY_PLAYER

__all__ = ["DoctorRequest", "command"]


@dataclass(frozen=True, slots=True, kw_only=True)
class DoctorRequest:
    """Options of ``luban doctor``."""

    unity_player: str = field(default="", metadata=UNITY_PLAYER)
    as_json: bool = field(default=False, metadata=AS_JSON)


command = make_command(
    "doctor",
    DoctorRequest,
    run="bridge.cli.handlers.doctor:run_doctor",
    about="Say what is installed, what is missing, and what to do about it.",
)
