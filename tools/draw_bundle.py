"""Makes ``docs/media/world-models.png``: ``python tools/draw_bundle.py``.

What a bundle holds of one moment, looks and lights of clips, and forged films.
"""

import tempfile
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from bridge.recording.dataset.forging.forge import forge
from bridge.recording.dataset.forging.forgeries import ForgeryKind, TrueFilm
from bridge.recording.dataset.forging.showing import forged_filming
from bridge.recording.frames import Filming
from bridge.video.reference.bundle_making import play_plan
from pysim.catalog import find_level
from pysim.render.factory import create_renderer
from pysim.render.palette import PALETTE, parse_color
from pysim.render.renderer import Renderer
from pysim.render.scenery import Finish, Scenery, create_dressed
from pysim.render.views import encode, tile

ROOT = Path(__file__).resolve().parent.parent
OUT = ROOT / "docs" / "media" / "world-models.png"
LEVEL = "burr-piston"
SIZE = (416, 240)
MOMENT = 0.55
SCENERIES = (
    Scenery(Finish.PLAIN),
    Scenery(Finish.WOOD),
    Scenery(
        Finish.WOOD,
        sun=(-0.7, -0.5, 0.6),
        ground=(0.55, 0.44, 0.34),
        sky_top=(0.80, 0.87, 0.95),
        sky_bottom=(0.93, 0.94, 0.95),
    ),
)
FORGERIES = (
    (ForgeryKind.PASS_THROUGH, 2.0),
    (ForgeryKind.SPLIT, 2.0),
    (ForgeryKind.ROTATION, 30.0),
)

Picture = NDArray[np.uint8]


def main() -> None:
    """Draw everything from one film."""
    with tempfile.TemporaryDirectory() as folder:
        log = play_plan(find_level(LEVEL), Path(folder) / "log.jsonl", 5)
    film = Filming.of(log, size=SIZE)
    each = [replace(held, frames=1) for held in film.timeline for _ in range(held.frames)]
    renderer, _ = create_renderer()
    moment = replace(film, timeline=[each[round(MOMENT * len(each))]])
    pictures = [*_passes(moment, renderer), *_looks(moment, renderer)]
    pictures += _forged(replace(film, timeline=each), renderer)
    renderer.close()
    picture = cv2.imdecode(np.frombuffer(encode(tile(pictures, 3), "png"), np.uint8), 1)
    assert picture is not None
    cv2.imwrite(str(OUT), picture, [cv2.IMWRITE_PNG_COMPRESSION, 9])
    print(f"{OUT.relative_to(ROOT)}: {OUT.stat().st_size // 1024} KiB")


def _passes(film: Filming, renderer: Renderer) -> list[Picture]:
    """Colours, ids painted as the bodies are, and depths from near, black, to far, white."""
    seen = next(film.draw(renderer))
    bodies = film.timeline[0].scene.bodies
    paints = np.array([(255, 255, 255), *(parse_color(body.colour, PALETTE) for body in bodies)])
    body = seen.ids > 0
    near, far = seen.depth[body].min(), seen.depth[body].max()
    grey = np.where(body, 20 + 200 * (seen.depth - near) / (far - near), 255)
    depth = np.repeat(grey[..., None], 3, axis=2).astype(np.uint8)
    return [seen.rgb, paints[seen.ids].astype(np.uint8), depth]


def _looks(film: Filming, renderer: Renderer) -> list[Picture]:
    return [next(film.draw(create_dressed(renderer, scenery))).rgb for scenery in SCENERIES]


def _forged(film: Filming, renderer: Renderer) -> list[Picture]:
    bodies = film.timeline[0].scene.bodies
    cells = {body.name: np.array(body.shape.cells, np.float64) for body in bodies}
    poses = np.array([[held.transforms[name] for name in cells] for held in film.timeline])
    pictures = []
    for kind, strength in FORGERIES:
        false = forge(TrueFilm(cells, poses, 24), kind, strength, np.random.default_rng(6))
        shown = forged_filming(film.timeline[0].scene, film.camera, false)
        (label,) = false.forgeries
        at = min(label.last_frame, (label.first_frame + label.last_frame) // 2 + 4)
        pictures.append(next(replace(shown, timeline=[shown.timeline[at]]).draw(renderer)).rgb)
    return pictures


if __name__ == "__main__":
    main()
