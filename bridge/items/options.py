"""The options that every bench has that asks items; see :mod:`bridge.runs.options`."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from pysim.errors import InputError

__all__ = ["AskOptions"]


@dataclass(frozen=True, slots=True)
class AskOptions:
    """What is asked, and how much of it. A bench with options of its own extends it."""

    task: str = field(default="all", metadata={"help": "Which of the suite's tasks, or all."})
    n: int = field(
        default=100,
        metadata={"help": "Number of trials of each condition.", "least": 1, "most": 1_000_000},
    )
    person: str = field(
        default="",
        metadata={
            "help": "Number or pseudonym of the person who answers, for the rows of reports.",
            "metavar": "ID",
        },
    )

    def chosen(self, suite: str, tasks: Sequence[str]) -> tuple[str, ...]:
        """The tasks that are meant, of those of a suite.

        Raises:
            InputError: there is no such task.
        """
        if self.task == "all":
            return tuple(tasks)
        if self.task not in tasks:
            known = ", ".join((*tasks, "all"))
            raise InputError(f"{suite} has no task {self.task[:60]!r}; --task is {known}")
        return (self.task,)
