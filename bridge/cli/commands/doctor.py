"""``luban doctor``: its options."""

from bridge.cli.options import (
    JsonFlag,
    UnityPlayer,
)

__all__ = ["doctor"]


def doctor(unity_player: UnityPlayer = "", as_json: JsonFlag = False) -> None:
    """Say what is installed, what is missing, and what to do about it."""
    from bridge.cli.handlers.doctor import run_doctor

    run_doctor(unity_player, as_json)
