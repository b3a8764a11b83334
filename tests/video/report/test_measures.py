"""Measures of pictures and of people, held against what others say they are."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.stats import kendalltau
from skimage.metrics import peak_signal_noise_ratio, structural_similarity
from statsmodels.stats.inter_rater import cohens_kappa as statsmodels_kappa

from bridge.video.report.agreement import (
    Annotation,
    AnnotationError,
    accord,
    cohens_kappa,
    frame_f1,
    rank_tau,
    read_annotation,
)
from bridge.video.report.measures import psnr, ssim


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


def test_ssim_and_psnr_are_those_of_scikit_image() -> None:
    one, other = pictures()
    paper = {"gaussian_weights": True, "sigma": 1.5, "use_sample_covariance": False}
    expected = structural_similarity(one, other, channel_axis=2, data_range=255.0, **paper)
    assert ssim(one, other) == pytest.approx(expected, abs=1e-6)
    expected = peak_signal_noise_ratio(one.astype(np.float64), other, data_range=255.0)
    assert psnr(one, other) == pytest.approx(expected, abs=1e-6)


def test_kappa_of_equal_marks_is_one() -> None:
    marks = np.repeat([True, False], 5)
    assert cohens_kappa(marks, marks) == cohens_kappa(marks[:5], marks[:5]) == 1.0


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=60))
def test_kappa_is_that_of_statsmodels(marks: list[tuple[bool, bool]]) -> None:
    one, other = np.array(marks).T
    table = np.array([[np.sum((one == a) & (other == b)) for b in (0, 1)] for a in (0, 1)])
    assume(max(table[0, 0], table[1, 1]) < len(marks))  # Else it is 0 by 0.
    expected = statsmodels_kappa(table, return_results=False)
    assert cohens_kappa(one, other) == pytest.approx(expected)


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


def test_frame_that_half_of_the_people_mark_is_not_broken() -> None:
    marked = {"a": [("teleport", 3, 6)]}
    people = [Annotation("ann", marked), Annotation("ben", {"a": []})]
    assert accord({"a": []}, {"a": 10}, people).f1 == 1.0
    assert accord({"a": []}, {"a": 10}, [*people, Annotation("eve", marked)]).f1 == 0.0


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format": "x"}'])
def test_what_is_no_annotation_is_refused_in_one_line(text: str, tmp_path) -> None:
    path = tmp_path / "a.json"
    path.write_text(text)
    with pytest.raises(AnnotationError, match="is no annotation") as caught:
        read_annotation(path)
    assert "\n" not in str(caught.value)
