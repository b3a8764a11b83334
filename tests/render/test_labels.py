"""Texts on pieces, and switching off what is written over pictures."""

import numpy as np

from perf.render import crowd
from pysim.render.camera import make_camera_set, measure_bounds
from pysim.render.overlay import PLAIN, Labels, Overlay, label, label_texts
from pysim.render.renderer import Renderer
from pysim.render.views import observe
from pysim.viewpoints import Views
from tests.render.scenes import lock


def test_letters_go_on_after_z() -> None:
    texts = label_texts([str(i) for i in range(60)], Labels.LETTERS)
    assert [texts[i] for i in (1, 26, 27, 28, 53, 60)] == ["A", "Z", "AA", "AB", "BA", "BH"]
    assert len(set(texts.values())) == 60


def test_labels_may_be_the_names_of_colours_or_nothing() -> None:
    assert label_texts(["red", "blue"], Labels.COLOURS) == {1: "red", 2: "blue"}
    assert label_texts(["red", "blue"], Labels.NONE) == {}


def test_a_label_stands_on_its_body_and_is_dark_on_light() -> None:
    ids = np.zeros((256, 256), dtype=np.uint16)
    ids[100:140, 60:90], ids[10:12, 10:12] = 3, 4
    blank = np.full((256, 256, 3), 120, dtype=np.uint8)
    drawn = label(blank, ids, {3: "AB", 4: "C", 9: "Z"})
    rows, columns = np.nonzero((drawn != blank).any(axis=2))
    assert rows.min() >= 100 and rows.max() < 140
    assert columns.min() >= 55 and columns.max() < 95
    assert np.ptp(rows) + 1 >= 8 + 4, "letters of 8 pixels and the plate around them"
    plate = drawn[rows.min() : rows.max() + 1, columns.min() : columns.max() + 1]
    assert plate.min() < 110 and plate.max() > 240
    assert (blank == 120).all()


def test_thirty_pieces_are_labelled_where_they_are_seen_at_256_pixels(egl: Renderer) -> None:
    scene = crowd()
    cameras = make_camera_set("iso4", measure_bounds(scene))
    views = observe(egl, scene, 256, overlay=Overlay(False, False, Labels.LETTERS), cameras=cameras)
    plain = observe(egl, scene, 256, overlay=PLAIN, cameras=cameras)
    for view, bare in zip(views, plain, strict=True):
        assert np.array_equal(view.ids, bare.ids)
        changed = (view.rgb != bare.rgb).any(axis=2)
        touched = np.unique(view.ids[changed])
        visible = [i for i in range(1, 31) if (view.ids == i).sum() >= 12]
        assert set(visible) <= set(touched.tolist())


def test_name_and_axes_can_be_switched_one_by_one(egl: Renderer) -> None:
    def drawn(overlay: Overlay) -> np.ndarray:
        return observe(egl, lock(), 256, overlay=overlay, views=Views.CLASSIC)[0].rgb

    bare, name, axes = drawn(PLAIN), drawn(Overlay(axes=False)), drawn(Overlay(name=False))
    rows = [np.nonzero((picture != bare).any(axis=2))[0] for picture in (name, axes)]
    assert rows[0].max() < 32 and rows[1].min() > 128
    both = drawn(Overlay())
    assert np.array_equal((both != bare), (name != bare) | (axes != bare))
