"""Displays in 3D in notebooks, as IPython makes them and a browser shows them."""

import re
from contextlib import suppress
from html import unescape
from pathlib import Path
from typing import Any

import pytest

import luban
from luban.notebooks import (
    LARGEST,
    format_episode_in_3d,
    format_level_in_3d,
    format_log_in_3d,
)
from tests.browsing import browser
from tests.markup import outline_html
from tests.web.screens import open_screen

__all__ = ["browser"]


def test_level_and_episodes_are_turned_in_frames(browser: Any, tmp_path: Path) -> None:
    level = luban.load("burr-half-lap")
    with luban.start(level, observation="state") as episode:
        running = format_episode_in_3d(episode)
        assert level.plan is not None
        for action in level.plan.actions:
            episode.step(action)
        ended = format_episode_in_3d(episode)
        episode.save_log(tmp_path / "log.jsonl")
    log = format_log_in_3d(luban.read_log(str(tmp_path / "log.jsonl")))
    parts = [format_level_in_3d(level), running, ended, log]
    page = tmp_path / "notebook.html"
    page.write_text("<!doctype html>" + "".join(parts), encoding="utf-8")
    with open_screen(browser, page.as_uri()) as screen:
        screen.go()
        frames = [screen.page.frame_locator("iframe").nth(n) for n in range(4)]
        for n, frame in enumerate(frames):
            screen.page.locator("iframe").nth(n).scroll_into_view_if_needed()  # Or none is drawn.
            frame.locator("canvas[data-frames]").wait_for()
        counts = [frame.locator(".count").count() for frame in frames]
        assert counts == [0, 0, 1, 1]
        assert frames[2].locator(".count").inner_text() == f"0 / {len(level.plan)}"
        frames[3].get_by_role("button", name="One step on").click()
        assert screen.page.evaluate("() => window.pwned ?? 0") == 0
    assert all(len(part) < 0.5 * LARGEST for part in parts)
    assert all("<details>" in part for part in parts)


def test_log_that_is_false_says_so(tmp_path: Path) -> None:
    with luban.start("burr-half-lap", observation="state") as episode:
        with suppress(luban.errors.IllegalMove):
            episode.step("slide", pieces=[episode.colours[0]], direction="+z", distance=1)
        episode.end()
        episode.save_log(tmp_path / "log.jsonl")
    head, first, *rest = (tmp_path / "log.jsonl").read_text(encoding="utf-8").splitlines()
    forged = [re.sub(r'"state_hash":"\w{64}"', f'"state_hash":"{"0" * 64}"', line) for line in rest]
    (tmp_path / "log.jsonl").write_text("\n".join([head, first, *forged]) + "\n", encoding="utf-8")
    page = format_log_in_3d(luban.read_log(str(tmp_path / "log.jsonl")))
    outline_html(page)
    assert "iframe" not in page and "state_hash" in unescape(page)


@pytest.mark.slow
def test_extension_shows_levels_in_3d() -> None:
    interactive = pytest.importorskip("IPython.core.interactiveshell")
    shell = interactive.InteractiveShell.instance()
    level = luban.load("burr-half-lap")
    assert "<iframe" not in shell.display_formatter.format(level)[0]["text/html"]
    shell.extension_manager.load_extension("luban")
    assert "<iframe" in shell.display_formatter.format(level)[0]["text/html"]
