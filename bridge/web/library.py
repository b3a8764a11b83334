"""The levels and episodes that a server shows."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bridge.recording.log import FORMAT, LOG_FILE, read_log
from bridge.web.messages import JsonObject, describe_palettes, encode_page_scene
from bridge.web.replays import (
    build_plan_document,
    build_replay_document,
    draw_replay_pictures,
)
from pysim.catalog import AnyLevel, find_family
from pysim.errors import InputError
from pysim.field_types import Json
from pysim.level_selection import select_levels
from pysim.puzzle import Tier
from pysim.render.renderer import Renderer
from pysim.untrusted import open_untrusted, refuse_leaving_links

__all__ = ["Library", "Recording", "find_recordings", "open_library"]

_PATTERNS = ("episode.jsonl", "*/episode.jsonl", "episodes/*/*/episode.jsonl")
_CUT_OFF = "-cut-off-"


@dataclass(frozen=True, slots=True)
class Recording:
    """A log that can be seen again.

    Attributes:
        title: its place in what was asked for.
        path: of the log.
    """

    title: str
    path: Path


@dataclass(frozen=True, slots=True)
class Library:
    """Levels to play and to look at, and episodes to see again.

    Attributes:
        levels: in the order in which they are listed.
        recordings: likewise.
    """

    levels: Sequence[AnyLevel] = ()
    recordings: Sequence[Recording] = ()

    def count(self) -> JsonObject:
        """Return how many there are of both: all that a playing page is told."""
        return {"levels": len(self.levels), "replays": len(self.recordings)}

    def describe(self) -> JsonObject:
        """Return the lists of both."""
        return {
            "levels": [_describe_level(level) for level in self.levels],
            "replays": [recording.title for recording in self.recordings],
            "tutorials": list(self._describe_tutorials()),
        }

    def _describe_tutorials(self) -> Iterator[JsonObject]:
        """Yield the easiest level of each family, and the names of its actions."""
        easiest: dict[str, int] = {}
        for number, level in enumerate(self.levels):
            best = easiest.setdefault(level.family, number)
            if _rate_ease(level) < _rate_ease(self.levels[best]):
                easiest[level.family] = number
        for family, number in easiest.items():
            level = self.levels[number]
            kinds, scope = find_family(level).actions, find_family(level).scope(level.puzzle)
            names: list[Json] = [kind.tool for kind in kinds if kind not in scope.withheld]
            yield {"family": family, "level": number, "actions": names}

    def describe_level(self, number: int) -> JsonObject:
        """Return a level as it stands at its beginning."""
        level = self.levels[number]
        rules = find_family(level).rules
        return {
            **_describe_level(level),
            "instruction": rules.instruction(level),
            "scene": encode_page_scene(rules.scene(level, rules.initial(level))),
            "colour_blind": dict(describe_palettes()),
            "source": f"{level.source.designer}; {level.source.reference}",
            "has_plan": level.plan is not None,
        }

    def show_plan(self, number: int) -> JsonObject:
        """Return the plan of a level, step by step."""
        return build_plan_document(self.levels[number])

    def show_replay(self, number: int) -> JsonObject:
        """Return an episode, step by step.

        Raises:
            LogError, ReplayMismatch: the log can't be shown.
        """
        return build_replay_document(read_log(self.recordings[number].path))

    def draw_pictures(self, number: int, renderer: Renderer) -> JsonObject:
        """Return the pictures that the agent of an episode was shown.

        Raises:
            LogError: the log can't be read.
        """
        return draw_replay_pictures(read_log(self.recordings[number].path), renderer)

    def show_whole_replay(self, number: int, renderer: Renderer) -> JsonObject:
        """Return both as one document, for a page that stands alone.

        Raises:
            LogError: the log can't be read.
            ReplayMismatch: it can't be played again.
        """
        log = read_log(self.recordings[number].path)
        pictures = draw_replay_pictures(log, renderer)
        return {**build_replay_document(log), "pictures": pictures}


def open_library(names: Iterable[str]) -> Library:
    """Find what names mean: suites, levels, tasks, files of levels, logs and folders of runs.

    Args:
        names: none for all levels that ship.

    Raises:
        InputError: one is none of these.
    """
    names = list(names)
    paths = [Path(name) for name in names if _is_recording(Path(name))]
    others = [name for name in names if not _is_recording(Path(name))]
    recordings = [found for path in paths for found in find_recordings(path)]
    levels = () if paths and not others else select_levels(",".join(others))
    return Library(levels, recordings)


def find_recordings(path: Path) -> list[Recording]:
    """Return the logs of a run, of a folder of episodes, or the one log.

    Raises:
        InputError: there is none.
    """
    if path.is_file():
        return [Recording(path.parent.name or path.name, path)]
    refuse_leaving_links(path)
    logs = sorted({log for pattern in _PATTERNS for log in path.glob(pattern)})
    found = [
        Recording(_name_recording(path, log), log)
        for log in logs
        if _CUT_OFF not in log.parent.name
    ]
    if not found:
        raise InputError(f"{path} holds no episode: name a run, an episode's folder or its log")
    return found


def _name_recording(path: Path, log: Path) -> str:
    parts = [part for part in log.parent.relative_to(path).parts if part != "episodes"]
    return "/".join([path.name, *parts])


def _is_recording(path: Path) -> bool:
    return path.is_dir() or (path.suffix == ".jsonl" and path.is_file() and _begins_as_log(path))


def _begins_as_log(path: Path) -> bool:
    """Return whether a file is a log, and no pool of tasks or list of levels."""
    with open_untrusted(path, LOG_FILE) as file:
        return f'"{FORMAT}"'.encode() in file.read(400)


def _rate_ease(level: AnyLevel) -> tuple[int, float, int, int]:
    """Return a number of a level that is least for the easiest: its tier, then its facts."""
    passes = level.facts.get("random_passes", 0)
    share = float(passes) if isinstance(passes, int | float) else 0.0
    return list(Tier).index(level.tier), -share, level.budget, len(level.colours)


def _describe_level(level: AnyLevel) -> JsonObject:
    facts: dict[str, Json] = json.loads(json.dumps(dict(level.facts)))
    return {
        "id": level.id,
        "name": level.name,
        "family": level.family,
        "tier": level.tier.value,
        "pieces": len(level.colours),
        "budget": level.budget,
        "facts": facts,
    }
