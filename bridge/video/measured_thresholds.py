"""Measured thresholds, as ``python -m tools.measure_video_thresholds --write`` wrote them."""

from typing import NamedTuple

__all__ = ["MEASURED", "MeasuredThreshold"]


class MeasuredThreshold(NamedTuple):
    """A threshold, and how far true videos stay from it.

    Attributes:
        value: the threshold.
        extreme: what all but a hundredth of the videos keep; None before any was measured.
        videos: number of videos.
    """

    value: float
    extreme: float | None = None
    videos: int = 0


MEASURED = {
    "same_light": MeasuredThreshold(2.5, 0.0, 10),
    "usual_share": MeasuredThreshold(0.3, 0.164, 25),
    "ground_pixels": MeasuredThreshold(25.0, 5.34, 25),
    "least_pixels": MeasuredThreshold(15.0, 2.25, 25),
    "least_share": MeasuredThreshold(0.08, 0.0112, 25),
    "least_root": MeasuredThreshold(1.2, 0.524, 25),
    "other_look": MeasuredThreshold(0.05, 0.00776, 10),
    "least_contrast": MeasuredThreshold(0.15, 0.502, 25),
    "most_noise": MeasuredThreshold(0.12, 0.047, 25),
    "least_vividness": MeasuredThreshold(0.1, 0.771, 111),
    "ground_share": MeasuredThreshold(0.05, 0.0275, 25),
    "zoom": MeasuredThreshold(0.034, 0.000964, 25),
}
