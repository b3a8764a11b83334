"""Files of meshes: STL and OBJ by trimesh, 3MF, glTF."""

from collections.abc import Mapping, Sequence
from html import escape
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import numpy as np

from bridge.meshes.animation import Track
from bridge.meshes.formats import MeshFormat
from bridge.meshes.gltf import encode_glb
from bridge.meshes.pieces import Piece

__all__ = ["encode_meshes"]


def encode_meshes(
    name: str,
    pieces: Sequence[Piece],
    format: MeshFormat,
    tracks: Mapping[str, Track] = {},
) -> bytes:
    """Return pieces as one file, each where it stands.

    Args:
        name: of all of them.
        pieces: at least one.
        tracks: motion by the names of pieces, which only GLB takes.
    """
    match format:
        case MeshFormat.GLB:
            return encode_glb(name, pieces, tracks)
        case MeshFormat.THREE_MF:
            return _encode_3mf(name, pieces)
        case MeshFormat.OBJ:
            return _encode_obj(name, pieces)
        case MeshFormat.STL:
            return _encode_stl(pieces)


def _encode_stl(pieces: Sequence[Piece]) -> bytes:
    import trimesh
    from trimesh.exchange.stl import export_stl

    meshes = [
        trimesh.Trimesh(piece.place_vertices(), piece.solid.triangles, process=False)
        for piece in pieces
    ]
    data: bytes = export_stl(trimesh.util.concatenate(meshes))
    return data


def _encode_obj(name: str, pieces: Sequence[Piece]) -> bytes:
    lines, start = [f"# {_one_line(name)}, in millimetres"], 1
    for piece in pieces:
        lines.append(f"o {_one_line(piece.name)}")
        lines += ["v {:.6f} {:.6f} {:.6f}".format(*vertex) for vertex in piece.place_vertices()]
        lines += ["f {} {} {}".format(*face) for face in piece.solid.triangles + start]
        start += len(piece.solid.vertices)
    return "\n".join([*lines, ""]).encode()


def _one_line(text: str) -> str:
    return " ".join(text.split())


# -- 3MF -------------------------------------------------------------------------------------------

_CONTENT_TYPES = """<?xml version="1.0" encoding="UTF-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
<Default Extension="model" ContentType="application/vnd.ms-package.3dmanufacturing-3dmodel+xml"/>
</Types>
"""
_RELATIONSHIPS = """<?xml version="1.0" encoding="UTF-8"?>
<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
<Relationship Id="model" Target="/3D/3dmodel.model"
 Type="http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"/>
</Relationships>
"""
_MODEL = """<?xml version="1.0" encoding="UTF-8"?>
<model unit="millimeter" xml:lang="en-US"
 xmlns="http://schemas.microsoft.com/3dmanufacturing/core/2015/02">
<metadata name="Title">{title}</metadata>
<metadata name="Application">Luban</metadata>
<resources>
<basematerials id="1">
{materials}
</basematerials>
{objects}
<object id="{whole}" name="{title}" type="model">
<components>
{components}
</components>
</object>
</resources>
<build><item objectid="{whole}"/></build>
</model>
"""
_FIRST = 2
"""Number of the first object; the materials are number 1."""


def _encode_3mf(name: str, pieces: Sequence[Piece]) -> bytes:
    """Return a package of the core specification 1.3: pieces as components of one object."""
    numbers = range(_FIRST, _FIRST + len(pieces))
    model = _MODEL.format(
        title=escape(name),
        materials="\n".join(
            f'<base name="{escape(piece.name)}" displaycolor="#{bytes(piece.colour).hex()}"/>'
            for piece in pieces
        ),
        objects="\n".join(map(_format_object, pieces, numbers)),
        components="\n".join(f'<component objectid="{number}"/>' for number in numbers),
        whole=_FIRST + len(pieces),
    )
    package = BytesIO()
    with ZipFile(package, "w") as archive:
        for path, text in (
            ("[Content_Types].xml", _CONTENT_TYPES),
            ("_rels/.rels", _RELATIONSHIPS),
            ("3D/3dmodel.model", model),
        ):
            # With the oldest time that there is: the same pieces give the same bytes.
            archive.writestr(ZipInfo(path), text, ZIP_DEFLATED)
    return package.getvalue()


def _format_object(piece: Piece, number: int) -> str:
    vertices = "\n".join(
        '<vertex x="{:.6f}" y="{:.6f}" z="{:.6f}"/>'.format(*vertex)
        for vertex in piece.place_vertices()
    )
    triangles = "\n".join(
        '<triangle v1="{}" v2="{}" v3="{}"/>'.format(*triangle)
        for triangle in np.asarray(piece.solid.triangles)
    )
    return (
        f'<object id="{number}" name="{escape(piece.name)}" type="model" pid="1" '
        f'pindex="{number - _FIRST}">\n<mesh>\n<vertices>\n{vertices}\n</vertices>\n'
        f"<triangles>\n{triangles}\n</triangles>\n</mesh>\n</object>"
    )
