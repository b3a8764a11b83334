"""Options of dataclasses, and the whole numbers that callers and documents give."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from pysim.errors import InputError
from pysim.options import build_options, check_whole, is_whole


@dataclass(frozen=True, slots=True)
class Numbers:
    count: int = field(default=1, metadata={"least": 1, "most": 64})
    share: float = field(default=0.5, metadata={"least": 0.0, "most": 1.0})


@pytest.mark.parametrize("value", [1, 64, np.int64(7), np.uint8(64)])
def test_whole_number_in_range_becomes_an_int(value: Any) -> None:
    found = check_whole("a count", value, 1, 64)
    assert found == value
    assert type(found) is int


@pytest.mark.parametrize(
    "value", [0, 65, True, False, 1.0, 2.5, float("nan"), "5", None, [5], np.bool_(1)]
)
def test_anything_but_a_whole_number_in_range_is_refused_by_name(value: object) -> None:
    assert not is_whole(value, 1, 64)
    with pytest.raises(InputError, match=r"^a count is a whole number from 1 to 64, not "):
        check_whole("a count", value, 1, 64)


def test_bounds_of_whole_numbers_may_be_missing_and_values_huge() -> None:
    assert is_whole(-(10**5000)) and is_whole(10**5000, 0) and is_whole(-3, most=0)
    with pytest.raises(InputError, match="from 1 to 64, not a huge int"):
        check_whole("a count", 10**5000, 1, 64)
    with pytest.raises(InputError, match=r"^a count is a whole number from 0 up, not -1$"):
        check_whole("a count", -1, 0)
    with pytest.raises(InputError, match=r"^a count is a whole number, not 'x'$"):
        check_whole("a count", "x")


@pytest.mark.parametrize("name", ["count", "share"])
@pytest.mark.parametrize("value", [True, "true", float("nan"), 1000])
def test_option_that_is_a_number_takes_nothing_else(name: str, value: object) -> None:
    with pytest.raises(InputError, match=f"^{name} is a .*number from .* to .*, not "):
        build_options(Numbers, {name: value})


def test_option_that_is_a_number_is_read_from_text_and_taken_as_it_is() -> None:
    assert build_options(Numbers, {"count": "3", "share": "0.25"}) == Numbers(3, 0.25)
    assert build_options(Numbers, {"count": np.int64(3), "share": 1}) == Numbers(3, 1)
