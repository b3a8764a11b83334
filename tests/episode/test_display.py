"""Displays of levels, observations and episodes in notebooks."""

import base64
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

import luban
from bridge.episode.observation import Observation, View
from bridge.rpc.client import connect
from bridge.rpc.server import LubanServer
from pysim.catalog import list_shipped_levels
from pysim.level_display import draw_level
from pysim.render import factory
from pysim.render.renderer import Renderer, RendererUnavailable
from tests.markup import outline_html

Display = Callable[[object], dict[str, Any]]
NAMES = {"image/png": "_repr_png_", "text/html": "_repr_html_", "text/plain": "__repr__"}


def display_by_protocol(thing: object) -> dict[str, Any]:
    """Methods that IPython asks an object for."""
    made = {mime: getattr(thing, name)() for mime, name in NAMES.items()}
    return {mime: data for mime, data in made.items() if data is not None}


def display_by_ipython(thing: object) -> dict[str, Any]:
    formatters = pytest.importorskip("IPython.core.formatters")
    shown, metadata = formatters.DisplayFormatter().format(thing)
    assert not metadata
    data = shown.get("image/png")
    if isinstance(data, str):
        shown["image/png"] = base64.b64decode(data)
    return dict(shown)


@pytest.fixture(params=[display_by_protocol, display_by_ipython], ids=["protocol", "ipython"])
def display(request: pytest.FixtureRequest) -> Display:
    chosen: Display = request.param
    return chosen


def decode(data: bytes) -> np.ndarray:
    picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR_RGB)
    assert picture is not None
    return np.asarray(picture)


def list_pictures(page: str) -> list[np.ndarray]:
    found = re.findall(r'src="data:image/(?:png|jpeg);base64,([^"]+)"', page)
    return [decode(base64.b64decode(one)) for one in found]


def first_levels() -> list[Any]:
    return list({level.family: level for level in list_shipped_levels()}.values())


@pytest.mark.by_day(6)
@pytest.mark.parametrize("level", first_levels(), ids=lambda level: level.family)
def test_level_is_shown_with_a_picture_of_its_start(display: Display, level: Any) -> None:
    shown = display(level)
    picture = decode(shown["image/png"])
    assert picture.shape[0] >= 300 and picture.std() > 10.0, "something is to be seen"
    (same,) = list_pictures(shown["text/html"])
    assert np.array_equal(same, picture)
    outline_html(shown["text/html"])
    for word in (level.id, level.family, level.tier, level.hash, level.colours[0]):
        assert word in shown["text/html"]


def test_a_level_that_no_agent_sees_is_shown_to_people(display: Display) -> None:
    level = luban.load("cubebench-d01-1-full-symbolic")
    assert decode(display(level)["image/png"]).std() > 10.0


def test_texts_of_a_level_are_escaped(display: Display) -> None:
    level = luban.load("burr-half-lap")
    evil = "<script>alert(1)</script>"
    source = replace(level.source, designer=f'"{evil}')
    page = display(replace(level, name=evil, source=source))["text/html"]
    assert "<script" not in page and "&lt;script&gt;" in page
    outline_html(page)


def test_level_without_a_renderer_says_so_and_has_no_picture(
    display: Display, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> Renderer:
        raise RendererUnavailable("no EGL here")

    monkeypatch.setattr(factory, "_MAKERS", {"egl": fail})
    draw_level.cache_clear()
    shown = display(luban.load("burr-half-lap"))
    draw_level.cache_clear()
    assert "image/png" not in shown and list_pictures(shown["text/html"]) == []
    assert "no renderer can be used here" in shown["text/html"]


def test_observation_is_shown_with_its_pictures_and_text(display: Display) -> None:
    with luban.start("burr-piston", image_size=64) as episode:
        seen = episode.observe()
    shown = display(seen)
    assert "\n" not in shown["text/plain"] and len(shown["text/plain"]) < 120
    assert shown["text/plain"] == ("Observation(step 0, 45 steps left, 6 pieces, 4 pictures)")
    pictures = list_pictures(shown["text/html"])
    assert len(pictures) == 4
    for view, picture in zip(seen.views, pictures, strict=True):
        assert np.array_equal(picture, view.rgb())
    assert decode(shown["image/png"]).shape == (64, 4 * 64 + 3 * 2, 3)
    assert "purple" in shown["text/html"]
    outline_html(shown["text/html"])


@pytest.mark.parametrize("image_format", ["raw", "jpeg"])
def test_pictures_of_other_formats_are_shown(display: Display, image_format: str) -> None:
    with luban.start("burr-piston", image_size=64, image_format=image_format) as episode:
        seen = episode.observe()
    shown = display(seen)
    assert len(list_pictures(shown["text/html"])) == 4 and decode(shown["image/png"]).std() > 10
    assert "\n" not in repr(seen.views[0]) and len(repr(seen.views[0])) < 80


def test_observation_without_pictures_is_text(display: Display) -> None:
    with luban.start("burr-piston", observation="state") as episode:
        shown = display(episode.observe())
    assert "image/png" not in shown
    assert "<details open>" in shown["text/html"] and list_pictures(shown["text/html"]) == []


def test_pictures_of_several_sizes_are_shown_one_by_one(display: Display) -> None:
    views = tuple(View.raw(str(n), np.full((n, n, 3), n, np.uint8)) for n in (16, 32))
    seen = Observation(0, 1, "go", "", ("red",), None, views, None)
    assert [p.shape[0] for p in list_pictures(display(seen)["text/html"])] == [16, 32]
    assert decode(display(seen)["image/png"]).shape[0] == 16


def test_texts_of_an_observation_are_escaped(display: Display) -> None:
    evil = "</pre><script>alert(1)</script>"
    view = View(f'"{evil}', 1, 1, "raw", b"\0\0\0")
    seen = Observation(0, 1, evil, evil, (evil,), evil, (view,), None)
    page = display(seen)["text/html"]
    assert "<script" not in page and page.count("<pre") == page.count("</pre>") == 1
    outline_html(page)


def test_episode_is_shown_as_far_as_it_is_played_and_looking_is_free(display: Display) -> None:
    with luban.start("burr-piston", image_size=64) as episode:
        episode.step("slide", pieces=["purple"], direction="+y", distance=1)
        shown = display(episode)
        assert (episode.steps, episode.budget_left) == (1, 44)
        assert "burr-piston: running, 1 of 45 steps" in shown["text/html"]
        assert len(list_pictures(shown["text/html"])) == 4
        assert np.array_equal(
            decode(shown["image/png"]), decode(display(episode.observe())["image/png"])
        )
        outline_html(shown["text/html"])
    over = display(episode)
    assert "image/png" not in over
    assert "GAVE_UP, 1 of 45 steps" in over["text/html"] and "ended" in over["text/html"]


def test_episode_on_a_server_is_shown_alike(tmp_path: Path, display: Display) -> None:
    with (
        LubanServer(tmp_path / "runs") as server,
        connect(server.address) as client,
        client.start("burr-piston", image_size=64) as there,
        luban.start("burr-piston", image_size=64) as here,
    ):
        assert display(there)["text/html"] == display(here)["text/html"]
        assert display(there)["image/png"] == display(here)["image/png"]
