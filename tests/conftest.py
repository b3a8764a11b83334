"""What holds for all tests: they may take as long as the machine needs.

A test is run beside many others, and beside whatever else the machine does. So no example of a
property has a deadline, and waits end by events; :mod:`tests.waiting` says when a wait has failed.
"""

import gc
import os
import signal
import sys
from collections.abc import Generator, Iterator
from contextlib import nullcontext

import pytest
from hypothesis import HealthCheck, settings

from tests.commands import luban, strangers
from tests.compiling import import_once
from tests.needs import skip_what_needs_pybullet
from tests.sampling import DRAWN, collect_without_slow, mark_rest_slow, sample
from tests.scratch import set_scratch

__all__ = ["luban", "strangers"]

settings.register_profile(
    "patient",
    settings(),  # Hypothesis has one of its own for CI.
    deadline=None,
    max_examples=DRAWN,
    print_blob=True,  # A failure prints the line that repeats it.
    suppress_health_check=[*settings().suppress_health_check, HealthCheck.too_slow],
)
settings.load_profile("patient")


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """No two processes compile the same module."""
    with import_once(collector.path) if isinstance(collector, pytest.Module) else nullcontext():
        return (yield)


def pytest_configure(config: pytest.Config) -> None:
    """Let Ctrl-C be heard: a shell has it ignored in what it starts in the background.

    Processes inherit that, and tests interrupt many.
    """
    os.environ.setdefault("LP_NUM_THREADS", "0")  # Tests share the cores: no threads.
    # Every process that imports jsonschema would build a parser of IRIs for a second.
    sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]
    config.addinivalue_line("markers", "by_day(n): cases of a test that run by day, of all")
    if config.option.markexpr == "not slow":
        collect_without_slow()
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(tryfirst=True)  # Before those that are slow are left out.
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    mark_rest_slow(items)
    skip_what_needs_pybullet(items)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the sample below the failures, so that a log is enough to repeat them."""
    terminalreporter.write_line(sample())


def pytest_collection() -> None:
    """Search for no garbage while nothing but what stays is made: it takes seconds."""
    gc.disable()


def pytest_collection_finish() -> None:
    """What was collected is for good, as is most of what tests make later and keep.

    A search for garbage among everything takes half a second, and there would be hundreds.
    """
    gc.freeze()
    gc.set_threshold(*gc.get_threshold()[:2], 100)
    gc.enable()


@pytest.fixture(autouse=True, scope="session")
def state_of_no_user(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keys of servers that tests start are kept where no user's are."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
        yield


@pytest.fixture(autouse=True, scope="session")
def scratch_of_this_process(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Files that tests make once are kept where pytest removes them."""
    set_scratch(tmp_path_factory.mktemp("scratch"))
