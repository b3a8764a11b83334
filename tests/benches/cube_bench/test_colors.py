"""``--colors paper``: pictures have the RGB values that the prompt states."""

from dataclasses import replace
from typing import Any

import pytest

from bridge.benches.cube_bench.condition import PictureType, StickerColors, Task, list_conditions
from bridge.benches.cube_bench.options import CubeBenchOptions
from bridge.benches.cube_bench.suite import CubeBenchSuite
from bridge.benches.cube_bench.trials import make_trials
from bridge.episode.rendering import SharedRenderer
from bridge.items.pictures import draw
from pysim.errors import InputError
from pysim.items import Item
from pysim.render.palette import PALETTE, parse_color

PAPER = {
    "white": (255, 255, 255),
    "yellow": (255, 255, 0),
    "orange": (255, 128, 0),
    "red": (255, 0, 0),
    "green": (0, 255, 0),
    "blue": (0, 0, 255),
}


def first(task: Task, colors: StickerColors) -> Item[Any]:
    asked = replace(list_conditions(task, (1,))[0], colors=colors)
    trial = make_trials(asked, range(1))[0]
    item = trial.ask(trial.start())
    assert item is not None
    return item


def test_picture_with_paper_colors_has_their_exact_values() -> None:
    item = first(Task.FACE, StickerColors.PAPER)
    renderer = SharedRenderer("auto")
    try:
        (view,) = draw(renderer, item.pictures[0], 256)
    finally:
        renderer.close()
    seen = {tuple(pixel) for pixel in view.rgb().reshape(-1, 3).tolist()}
    assert set(PAPER.values()) <= seen
    assert not {PALETTE[name] for name in PAPER} & seen


def test_face_prompt_states_values_only_where_pictures_have_them() -> None:
    paper = first(Task.FACE, StickerColors.PAPER).system
    usual = first(Task.FACE, StickerColors.LUBAN).system
    assert all(f"{name} {values}" in paper for name, values in PAPER.items())
    assert "RGB" not in usual


@pytest.mark.parametrize("task", [task for task in Task if task is not Task.EFFECT])
def test_paper_colors_change_pictures_and_no_question(task: Task) -> None:
    paper, usual = first(task, StickerColors.PAPER), first(task, StickerColors.LUBAN)
    assert (paper.text, paper.gold) == (usual.text, usual.gold)
    assert paper.pictures[0].key != usual.pictures[0].key


def test_option_colors_is_a_setting_of_all_tasks_with_pictures() -> None:
    suite = CubeBenchSuite()
    subsets = suite.subsets(CubeBenchOptions(n=1, colors=StickerColors.PAPER))
    painted = {s.variant.partition(",")[0] for s in subsets if "colors=paper" in s.variant}
    assert painted == set(Task) - {Task.EFFECT}
    assert all("colors" not in s.variant for s in suite.subsets(CubeBenchOptions(n=1)))


def test_front_picture_takes_paper_colors_too() -> None:
    asked = replace(
        list_conditions(Task.FACE, (1,))[0], colors=StickerColors.PAPER, picture=PictureType.FRONT
    )
    item = make_trials(asked, range(1))[0]
    assert "#ff8000" in item.ask(item.start()).pictures[0].key  # type: ignore[union-attr]


def test_rgb_of_hex_text_is_its_components_and_of_other_text_refused() -> None:
    assert parse_color("#ff8000") == (255, 128, 0)
    for text in ("#ff800", "#FF8000", "ff8000", "#ff8000 "):
        with pytest.raises(InputError, match="is no colour"):
            parse_color(text)
