"""``luban serve``."""

from dataclasses import dataclass, field
from pathlib import Path

from bridge.cli.dataclass_options import make_command
from bridge.cli.options import AS_JSON, RENDERER, RUNS, UNITY_PLAYER

__all__ = ["ServeRequest", "command"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ServeRequest:
    """Options of ``luban serve``."""

    host: str = field(
        default="127.0.0.1",
        metadata={"help": "Address to listen on; others than loopback need TLS."},
    )
    port: int = field(
        default=0, metadata={"least": 0, "most": 65535, "help": "0 picks a free port."}
    )
    idle_timeout: float = field(
        default=600.0,
        metadata={"help": "Seconds after which an untouched episode is closed."},
    )
    runs: Path = field(default=Path("runs"), metadata=RUNS)
    renderer: str = field(default="auto", metadata=RENDERER)
    unity_player: str = field(default="", metadata=UNITY_PLAYER)
    operator_key: str = field(
        default="",
        metadata={
            "metavar": "KEY",
            "environment": "LUBAN_OPERATOR_KEY",
            "help": "Key of those who begin episodes, instead of one made up; agents get none.",
        },
    )
    is_open: bool = field(
        default=False,
        metadata={"option": "--open", "help": "No key: every client may do everything."},
    )
    tls_cert: Path | None = field(
        default=None, metadata={"help": "Certificate of the server, PEM."}
    )
    tls_key: Path | None = field(default=None, metadata={"help": "Its private key, PEM."})
    tls_client_ca: Path | None = field(
        default=None,
        metadata={"help": "Who signs clients' certificates; clients need one then."},
    )
    insecure: bool = field(default=False, metadata={"help": "Let other machines in without TLS."})
    max_episodes: int = field(
        default=1024, metadata={"least": 1, "help": "Episodes that may be open at once."}
    )
    max_bullet_episodes: int = field(
        default=128, metadata={"least": 1, "help": "Those among them in the world bullet."}
    )
    as_json: bool = field(default=False, metadata=AS_JSON)


command = make_command(
    "serve",
    ServeRequest,
    run="bridge.cli.handlers.serve:run_server",
    about="Serve episodes over gRPC until interrupted.",
)
