"""A budget of work that is the same on every machine."""

from dataclasses import dataclass

__all__ = ["OutOfWork", "WorkBudget"]


class OutOfWork(Exception):
    """The work that was allowed is used up."""


@dataclass(slots=True)
class WorkBudget:
    """Work that may still be done.

    Attributes:
        left: in units of about a tenth of a microsecond; what spends it counts steps, not time.
    """

    left: float

    def use(self, units: int) -> None:
        """Use some of it.

        Raises:
            OutOfWork: there is none left.
        """
        self.left -= units
        if self.left < 0:
            raise OutOfWork
