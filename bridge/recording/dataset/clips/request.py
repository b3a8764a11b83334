"""Requests for datasets of clips."""

from collections.abc import Mapping
from dataclasses import dataclass, fields

from bridge.recording.dataset.errors import DatasetError
from pysim.render.renderer import MAX_SIZE
from pysim.render.scenery import Finish

__all__ = ["ClipsRequest"]

MOST_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class ClipsRequest:
    """Request for a dataset of clips.

    Attributes:
        count: number of clips.
        levels: ids of the levels of which they show parts.
        seed: of everything that is left to chance.
        size: width and height in pixels, both even.
        fps: frames a second.
        seconds: how long a clip is, unless the plan ends before.
        finishes: what bodies may seem to be made of.
        blurred: share of the clips in which what moves is blurred.
        forged: share of the clips with a violation, which is labelled.
        shard: clips in a file.

    Raises:
        DatasetError: one of them can't be.
    """

    count: int
    levels: tuple[str, ...]
    seed: int = 0
    size: tuple[int, int] = (832, 480)
    fps: int = 24
    seconds: float = 5.0
    finishes: tuple[Finish, ...] = tuple(Finish)
    blurred: float = 0.0
    forged: float = 0.0
    shard: int = 100

    def __post_init__(self) -> None:
        if not self.levels:
            raise DatasetError("there is no level with a plan among these, so nothing to film")
        if not (1 <= self.count <= 10_000_000 and 1 <= self.shard <= 100_000):
            raise DatasetError("a dataset has 1 to 10,000,000 clips, and a shard 1 to 100,000")
        if not 1 <= self.fps <= 240:
            raise DatasetError(f"a film has 1 to 240 pictures a second, not {self.fps}")
        if not all(16 <= edge <= MAX_SIZE and edge % 2 == 0 for edge in self.size):
            raise DatasetError(f"a clip's width and height are even, not {self.size}")
        if not 0.5 <= self.seconds <= MOST_SECONDS:
            raise DatasetError(f"a clip lasts 0.5 to {MOST_SECONDS:g} seconds, not {self.seconds}")
        for share in (self.blurred, self.forged):
            if not 0.0 <= share <= 1.0:
                raise DatasetError(f"a share of clips is 0 to 1, not {share}")

    @property
    def shards(self) -> int:
        """Number of files."""
        return -(-self.count // self.shard)

    def numbers(self, shard: int) -> range:
        """The clips in a file, by number."""
        return range(shard * self.shard, min(self.count, (shard + 1) * self.shard))

    def to_json(self) -> Mapping[str, object]:
        """Everything that a clip depends on, but for what draws it."""
        values = {each.name: getattr(self, each.name) for each in fields(self)}
        return {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in values.items()
        }
