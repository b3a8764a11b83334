"""Legal actions are listed by compiled code only where that saves time."""

from math import inf

import numpy as np
import pytest
from numpy.typing import NDArray

from pysim.catalog import list_shipped_levels
from pysim.errors import InputError
from pysim.extras import is_installed
from pysim.learning import spaces
from pysim.learning.spaces import PatientLister
from pysim.puzzle import Level

BY_RULES, COMPILED, LEVEL = np.array([1]), np.array([2]), list_shipped_levels("portal")[0]
pytestmark = pytest.mark.skipif(not is_installed("numba"), reason="nothing is compiled")


class CompiledLister:
    """A lister that is kept on this machine or not, and refuses some level or none."""

    def __init__(self, *, is_kept: bool, refused: str = "") -> None:
        self.kept, self.refused = is_kept, refused

    def is_kept(self) -> bool:
        return self.kept

    def list_legal(self, level: Level[object], state: object) -> NDArray[np.int64]:
        if level.id == self.refused:
            raise InputError("it is too large")
        return COMPILED


def list_twice(
    monkeypatch: pytest.MonkeyPatch, made: CompiledLister, compiling: float
) -> list[int]:
    """List twice, where the first time is longer than it takes to load compiled code."""
    monkeypatch.setattr(spaces, "LINKED_SECONDS", -1.0)
    monkeypatch.setattr(spaces, "COMPILING_SECONDS", compiling)
    lister = PatientLister[object, object](lambda level, state: BY_RULES, lambda: made)
    return [int(lister.list_legal(LEVEL, None)[0]) for _ in range(2)]


def test_code_that_is_kept_lists_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    assert list_twice(monkeypatch, CompiledLister(is_kept=True), inf) == [2, 2]


def test_code_that_has_to_be_compiled_lists_later(monkeypatch: pytest.MonkeyPatch) -> None:
    assert list_twice(monkeypatch, CompiledLister(is_kept=False), inf) == [1, 1]
    assert list_twice(monkeypatch, CompiledLister(is_kept=False), 0.0) == [1, 2]


def test_code_that_is_asked_for_lists_at_once() -> None:
    made = CompiledLister(is_kept=False)
    lister = PatientLister[object, object](lambda level, state: BY_RULES, lambda: made)
    assert lister.list_legal(LEVEL, None) is BY_RULES
    lister.compile()
    assert lister.list_legal(LEVEL, None) is COMPILED
    bare = PatientLister[object, object](lambda level, state: BY_RULES, None)
    bare.compile()
    assert bare.list_legal(LEVEL, None) is BY_RULES


def test_rules_list_what_code_can_not_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    refusing = CompiledLister(is_kept=True, refused=LEVEL.id)
    assert list_twice(monkeypatch, refusing, inf) == [1, 1]


def test_rules_list_what_has_no_compiled_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spaces, "LINKED_SECONDS", -1.0)
    lister = PatientLister[object, object](lambda level, state: BY_RULES, None)
    assert lister.list_legal(LEVEL, None) is BY_RULES
