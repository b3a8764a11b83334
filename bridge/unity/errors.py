"""Errors of a player; each message contains advice where there is a way."""

from pysim.physics.world import WorldError

__all__ = [
    "DigestMismatch",
    "IncompatiblePlayer",
    "PlayerDied",
    "PlayerError",
    "PlayerHung",
    "PlayerLeft",
    "PlayerUnavailable",
    "ProtocolError",
]


class PlayerError(WorldError):
    """A player failed; it is ended, and every later call raises the same."""


class PlayerUnavailable(PlayerError):
    """There is no such player, or it can't be started."""


class IncompatiblePlayer(PlayerError):
    """The player speaks another version of a protocol, or is no player of Luban's."""


class PlayerDied(PlayerError):
    """The player's process ended by itself, or closed its connection."""


class PlayerHung(PlayerError):
    """The player's process runs, but does not answer in time."""


class ProtocolError(PlayerError):
    """The player said something that can't be read or makes no sense here."""


class PlayerLeft(ProtocolError):
    """The player took its leave while it was asked for something."""


class DigestMismatch(PlayerError):
    """The player's bodies are elsewhere than ours.

    Attributes:
        step: the step since the scene was built after which they differ; 0 for the scene itself.
        expected: our digest.
        found: the player's.
    """

    def __init__(self, player: str, step: int, expected: int, found: int) -> None:
        super().__init__(
            f"after step {step} the bodies of {player} are elsewhere than they should be: "
            f"its digest is {found:016x}, ours {expected:016x}"
        )
        self.step = step
        self.expected = expected
        self.found = found
