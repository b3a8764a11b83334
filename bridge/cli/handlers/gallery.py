"""``luban levels --gallery``: one page with a picture sheet of each level."""

import json
from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bridge.cli.commands.levels import LevelsRequest
from bridge.cli.errors import CommandError
from bridge.cli.level_facts import format_facts, select_levels
from bridge.cli.notices import print_notice
from bridge.cli.output import check_output, write_output
from bridge.cli.progress import show_frame_progress
from bridge.report.templating import render_template
from pysim.catalog import AnyLevel, find_family
from pysim.render.factory import create_renderer
from pysim.render.previews import draw_preview
from pysim.render.renderer import Renderer
from pysim.render.views import encode

__all__ = ["make_gallery"]


def make_gallery(request: LevelsRequest, out: Path) -> None:
    """Draw the levels that ``luban levels`` would list into one HTML page without other files."""
    check_output(out, ".html", force=request.force)
    levels, found = select_levels(request.family, request.chosen, request.tier)
    if not levels:
        raise CommandError("there are no such levels to draw")
    renderer, note = create_renderer(request.renderer)
    try:
        cards = _cards(renderer, levels, quiet=request.as_json)
        made_by = f"{renderer.name}: {renderer.version}"
    finally:
        renderer.close()
    title, rule = (found.title, found.rule) if found else ("Levels", "")
    page = render_template(
        "bridge.cli.handlers", "gallery.html", title=title, rule=rule, cards=cards
    ).encode()
    write_output(out, page, force=request.force)
    if request.as_json:
        told = {"out": str(out), "levels": len(levels), "bytes": len(page), "renderer": made_by}
        print(json.dumps(told))
        return
    print_notice(note)
    print(f"{out}: {len(levels)} levels, {len(page) / 2**20:.1f} MiB ({made_by})")


@dataclass(frozen=True, slots=True)
class _Card:
    """A level on the page.

    Attributes:
        level: that is shown.
        panels: titles of the panels of its picture.
        jpeg: the picture in base 64.
        width, height: of the picture in pixels.
        facts: for people, by name.
        source: designer and reference.
    """

    level: AnyLevel
    panels: Sequence[str]
    jpeg: str
    width: int
    height: int
    facts: Mapping[str, str]
    source: str


def _cards(renderer: Renderer, levels: list[AnyLevel], *, quiet: bool) -> list[_Card]:
    cards = []
    with show_frame_progress("drawing", quiet=quiet, unit="levels") as progress:
        for number, level in enumerate(levels):
            progress(number, len(levels))
            cards.append(_card(renderer, level))
    return cards


def _card(renderer: Renderer, level: AnyLevel) -> _Card:
    panels = find_family(level).preview(level.puzzle)
    sheet = draw_preview(renderer, panels, _panel_size(len(panels)))
    height, width, _ = sheet.shape
    jpeg = b64encode(encode(sheet, "jpeg")).decode()
    titles = [panel.title for panel in panels]
    return _Card(level, titles, jpeg, width, height, format_facts(level), _source(level))


def _panel_size(count: int) -> int:
    """Return pixels of a panel's edge: sheets of many panels stay readable, but not huge."""
    return 288 if count <= 6 else 224 if count <= 12 else 160


def _source(level: AnyLevel) -> str:
    """Designer, reference, and seed and generator if there are any."""
    source = level.source
    seed = "" if source.seed is None else f", seed {source.seed}"
    generator = f" ({source.generator}{seed})" if source.generator else ""
    return f"Designer: {source.designer}. Source: {source.reference}{generator}."
