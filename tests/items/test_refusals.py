"""Options that make no sense, and agents that do not answer."""

from pathlib import Path

import pytest

from tests.commands import Luban
from tests.items.answering import scores


def test_options_of_items_are_refused_where_levels_are_played(luban: Luban) -> None:
    complaint = luban("eval", "locks-32", "--task", "closed-loop").complaint()
    assert "--task means nothing here: locks-32 is of the bench chain" in complaint
    assert (
        "--task-setting means" in luban("eval", "burr-piston", "--task-setting", "a=b").complaint()
    )


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--task", "juggling"], "no task 'juggling'"),
        (["--task", "closed-loop", "--depth", 0], "1 to 8 moves, not 0"),
        (
            ["--task", "closed-loop", "--task-setting", "abstain"],
            "--task-setting is written NAME=VALUE",
        ),
        (["--task", "closed-loop", "--task-setting", "hope=1"], "no setting 'hope'"),
        (
            ["--task", "closed-loop", "--observation", "smell"],
            "mode is one of image+text, image, text, not 'smell'",
        ),
        (["--k", 3], "--k means nothing here: cube-bench is of"),
        (["--world", "bullet"], "--world means nothing here"),
        (["--agent", "greedy"], "no agent that answers 'greedy'"),
        (["--agent", "noisy-oracle:2"], "a share from 0 to 1"),
        (["--agent", "nobody"], "no agent that answers 'nobody'"),
    ],
)
def test_what_makes_no_sense_is_said(luban: Luban, options: list[object], words: str) -> None:
    assert words in luban("eval", "cube-bench", *options).complaint()


def test_a_fault_of_an_agent_concerns_one_trial_and_is_tried_again(
    luban: Luban, tmp_path: Path, notes: Path
) -> None:
    options = ["--task", "move-prediction", "--observation", "text", "--n", 3, "--out", "run"]
    command = ["eval", "cube-bench", *options, "--agent", f"slipping:{notes}"]
    (notes / "banana").touch()
    complaint = luban(*command).complaint()
    assert "3 of 3 trials failed" in complaint
    assert "RuntimeError: slipped" in complaint
    (notes / "banana").unlink()
    (notes / "seven").touch()
    assert "an answer is a text, not a int" in luban(*command).complaint()
    (notes / "seven").unlink()
    (part,) = scores(luban(*command, "--json").json()).values()
    assert part["parse_rate"] == 1.0  # A lone surrogate is written as U+FFFD.


def test_an_agent_that_only_plays_is_refused(luban: Luban, notes: Path) -> None:
    assert "no method answer()" in luban("eval", "cube-bench", "--agent", "player").complaint()
