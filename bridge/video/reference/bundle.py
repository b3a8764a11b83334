"""Bundles: folders with a true film and all that is known of it."""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from io import BytesIO
from math import prod
from pathlib import Path
from typing import BinaryIO, cast
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import numpy as np
from numpy.typing import NDArray

from bridge.recording.errors import reason_of
from bridge.recording.fields import FieldError, Fields, json_object
from bridge.recording.frames import mask_name
from bridge.recording.video import decode_pictures
from bridge.video.reference.arrays import ARRAYS_FILE, ArchiveError, read_array
from pysim.catalog import AnyLevel, read_level
from pysim.errors import InputError
from pysim.field_types import Json
from pysim.render.palette import Rgb
from pysim.render.pinhole import Pinhole
from pysim.untrusted import (
    GIB,
    MIB,
    MP4,
    FileKind,
    open_untrusted,
    read_untrusted,
    refuse_leaving_links,
)

__all__ = [
    "CLIP",
    "FILES",
    "FORMAT",
    "IDS",
    "INSTRUCTION",
    "LEVEL",
    "LOG",
    "LOSSLESS",
    "MANIFEST",
    "POSES",
    "REFERENCE",
    "VERSION",
    "VIDEO",
    "Bundle",
    "BundleError",
    "BundleStep",
    "Manifest",
    "MaskWriter",
    "file_hash",
    "manifest_from_json",
    "manifest_to_json",
    "read_bundle",
    "read_manifest",
]

FORMAT = "luban-bundle"
VERSION = 2
"""Version 1 has no ``seconds``."""

MANIFEST = "manifest.json"
LEVEL = "level.json"
LOG = "log.jsonl"
REFERENCE = "reference.png"
CLIP = "clip.mp4"
INSTRUCTION = "instruction.txt"
VIDEO = "video.mp4"
LOSSLESS = "lossless.mp4"
IDS = "ids.npz"
POSES = "poses.npz"
FILES = (LEVEL, LOG, REFERENCE, CLIP, INSTRUCTION, VIDEO, LOSSLESS, IDS, POSES)
"""What a bundle holds besides its manifest."""
MANIFEST_FILE = FileKind("a manifest of a bundle", 64 * MIB)
FILM_FILE = FileKind("a true film", 4 * GIB, MP4)
BUNDLED_FILE = FileKind("a file of a bundle", 4 * GIB)


_ZLIB_LEVEL = 3
"""Masks are large plain areas, on which higher levels gain little."""
_DATE = (1980, 1, 1, 0, 0, 0)
"""The same masks make the same file."""


class BundleError(InputError):
    """A bundle can't be made or read; the message names it and says why."""


@dataclass(frozen=True, slots=True)
class BundleStep:
    """One action of the film.

    Attributes:
        step: its number, from 1.
        action: name of the tool.
        arguments: what it was given.
        first_frame, last_frame: frames in which its bodies move, both included; the last one shows
            the end of the motion.
    """

    step: int
    action: str
    arguments: Mapping[str, Json]
    first_frame: int
    last_frame: int


@dataclass(frozen=True, slots=True, eq=False)
class Manifest:
    """Manifest of a bundle.

    Attributes:
        level, level_hash, family: what is played.
        fps: frames a second.
        speed: how many times as fast as usual.
        seconds: how long the film might be at most; None for as long as it takes.
        frames: how many there are.
        camera: K, E, width and height; it stands still.
        renderer: name and version of what drew the pictures.
        look: how bodies look.
        palette: body -> sRGB, in the order of ids: id 1 is the first one.
        pixels_per_unit: of the body that is farthest from the camera, when it is.
        steps: the plan, in order.
        solved: whether the film shows a whole solution.
        sha256: file -> hexadecimal hash of its bytes.
    """

    level: str
    level_hash: str
    family: str
    fps: int
    speed: float
    seconds: float | None
    frames: int
    camera: Pinhole
    renderer: str
    look: str
    palette: Mapping[str, Rgb]
    pixels_per_unit: float
    steps: tuple[BundleStep, ...]
    solved: bool
    sha256: Mapping[str, str]

    @property
    def names(self) -> tuple[str, ...]:
        """Bodies in the order of ids and poses."""
        return tuple(self.palette)


def manifest_to_json(manifest: Manifest) -> dict[str, object]:
    """The document that :func:`manifest_from_json` reads."""
    camera = manifest.camera
    return {
        "format": FORMAT,
        "version": VERSION,
        "level": manifest.level,
        "level_hash": manifest.level_hash,
        "family": manifest.family,
        "fps": manifest.fps,
        "speed": manifest.speed,
        "seconds": manifest.seconds,
        "frames": manifest.frames,
        "width": camera.width,
        "height": camera.height,
        "renderer": manifest.renderer,
        "look": manifest.look,
        "intrinsics": camera.intrinsics.tolist(),
        "extrinsics": camera.extrinsics.tolist(),
        "bodies": list(manifest.names),
        "palette": {name: list(colour) for name, colour in manifest.palette.items()},
        "pixels_per_unit": manifest.pixels_per_unit,
        "steps": [
            {
                "step": step.step,
                "action": {"name": step.action, "arguments": dict(step.arguments)},
                "first_frame": step.first_frame,
                "last_frame": step.last_frame,
            }
            for step in manifest.steps
        ],
        "solved": manifest.solved,
        "sha256": dict(manifest.sha256),
    }


def manifest_from_json(data: bytes) -> Manifest:
    """The manifest in a file's bytes.

    Raises:
        BundleError: it is none; the message says why.
    """
    try:
        fields = Fields(json_object(data))
        if not fields.has("format") or fields.text("format") != FORMAT:
            raise BundleError("this is no manifest of a bundle")
        if not 1 <= fields.whole("version", 0) <= VERSION:
            said = fields.whole("version", 0)
            raise BundleError(f"its version is {said}; this version of Luban reads 1 to {VERSION}")
        return _manifest(fields)
    except FieldError as error:
        raise BundleError(str(error)) from None


def _manifest(fields: Fields) -> Manifest:
    names, palette = fields.texts("bodies"), fields.mapping("palette")
    if set(names) != set(palette) or len(set(names)) < len(names):
        raise FieldError("'palette' and 'bodies' name other bodies")
    return Manifest(
        level=fields.text("level"),
        level_hash=fields.text("level_hash"),
        family=fields.text("family"),
        fps=fields.whole("fps", 1),
        speed=fields.number("speed"),
        seconds=fields.number("seconds") if _is_given(fields, "seconds") else None,
        frames=fields.whole("frames", 1),
        camera=Pinhole(
            _matrix(fields, "intrinsics", 3),
            _matrix(fields, "extrinsics", 4),
            fields.whole("width", 1),
            fields.whole("height", 1),
        ),
        renderer=fields.text("renderer"),
        look=fields.text("look"),
        palette={name: _colour(name, palette[name]) for name in names},
        pixels_per_unit=fields.number("pixels_per_unit"),
        steps=tuple(map(_step, fields.objects("steps"))),
        solved=_flag(fields, "solved"),
        sha256={name: str(digest) for name, digest in fields.mapping("sha256").items()},
    )


def _step(fields: Fields) -> BundleStep:
    action = fields.inner("action")
    return BundleStep(
        step=fields.whole("step", 1),
        action=action.text("name"),
        arguments=action.mapping("arguments"),
        first_frame=fields.whole("first_frame", 0),
        last_frame=fields.whole("last_frame", 0),
    )


def _matrix(fields: Fields, key: str, edge: int) -> NDArray[np.float64]:
    try:
        matrix = np.array(fields.value(key), dtype=np.float64)
    except (TypeError, ValueError):
        matrix = np.empty(0)
    if matrix.shape != (edge, edge):
        raise FieldError(f"{key!r} is a {edge}x{edge} matrix")
    return matrix


def _colour(name: str, value: Json) -> Rgb:
    if isinstance(value, list) and len(value) == 3:
        r, g, b = value
        if all(isinstance(part, int) and 0 <= part < 256 for part in (r, g, b)):
            return int(str(r)), int(str(g)), int(str(b))
    raise FieldError(f"the colour of {name!r} is three numbers from 0 to 255")


def _is_given(fields: Fields, key: str) -> bool:
    return fields.has(key) and not fields.is_null(key)


def _flag(fields: Fields, key: str) -> bool:
    value = fields.value(key)
    if not isinstance(value, bool):
        raise FieldError(f"{key!r} is true or false")
    return value


@dataclass(frozen=True, slots=True, eq=False)
class Bundle:
    """A bundle that was read; what is large stays on the disk until it is asked for.

    Attributes:
        path: its folder.
        manifest: what it says of itself.
        level: what is played.
        poses: (frames, bodies, 4, 4) from body to world; NaN where a body is not there.
    """

    path: Path
    manifest: Manifest
    level: AnyLevel
    poses: NDArray[np.float64]

    @property
    def names(self) -> tuple[str, ...]:
        """Bodies in the order of ids and poses."""
        return self.manifest.names

    @property
    def camera(self) -> Pinhole:
        """Camera of the film."""
        return self.manifest.camera

    def ids(self, frame: int) -> NDArray[np.uint16]:
        """The masks (H, W) of a frame: 0 where no body is seen, else its place among the names."""
        with open_untrusted(self.path / IDS, ARRAYS_FILE, self.path) as file:
            return self.read_mask(file, frame)

    def read_mask(self, file: BinaryIO, frame: int) -> NDArray[np.uint16]:
        """Return the masks (H, W) of a frame in the open file of all masks.

        Raises:
            BundleError: they are damaged.
        """
        shape = self.camera.height, self.camera.width
        try:
            ids = read_array(file, mask_name(frame), shape[0] * shape[1] * 2)
        except ArchiveError as error:
            raise BundleError(f"{self.path}: {IDS} is damaged ({error})") from None
        if ids.shape != shape or ids.dtype != np.uint16:
            raise BundleError(f"{self.path}: {IDS} does not fit the manifest")
        return cast("NDArray[np.uint16]", ids)

    def frames(self, file: str = LOSSLESS) -> Iterator[NDArray[np.uint8]]:
        """Yield the true film (H, W, 3), one frame after another.

        Args:
            file: the one without loss, or the one that browsers play.

        Raises:
            BundleError: it is damaged.
        """
        import av

        shape, count = (self.camera.height, self.camera.width, 3), 0
        try:
            with (
                open_untrusted(self.path / file, FILM_FILE, self.path) as opened,
                av.open(opened, "r") as container,
            ):
                for picture in decode_pictures(container):
                    if count == self.manifest.frames or picture.shape != shape:
                        break
                    count += 1
                    yield picture
                else:
                    if count == self.manifest.frames:
                        return
            raise BundleError(f"{self.path}: {file} does not fit the manifest")
        except BundleError:
            raise
        except (av.error.FFmpegError, OSError, ValueError, IndexError) as error:
            raise BundleError(f"{self.path}: {file} is damaged ({error})") from None


def read_bundle(path: Path, *, check: bool = True) -> Bundle:
    """The bundle in a folder.

    Args:
        check: whether the hashes of all files are compared with what the manifest says.

    Raises:
        BundleError: there is none, or it was changed or damaged; the message names what and says
            why.
    """
    try:
        refuse_leaving_links(path)
        manifest = read_manifest(path)
        if check:
            _check_hashes(path, manifest)
        level = read_level(path / LEVEL)
        return Bundle(path, manifest, level, _poses(path, manifest))
    except FileNotFoundError as error:
        what = Path(error.filename).name if error.filename else "a file"
        raise BundleError(f"{path} is no bundle: there is no {what}") from None
    except InputError as error:
        raise BundleError(f"{path}: {error}") from None
    except OSError as error:
        raise BundleError(f"{path}: {reason_of(error)}") from None


def read_manifest(path: Path) -> Manifest:
    """Return the manifest of the bundle in a folder.

    Raises:
        BundleError: it is none; the message says why.
        OSError: it can't be read.
    """
    return manifest_from_json(read_untrusted(path / MANIFEST, MANIFEST_FILE, path))


def file_hash(path: Path) -> str:
    """The SHA-256 of a file in hexadecimal digits.

    Raises:
        OSError: it can't be read.
    """
    with open_untrusted(path, BUNDLED_FILE) as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _check_hashes(path: Path, manifest: Manifest) -> None:
    missing = [name for name in FILES if name not in manifest.sha256]
    if missing:
        raise BundleError(f"the manifest has no hash of {', '.join(missing)}")
    for name, digest in manifest.sha256.items():
        if Path(name).name != name or file_hash(path / name) != digest:
            raise BundleError(f"{name} does not match the manifest; it was changed or damaged")


def _poses(path: Path, manifest: Manifest) -> NDArray[np.float64]:
    shape = (manifest.frames, len(manifest.names), 4, 4)
    try:
        with open_untrusted(path / POSES, ARRAYS_FILE, path) as file:
            poses = read_array(file, "poses", prod(shape) * 8)
            names = tuple(read_array(file, "names", MIB).tolist())
    except ArchiveError as error:
        raise BundleError(f"{POSES} is damaged ({error})") from None
    if names != manifest.names or poses.shape != shape or poses.dtype != np.float64:
        raise BundleError(f"{POSES} does not fit the manifest")
    return cast("NDArray[np.float64]", poses)


class MaskWriter:
    """Writes masks (H, W) uint16, frame after frame; a context manager.

    Raises (from every method):
        OSError: the file can't be written.
    """

    def __init__(self, path: Path) -> None:
        self._file = ZipFile(path, "x", ZIP_DEFLATED, compresslevel=_ZLIB_LEVEL)
        self._count = 0
        self._last: tuple[NDArray[np.uint16], bytes] | None = None

    def write(self, ids: NDArray[np.uint16]) -> None:
        """Add a frame."""
        if self._last is None or self._last[0] is not ids:
            buffer = BytesIO()
            np.save(buffer, ids, allow_pickle=False)
            self._last = ids, buffer.getvalue()
        entry = ZipInfo(f"{mask_name(self._count)}.npy", _DATE)
        entry.compress_type = ZIP_DEFLATED
        self._file.writestr(entry, self._last[1], compresslevel=_ZLIB_LEVEL)
        self._count += 1

    def __enter__(self) -> "MaskWriter":
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()
