"""``luban levels --gallery``: one page with a picture sheet of each level."""

import json
from base64 import b64encode
from html import escape
from pathlib import Path

from bridge.cli.commands.levels import LevelsRequest
from bridge.cli.errors import CommandError
from bridge.cli.level_facts import format_facts, select_levels
from bridge.cli.notices import print_notice
from bridge.cli.output import check_output, write_output
from bridge.cli.progress import show_frame_progress
from pysim.catalog import AnyLevel, find_family
from pysim.render.factory import create_renderer
from pysim.render.previews import draw_preview
from pysim.render.renderer import Renderer
from pysim.render.views import encode
from pysim.suites import Suite

__all__ = ["make_gallery"]


def make_gallery(request: LevelsRequest, out: Path) -> None:
    """Draw the levels that ``luban levels`` would list into one HTML page without other files."""
    check_output(out, ".html", force=request.force)
    levels, found = select_levels(request.family, request.suite)
    if not levels:
        raise CommandError("there are no such levels to draw")
    renderer, note = create_renderer(request.renderer)
    try:
        cards = _cards(renderer, levels, quiet=request.as_json)
        made_by = f"{renderer.name}: {renderer.version}"
    finally:
        renderer.close()
    page = _page(found, levels, cards).encode()
    write_output(out, page, force=request.force)
    if request.as_json:
        told = {"out": str(out), "levels": len(levels), "bytes": len(page), "renderer": made_by}
        print(json.dumps(told))
        return
    print_notice(note)
    print(f"{out}: {len(levels)} levels, {len(page) / 2**20:.1f} MiB ({made_by})")


def _cards(renderer: Renderer, levels: list[AnyLevel], *, quiet: bool) -> list[str]:
    cards = []
    with show_frame_progress("drawing", quiet=quiet, unit="levels") as progress:
        for number, level in enumerate(levels):
            progress(number, len(levels))
            cards.append(_card(renderer, level))
    return cards


def _card(renderer: Renderer, level: AnyLevel) -> str:
    panels = find_family(level).preview(level.puzzle)
    sheet = draw_preview(renderer, panels, _panel_size(len(panels)))
    height, width, _ = sheet.shape
    data = b64encode(encode(sheet, "jpeg")).decode()
    facts = "".join(
        f"<div><dt>{escape(name)}</dt><dd>{escape(value)}</dd></div>"
        for name, value in format_facts(level).items()
    )
    return (
        f'<article id="{level.id}">\n'
        f"<header><h2>{escape(level.name)}</h2>{_badge(level)}</header>\n"
        f'<img alt="{escape(level.name)}: {escape(", ".join(p.title for p in panels))}" '
        f'width="{width}" height="{height}" src="data:image/jpeg;base64,{data}">\n'
        f"<dl>{facts}</dl>\n"
        f"<p>{escape(_source(level))}</p>\n"
        f"<p><code>{level.id}</code></p>\n"
        "</article>\n"
    )


def _panel_size(count: int) -> int:
    """Return pixels of a panel's edge: sheets of many panels stay readable, but not huge."""
    return 288 if count <= 6 else 224 if count <= 12 else 160


def _badge(level: AnyLevel) -> str:
    return f'<span class="{level.tier.value}">{level.tier.value}</span>'


def _source(level: AnyLevel) -> str:
    """Designer, reference, and seed and generator if there are any."""
    source = level.source
    seed = "" if source.seed is None else f", seed {source.seed}"
    generator = f" ({source.generator}{seed})" if source.generator else ""
    return f"Designer: {source.designer}. Source: {source.reference}{generator}."


def _page(suite: Suite | None, levels: list[AnyLevel], cards: list[str]) -> str:
    title = suite.title if suite else "Levels"
    rule = f"<p>{escape(suite.rule)}</p>\n" if suite else ""
    index = "".join(
        f'<li><a href="#{level.id}">{escape(level.name)}</a> {_badge(level)}</li>'
        for level in levels
    )
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n"
        f"<h1>{escape(title)}</h1>\n<p>{len(levels)} levels.</p>\n{rule}"
        f"<nav><ol>{index}</ol></nav>\n<main>\n{''.join(cards)}</main>\n</body>\n</html>\n"
    )


_STYLE = """
:root { color-scheme: light dark; --paper: #f4f3ef; --card: #fff; --ink: #23211d; --faint: #6b675e }
@media (prefers-color-scheme: dark) {
  :root { --paper: #191816; --card: #262420; --ink: #eeebe3; --faint: #a39d90 }
}
* { box-sizing: border-box }
body { margin: 0 auto; padding: 1rem; max-width: 110rem; background: var(--paper);
  color: var(--ink); font: 1rem/1.5 system-ui, sans-serif }
h1 { margin: 0 0 .25rem; font-size: 1.75rem; line-height: 1.2 }
body > p { max-width: 46rem; margin: .25rem 0 }
nav ol { columns: 16rem; padding-left: 2rem; margin: 1rem 0 1.5rem }
nav li { break-inside: avoid; padding: .15rem 0 }
nav a { color: inherit }
main { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fill, minmax(min(100%, 30rem),
  1fr)); align-items: start }
article { background: var(--card); border-radius: .6rem; padding: 1rem;
  box-shadow: 0 1px 3px #0003; min-width: 0 }
article header { display: flex; gap: .75rem; align-items: baseline; justify-content: space-between }
h2 { margin: 0 0 .5rem; font-size: 1.2rem; line-height: 1.3 }
img { display: block; width: 100%; height: auto; border-radius: .3rem; background: #fafafa }
dl { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin: .75rem 0 }
dt { color: var(--faint); font-size: .8rem }
dd { margin: 0; font-variant-numeric: tabular-nums; overflow-wrap: anywhere }
article p { margin: .25rem 0 0; color: var(--faint); font-size: .85rem; overflow-wrap: anywhere }
span { font-size: .75rem; border-radius: 1rem; padding: .1rem .6rem; color: #fff }
.easy { background: #2d7d46 } .medium { background: #9a6500 } .hard { background: #b3261e }
.expert { background: #5b2a86 }
"""
