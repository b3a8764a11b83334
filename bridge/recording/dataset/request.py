"""Request for a dataset, and the properties that its logs share."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import reduce
from operator import or_
from typing import NoReturn

from bridge.episode.choices import MAX_PICTURE, MIN_PICTURE, Obs
from bridge.recording.dataset.cameras import STAGE, camera_names, check_cameras
from bridge.recording.dataset.episodes import Recording
from bridge.recording.dataset.errors import DatasetError
from bridge.recording.dataset.vectors import Sizes
from bridge.recording.log import read_log
from pysim.catalog import find_family
from pysim.puzzle import Outcome

__all__ = ["Contents", "DatasetRequest", "Format", "survey"]


class Format(StrEnum):
    """Layout of a dataset on the disk."""

    LEROBOT = "lerobot"
    PARQUET = "parquet"

    @classmethod
    def _missing_(cls, value: object) -> NoReturn:
        raise DatasetError(f"there is no format {value!r}; there are {', '.join(cls)}, chat")


@dataclass(frozen=True, slots=True)
class DatasetRequest:
    """Properties of a dataset to be made.

    Attributes:
        format: how it lies on the disk.
        fps: moments a second, in timestamps and videos.
        size: edge of the pictures in pixels, even.
        cameras: see :mod:`bridge.recording.dataset.cameras`.
        obs: whether there are videos, states, or both.
        only_solved: whether other episodes are left out.

    Raises:
        DatasetError: a value is out of range.
    """

    format: Format = Format.LEROBOT
    fps: int = 4
    size: int = 256
    cameras: tuple[str, ...] = (STAGE,)
    obs: Obs = Obs.IMAGE_STATE
    only_solved: bool = False

    def __post_init__(self) -> None:
        if not 1 <= self.fps <= 240:
            raise DatasetError(f"a dataset has 1 to 240 moments a second, not {self.fps}")
        if not MIN_PICTURE <= self.size <= MAX_PICTURE or self.size % 2:
            raise DatasetError(
                f"pictures are {MIN_PICTURE} to {MAX_PICTURE} pixels wide, an even number, "
                f"not {self.size}"
            )
        if self.obs is Obs.WRONG:
            raise DatasetError(
                "a dataset shows its own levels: the observation is image, image+state or state"
            )
        if not self.cameras:
            raise DatasetError(
                "a dataset needs a camera; --observation state is one without pictures"
            )

    @property
    def filmed(self) -> tuple[str, ...]:
        """The cameras whose pictures are wanted."""
        return self.cameras if self.obs.has_images else ()


@dataclass(frozen=True, slots=True)
class Contents:
    """Contents of a dataset.

    Attributes:
        recordings: in the order of the episodes.
        families: of their levels, sorted.
        sizes: the most that any of their levels has.
        frames: of all episodes.
    """

    recordings: tuple[Recording, ...]
    families: tuple[str, ...]
    sizes: Sizes
    frames: int


def survey(recordings: Sequence[Recording], request: DatasetRequest) -> Contents:
    """Read all logs once.

    Raises:
        LogError: one is damaged; the message names it.
        DatasetError: there is none, none is left, or no level has a camera that is wanted.
    """
    kept, families, sizes, frames = [], set(), [], 0
    cameras: dict[str, None] = {}
    for recording in recordings:
        log = read_log(recording.path)
        if request.only_solved and (log.ending is None or log.ending.outcome is not Outcome.SOLVED):
            continue
        level = log.header.level
        rules = find_family(level).rules
        scene = rules.scene(level, rules.initial(level))
        kept.append(recording)
        families.add(level.family)
        cameras |= dict.fromkeys(camera_names(scene))
        sizes.append(Sizes.of(scene, len(level.colours)))
        frames += len(log.steps) + 1
    if not kept:
        raise DatasetError("none of these episodes was solved" if recordings else "there is no log")
    check_cameras(request.filmed, list(cameras))
    return Contents(tuple(kept), tuple(sorted(families)), reduce(or_, sizes), frames)
