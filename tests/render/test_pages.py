"""The documents about pictures are true."""

import re
from pathlib import Path

import pytest

from pysim.render.renderer import Renderer
from tools.draw_pages import gallery_page, palette_page

DOCS = Path(__file__).resolve().parents[2] / "docs"


def test_the_palette_page_lists_the_palette_as_it_is() -> None:
    assert (DOCS / "palette.md").read_text(encoding="utf-8") == palette_page()


def test_the_gallery_page_lists_every_level_as_it_is() -> None:
    assert (DOCS / "gallery.md").read_text(encoding="utf-8") == gallery_page()


def test_every_picture_is_on_a_page() -> None:
    pages = [DOCS.parent / "README.md", *DOCS.rglob("*.md")]
    shown = {
        path
        for page in pages
        for path in re.findall(
            r"\]\((?:docs/|\.\./)?media/(.*?)\)", page.read_text(encoding="utf-8")
        )
    }
    assert shown == {path.name for path in (DOCS / "media").iterdir()}


_RENDERING = re.findall(
    r"```python\n(.*?)```", (DOCS / "rendering.md").read_text(encoding="utf-8"), flags=re.DOTALL
)


@pytest.mark.parametrize("code", _RENDERING, ids=["batches", "poses"])
def test_an_example_of_the_rendering_page_runs(
    egl: Renderer, capsys: pytest.CaptureFixture[str], code: str
) -> None:
    promised = re.search(r"# (.*)$", code, flags=re.MULTILINE)
    assert promised is not None
    exec(compile(code, "rendering.md", "exec"), {})
    assert capsys.readouterr().out.strip() == promised[1]
