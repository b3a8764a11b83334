"""``luban eval --observation``: the arms that levels and items share."""

from pathlib import Path

import pytest

from bridge.recording.log import read_log
from tests.commands import Luban


@pytest.mark.parametrize(
    ("said", "kept"), [("none", "none"), ("pictures", "image"), ("text", "state")]
)
def test_eval_obs_word_is_kept_in_its_canonical_form(
    luban: Luban, tmp_path: Path, said: str, kept: str
) -> None:
    out = tmp_path / "run"
    luban(
        "eval",
        "locks-32",
        "--limit",
        1,
        "--observation",
        said,
        "--image-size",
        32,
        "--out",
        out,
        "--json",
    ).json()
    log = read_log(next(out.glob("episodes/*/1/episode.jsonl")))
    assert log.header.options.obs == kept
    assert f'"observation": "{kept}"' in (out / "run.json").read_text()


@pytest.mark.slow
def test_eval_wrong_notes_which_level_was_shown_and_is_repeatable(
    luban: Luban, tmp_path: Path
) -> None:
    shown = []
    for name in ("a", "b"):
        out = tmp_path / name
        arm = ("--observation", "wrong", "--workers", 1)
        luban("eval", "locks-32", "--limit", 3, *arm, "--out", out, "--json").json()
        logs = map(read_log, sorted(out.glob("episodes/*/1/episode.jsonl")))
        shown.append([log.header.options.shown for log in logs])
    assert shown[0] == shown[1] and None not in shown[0]


def test_eval_wrong_with_one_level_is_refused_before_anything_is_made(
    luban: Luban, tmp_path: Path
) -> None:
    out = tmp_path / "run"
    said = luban(
        "eval", "locks-32", "--limit", 1, "--observation", "wrong", "--out", out
    ).complaint()
    assert "play more levels" in said
    assert not out.exists()


def test_eval_unknown_obs_is_refused_with_the_known_ones(luban: Luban) -> None:
    said = luban("eval", "locks-32", "--observation", "dark").complaint()
    assert "--observation is one of image, image+state, state, none, wrong, not 'dark'" in said


def test_eval_items_take_the_same_words_for_blind_arms(luban: Luban, tmp_path: Path) -> None:
    for arm in ("none", "wrong"):
        cubes = ("mcube", "--n", 1, "--observation", arm, "--agent", "random")
        nets = ("euclifold", "--n", 2, "--observation", arm, "--agent", "random")
        for command in (cubes, nets):
            out = tmp_path / f"{command[0]}-{arm}"
            assert luban("eval", *command, "--out", out).status == 0
