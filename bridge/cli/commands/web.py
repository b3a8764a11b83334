"""``luban web``."""

from dataclasses import dataclass, field
from pathlib import Path

from bridge.cli.dataclass_options import make_command
from bridge.cli.options import RUNS

__all__ = ["WebRequest", "command"]


@dataclass(frozen=True, slots=True, kw_only=True)
class WebRequest:
    """Options of ``luban web``."""

    names: tuple[str, ...] = field(
        default=(),
        metadata={
            "argument": True,
            "metavar": "[LEVELS|RUN]...",
            "help": "Suites, levels, tasks or patterns to play, and runs or logs to see again. By "
            "default all levels that ship.",
        },
    )
    study: Path | None = field(
        default=None,
        metadata={
            "metavar": "FILE",
            "help": "Serve a study, a JSON file, to its participants, and nothing else.",
        },
    )
    check: bool = field(
        default=False,
        metadata={"help": "Say what the study has and how far it has come, and serve nothing."},
    )
    host: str = field(
        default="127.0.0.1",
        metadata={"help": "Address to listen on; others than loopback need TLS, and have a key."},
    )
    port: int = field(
        default=0, metadata={"least": 0, "most": 65535, "help": "0 picks a free port."}
    )
    runs: Path = field(default=Path("runs"), metadata=RUNS)
    renderer: str = field(default="auto", metadata={"help": "Of the pictures: auto, egl or tiny."})
    operator_key: str = field(
        default="",
        metadata={
            "metavar": "KEY",
            "environment": "LUBAN_OPERATOR_KEY",
            "help": "Key of browsers on other machines, instead of one made up.",
        },
    )
    tls_cert: Path | None = field(
        default=None, metadata={"help": "Certificate of the server, PEM."}
    )
    tls_key: Path | None = field(default=None, metadata={"help": "Its private key, PEM."})
    insecure: bool = field(default=False, metadata={"help": "Let other machines in without TLS."})
    save: Path | None = field(
        default=None,
        metadata={
            "metavar": "FILE",
            "help": "Write the one episode that is named as a page that opens from a disk, .html, "
            "and serve nothing.",
        },
    )
    force: bool = field(default=False, metadata={"help": "Replace a file that exists."})


command = make_command(
    "web",
    WebRequest,
    run="bridge.cli.handlers.web:run_web",
    about="Play levels, look at them and see episodes again in a browser, until interrupted.",
)
