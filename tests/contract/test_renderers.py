"""Every renderer keeps what a renderer has to, the one in a player of the Unity wire too."""

from typing import ClassVar

import pytest

from luban.testing import RendererContract
from pysim.render.renderer import Renderer
from tests.contract.few import OneOfEachFamily
from tests.sampling import rest
from tests.unity.standins import engines


class Each(RendererContract):
    """Of the engines of the tests, among which are stand-ins for players."""

    rest: ClassVar[pytest.MarkDecorator | None] = rest()
    few: ClassVar[int] = 1

    def make(self) -> Renderer:
        made, note = engines().create_renderer(self.renderer)
        assert note == ""
        return made


class TestEgl(OneOfEachFamily, Each):
    renderer = "egl"


class TestTiny(OneOfEachFamily, Each):
    renderer = "tiny"


class TestUnity(OneOfEachFamily, Each):
    renderer = "unity"


def test_every_renderer_is_tested_here() -> None:
    assert {kind.renderer for kind in Each.__subclasses__()} == set(engines().list_renderers())
