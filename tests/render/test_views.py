import struct
import zlib

import cv2
import numpy as np
import pytest

from pysim.render.camera import fit, list_cameras
from pysim.render.overlay import MIN_SIZE, PLAIN, draw_overlay
from pysim.render.renderer import Renderer
from pysim.render.views import Rendered, encode, observe, tile
from tests.render.scenes import lock
from tests.sampling import these_by_day

NOISE = np.random.default_rng(0).integers(0, 256, (40, 50, 3), dtype=np.uint8)


def decoded(data: bytes) -> np.ndarray:
    return cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)[..., ::-1]


def chunks(png: bytes) -> list[tuple[bytes, bytes]]:
    """Type and content of each chunk, its checksum checked."""
    found, at = [], 8
    while at < len(png):
        (length,) = struct.unpack(">I", png[at : at + 4])
        kind, content = png[at + 4 : at + 8], png[at + 8 : at + 8 + length]
        (checksum,) = struct.unpack(">I", png[at + 8 + length : at + 12 + length])
        assert checksum == zlib.crc32(kind + content)
        found.append((kind, content))
        at += 12 + length
    return found


def view(name: str, shade: int, size: int = 10) -> Rendered:
    rgb = np.full((size, size, 3), shade, dtype=np.uint8)
    zeros = np.zeros((size, size))
    return Rendered(name, rgb, zeros.astype(np.uint16), zeros.astype(np.float32))


def test_an_observation_has_the_views_of_the_scene(renderer: Renderer) -> None:
    scene = lock()
    views = observe(renderer, scene, 64)
    assert [v.name for v in views] == [camera.name for camera in list_cameras(scene)]
    assert all(v.rgb.shape == (64, 64, 3) and v.ids.any() for v in views)


def test_an_observation_follows_transforms(renderer: Renderer) -> None:
    scene = lock()
    away = np.eye(4)
    away[:3, 3] = (0.0, 0.0, -500.0)
    views = observe(renderer, scene, 64, transforms={scene.bodies[0].name: away})
    assert not any((v.ids == 1).any() for v in views[:3])


def test_the_overlay_leaves_ids_and_depth_alone(renderer: Renderer) -> None:
    scene = lock()
    plain, labelled = (observe(renderer, scene, 200, overlay=o) for o in (PLAIN, None))
    for a, b in zip(plain, labelled, strict=True):
        assert np.array_equal(a.ids, b.ids) and np.array_equal(a.depth, b.depth)
        assert not np.array_equal(a.rgb, b.rgb)


@pytest.mark.parametrize("size", these_by_day([256], [160, 256, 512, 1024]))
@pytest.mark.parametrize("direction", [(1, -0.7, 0.7), (0, 0, 1), (0, -1, 0.01), (-1, 1, -1)])
def test_axes_and_name_are_drawn_in_their_corners_only(
    size: int, direction: tuple[float, float, float]
) -> None:
    blank = np.full((size, size, 3), 200, dtype=np.uint8)
    camera = fit("+x-y+z", direction, lock().work)
    drawn = draw_overlay(blank, camera)
    changed = (drawn != blank).any(axis=2)
    third = size // 3
    assert changed[: size // 8, : size // 2].any()
    assert changed[-third:, :third].any()
    changed[: size // 8, : size // 2] = False
    changed[-size // 2 :, : size // 2] = False
    assert not changed.any()
    assert (blank == 200).all()
    ink = drawn[-third:, :third].astype(int)
    assert ink.min() < 90 and ink.max() > 225
    assert np.ptp(ink, axis=2).max() < 8  # no colour of a piece


def test_small_pictures_bear_only_the_name_and_tiny_ones_nothing() -> None:
    camera = list_cameras(lock())[0]
    blank = np.full((MIN_SIZE, MIN_SIZE, 3), 200, dtype=np.uint8)
    changed = (draw_overlay(blank, camera) != blank).any(axis=2)
    assert changed[: MIN_SIZE // 4].any() and not changed[MIN_SIZE // 4 :].any()
    blank = blank[1:]
    assert np.array_equal(draw_overlay(blank, camera), blank)


def test_a_mosaic_holds_each_view_unchanged() -> None:
    views = [view(str(shade), shade) for shade in (10, 20, 30)]
    picture = tile([v.rgb for v in views], 2)
    assert picture.shape == (22, 22, 3)
    assert (picture[:10, :10] == 10).all()
    assert (picture[:10, 12:] == 20).all()
    assert (picture[12:, :10] == 30).all()
    assert tile([v.rgb for v in views], 9).shape == (10, 34, 3)


@pytest.mark.parametrize(
    ("views", "columns"), [([], 2), ([view("a", 1)], 0), ([view("a", 1), view("b", 1, 11)], 2)]
)
def test_an_impossible_mosaic_is_refused(views: list[Rendered], columns: int) -> None:
    with pytest.raises(ValueError, match="mosaic"):
        tile([v.rgb for v in views], columns)


def test_png_keeps_every_pixel_and_raw_every_byte() -> None:
    assert np.array_equal(decoded(encode(NOISE, "png")), NOISE)
    assert encode(NOISE, "raw") == NOISE.tobytes()
    assert encode(NOISE[:, ::2], "raw") == NOISE[:, ::2].tobytes()


def test_jpeg_comes_close_and_keeps_red_red() -> None:
    red = np.zeros((32, 32, 3), dtype=np.uint8)
    red[..., 0] = 200
    assert np.abs(decoded(encode(red, "jpeg")).astype(int) - red).max() < 6


def test_a_png_says_which_renderer_made_it() -> None:
    png = encode(NOISE, "png", renderer="OpenGL 4.5; someone")
    assert (b"tEXt", b"Renderer\0OpenGL 4.5; someone") in chunks(png)
    assert chunks(png)[0][0] == b"IHDR" and chunks(png)[-1][0] == b"IEND"
    assert np.array_equal(decoded(png), NOISE)


def test_another_format_is_refused() -> None:
    with pytest.raises(ValueError, match=r"'bmp'.*png, jpeg, raw"):
        encode(NOISE, "bmp")
