"""``luban init``."""

from dataclasses import dataclass, field

from bridge.cli.dataclass_options import make_command
from bridge.cli.options import PackageKind

__all__ = ["InitRequest", "command"]


@dataclass(frozen=True, slots=True, kw_only=True)
class InitRequest:
    """Options of ``luban init``."""

    kind: PackageKind = field(metadata={"argument": True, "help": "What the package is to offer."})
    name: str = field(
        metadata={"argument": True, "help": "Of the package and its folder, as toy-family."}
    )


command = make_command(
    "init",
    InitRequest,
    run="bridge.cli.handlers.init:run_init",
    about="Write a package with a family, a bench or an agent of your own, which works at once.",
)
