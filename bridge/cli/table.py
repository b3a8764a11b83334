"""The live table of an episode, and the verdict."""

from types import TracebackType

from rich.live import Live
from rich.table import Table

from bridge.cli.terminal import UNREDIRECTED, on_one_line, plain, rich_console
from bridge.episode.records import Ending
from bridge.runs.play import StepReport
from pysim.puzzle import Outcome, Plan, Proof

__all__ = ["TurnTable", "verdict"]


class TurnTable:
    """A table that grows by one row for each step; a context manager.

    In a terminal it is drawn as a whole; elsewhere each row is printed as it comes.
    """

    def __init__(self, *, quiet: bool) -> None:
        """``quiet``: show nothing."""
        self._console = rich_console()
        self._quiet = quiet
        self._table = Table(*_COLUMNS, box=None)
        for column in (0, 3, 4):
            self._table.columns[column].justify = "right"
        drawn = self._console.is_terminal and not quiet
        self._live = Live(self._table, console=self._console, **UNREDIRECTED) if drawn else None

    def add(self, turn: StepReport) -> None:
        """One more step."""
        travel = "" if turn.travel is None else str(turn.travel)
        row = (str(turn.step), turn.action, turn.result, travel, str(turn.budget_left))
        if self._live is not None:
            self._table.add_row(*map(plain, row), style="" if turn.ok else "red")
        else:
            self._print(row)

    def __enter__(self) -> "TurnTable":
        if self._live is not None:
            self._live.start()
        else:
            self._print(_COLUMNS)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._live is not None:
            self._live.stop()

    def _print(self, row: tuple[str, ...]) -> None:
        if not self._quiet:
            step, action, result, travel, left = map(on_one_line, row)
            print(f"{step:>4}  {action:<24}  {result:<23}  {travel:>9}  {left:>11}", flush=True)


_COLUMNS = ("step", "action", "result", "travelled", "budget left")


def verdict(ending: Ending, plan: Plan | None) -> str:
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
