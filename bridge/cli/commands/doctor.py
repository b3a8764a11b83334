"""``luban doctor``."""

from dataclasses import dataclass, field

from bridge.cli.dataclass_options import make_command
from bridge.cli.options import AS_JSON, UNITY_PLAYER

__all__ = ["DoctorRequest", "command"]


@dataclass(frozen=True, slots=True, kw_only=True)
class DoctorRequest:
    """Options of ``luban doctor``."""

    adapter: str = field(
        default="",
        metadata={
            "metavar": "NAME",
            "help": "Check whether pictures reach an agent whole: python, grpc, gymnasium, "
            "inspect_ai, mcp, chat, or one of another package.",
        },
    )
    gateway: str = field(
        default="",
        metadata={
            "metavar": "URL",
            "help": "With --adapter and --port: address of a program between agent and simulator "
            "that forwards to the port.",
        },
    )
    port: int = field(
        default=0,
        metadata={
            "least": 0,
            "most": 65535,
            "help": "With --adapter: port on which the serving end listens; 0 picks a free one.",
        },
    )
    unity_player: str = field(default="", metadata=UNITY_PLAYER)
    as_json: bool = field(default=False, metadata=AS_JSON)


command = make_command(
    "doctor",
    DoctorRequest,
    run="bridge.cli.handlers.doctor:run_doctor",
    about="Say what is installed, what is missing, and what to do about it.",
)
