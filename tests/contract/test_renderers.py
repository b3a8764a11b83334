"""Every renderer keeps what a renderer has to, the one in a player of the Unity wire too."""

from typing import ClassVar

import pytest

from luban.testing import RendererContract
from pysim.catalog import AnyLevel, family_of
from pysim.render.renderer import Renderer
from tests.unity.standins import engines


class Each(RendererContract):
    """Of the engines of the tests, among which are stand-ins for players."""

    rest: ClassVar[pytest.MarkDecorator | None] = pytest.mark.slow

    def make(self) -> Renderer:
        made, note = engines().create_renderer(self.renderer)
        assert note == ""
        return made


class TestEgl(Each):
    renderer = "egl"


class TestTiny(Each):
    renderer = "tiny"


class TestUnity(Each):
    renderer = "unity"

    def suits(self, level: AnyLevel) -> str:
        rules = family_of(level).rules
        stickers = any(body.stickers for body in rules.scene(level, rules.initial(level)).bodies)
        return "players of the Unity wire can't draw stickers yet" if stickers else ""


def test_every_renderer_is_tested_here() -> None:
    assert {kind.renderer for kind in Each.__subclasses__()} == set(engines().renderers())
