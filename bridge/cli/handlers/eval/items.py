"""``luban eval`` of a suite of items."""

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from bridge.cli.handlers.eval.human import (
    make_person_prompter,
    print_thanks,
    refuse_person,
)
from bridge.cli.handlers.eval.levels import format_cost
from bridge.cli.handlers.eval.presets import (
    describe_preset,
    format_preset,
    print_preset,
    print_refused_settings,
)
from bridge.cli.interactive.questions import QuestionPrompter
from bridge.cli.permissions import make_files_private
from bridge.cli.progress import show_frame_progress
from bridge.cli.requests import SharedRequest
from bridge.cli.tables import format_table
from bridge.cli.terminal import measure_terminal, outlast_reader
from bridge.items.options import AskOptions
from bridge.items.person import AGENT
from bridge.items.results import ItemResults
from bridge.items.suites import Asker
from bridge.operations.items import AskedRun, ItemRun, ask_item_run, prepare_item_run
from bridge.scoring.metrics import Price

__all__ = ["run_ask"]


@outlast_reader()
@make_files_private()
def run_ask(bench: Asker, shared: SharedRequest, name: str, options: AskOptions) -> None:
    """Ask the items of a task, or what is left of them, and print its table.

    Raises:
        LubanError: something does not fit, or some questions got no answer.
    """
    refuse_person(shared)
    run = prepare_item_run(name, options, shared.request)
    note = describe_preset(bench, shared, options)
    print_preset(note, run.path, quiet=shared.as_json)
    asked = _ask(run, quiet=shared.as_json)
    print_refused_settings(shared)
    asked.check()
    if shared.agent == AGENT:
        print_thanks(run.total, run.path)
        return
    _show(asked.results, run.price, run.path, shared.as_json)
    if not shared.as_json:
        print("".join(f"{line}\n" for line in format_preset(note)), end="")


def _ask(run: ItemRun, *, quiet: bool) -> AskedRun:
    """Ask with a bar, or a person; an interrupt ends the program."""
    person = make_person_prompter(run.request.agent, run.path)
    finished = 0
    with _progress(run.suite.name, person, quiet=quiet) as show:

        def watch(done: int, total: int) -> None:
            nonlocal finished
            finished = done
            show(done, total)

        try:
            return ask_item_run(run, watch, person=person)
        except KeyboardInterrupt:
            print(
                f"luban: interrupted after {finished} of {run.total} trials; the same command "
                f"with --out {run.path} resumes the run",
                file=sys.stderr,
            )
            raise SystemExit(130) from None


@contextmanager
def _progress(
    suite: str, person: QuestionPrompter | None, *, quiet: bool
) -> Iterator[Callable[[int, int], None]]:
    """Show how many trials are finished: on a line of its own, or with a person's questions."""
    if person is not None:
        yield person.follow
        return
    with show_frame_progress(f"{suite} ", quiet=quiet, unit="trials") as show:
        yield show


def _show(results: ItemResults, price: Price | None, out: Path, as_json: bool) -> None:
    if as_json:
        print(json.dumps({**results.make_summary(), "out": str(out)}))
        return
    for table in results.tables:
        print(format_table(table, measure_terminal()), end="\n\n")
    for words in format_cost(results.usage, price):
        print(f"cost: {words}")
    print(f"files: {out}")
