"""Videos of others: where their borders end."""

from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

from bridge.video.tracking.footage import open_footage
from perf.clips.takes import Picture, Take, write_take

WIDTH, HEIGHT = 160, 96
GROUND = 224


def draw_scene(number: int) -> Picture:
    """Return a piece that moves before a plain ground."""
    picture = np.full((HEIGHT, WIDTH, 3), GROUND, np.uint8)
    cv2.circle(picture, (60 + 2 * number, 50), 20, (200, 40, 40), -1)
    return picture


def find_crop(path: Path, draw: Callable[[int], Picture]) -> tuple[int, ...]:
    pictures = [draw(number) for number in range(24)]
    write_take(path, Take(pictures, np.arange(24), 24, crf=10))
    return open_footage(path, WIDTH / HEIGHT).crop


def frame(picture: Picture, level: int, rows: int, columns: int) -> Picture:
    border = cv2.copyMakeBorder(
        picture, rows, rows, columns, columns, cv2.BORDER_CONSTANT, value=(level,) * 3
    )
    return np.asarray(border, np.uint8)


@pytest.mark.parametrize("level", [0, 128])
@pytest.mark.parametrize(("rows", "columns"), [(12, 20), (30, 0), (0, 40), (30, 30)])
def test_border_of_any_proportions_is_cut_off(
    level: int, rows: int, columns: int, tmp_path: Path
) -> None:
    crop = find_crop(tmp_path / "v.mp4", lambda k: frame(draw_scene(k), level, rows, columns))
    assert crop == pytest.approx((columns, rows, WIDTH, HEIGHT), abs=1)


def test_plain_ground_is_no_border(tmp_path: Path) -> None:
    assert find_crop(tmp_path / "v.mp4", draw_scene) == (0, 0, WIDTH, HEIGHT)


def test_border_of_a_picture_that_fades_in_is_cut_off(tmp_path: Path) -> None:
    def draw(number: int) -> Picture:
        share = min(1.0, number / 12.0)
        return frame((share * draw_scene(0)).astype(np.uint8), 0, 12, 20)

    assert find_crop(tmp_path / "v.mp4", draw) == pytest.approx((20, 12, WIDTH, HEIGHT), abs=1)


def test_subtitles_in_a_border_are_cut_off_with_it(tmp_path: Path) -> None:
    def draw(number: int) -> Picture:
        picture = frame(draw_scene(number), 0, 24, 0)
        if 6 < number < 18:
            white, text = (255, 255, 255), "it moves to the right"
            cv2.putText(picture, text, (8, HEIGHT + 40), cv2.FONT_HERSHEY_SIMPLEX, 0.4, white)
        return picture

    assert find_crop(tmp_path / "v.mp4", draw) == pytest.approx((0, 24, WIDTH, HEIGHT), abs=1)
