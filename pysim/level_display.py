"""Display of a level in a notebook: a picture of its start, and what is known of it."""

import base64
from functools import lru_cache
from html import escape

from pysim.catalog import AnyLevel, find_family
from pysim.render.factory import create_renderer
from pysim.render.previews import draw_preview
from pysim.render.renderer import RendererUnavailable
from pysim.render.views import encode, observe, tile

__all__ = ["draw_level", "format_level"]

_SIZE = 320
"""Edge of a view in pixels."""


@lru_cache(maxsize=16)  # A notebook asks for the picture alone, and once more within the page.
def draw_level(level: AnyLevel) -> bytes | None:
    """Return the views of a level as it starts as one PNG; None where no renderer can be used."""
    family = find_family(level)
    scene = family.rules.scene(level, family.rules.initial(level))
    try:
        renderer, _ = create_renderer()
    except RendererUnavailable:
        return None
    try:
        if scene.views == ():  # Agents are shown none; people are.
            return encode(draw_preview(renderer, family.preview(level.puzzle), _SIZE), "png")
        views = observe(renderer, scene, _SIZE)
    finally:
        renderer.close()
    return encode(tile([view.rgb for view in views], 4), "png")


def format_level(level: AnyLevel) -> str:
    """Return a level as HTML; whatever the level says is escaped."""
    cells = "".join(
        f'<tr><th style="text-align:left">{name}</th><td style="text-align:left">'
        f"{escape(value)}</td></tr>"
        for name, value in _list_facts(level).items()
    )
    return (
        f"<div><b>{escape(level.name)}</b><div>{_format_picture(level)}</div>"
        f"<table>{cells}</table></div>"
    )


def _format_picture(level: AnyLevel) -> str:
    picture = draw_level(level)
    if picture is None:
        return "no renderer can be used here"
    data = base64.b64encode(picture).decode()
    return f'<img alt="{escape(level.id)} as it starts" src="data:image/png;base64,{data}">'


def _list_facts(level: AnyLevel) -> dict[str, str]:
    plan = "none is known"
    if level.plan is not None:
        plan = f"{len(level.plan)} actions, {level.plan.proof.lower().replace('_', ' ')}"
    return {
        "level": level.id,
        "family": level.family,
        "tier": level.tier,
        "pieces": ", ".join(level.colours),
        "budget": f"{level.budget} steps",
        "plan": plan,
        "from": level.source.designer,
        "hash": level.hash,
    }
