"""Options and records of episodes."""

import pytest

from bridge.episode.records import Options


@pytest.mark.parametrize(
    "bad",
    [
        {"history_window": -1},
        {"history_window": 1001},
        {"picture_size": 15},
        {"picture_size": 2049},
        {"budget": 0},
        {"budget": -1},
        {"budget": 1_000_001},
    ],
)
def test_options_out_of_range_are_refused(bad: dict[str, int]) -> None:
    with pytest.raises(ValueError, match=str(next(iter(bad.values())))):
        Options(**bad)  # type: ignore[arg-type]
