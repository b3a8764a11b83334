"""The table of an episode, row by row, and the verdict."""

from bridge.cli.terminal import build_plain_text, join_lines, make_console, wrap_text
from bridge.episode.records import Ending
from bridge.runs.play import StepReport
from pysim.puzzle import Outcome, Plan, Proof

__all__ = ["TurnTable", "format_verdict"]


class TurnTable:
    """A table to which a row is printed for each step; a context manager.

    In a terminal refused steps are red, and what is wider than the line goes on below.
    """

    def __init__(self, *, quiet: bool) -> None:
        """``quiet``: show nothing."""
        self._console = make_console()
        self._quiet = quiet

    def add(self, turn: StepReport) -> None:
        """Print one more step."""
        travel = "" if turn.travel is None else str(turn.travel)
        row = (str(turn.step), turn.action, turn.result, travel, str(turn.budget_left))
        self._print(row, "" if turn.ok else "red")

    def __enter__(self) -> "TurnTable":
        self._print(_COLUMNS, "bold")
        return self

    def __exit__(self, *_: object) -> None:
        """Leave the rows where they are."""

    def _print(self, row: tuple[str, ...], style: str) -> None:
        if self._quiet:
            return
        step, action, result, travel, left = map(join_lines, row)
        figures = f"{result:<23}  {travel:>9}  {left:>11}"
        if not self._console.is_terminal:
            print(f"{step:>4}  {action:<24}  {figures}", flush=True)
            return
        begun = f"{step:>4}  {action:<24}"
        fits = len(begun) + 2 + len(figures) <= self._console.width
        lines = [f"{begun}  {figures}"] if fits else [begun.rstrip(), f"{'':>32}{figures}"]
        for line in lines:
            for part in _folded(line, self._console.width).split("\n"):
                self._console.print(build_plain_text(part), style=style, soft_wrap=True)


def _folded(line: str, width: int) -> str:
    """Wrap a line at blanks, and words that are still too wide after a slash."""
    if len(line) <= width:
        return line
    words = (w if len(w) <= width - 8 else w.replace("/", "/ ") for w in line.split(" "))
    return wrap_text(" ".join(words), width)


_COLUMNS = ("step", "action", "result", "travelled", "budget left")


def format_verdict(ending: Ending, plan: Plan | None) -> str:
    """``SOLVED in 15 steps, plan 15 (optimal)``, for example."""
    words = f"{ending.outcome.value} after {ending.steps} steps"
    if ending.outcome is Outcome.SOLVED:
        words = f"SOLVED in {ending.steps} steps"
    if plan is not None:
        proof = "optimal" if plan.proof is Proof.OPTIMAL else "upper bound"
        words += f", plan {len(plan)} ({proof})"
    if ending.disagreements:
        words += f"; {ending.disagreements} DISAGREEMENTS between rules and world"
    return words
