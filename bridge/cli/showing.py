"""``luban show``."""

import json
from pathlib import Path

from bridge.cli.notices import print_notice
from pysim.catalog import family_of, find_level
from pysim.render.factory import create_renderer
from pysim.render.views import encode, mosaic, observe, observe_goal

__all__ = ["run_show"]


def run_show(name: str, out: Path | None, size: int, renderer_name: str, as_json: bool) -> None:
    """Render the first observation of a level into one PNG."""
    level = find_level(name)
    rules = family_of(level).rules
    renderer, note = create_renderer(renderer_name)
    try:
        views = observe(renderer, rules.scene(level, rules.initial(level)), size)
        goal = rules.goal_scene(level)
        if goal is not None:
            views = (*views, observe_goal(renderer, goal, size))
        made_by = f"{renderer.name}: {renderer.version}"
    finally:
        renderer.close()
    path = out or Path(f"{level.id}.png")
    columns = 2 if len(views) <= 4 else 3
    path.write_bytes(encode(mosaic([view.rgb for view in views], columns), "png", renderer=made_by))
    if as_json:
        names = [view.name for view in views]
        print(
            json.dumps({"level": level.id, "out": str(path), "views": names, "renderer": made_by})
        )
        return
    print_notice(note)
    print(f"{path}: {', '.join(view.name for view in views)} ({made_by})")
