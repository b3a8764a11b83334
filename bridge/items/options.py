"""The options that every bench has that asks items; see :mod:`bridge.runs.options`."""

from dataclasses import dataclass, field

__all__ = ["AskOptions"]


@dataclass(frozen=True, slots=True)
class AskOptions:
    """What is asked, and how much of it."""

    task: str = field(default="all", metadata={"help": "Which of the suite's tasks, or all."})
    depth: tuple[int, ...] = field(
        default=(), metadata={"help": "In place of the usual depths; may be repeated."}
    )
    n: int = field(
        default=100, metadata={"help": "Trials of each condition.", "least": 1, "most": 1_000_000}
    )
    obs: str = field(
        default="",
        metadata={
            "help": "What the agent is shown, where that may be chosen: image+text, image or text.",
            "formerly": {"--mode": {}},
        },
    )
    task_options: tuple[str, ...] = field(
        default=(), metadata={"help": "For the task.", "option": "--with", "metavar": "NAME=VALUE"}
    )
