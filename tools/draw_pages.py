"""Draws the pages of the documents that are pictures: ``python tools/draw_pages.py``.

Writes ``docs/palette.md``, ``docs/gallery.md`` and their pictures in ``docs/media``.
"""

import itertools
from collections.abc import Iterable, Mapping, Set
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from perf.render import crowd
from pysim.catalog import AnyLevel, discover_families, find_family, find_level, list_shipped_levels
from pysim.families.rubik.puzzle import CubePuzzle, Setting
from pysim.geometry import HOME, Bounds, Direction, Voxels
from pysim.render.camera import fit, make_camera_set, measure_bounds
from pysim.render.egl import EglRenderer
from pysim.render.exploded_views import cut_away, explode, make_translucent
from pysim.render.overlay import PLAIN, Labels, Overlay, draw_overlay
from pysim.render.palette import COLOUR_BLIND, PALETTE, Rgb
from pysim.render.renderer import Renderer
from pysim.render.views import observe, tile
from pysim.scene import Body, Colour, Scene, Sticker
from pysim.suites import find_suite, list_suites, load_levels

DOCS = Path(__file__).resolve().parent.parent / "docs"
MEDIA = DOCS / "media"
COLUMNS = 8
_CUBE = Voxels.from_cells([(0, 0, 0)])
_FACES = {
    "+x": "red",
    "-x": "orange",
    "+y": "blue",
    "-y": "green",
    "+z": "white",
    "-z": "yellow",
}


def main() -> None:
    """Draw everything."""
    MEDIA.mkdir(parents=True, exist_ok=True)
    (DOCS / "palette.md").write_text(palette_page(), encoding="utf-8")
    (DOCS / "gallery.md").write_text(gallery_page(), encoding="utf-8")
    with EglRenderer() as renderer:
        _save("looks", _looks(renderer, 320))
        _save("rubik", _shots_of(renderer, find_level("cubebench-d08-1-full-visual"), 320))
        _save("palette", _swatches(renderer, PALETTE))
        for title, shown in _groups().items():
            _save(f"gallery-{title}", _contact_sheet(renderer, shown, 160))
    with EglRenderer(palette=COLOUR_BLIND) as renderer:
        _save("palette-colour-blind", _swatches(renderer, dict(list(COLOUR_BLIND.items())[:12])))


def palette_page() -> str:
    """Return the table of all colours."""
    rows = [
        f"| {index} | `{name}` | {_code(PALETTE[name])} | {_code(COLOUR_BLIND[name])} |"
        for index, name in enumerate(PALETTE, start=1)
    ]
    return "\n".join(
        [
            "# The palette",
            "",
            "See the colours of pieces, by their names.",
            "",
            f"{len(PALETTE)} names in the order in which colours are handed out."
            " On rendered faces in any light",
            "any two are at least 12 apart by CIEDE2000. A test measures it.",
            "",
            f"![a cube in each of the {len(PALETTE)} colours](media/palette.png)",
            "",
            "The colour-blind palette changes the first 12: they are at least 12 apart also under",
            "simulated protanopia, deuteranopia and tritanopia.",
            "",
            "![a cube in each of the 12 colours](media/palette-colour-blind.png)",
            "",
            "| | name | standard | colour-blind |",
            "|---|---|---|---|",
            *rows,
            "",
        ]
    )


def gallery_page() -> str:
    """Return the page with every level."""
    lines = ["# Gallery", "", "See every level that ships, as it starts."]
    lines[-1] += " Cubes are in one of their four settings. `luban levels --suite NAME"
    lines[-1] += " --gallery PAGE.html` makes a page with more of each."
    for title, shown in _groups().items():
        lines += ["", f"## {title}", "", f"![{len(shown)} levels](media/gallery-{title}.png)", ""]
        lines += [f"{i}. `{level.id}`: {level.name}" for i, level in enumerate(shown, start=1)]
    return "\n".join([*lines, ""])


def _groups() -> dict[str, tuple[AnyLevel, ...]]:
    """Return the levels of each suite, and of each family those that are left.

    Without suites that only join others, and those that only pick from another one.
    """
    suites = {name: tuple(load_levels(find_suite(name))) for name in list_suites()}
    sets = {name: {level.id for level in shown} for name, shown in suites.items()}
    whole = {name: own for name, own in sets.items() if not _joins(own, sets.values())}
    groups = {
        name: tuple(level for level in suites[name] if _drawn(level))
        for name, own in whole.items()
        if not any(own < other for other in whole.values())
    }
    seen = set().union(*sets.values())
    for family in discover_families():
        left = tuple(v for v in list_shipped_levels() if v.family == family and v.id not in seen)
        if left:
            groups[family] = left
    return groups


def _joins(own: Set[str], suites: Iterable[Set[str]]) -> bool:
    """Return whether a suite has no level that is not in a smaller suite."""
    return own == set().union(*(other for other in suites if other < own))


def _drawn(level: AnyLevel) -> bool:
    """Return whether it is the one of four settings that is drawn; they start alike."""
    return not isinstance(level.puzzle, CubePuzzle) or level.puzzle.setting is Setting.FULL_VISUAL


def _shots_of(renderer: Renderer, level: AnyLevel, size: int) -> NDArray[np.uint8]:
    """Return every shot of a cube as it starts."""
    family = find_family(level)
    state = family.rules.initial(level)
    scene = replace(family.rules.scene(level, state), views=family.views(level.puzzle, state))
    return tile([view.rgb for view in observe(renderer, scene, size)], 4)


def _code(colour: Rgb) -> str:
    return "#{:02x}{:02x}{:02x}".format(*colour)


def _start(level: AnyLevel) -> Scene:
    rules = find_family(level).rules
    return rules.scene(level, rules.initial(level))


def _contact_sheet(renderer: Renderer, shown: tuple[AnyLevel, ...], size: int) -> NDArray[np.uint8]:
    pictures = []
    for index, level in enumerate(shown, start=1):
        scene = _start(level)
        camera = make_camera_set("iso4", measure_bounds(scene))[0]
        named = fit(
            str(index), tuple(np.subtract(camera.eye, camera.target)), measure_bounds(scene)
        )
        picture = renderer.render(scene, [named], size).rgb[0]
        pictures.append(draw_overlay(picture, named, Overlay(axes=False)))
    return tile(pictures, 6)


def _swatches(renderer: Renderer, palette: Mapping[str, Rgb]) -> NDArray[np.uint8]:
    """Return a cube of each colour with its name."""
    pictures = []
    for name in palette:
        shape = Voxels.make_block((2, 2, 2))
        scene = Scene((Body(name, shape, HOME, Colour(name)),), shape.bounds, shape.bounds)
        camera = fit(name, (1.0, -0.72, 0.72), Bounds((-1, -1, -1), (2, 2, 2)))
        picture = renderer.render(scene, [camera], 104).rgb[0]
        pictures.append(draw_overlay(picture, camera, Overlay(axes=False)))
    return tile(pictures, COLUMNS)


def _looks(renderer: Renderer, size: int) -> NDArray[np.uint8]:
    """Return the same things in several ways."""
    lock = _start(find_level("burr-philippe-dubois"))
    level = find_level("packing-soma")
    rules = find_family(level).rules
    state = rules.initial(level)
    assert level.plan is not None
    for action in level.plan.actions[:-2]:
        state = rules.apply(level, state, action).state
    letters = Overlay(False, False, Labels.LETTERS)
    shown = [
        (lock, Overlay()),
        (explode(lock), PLAIN),
        (cut_away(lock, Direction.PLUS_X, lock.work.high[0] // 2), PLAIN),
        (make_translucent(lock, [body.name for body in lock.bodies[:2]]), PLAIN),
        (lock, Overlay(False, False, Labels.COLOURS)),
        (rules.scene(level, state), PLAIN),
        (crowd(), letters),
        (_cube(), PLAIN),
    ]
    return tile([_picture(renderer, scene, size, overlay) for scene, overlay in shown], 4)


def _picture(renderer: Renderer, scene: Scene, size: int, overlay: Overlay) -> NDArray[np.uint8]:
    block = scene.work if any(body.loose for body in scene.bodies) else measure_bounds(scene)
    cameras = make_camera_set("iso4", block)[:1]
    return observe(renderer, scene, size, overlay=overlay, cameras=cameras)[0].rgb


def _cube() -> Scene:
    """Return a Rubik's cube."""
    bodies = []
    for place in itertools.product((-1, 0, 1), (-1, 0, 1), (-1, 0, 1)):
        stickers = tuple(
            Sticker((0, 0, 0), Direction(side), Colour(colour))
            for side, colour in _FACES.items()
            if np.dot(place, Direction(side).vector) == 1
        )
        bodies.append(
            Body(str(place), _CUBE, HOME.translate(place), Colour("black"), stickers=stickers)
        )
    return Scene(tuple(bodies), Bounds((-1, -1, -1), (1, 1, 1)))


def _save(name: str, picture: NDArray[np.uint8]) -> None:
    path = MEDIA / f"{name}.png"
    bgr = cv2.cvtColor(picture, cv2.COLOR_RGB2BGR)
    cv2.imwrite(str(path), bgr, [cv2.IMWRITE_PNG_COMPRESSION, 9])
    print(f"{path.relative_to(DOCS.parent)}: {path.stat().st_size // 1024} KiB")


if __name__ == "__main__":
    main()
