"""``luban export``."""

from dataclasses import dataclass, field
from pathlib import Path

from bridge.cli.dataclass_options import make_command
from bridge.cli.options import AS_JSON, LEVEL
from bridge.meshes.formats import MeshFormat

__all__ = ["ExportRequest", "command"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportRequest:
    """Options of ``luban export``."""

    level: str = field(metadata=LEVEL)
    out: Path = field(
        metadata={
            "help": "File to write, such as .xmpuzzle, or .stl, .3mf, .glb or .obj for all pieces "
            "assembled; with --to a folder."
        }
    )
    to: MeshFormat | None = field(
        default=None,
        metadata={
            "help": "Write a folder of meshes: each piece, all assembled, and in GLB the plan"
        },
    )
    edge: float | None = field(
        default=None, metadata={"shown": "10", "help": "Edge of a cell of a mesh in mm."}
    )
    tolerance: float | None = field(
        default=None,
        metadata={"shown": "0.15", "help": "How far each face of a mesh is set back in mm."},
    )
    bevel: float | None = field(
        default=None,
        metadata={"shown": "0.5", "help": "Chamfer of the edges of a mesh in mm; 0 for none."},
    )
    force: bool = field(
        default=False, metadata={"help": "Replace a file, or a folder of meshes, that exists."}
    )
    as_json: bool = field(default=False, metadata=AS_JSON)


command = make_command(
    "export",
    ExportRequest,
    run="bridge.cli.handlers.export:run_export",
    about="Write a level as a file that designers' programs open, or as meshes for a 3D printer.",
)
