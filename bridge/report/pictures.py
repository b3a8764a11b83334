"""Small pictures for a report, drawn from the logs of its episodes.

No picture is stored while an episode is played. A log is played again, and the observations that
its agent had are made by the same code as then. What is drawn lies in a folder beside the page,
with an index, so that a second report of the same episodes draws nothing. Equal observations are
drawn once.
"""

import base64
import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from importlib.metadata import version
from pathlib import Path
from urllib.parse import quote

from bridge.episode.engines import LOCAL
from bridge.episode.episode import Episode
from bridge.episode.observation import View
from bridge.episode.records import Options
from bridge.recording.files import write_whole
from bridge.recording.log import Log
from bridge.recording.replay import Checker, make_step
from pysim.errors import LubanError
from pysim.render.camera import list_cameras
from pysim.render.renderer import Renderer, RendererUnavailable
from pysim.render.views import observe, tile
from pysim.untrusted import MIB, FileKind, parse_json, read_untrusted

__all__ = ["DrawnPicture", "EpisodePictures", "PictureAlbum"]

SIZE = 160
"""Edge of a view in pixels."""
INDEX_NAME = "pictures.json"
INDEX_FILE = FileKind("an index of pictures", 256 * MIB)
_INDEX_FORMAT = "luban-report-pictures/1"
_WORLD = "lattice"
"""The world in which logs are played again, the exact one."""
_SAVED_EVERY = 20
"""Episodes after which the index is written, so that an interrupted report resumes."""
DrawnViews = list[list[object]]
"""The pictures of an observation as the index has them: name, file, width and height of each."""
_NOT_SEEN = {"seed", "agent", "budget", "history_window", "picture_size", "feedback"}
"""Options on which no picture depends."""


@dataclass(frozen=True, slots=True)
class DrawnPicture:
    """A picture of the page.

    Attributes:
        name: of the view.
        source: a relative address or a data URL.
        width, height: in pixels.
    """

    name: str
    source: str
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class EpisodePictures:
    """The pictures of an episode.

    Attributes:
        observed: the views of an observation by the number of steps made before it.
        ends: of the first and the last state, for people.
        left_out: observations that were not drawn, because the page has enough pictures.
        problem: why none could be drawn; empty if some could.
    """

    observed: Mapping[int, Sequence[DrawnPicture]] = field(default_factory=dict)
    ends: Sequence[DrawnPicture] = ()
    left_out: int = 0
    problem: str = ""


class PictureAlbum:
    """Draws pictures, and keeps them in a folder.

    Attributes:
        limit: the most observations on the page.
        problem: why nothing can be drawn here; empty if that isn't so.

    Args:
        renderer: draws them; it isn't used before there is something to draw.
        page: the folder in which the page will lie.
        folder: for the pictures; None to put them into the page.
        size: edge of a view in pixels.
    """

    def __init__(
        self,
        renderer: Renderer,
        limit: int,
        page: Path = Path(),
        folder: Path | None = None,
        size: int = SIZE,
    ) -> None:
        self.limit = limit
        self._size = size
        self.problem = ""
        self._renderer = renderer
        self._folder = folder
        self._base = "" if folder is None else quote(Path(os.path.relpath(folder, page)).as_posix())
        self._known = {} if folder is None else _read_index(folder)
        self._used: set[str] = set()
        self._episodes = 0

    def draw_episode(
        self, log: Log, looks: Sequence[int], *, ends: bool, share: int
    ) -> EpisodePictures:
        """Return the pictures of an episode.

        Args:
            looks: for each observation that the agent looked at, the steps made before it.
            ends: whether the first and the last state are wanted, too.
            share: the most pictures and observations to draw.
        """
        wanted = list(dict.fromkeys(n for n in looks if n <= len(log.steps)))
        chosen = wanted[: max(0, share - ends)]
        tasks = {n: _observation_key(log, n, self._size) for n in chosen}
        last = len(log.steps)
        keys = {n: _state_key(log, n, self._size) for n in (0, last)} if ends and share > 0 else {}
        problem = self._draw(log, tasks, keys)
        found = {n: self._pictures(key) for n, key in tasks.items() if key in self._known}
        shown = [self._pictures(keys[n]) for n in keys if keys[n] in self._known]
        at_ends = [replace(drawn[0], name=name) for drawn, name in zip(shown, _ENDS, strict=False)]
        return EpisodePictures(found, at_ends, len(wanted) - len(chosen), problem)

    def close(self) -> None:
        """Write the index, and remove pictures of earlier pages that this one doesn't have."""
        if self._folder is None or not self._folder.is_dir() or not self.limit:
            return
        self._known = {key: self._known[key] for key in self._known if key in self._used}
        self.save()
        kept = {str(name) for drawn in self._known.values() for _, name, *_ in drawn}
        for file in self._folder.glob("*.jpg"):
            if file.name not in kept and len(file.stem) == _NAME_LENGTH:
                file.unlink(missing_ok=True)

    def save(self) -> None:
        """Write the index, so that a report that is interrupted goes on."""
        if self._folder is not None and self._folder.is_dir():
            document = {"format": _INDEX_FORMAT, "drawn": self._known}
            write_whole(self._folder / INDEX_NAME, json.dumps(document).encode())

    def _pictures(self, key: str) -> tuple[DrawnPicture, ...]:
        self._used.add(key)
        return tuple(
            DrawnPicture(str(name), self._source(str(file)), _whole(width), _whole(height))
            for name, file, width, height in self._known[key]
        )

    def _source(self, file: str) -> str:
        return f"{self._base}/{quote(file)}" if self._folder is not None else file

    def _draw(self, log: Log, tasks: Mapping[int, str], ends: Mapping[int, str]) -> str:
        """Draw what is not known yet; why that failed, or nothing."""
        missing = {n for n, key in (*tasks.items(), *ends.items()) if key not in self._known}
        if not missing or self.problem:
            return self.problem
        try:
            self._replay(log, tasks, ends, missing)
        except (RendererUnavailable, ImportError) as error:
            self.problem = f"no renderer: {error}"
        except LubanError as error:
            return f"the log can't be played again: {error}"
        self._episodes += 1
        if self._episodes % _SAVED_EVERY == 0:
            self.save()
        return self.problem

    def _replay(
        self, log: Log, tasks: Mapping[int, str], ends: Mapping[int, str], missing: set[int]
    ) -> None:
        world = LOCAL.create_world(_WORLD)
        try:
            options = replace(log.header.options, picture_size=self._size)
            episode = Episode(
                log.header.level,
                world,
                self._renderer,
                options,
                Checker(log, None),
                image_format="raw",
            )
            for n in range(max(missing) + 1):
                if n in missing:
                    self._look(episode, tasks.get(n), ends.get(n))
                if n < len(log.steps):
                    make_step(episode, log.steps[n])
        finally:
            world.close()

    def _look(self, episode: Episode, observed: str | None, end: str | None) -> None:
        if observed is not None and observed not in self._known:
            self._keep(observed, episode.observe().views)
        if end is not None and end not in self._known:
            self._keep(end, [_whole_scene(self._renderer, episode, self._size)])

    def _keep(self, key: str, views: Iterable[View]) -> None:
        drawn: DrawnViews = []
        for view in views:
            data = view.encoded("jpeg").data
            drawn.append([view.name, self._stored(data), view.width, view.height])
        self._known[key] = drawn

    def _stored(self, data: bytes) -> str:
        if self._folder is None:
            return f"data:image/jpeg;base64,{base64.b64encode(data).decode('ascii')}"
        name = f"{hashlib.sha256(data).hexdigest()[:_NAME_LENGTH]}.jpg"
        self._folder.mkdir(exist_ok=True)
        (self._folder / name).write_bytes(data)
        return name


_ENDS = ("at the start", "at the end")
_NAME_LENGTH = 32


def _whole_scene(renderer: Renderer, episode: Episode, size: int) -> View:
    """Return all there is to see, whatever the agent was shown."""
    scene = episode.scene
    views = [v.rgb for v in observe(renderer, scene, size, cameras=list_cameras(scene))]
    return View.raw("", tile(views, 2))


def _state_hash(log: Log, after: int) -> str:
    return log.steps[after - 1].state_hash if after else log.header.state_hash


def _observation_key(log: Log, after: int, size: int) -> str:
    """Name an observation by everything that it depends on."""
    options = log.header.options
    shown = {f.name: _digest(getattr(options, f.name)) for f in fields(Options)}
    told = [(name, value) for name, value in sorted(shown.items()) if name not in _NOT_SEEN]
    return _hashed(version("luban"), size, log.header.level.hash, _state_hash(log, after), told)


def _state_key(log: Log, after: int, size: int) -> str:
    return _hashed(version("luban"), size, log.header.level.hash, _state_hash(log, after), "whole")


def _digest(value: object) -> str:
    """Return an option as text; of one that has a hash of its own, such as a level, that hash."""
    return str(getattr(value, "hash", value))


def _hashed(*parts: object) -> str:
    return hashlib.sha256(repr(parts).encode()).hexdigest()


def _read_index(folder: Path) -> dict[str, DrawnViews]:
    """Read what was drawn before, as far as the files are still there."""
    try:
        document = parse_json(read_untrusted(folder / INDEX_NAME, INDEX_FILE, folder))
        if document["format"] != _INDEX_FORMAT:
            return {}
        present = {file.name for file in folder.iterdir()}
        return dict(_whole_entries(document["drawn"], present))
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return {}


def _whole_entries(
    drawn: Mapping[str, DrawnViews], present: set[str]
) -> Iterator[tuple[str, DrawnViews]]:
    for key, entry in drawn.items():
        with suppress(ValueError, TypeError):
            if entry and all(
                name in present and _whole(w) and _whole(h) for _, name, w, h in entry
            ):
                yield key, entry


def _whole(value: object) -> int:
    if not isinstance(value, int):
        raise TypeError(f"{value!r} is no number of pixels")
    return value
