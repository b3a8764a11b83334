"""Submissions: which file is of which model and of which level.

A folder is a model. Its videos are named after levels, or lie in folders that are::

    MODEL/LEVEL.mp4   MODEL/LEVEL-SEED.mp4   MODEL/LEVEL/SEED.mp4   MODEL/SEED/LEVEL.mp4

With a single bundle names don't matter, unless they are those of another level.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from bridge.video.reference.bundle import MANIFEST
from bridge.video.report.floors import FloorKind
from pysim.errors import InputError

__all__ = [
    "Clip",
    "SubmissionError",
    "Submissions",
    "find_bundles",
    "list_floors",
    "list_submissions",
]

FLOORS = "floors"
"""Folder in the names of floors."""
ENDINGS = (".mp4", ".mov", ".mkv", ".webm", ".avi", ".gif", ".m4v")
_DEPTH = 3
"""Folders that may lie in one another, that of the model included."""
_AFTER = r"[-_. +@#]"
"""Between the name of a level and what tells its seeds apart."""


class SubmissionError(InputError):
    """Videos can't be told to be of a model and a level; the message names them and says why."""


@dataclass(frozen=True, slots=True)
class Clip:
    """A video of a model that shows a level.

    Attributes:
        model: name of the model; that of a floor is its kind.
        level: id of the level.
        name: model and file, with slashes between; no two clips have the same.
        video: the file; for a floor, which is made of the bundle, a name alone.
        floor: which floor it is; None for the video of a model.
    """

    model: str
    level: str
    name: str
    video: Path
    floor: FloorKind | None = None

    @property
    def folder(self) -> str:
        """Name of the folder of its files."""
        stem = self.name.removesuffix(self.video.suffix)
        return re.sub(r"[^A-Za-z0-9._-]+", "-", stem)


def list_floors(level: str) -> tuple[Clip, ...]:
    """Return the floors of a level, which are made of its bundle."""
    names = {kind: f"{FLOORS}/{level}/{kind}.mp4" for kind in FloorKind}
    return tuple(Clip(kind, level, name, Path(name), kind) for kind, name in names.items())


@dataclass(frozen=True, slots=True)
class Submissions:
    """Videos of models.

    Attributes:
        clips: in the order in which they were given.
        missing: model and level of which there is no video, where a model is a folder.
        others: videos of models that show other levels.
    """

    clips: tuple[Clip, ...]
    missing: tuple[tuple[str, str], ...] = ()
    others: tuple[Path, ...] = ()


def find_bundles(paths: Sequence[Path]) -> tuple[list[Path], list[Path]]:
    """Return the bundles among some paths, those in folders too, and the other paths."""
    bundles: list[Path] = []
    others: list[Path] = []
    for path in paths:
        inside = [path] if _is_bundle(path) else _list_bundles(path)
        (bundles if inside else others).extend(inside or [path])
    return list(dict.fromkeys(bundles)), others


def _is_bundle(path: Path) -> bool:
    return (path / MANIFEST).is_file()


def _list_bundles(path: Path) -> list[Path]:
    return [one for one in sorted(path.iterdir()) if _is_bundle(one)] if path.is_dir() else []


def list_submissions(
    given: Sequence[Path], levels: Collection[str], known: Collection[str] = ()
) -> Submissions:
    """Return the videos in some files and folders.

    Args:
        given: folders of models, and single videos.
        levels: ids of the levels that have a bundle.
        known: ids of other levels, after which videos may be named.

    Raises:
        SubmissionError: a folder has no video, or a video could be of any level.
    """
    namer = _Namer(frozenset(levels), frozenset(known) | frozenset(levels))
    found: list[Clip] = []
    others: list[Path] = []
    missing: list[tuple[str, str]] = []
    for path, model in zip(given, _name_models(given, namer), strict=True):
        if not path.is_dir():
            found.append(_make_clip(path, path, model, namer))
            continue
        files = sorted(_walk(path))
        if not files:
            raise SubmissionError(f"there is no video in {path}")
        mine = [(file, namer.find(file, path)) for file in files]
        others += [file for file, level in mine if level is None]
        clips = [_make_clip(file, path, model, namer) for file, level in mine if level is not None]
        found += clips
        if namer.is_own_folder(path):
            continue
        there = {clip.level for clip in clips}
        missing += [(model, level) for level in levels if level not in there]
    by_model = {(clip.model, clip.level) for clip in found}
    lacking = tuple(dict.fromkeys(pair for pair in missing if pair not in by_model))
    return Submissions(tuple(_tell_apart(found)), lacking, tuple(others))


def _make_clip(file: Path, given: Path, model: str, namer: "_Namer") -> Clip:
    is_single = file == given
    level = namer.choose(file) if is_single else namer.find(file, given)
    assert level is not None
    home = namer.find_home(file) if is_single else namer.find_model_folder(given)
    inside = file.resolve().relative_to(home.resolve()).as_posix()
    return Clip(model, level, f"{model}/{inside}", file)


def _walk(folder: Path, depth: int = _DEPTH) -> Iterator[Path]:
    """Yield the videos in a folder and in those inside it, but for hidden ones."""
    for path in folder.iterdir():
        if path.name.startswith("."):
            continue
        if path.is_dir() and depth > 1:
            yield from _walk(path, depth - 1)
        elif path.suffix.lower() in ENDINGS and path.is_file():
            yield path


def _name_models(given: Sequence[Path], namer: "_Namer") -> list[str]:
    """Return the model of each path: the name of its folder, with the one above if need be."""
    homes = [
        (namer.find_model_folder(path) if path.is_dir() else namer.find_home(path)).resolve()
        for path in given
    ]
    counts = Counter(home.name for home in set(homes))
    reserved = {*FloorKind, FLOORS}
    return [
        home.name
        if counts[home.name] == 1 and home.name not in reserved
        else f"{home.parent.name}/{home.name}"
        for home in homes
    ]


def _tell_apart(clips: Sequence[Clip]) -> Iterator[Clip]:
    """Yield clips, each once, and each with a folder of its own."""
    seen: dict[str, int] = {}
    for clip in dict.fromkeys(clips):
        count = seen[clip.folder] = seen.get(clip.folder, 0) + 1
        stem, suffix = clip.name.removesuffix(clip.video.suffix), clip.video.suffix
        yield clip if count == 1 else replace(clip, name=f"{stem}-{count}{suffix}")


@dataclass(frozen=True, slots=True)
class _Namer:
    """Finds the levels after which files and folders are named.

    Attributes:
        levels: ids of the levels that have a bundle.
        known: ids of all levels.
    """

    levels: frozenset[str]
    known: frozenset[str]

    def find(self, file: Path, folder: Path) -> str | None:
        """Return the level of a file in a model's folder; None for one that has no bundle.

        Raises:
            SubmissionError: it could be any.
        """
        inside = file.relative_to(folder).with_suffix("").parts
        named = next(filter(None, map(self._match, (*reversed(inside), folder.name))), None)
        if named is not None:
            return named if named in self.levels else None
        return self._only(file)

    def choose(self, file: Path) -> str:
        """Return the level of a single file; with a single bundle it is that one's.

        Raises:
            SubmissionError: it could be any.
        """
        if len(self.levels) == 1:
            return self._only(file)
        above = [folder.name for folder in file.resolve().parents[:2]]
        named = next(filter(None, map(self._match, (file.stem, *above))), None)
        if named is not None and named not in self.levels:
            raise SubmissionError(f"{file} is named after {named}, of which there is no bundle")
        return self._only(file) if named is None else named

    def _only(self, file: Path) -> str:
        if len(self.levels) > 1:
            raise SubmissionError(
                f"can't tell of which level {file} is: name it LEVEL.mp4 or LEVEL-SEED.mp4, or put "
                "it in a folder LEVEL"
            )
        (level,) = self.levels
        return level

    def _match(self, name: str) -> str | None:
        """Return the level that a file or folder is named after: the longest that fits."""
        ends = [len(name), *(match.start() for match in re.finditer(_AFTER, name))]
        fitting = (name[:end] for end in sorted(ends, reverse=True))
        return next((one for one in fitting if one in self.known), None)

    def is_own_folder(self, folder: Path) -> bool:
        """Return whether a folder is named after a level, so that it holds that level alone."""
        return folder.resolve().name in self.known

    def find_model_folder(self, folder: Path) -> Path:
        """Return the folder of the model that a folder is part of, if it is named after a level."""
        return folder.resolve().parent if self.is_own_folder(folder) else folder

    def find_home(self, file: Path) -> Path:
        """Return the folder of a single file's model: the nearest that is no level's.

        A bundle's folder is named after its level, too, and its films are of no model.
        """
        home = file.resolve().parent
        return home.parent if home.name in self.levels and not _is_bundle(home) else home
