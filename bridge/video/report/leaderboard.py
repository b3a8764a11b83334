"""Models beside each other: means and deviations over their videos."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import mean, stdev

__all__ = ["MeanFigure", "Standing", "standings"]

_Document = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class MeanFigure:
    """A mean, and the deviation of a sample; None for a single video."""

    mean: float
    sd: float | None

    @staticmethod
    def of(values: Sequence[float]) -> "MeanFigure":
        """Of one or more values."""
        return MeanFigure(mean(values), stdev(values) if len(values) > 1 else None)

    def text(self, digits: int = 2) -> str:
        """For people."""
        spread = "" if self.sd is None else f" ± {self.sd:.{digits}f}"
        return f"{self.mean:.{digits}f}{spread}"


@dataclass(frozen=True, slots=True)
class Standing:
    """A model: the figures over its videos.

    Attributes:
        model: its name.
        videos: how many.
        wrong: share of them in which anything is wrong.
        solved: share of them that solve the level.
        figures: by name: violations, broken_frames_ratio, legal_prefix_ratio (of the true plan),
            undecided_ratio; ssim and iou where they were measured.
    """

    model: str
    videos: int
    wrong: float
    solved: float
    figures: Mapping[str, MeanFigure]

    def cells(self) -> tuple[str, ...]:
        """As a row of a table."""
        names = ("violations", "broken_frames_ratio", "legal_prefix_ratio")
        more = ("undecided_ratio", "ssim", "iou")
        return (
            self.model,
            str(self.videos),
            f"{self.wrong:.2f}",
            *(self._cell(name) for name in names),
            f"{self.solved:.2f}",
            *(self._cell(name) for name in more),
        )

    def _cell(self, name: str) -> str:
        return self.figures[name].text() if name in self.figures else "–"

    def document(self) -> dict[str, object]:
        """As JSON."""
        return {
            "model": self.model,
            "videos": self.videos,
            "violation_rate": self.wrong,
            "solve_rate": self.solved,
            **{name: {"mean": f.mean, "sd": f.sd} for name, f in self.figures.items()},
        }


def standings(scores: Sequence[_Document], plan: int) -> list[Standing]:
    """Models, best first: few broken frames, then a long legal prefix.

    Args:
        scores: documents of :class:`~bridge.video.report.scores.VideoScore`.
        plan: steps of the true film.
    """
    models = dict.fromkeys(str(score["model"]) for score in scores)
    found = [_standing(model, [s for s in scores if s["model"] == model], plan) for model in models]
    return sorted(
        found,
        key=lambda s: (
            s.figures["broken_frames_ratio"].mean,
            -s.figures["legal_prefix_ratio"].mean,
            s.model,
        ),
    )


def _standing(model: str, scores: Sequence[_Document], plan: int) -> Standing:
    counts = [float(len(_list(score["violations"]))) for score in scores]
    figures = {
        "violations": MeanFigure.of(counts),
        "broken_frames_ratio": MeanFigure.of(
            [_float(s["broken_frames"]) / _float(s["frames"]) for s in scores]
        ),
        "legal_prefix_ratio": MeanFigure.of(
            [_float(_part(s, "plan")["legal_prefix"]) / max(1, plan) for s in scores]
        ),
        "undecided_ratio": MeanFigure.of([_float(s["undecided_ratio"]) for s in scores]),
    }
    for name in ("ssim", "iou"):
        values = [_part(s, "similarity")[name] for s in scores]
        if all(value is not None for value in values):
            figures[name] = MeanFigure.of([_float(value) for value in values])
    wrong = mean(float(count > 0) for count in counts)
    solved = mean(float(bool(_part(s, "plan")["solved"])) for s in scores)
    return Standing(model, len(scores), wrong, solved, figures)


def _list(value: object) -> Sequence[object]:
    assert isinstance(value, Sequence)
    return value


def _part(score: _Document, key: str) -> _Document:
    part = score[key]
    assert isinstance(part, Mapping)
    return part


def _float(value: object) -> float:
    return float(str(value))
