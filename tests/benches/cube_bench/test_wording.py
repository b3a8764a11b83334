"""The wording of questions is Luban's own from edition 3 on; items of earlier editions stay."""

import hashlib
import re
from collections.abc import Iterator

import pytest

from bridge.benches.cube_bench.condition import Task, parse_condition
from bridge.benches.cube_bench.trials import make_trials
from pysim.items import Item
from tests.papers import paper

DEPTHS = {Task.FACE: 2, Task.VERIFICATION: 5, Task.MOVE: 1, Task.REFLECTION: 1} | dict.fromkeys(
    (Task.LOOP, Task.EFFECT, Task.CURVE), 2
)
FORMER = ("in this order, are the front face", "exactly 1 move from", "verified for correctness")


def items(edition: int) -> Iterator[Item[object]]:
    for task, depth in DEPTHS.items():
        for trial in make_trials(
            parse_condition(task, depth, {"edition": str(edition)}), range(12)
        ):
            item = trial.ask(trial.start())
            assert item is not None
            yield item


@pytest.mark.parametrize(("edition", "digest"), [(1, "89dcbf63e5f23bc4"), (2, "0f50d3c97020045e")])
def test_items_of_former_editions_keep_their_digests(edition: int, digest: str) -> None:
    found = hashlib.sha256()
    for item in items(edition):
        found.update(item.digest.encode())
    assert found.hexdigest()[:16] == digest


def test_items_of_the_latest_edition_have_no_former_phrase() -> None:
    for item in items(3):
        said = "\n".join((item.system, item.text, item.form.format(item.gold)))
        assert not any(phrase in said for phrase in FORMER)
        assert item.form.parse(item.form.format(item.gold)) == item.gold


def test_items_of_editions_2_and_3_differ_in_wording_alone() -> None:
    for old, new in zip(items(2), items(3), strict=True):
        assert (old.gold, old.key, [p.key for p in old.pictures]) == (
            new.gold,
            new.key,
            [p.key for p in new.pictures],
        )


def runs(text: str, length: int) -> set[tuple[str, ...]]:
    """Runs of so many words."""
    words = re.findall(r"[a-z0-9]+", text.lower())
    return {tuple(words[k : k + length]) for k in range(len(words) - length + 1)}


def test_no_eight_words_in_a_row_are_those_of_the_paper() -> None:
    theirs = runs(paper("cube_bench"), 8)
    for item in items(3):
        shared = runs(f"{item.system}\n{item.text}", 8) & theirs
        assert all("orange" in run and "red" in run for run in shared)  # The colours' letters.
