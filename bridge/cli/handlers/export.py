"""``luban export``."""

import json

from bridge.cli.commands.export import ExportRequest
from bridge.cli.handlers.designs import find_designs
from bridge.cli.output import check_output, write_output
from bridge.cli.terminal import join_lines
from pysim.level_selection import load_level

__all__ = ["run_export"]


def run_export(request: ExportRequest) -> None:
    """Write a level as a file for designers' programs."""
    level, out = load_level(request.level), request.out
    designs = find_designs(level.family)
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
