import subprocess
import sys

import pytest

from pysim.render.egl import engine
from pysim.render.factory import create_renderer, renderers
from pysim.render.renderer import RendererUnavailable


def test_the_renderers_are_listed_best_first() -> None:
    assert renderers() == ("egl", "tiny")


def test_an_unknown_renderer_is_refused() -> None:
    with pytest.raises(ValueError, match="'vulkan' is no renderer; known: auto, egl, tiny"):
        create_renderer("vulkan")


def test_a_choice_by_name_needs_no_note() -> None:
    renderer, note = create_renderer("tiny")
    assert renderer.name == "tiny" and note == ""
    renderer.close()


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
