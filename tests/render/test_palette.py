import math
from collections.abc import Mapping
from dataclasses import replace
from itertools import combinations, islice

import numpy as np
import pytest

from pysim.geometry import Direction, Voxels
from pysim.render.camera import fit
from pysim.render.egl import EglRenderer
from pysim.render.palette import COLOUR_BLIND, PALETTE, Rgb, parse_color
from pysim.render.renderer import Renderer
from pysim.render.scenery.lights import TO_LIGHT
from pysim.scene import Colour, Scene
from tests.render.scenes import body

Lab = tuple[float, float, float]


def lab(colour: tuple[int, int, int]) -> Lab:
    """CIE L*a*b* (D65) of an sRGB colour."""
    r, g, b = (
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4
        for c in (component / 255.0 for component in colour)
    )
    x = (0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047
    y = 0.2126729 * r + 0.7151522 * g + 0.0721750 * b
    z = (0.0193339 * r + 0.1191920 * g + 0.9503041 * b) / 1.08883
    fx, fy, fz = (
        t ** (1 / 3) if t > 216 / 24389 else (24389 / 27 * t + 16) / 116 for t in (x, y, z)
    )
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


def ciede2000(first: Lab, second: Lab) -> float:
    """Colour difference after Sharma, Wu and Dalal (2005)."""
    mean_c = (math.hypot(*first[1:]) + math.hypot(*second[1:])) / 2
    stretch = 1.5 - 0.5 * math.sqrt(mean_c**7 / (mean_c**7 + 25.0**7))
    (l1, a1, b1), (l2, a2, b2) = first, second
    a1, a2 = a1 * stretch, a2 * stretch
    c1, c2 = math.hypot(a1, b1), math.hypot(a2, b2)
    h1, h2 = math.degrees(math.atan2(b1, a1)) % 360, math.degrees(math.atan2(b2, a2)) % 360
    turn = (h2 - h1 + 180) % 360 - 180 if c1 * c2 else 0.0
    hue = 2 * math.sqrt(c1 * c2) * math.sin(math.radians(turn / 2))
    mean_l, mean_c = (l1 + l2) / 2, (c1 + c2) / 2
    mean_h = (h1 + turn / 2) % 360 if c1 * c2 else h1 + h2

    def wave(weight: float, times: int, shift: float) -> float:
        return weight * math.cos(math.radians(times * mean_h + shift))

    t = 1 + wave(-0.17, 1, -30) + wave(0.24, 2, 0) + wave(0.32, 3, 6) + wave(-0.20, 4, -63)
    s_l = 1 + 0.015 * (mean_l - 50) ** 2 / math.sqrt(20 + (mean_l - 50) ** 2)
    s_c, s_h = 1 + 0.045 * mean_c, 1 + 0.015 * mean_c * t
    bend = 60 * math.exp(-(((mean_h - 275) / 25) ** 2))
    r_t = -math.sin(math.radians(bend)) * 2 * math.sqrt(mean_c**7 / (mean_c**7 + 25.0**7))
    dl, dc, dh = (l2 - l1) / s_l, (c2 - c1) / s_c, hue / s_h
    return math.sqrt(dl * dl + dc * dc + dh * dh + r_t * dc * dh)


def least(names: list[str]) -> float:
    labs = [lab(PALETTE[name]) for name in names]
    return min(ciede2000(a, b) for a, b in combinations(labs, 2))


@pytest.mark.parametrize(
    ("first", "second", "distance"),
    [
        ((50.0, 2.6772, -79.7751), (50.0, 0.0, -82.7485), 2.0425),
        ((50.0, 2.5, 0.0), (73.0, 25.0, -18.0), 27.1492),
        ((2.0776, 0.0795, -1.1350), (0.9033, -0.0636, -0.5514), 0.9082),
        ((22.7233, 20.0904, -46.6940), (23.0331, 14.9730, -42.5619), 2.0373),
    ],
)
def test_the_distance_agrees_with_published_pairs(first: Lab, second: Lab, distance: float) -> None:
    assert ciede2000(first, second) == pytest.approx(distance, abs=1e-4)


def test_there_are_forty_eight_distinct_colours() -> None:
    assert len(PALETTE) == 48
    assert least(list(PALETTE)) >= 13.5


Condition = tuple[str, bool]
"""The side of a face, and whether it lies in shadow."""


def painted_faces(palette: Mapping[str, Rgb]) -> dict[Condition, list[Rgb]]:
    """Every colour as it is seen on faces of a cube, each side lit and shaded where it can be."""
    cube = body("thing", Voxels.make_block((3, 3, 3)), (-1, -1, -1))
    # Between the sun and the cube, out of sight of cameras close to the cube.
    shade = body(
        "red", Voxels.make_block((9, 9, 9)), tuple(np.rint(14.0 * TO_LIGHT - 4).astype(int))
    )
    cameras = [fit(side, side.vector, cube.place().bounds) for side in Direction]
    painted = [replace(cube, colour=Colour(name)) for name in palette]
    found: dict[Condition, list[Rgb]] = {}
    with EglRenderer(palette=palette) as renderer:
        for shaded, others in ((False, ()), (True, (shade,))):
            scenes = [Scene((one, *others), cube.place().bounds) for one in painted]
            pictures = renderer.render_batch(scenes, cameras, 48)
            for side, rgb_, ids in zip(
                Direction, pictures.rgb.swapaxes(0, 1), pictures.ids.swapaxes(0, 1), strict=True
            ):
                # Off the middle of the middle of nine cells: no line runs there.
                assert (ids[:, 21, 21] == 1).all()
                found[side, shaded] = [tuple(c) for c in rgb_[:, 21, 21].tolist()]
    return found


def deficient(rgb: Rgb, matrix: list[list[float]]) -> Rgb:
    """A colour as it looks to somebody (Machado et al., 2009; acts on linear sRGB)."""
    linear = [
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in np.divide(rgb, 255)
    ]
    seen = np.clip(np.array(matrix) @ linear, 0.0, 1.0)
    coded = np.where(seen <= 0.0031308, 12.92 * seen, 1.055 * seen ** (1 / 2.4) - 0.055)
    return tuple((255.0 * coded).tolist())


DEFICIENCIES = {
    "none": [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
    "protanopia": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deuteranopia": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "tritanopia": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
}


@pytest.mark.slow
def test_colours_are_told_apart_on_faces_lit_and_shaded(egl: Renderer) -> None:
    faces = painted_faces(PALETTE)
    assert {side for side, shaded in faces if not shaded} == set(Direction)
    assert {side for side, shaded in faces if shaded} == set(Direction)
    assert all(len(colours) == 48 for colours in faces.values())
    assert any(sum(faces[side, True][0]) < 0.9 * sum(faces[side, False][0]) for side in Direction)
    for condition, colours in faces.items():
        labs = [lab(colour) for colour in colours]
        assert min(ciede2000(a, b) for a, b in combinations(labs, 2)) >= 12.0, condition


@pytest.mark.by_day(2)
@pytest.mark.parametrize("kind", DEFICIENCIES)
def test_twelve_colours_are_told_apart_with_every_colour_vision(egl: Renderer, kind: str) -> None:
    twelve = dict(islice(COLOUR_BLIND.items(), 12))
    for condition, colours in painted_faces(twelve).items():
        labs = [lab(deficient(colour, DEFICIENCIES[kind])) for colour in colours]
        assert min(ciede2000(a, b) for a, b in combinations(labs, 2)) >= 12.0, condition


def test_the_palettes_have_the_same_names() -> None:
    assert list(COLOUR_BLIND) == list(PALETTE)


def test_the_first_eight_are_plain_and_far_apart() -> None:
    first = list(PALETTE)[:8]
    assert {"red", "blue", "green", "yellow", "orange", "purple"} <= set(first)
    assert least(first) >= 25.0


def test_coloured_pieces_stand_out_from_the_background() -> None:
    neutral = {"white", "grey", "black"}
    assert set(list(PALETTE)[-3:]) == neutral
    for name in set(PALETTE) - neutral:
        for grey in (225, 165):  # the ground, lit and in shadow
            assert ciede2000(lab(PALETTE[name]), lab((grey, grey, grey))) > 10.0, name


def test_components_are_bytes_and_names_are_single_lower_case_words() -> None:
    for name, colour in PALETTE.items():
        assert name.isalpha() and name.islower()
        assert len(colour) == 3 and all(0 <= c <= 255 for c in colour)
        assert parse_color(name) == colour


def test_an_unknown_name_is_refused_with_the_closest_and_all_known() -> None:
    with pytest.raises(ValueError, match="did you mean 'orange'") as caught:
        parse_color("ornage")
    assert all(name in caught.value.args[0] for name in PALETTE)
    with pytest.raises(ValueError, match="'qqqq' is no colour; known"):
        parse_color("qqqq")
