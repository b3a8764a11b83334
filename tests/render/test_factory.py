import os
import subprocess
import sys

import numpy as np
import pytest

from pysim.render.camera import list_cameras
from pysim.render.egl import engine
from pysim.render.factory import create_renderer, list_renderers
from pysim.render.renderer import Renderer, RendererUnavailable
from tests.needs import needs_pybullet
from tests.render.scenes import lock


def test_the_renderers_are_listed_best_first() -> None:
    assert list_renderers() == ("egl", "tiny")


def test_an_unknown_renderer_is_refused() -> None:
    with pytest.raises(ValueError, match="'vulkan' is no renderer; known: auto, egl, tiny"):
        create_renderer("vulkan")


@needs_pybullet
def test_a_choice_by_name_needs_no_note() -> None:
    renderer, note = create_renderer("tiny")
    assert renderer.name == "tiny" and note == ""
    renderer.close()


@needs_pybullet
def test_auto_falls_back_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(device_index: int | None = None) -> None:
        raise RendererUnavailable("no EGL here: apt-get install something")

    monkeypatch.setattr(engine, "create_context", missing)
    renderer, note = create_renderer("auto")
    assert renderer.name == "tiny"
    assert "egl" in note and "apt-get install something" in note and "tiny" in note
    renderer.close()
    with pytest.raises(RendererUnavailable, match="no EGL here"):
        create_renderer("egl")


def test_without_moderngl_the_message_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "moderngl", None)
    with pytest.raises(RendererUnavailable, match="install moderngl"):
        create_renderer("egl")


def test_without_egl_the_message_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    moderngl = pytest.importorskip("moderngl")

    def broken(**_: object) -> None:
        raise Exception("libEGL.so: cannot open shared object file")  # as moderngl does

    monkeypatch.setattr(moderngl, "create_context", broken)
    install = "apt-get install --no-install-recommends libegl1 libgl1"
    with pytest.raises(RendererUnavailable, match=f"libEGL.*{install}"):
        create_renderer("egl")


def test_importing_loads_no_engine() -> None:
    check = (
        "import sys, pysim.render.egl, pysim.render.tiny, pysim.render.factory, pysim.render.views;"
        "assert not {'moderngl', 'pybullet'} & set(sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True)
    assert done.returncode == 0 and done.stdout == "", done.stderr


@needs_pybullet
def test_a_machine_without_egl_drivers_still_draws() -> None:
    """A process of its own, as a library could end it."""
    check = (
        "from pysim.render.factory import create_renderer\n"
        "from tests.render.scenes import lock\n"
        "from pysim.render.camera import list_cameras\n"
        "renderer, note = create_renderer()\n"
        "assert renderer.render(lock(), list_cameras(lock()), 16).ids.any()\n"
        "print(renderer.name, '|', note)"
    )
    nowhere = {"__EGL_VENDOR_LIBRARY_DIRS": "/nowhere", "EGL_PLATFORM": "surfaceless"}
    done = subprocess.run(
        [sys.executable, "-c", check], capture_output=True, text=True, env=os.environ | nowhere
    )
    assert done.returncode == 0, done.stderr
    name, _, note = done.stdout.strip().splitlines()[-1].partition(" | ")
    assert name == "tiny" and "Renderer egl is unavailable" in note and "Using tiny" in note


def test_a_device_that_is_not_there_is_named(egl: Renderer) -> None:
    with pytest.raises(RendererUnavailable, match="on device 99"):
        create_renderer("egl", device_index=99)


def test_an_unknown_palette_is_refused() -> None:
    with pytest.raises(ValueError, match="'pastel' is no palette; known: standard, colour-blind"):
        create_renderer("tiny", palette="pastel")


@pytest.mark.parametrize("name", list_renderers())
def test_a_palette_repaints_pieces_and_changes_nothing_else(name: str, egl: Renderer) -> None:
    standard, other = (
        create_renderer(name, palette=palette)[0] for palette in ("standard", "colour-blind")
    )
    a, b = (r.render(lock(), list_cameras(lock()), 48) for r in (standard, other))
    assert np.array_equal(a.ids, b.ids) and np.array_equal(a.depth, b.depth)
    assert not np.array_equal(a.rgb, b.rgb)
    standard.close()
    other.close()
