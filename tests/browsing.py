"""A real browser, where there is one."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

__all__ = ["browser", "open_browser"]


@contextmanager
def open_browser() -> Iterator[Any]:
    """Open the browser that is here; without one the test is skipped."""
    playwright = pytest.importorskip("playwright.sync_api", reason="NOT TESTED: no playwright")
    names = ("chromium", "chromium-browser", "google-chrome")
    with _driver(playwright) as started:
        own = started.chromium.executable_path  # Of `playwright install`, perhaps.
        path = next(filter(None, map(shutil.which, (*names, own))), None)
        if path is None:
            pytest.skip(f"NOT TESTED: no browser here, none of {', '.join(names)}")
        # A machine without a GPU draws WebGL in software only where that is said. All else is
        # drawn without GL, which would be emulated for each layer of a page.
        switches = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
        switches.append("--disable-gpu-compositing")
        chromium = started.chromium.launch(executable_path=path, args=switches)
        yield chromium
        chromium.close()


@contextmanager
def _driver(playwright: Any) -> Iterator[Any]:
    """Start Playwright's driver, a program of its own that needs libraries of the system."""
    driver = playwright.sync_playwright()
    try:
        started = driver.__enter__()
    except Exception as error:  # Playwright raises bare ones.
        pytest.skip(f"NOT TESTED: Playwright's driver does not start ({error})")
    try:
        yield started
    finally:
        driver.__exit__()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with open_browser() as opened:
        yield opened
