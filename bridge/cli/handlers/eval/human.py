"""``luban eval SUITE --agent human``: a person at the terminal answers the items of a suite."""

import os
import sys
from pathlib import Path

from bridge.cli.errors import CommandError
from bridge.cli.interactive.questions import QuestionPrompter
from bridge.cli.requests import SharedRequest
from bridge.items.person import AGENT

__all__ = ["make_person_prompter", "print_thanks", "refuse_person"]


def refuse_person(shared: SharedRequest) -> None:
    """Refuse to ask a person where none can be asked; let every other agent pass.

    Raises:
        CommandError: the message says what to do.
    """
    if shared.agent != AGENT:
        return
    for wrong, option in ((shared.as_json, "--json"), (shared.ray, "--ray")):
        if wrong:
            raise CommandError(f"a person answers in the terminal: leave out {option}")
    if shared.workers > 1:
        raise CommandError("a person answers one question at a time: leave out --workers")
    if not (sys.stdin and sys.stdin.isatty() and sys.stdout and sys.stdout.isatty()):
        raise CommandError(
            "a person answers in a terminal: run `luban eval` there, without pipes or files in "
            "place of input and output"
        )


def make_person_prompter(agent: str, folder: Path) -> QuestionPrompter | None:
    """Return the prompter of a person at this terminal; None for every other agent.

    Args:
        folder: of the run, for the pictures.
    """
    return QuestionPrompter(sys.stdout, folder, os.environ) if agent == AGENT else None


def print_thanks(answered: int, folder: Path) -> None:
    """Print that all is answered, and where; scores are for those who make the study."""
    print(f"\nAll {answered} trials are answered. Thank you!")
    print(f"files: {folder} (scores: `luban report {folder} --out report.html`)")
