"""Bench of a suite, and its part of ``luban eval``."""

from typing import Any

from bridge.cli.errors import CommandError
from bridge.cli.requests import SharedRequest
from bridge.items.suites import Asker
from bridge.runs.manifests import list_manifests
from bridge.runs.protocol import Bench, PlayedBench

__all__ = ["find_suite", "run_bench"]


def find_suite(target: str, bench: Bench) -> str:
    """Return the suite that is meant: the main one, if only the bench is named."""
    manifest = list_manifests()[bench.name]
    is_bench = manifest.is_named(target) and bench.suites
    return next(iter(bench.suites.values())) if is_bench else target


def run_bench(bench: Bench, shared: SharedRequest, options: Any) -> None:
    """Play or ask what is meant.

    Raises:
        CommandError: the bench has neither levels nor items.
    """
    suite = find_suite(shared.suite, bench)
    if isinstance(bench, Asker):
        from bridge.cli.handlers.eval.items import run_ask

        run_ask(bench, shared, suite, options)
    elif isinstance(bench, PlayedBench):
        from bridge.cli.handlers.eval.levels import run_eval

        run_eval(bench, shared, suite, options)
    else:
        raise CommandError(f"the bench {bench.name} has neither levels nor items")
