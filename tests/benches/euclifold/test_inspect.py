"""EucliFold under inspect_ai, asked of a model that always says the same."""

from pathlib import Path

import pytest

from luban.inspect_items import items_task
from tests.adapters.offline_model import saying
from tests.adapters.test_inspect_items import figures, run

euclifold = items_task("euclifold", "euclifold")

pytestmark = [  # What inspect_ai itself is warned of.
    pytest.mark.filterwarnings("ignore:The 'initial' parameter is deprecated:DeprecationWarning"),
    pytest.mark.filterwarnings("ignore:Unclosed <MemoryObject:ResourceWarning"),
]


@pytest.mark.slow
@pytest.mark.parametrize("task", ["colour", "matching"])
def test_who_always_says_true_is_right_in_half_of_the_items_and_in_no_pair(
    task: str, tmp_path: Path
) -> None:
    log = run(euclifold(task, 3), lambda _: saying("Answer: True"), tmp_path)
    found = figures(log)
    assert (found["mean"], found["parse_rate"], found["group_accuracy"]) == (0.5, 1.0, 0.0)
    assert log.samples is not None and len(log.samples) == 6
