"""Export of a level as meshes: one file of all pieces, or a folder with everything."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bridge.meshes.animation import trace_plan
from bridge.meshes.files import encode_meshes
from bridge.meshes.formats import MeshFormat
from bridge.meshes.pieces import (
    Piece,
    lay_down,
    list_assembled_bodies,
    list_bodies,
    make_pieces,
)
from bridge.recording.dataset.folder import check_folder, new_folder
from bridge.recording.errors import RecordingError, reason_of
from bridge.recording.files import write_whole
from bridge.recording.folders import format_folder_name
from pysim.catalog import AnyLevel
from pysim.errors import InputError
from pysim.field_types import Json
from pysim.geometry.solids import Dimensions
from pysim.scene import Body

__all__ = ["MeshFile", "MeshFolder", "encode_assembly", "export_folder"]

MARK = "meshes.json"
"""File by which a folder is known to hold exported meshes, which may then be replaced."""
CONTENT = "exported meshes"


@dataclass(frozen=True, slots=True)
class MeshFile:
    """A file of all pieces.

    Attributes:
        data: its content.
        pieces: number of pieces.
        volume: of all pieces, in cubic millimetres.
    """

    data: bytes
    pieces: int
    volume: float


@dataclass(frozen=True, slots=True)
class MeshFolder:
    """A folder of meshes.

    Attributes:
        files: that were written, within the folder, in order.
        pieces: number of pieces.
        volume: of all pieces, in cubic millimetres.
    """

    files: tuple[str, ...]
    pieces: int
    volume: float


def encode_assembly(level: AnyLevel, format: MeshFormat, dimensions: Dimensions) -> MeshFile:
    """Return one file of all pieces put together.

    Raises:
        InputError: the level has no solid pieces, or no way to put them together is known.
    """
    list_bodies(level)
    bodies = list_assembled_bodies(level)
    if bodies is None:
        raise InputError(
            f"no way to put {level.id} together is known: give --to {format} and a folder, for its "
            "pieces one by one"
        )
    pieces = make_pieces(bodies, dimensions)
    return MeshFile(encode_meshes(level.id, pieces, format), len(pieces), _sum_volumes(pieces))


def export_folder(
    level: AnyLevel, out: Path, format: MeshFormat, dimensions: Dimensions, *, force: bool = False
) -> MeshFolder:
    """Write the pieces of a level one by one and assembled; the folder appears whole or not at all.

    Of GLB also the level's plan as an animation. ``meshes.json`` lists what there is.

    Args:
        out: the folder.
        force: whether meshes that are there are replaced.

    Raises:
        InputError: the level has no solid pieces, or something else is in the place.
        RecordingError: the folder can't be written.
    """
    bodies = list_bodies(level)
    check_folder(out, force=force, marks=(MARK,), content=CONTENT)
    printed = [make_pieces([lay_down(body)], dimensions)[0] for body in bodies]
    names = [f"pieces/{_format_name(i, body)}{format.suffix}" for i, body in enumerate(bodies, 1)]
    pieces = dict(zip(names, printed, strict=True))
    files = {name: encode_meshes(piece.name, [piece], format) for name, piece in pieces.items()}
    files |= _encode_wholes(level, bodies, format, dimensions)
    files[MARK] = f"{json.dumps(_describe(level, dimensions, pieces), indent=2)}\n".encode()
    with new_folder(out, force=force, marks=(MARK,), content=CONTENT) as folder:
        _write(folder, out, files)
    return MeshFolder(tuple(files), len(bodies), _sum_volumes(printed))


def _encode_wholes(
    level: AnyLevel, bodies: Sequence[Body], format: MeshFormat, dimensions: Dimensions
) -> dict[str, bytes]:
    """Return the files of all pieces: assembled and on their way, as far as these are known."""
    files = {}
    assembled = list_assembled_bodies(level)
    if assembled is not None:
        pieces = make_pieces(assembled, dimensions)
        files[f"assembled{format.suffix}"] = encode_meshes(level.id, pieces, format)
    if format is MeshFormat.GLB and level.plan is not None:
        pieces = make_pieces(bodies, dimensions, is_grounded=False)
        tracks = trace_plan(level, level.plan, dimensions.edge)
        files["plan.glb"] = encode_meshes(level.id, pieces, format, tracks)
    return files


def _write(folder: Path, out: Path, files: Mapping[str, bytes]) -> None:
    """Write the files of a folder that is ``out`` in the end."""
    try:
        (folder / "pieces").mkdir()
        for name, data in files.items():
            write_whole(folder / name, data)
    except OSError as error:
        raise RecordingError(f"can't write {out}: {reason_of(error)}") from error


def _describe(
    level: AnyLevel, dimensions: Dimensions, pieces: Mapping[str, Piece]
) -> dict[str, Json]:
    """Return the contents of the list of meshes."""
    return {
        "level": level.id,
        "hash": level.hash,
        "edge_mm": dimensions.edge,
        "tolerance_mm": dimensions.tolerance,
        "bevel_mm": dimensions.bevel,
        "pieces": [
            {
                "name": piece.name,
                "file": name,
                "volume_mm3": round(piece.solid.volume, 3),
                "size_mm": [round(edge, 3) for edge in piece.place_vertices().max(axis=0).tolist()],
            }
            for name, piece in pieces.items()
        ],
    }


def _sum_volumes(pieces: Sequence[Piece]) -> float:
    return sum(piece.solid.volume for piece in pieces)


def _format_name(number: int, body: Body) -> str:
    """Return the name of the file of a piece; the number keeps equal ones apart."""
    return format_folder_name(f"{number:02}", body.name)
