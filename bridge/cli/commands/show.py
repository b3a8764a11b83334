"""``luban show``."""

from dataclasses import dataclass, field
from pathlib import Path

from bridge.cli.dataclass_options import make_command
from bridge.cli.options import AS_JSON, CAMERA, LEVEL, RENDERER

__all__ = ["ShowRequest", "command"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ShowRequest:
    """Options of ``luban show``."""

    level: str = field(metadata=LEVEL)
    views: str = field(
        default="",
        metadata={
            "help": "composed (as agents see it), sheet, single, classic; iso4, iso6, faces6, "
            "turntable8; or a picture that the family knows, as a cube's net."
        },
    )
    camera: str = field(default="", metadata=CAMERA)
    image_size: int = field(default=512, metadata={"help": "Edge of each view in pixels."})
    passes: str = field(
        default="rgb",
        metadata={"help": "Some of rgb,ids,depth,normals; more than rgb fills a folder."},
    )
    out: Path | None = field(
        default=None,
        metadata={"help": "PNG or folder to write; by default named after the level."},
    )
    orthographic: bool = field(
        default=False, metadata={"help": "Orthographic projection; needs --views."}
    )
    labels: str = field(
        default="none", metadata={"help": "Labels on the pieces: none, letters or colours."}
    )
    spread: float = field(
        default=0.0,
        metadata={"least": 0.0, "help": "Exploded view: how far to move pieces apart."},
    )
    through: str = field(default="", metadata={"help": "Pieces to draw translucent: red,blue."})
    cut: str = field(
        default="", metadata={"help": "Cut away what lies beyond a layer: +x:2 keeps x up to 2."}
    )
    palette: str = field(default="standard", metadata={"help": "standard or colour-blind."})
    renderer: str = field(default="auto", metadata=RENDERER)
    as_json: bool = field(default=False, metadata=AS_JSON)


command = make_command(
    "show",
    ShowRequest,
    run="bridge.cli.handlers.show:run_show",
    about="Render the views of a level as it starts.",
)
