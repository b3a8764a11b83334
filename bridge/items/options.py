"""The options that every bench has that asks items; see :mod:`bridge.runs.options`."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from pysim.errors import InputError

__all__ = ["AskOptions", "parse_whole_numbers", "parse_words"]


@dataclass(frozen=True, slots=True)
class AskOptions:
    """Items of a run, and their number. A bench with options of its own extends it."""

    task: str = field(
        default="all",
        metadata={"help": "Which of the suite's tasks, several separated by commas, or all."},
    )
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

    def choose_tasks(self, suite: str, tasks: Sequence[str]) -> tuple[str, ...]:
        """Return the tasks that are meant, of those of a suite.

        Raises:
            InputError: there is no such task.
        """
        words = parse_words(self.task, tasks)
        for word in words:
            if word not in tasks:
                known = ", ".join((*tasks, "all"))
                raise InputError(f"{suite} has no task {word[:60]!r}; --task is {known}")
        return words


def parse_words(text: str, every: Iterable[str]) -> tuple[str, ...]:
    """Return the words of an option: those separated by commas, each once, or ``all`` of them."""
    if text == "all":
        return tuple(every)
    return tuple(dict.fromkeys(word.strip() for word in text.split(",")))


def parse_whole_numbers(
    given: int | str | Sequence[int], *, least: int, most: int, name: str = "it"
) -> tuple[int, ...]:
    """Return the numbers of an option, each once: one, several, or a text such as ``1,3,5``.

    Raises:
        InputError: one is no whole number, or out of range.
    """
    several = isinstance(given, list | tuple)
    text = ",".join(map(str, given)) if several else str(given)  # type: ignore[arg-type]
    try:
        numbers = tuple(dict.fromkeys(int(part) for part in text.split(",")))
    except ValueError:
        numbers = ()
    if not numbers or not all(least <= number <= most for number in numbers):
        raise InputError(
            f"{name} takes whole numbers from {least} to {most}, such as {least},{most}, not "
            f"{text[:40]!r}"
        )
    return numbers
