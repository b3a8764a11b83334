"""Bench of a suite, and its part of ``luban eval``."""

from typing import Any

from bridge.cli.errors import CommandError
from bridge.cli.requests import SharedRequest
from bridge.items.suites import Asker
from bridge.operations.targets import find_main_suite
from bridge.runs.protocol import Bench, PlayedBench

__all__ = ["run_bench"]


def run_bench(bench: Bench, shared: SharedRequest, options: Any) -> None:
    """Play or ask what is meant.

    Raises:
        CommandError: the bench has neither levels nor items.
    """
    suite = find_main_suite(shared.suite, bench)
    if isinstance(bench, Asker):
        from bridge.cli.handlers.eval.items import run_ask

        run_ask(bench, shared, suite, options)
    elif isinstance(bench, PlayedBench):
        from bridge.cli.handlers.eval.levels import run_eval

        run_eval(bench, shared, suite, options)
    else:
        raise CommandError(f"the bench {bench.name} has neither levels nor items")
