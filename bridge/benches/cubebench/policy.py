"""The policy-gradient baseline of Table 2 (appendix H), as it was measured here."""

from dataclasses import dataclass

__all__ = ["POLICY", "PolicyRow"]


@dataclass(frozen=True, slots=True)
class PolicyRow:
    """A row of Table 2 that no run of an evaluation gives.

    Attributes:
        name: of the row.
        pass_rates: full symbolic, over the short and the long horizon.
        moves: #MM over both.
        note: how it was made.
    """

    name: str
    pass_rates: tuple[str, str]
    moves: tuple[str, str]
    note: str


POLICY = PolicyRow(
    name="MLP (policy gradient)",
    pass_rates=("0.83", "0.00"),
    moves=("5.63", "400.00"),
    note="MLP: trained and measured by examples/reinforce.py --seeds 0 1 2 --long, means of three "
    "seeds; no run of this report.",
)
"""The figures of docs/rubik.md; the paper's agent has 0.75 and 0.00, 5.17 and 400.00."""
