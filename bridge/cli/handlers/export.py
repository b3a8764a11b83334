"""``luban export``."""

import json

from bridge.cli.commands.export import ExportRequest
from bridge.cli.errors import CommandError
from bridge.cli.handlers.designs import find_designs
from bridge.cli.output import check_output, write_output
from bridge.cli.terminal import join_lines
from bridge.meshes.formats import MeshFormat
from pysim.catalog import AnyLevel
from pysim.level_selection import load_level

__all__ = ["run_export"]


def run_export(request: ExportRequest) -> None:
    """Write a level as a file for designers' programs, or as meshes."""
    level = load_level(request.level)
    if request.to is not None or MeshFormat.from_path(request.out) is not None:
        _export_meshes(level, request)
    else:
        _export_design(level, request)


def _export_design(level: AnyLevel, request: ExportRequest) -> None:
    if unused := [f"--{name}" for name in _list_dimensions(request)]:
        raise CommandError(f"{unused[0]} is for meshes: give --to, or a file such as x.stl")
    designs, out = find_designs(level.family), request.out
    if out.suffix.lower() != designs.writes:
        endings = [designs.writes, *(format.suffix for format in MeshFormat)]
        raise CommandError(
            f"{out}: give a file whose name ends in {', '.join(endings[:-1])} or {endings[-1]}, or "
            "--to for a folder of meshes"
        )
    check_output(out, designs.writes, force=request.force)
    written = designs.write(level)
    write_output(out, written.data, force=request.force)
    if request.as_json:
        told = {"level": level.id, "out": str(out)}
        print(json.dumps(told | {"pieces": written.pieces, "shapes": written.shapes}))
    else:
        print(
            f"{out}: {join_lines(level.name)}, {written.pieces} pieces of {written.shapes} shapes"
        )


def _export_meshes(level: AnyLevel, request: ExportRequest) -> None:
    """Write one file of all pieces, or a folder with everything."""
    from bridge.meshes.export import encode_assembly, export_folder
    from pysim.geometry.solids import Dimensions

    out, named = request.out, MeshFormat.from_path(request.out)
    given = _list_dimensions(request)
    dimensions = Dimensions(**{"bevel": min(0.5, given.get("edge", 10.0) / 20.0)} | given)
    if named is None:
        assert request.to is not None
        folder = export_folder(level, out, request.to, dimensions, force=request.force)
        pieces, volume, files = folder.pieces, folder.volume, folder.files
    elif request.to in (None, named):
        check_output(out, named.suffix, force=request.force)
        file = encode_assembly(level, named, dimensions)
        write_output(out, file.data, force=request.force)
        pieces, volume, files = file.pieces, file.volume, (out.name,)
    else:
        raise CommandError(f"{out} is no {request.to}: give a folder, or a file that ends in it")
    if request.as_json:
        told = {"level": level.id, "out": str(out), "pieces": pieces}
        print(json.dumps(told | {"volume": round(volume, 3), "files": files}))
    else:
        print(f"{out}: {join_lines(level.name)}, {pieces} pieces, {volume / 1000.0:.1f} cm\u00b3")


def _list_dimensions(request: ExportRequest) -> dict[str, float]:
    """Return the dimensions of meshes that were given."""
    given = {"edge": request.edge, "tolerance": request.tolerance, "bevel": request.bevel}
    return {name: value for name, value in given.items() if value is not None}
