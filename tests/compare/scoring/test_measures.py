"""Measures of pictures and of people, held against what others say they are."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.ndimage import gaussian_filter
from scipy.stats import kendalltau

from bridge.compare.scoring.agreement import (
    Annotation,
    AnnotationError,
    accord,
    cohens_kappa,
    frame_f1,
    rank_tau,
    read_annotation,
)
from bridge.compare.scoring.leaderboard import MeanFigure
from bridge.compare.scoring.measures import psnr, ssim


def pictures() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(1)
    one = rng.uniform(0, 255, (40, 50, 3)).astype(np.float32)
    return one, np.clip(one + rng.normal(0, 20, one.shape), 0, 255).astype(np.float32)


def test_equal_pictures_are_as_like_as_can_be() -> None:
    one, _ = pictures()
    assert psnr(one, one) == 60.0 and ssim(one, one) == pytest.approx(1.0)


def test_psnr_is_what_its_name_says() -> None:
    black = np.zeros((4, 4, 3), np.float32)
    assert psnr(black, black + 25.5) == pytest.approx(20.0)


def test_ssim_is_that_of_its_paper() -> None:
    one, other = (picture.astype(np.float64) for picture in pictures())

    def blur(x: np.ndarray) -> np.ndarray:
        return gaussian_filter(x, (1.5, 1.5, 0.0), truncate=5 / 1.5)

    a, b = blur(one), blur(other)
    c, d = (0.01 * 255) ** 2, (0.03 * 255) ** 2
    joint = blur(one * other) - a * b
    spread = blur(one**2) - a**2 + blur(other**2) - b**2
    whole = (2 * a * b + c) * (2 * joint + d) / ((a**2 + b**2 + c) * (spread + d))
    assert ssim(*pictures()) == pytest.approx(whole[5:-5, 5:-5].mean(), abs=1e-6)


def test_kappa_is_that_of_the_textbook() -> None:
    # Cohen's example as it is told everywhere: 20 yes-yes, 5 yes-no, 10 no-yes, 15 no-no.
    one = np.repeat([True, True, False, False], [20, 5, 10, 15])
    other = np.repeat([True, False, True, False], [20, 5, 10, 15])
    assert cohens_kappa(one, other) == pytest.approx(0.4)
    assert cohens_kappa(one, one) == 1.0


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=2, max_size=12))
def test_tau_is_that_of_scipy(values: list[tuple[int, int]]) -> None:
    one, other = zip(*values, strict=True)
    found = rank_tau(one, other)
    if len(set(one)) == 1 or len(set(other)) == 1:
        assert found is None
    else:
        assert found == pytest.approx(float(kendalltau(one, other).statistic))


def test_who_marks_what_we_say_agrees_with_us() -> None:
    ours = {"a": [("teleport", 3, 6)], "b": []}
    frames = {"a": 10, "b": 10}
    said = accord(ours, frames, [Annotation("ann", ours), Annotation("ben", ours)])
    assert (said.kappa, said.f1, said.tau) == (1.0, 1.0, 1.0)
    assert frame_f1(np.zeros(3, bool), np.zeros(3, bool)) == 1.0
    with pytest.raises(AnnotationError, match="nobody"):
        accord(ours, frames, [Annotation("eve", {"c": []})])


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format": "x"}'])
def test_what_is_no_annotation_is_refused_in_one_line(text: str, tmp_path) -> None:
    path = tmp_path / "a.json"
    path.write_text(text)
    with pytest.raises(AnnotationError, match="is no annotation") as caught:
        read_annotation(path)
    assert "\n" not in str(caught.value)


def test_a_single_video_has_no_deviation() -> None:
    assert MeanFigure.of([2.0]).sd is None
    assert MeanFigure.of([1.0, 3.0]).text() == "2.00 ± 1.41"
