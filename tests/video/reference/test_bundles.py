"""Bundles: whole, true to their level, and refused when they are not what they were."""

import json
from pathlib import Path

import av
import numpy as np
import pytest

from bridge.recording.log import read_log
from bridge.recording.replay import replay
from bridge.video.reference.bundle import (
    FILES,
    LOSSLESS,
    MANIFEST,
    VIDEO,
    Bundle,
    BundleError,
    manifest_from_json,
    manifest_to_json,
    read_bundle,
)
from bridge.video.reference.bundle_making import BundleRequest, make_bundle
from pysim.catalog import find_level
from pysim.render.renderer import Renderer

SMALL = BundleRequest(size=(208, 120), fps=12, first_steps=2)


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory, renderer: Renderer) -> Bundle:
    out = tmp_path_factory.mktemp("bundles") / "piston"
    make_bundle(find_level("burr-piston"), out, SMALL, renderer)
    return read_bundle(out)


@pytest.mark.slow
def test_a_bundle_holds_what_its_manifest_says(bundle: Bundle) -> None:
    manifest = bundle.manifest
    assert {path.name for path in bundle.path.iterdir()} == {MANIFEST, *FILES}
    assert bundle.level == find_level("burr-piston")
    assert bundle.poses.shape == (manifest.frames, 6, 4, 4)
    assert sum(1 for _ in bundle.frames()) == manifest.frames
    assert [step.step for step in manifest.steps] == [1, 2]
    log = read_log(bundle.path / "log.jsonl")
    assert replay(log).steps == 2
    for name in (VIDEO, LOSSLESS):
        with av.open(str(bundle.path / name)) as container:
            stream = container.streams.video[0]
            assert (stream.width, stream.height, stream.average_rate) == (208, 120, 12)


def test_a_step_begins_and_ends_where_bodies_do(bundle: Bundle) -> None:
    moved = np.abs(np.diff(bundle.poses, axis=0)).max(axis=(1, 2, 3)) > 0.0
    told = np.zeros_like(moved)
    for step in bundle.manifest.steps:
        told[step.first_frame - 1 : step.last_frame] = True
    assert (moved <= told).all()
    for step in bundle.manifest.steps:
        assert moved[step.last_frame - 1] and not moved[step.last_frame]


def test_masks_poses_and_camera_are_of_the_same_thing(bundle: Bundle) -> None:
    """The middle of every body's mask is near where its cells are projected to."""
    shapes = {b.name: np.array(b.shape.cells, float) for b in _bodies(bundle)}
    for frame in (0, bundle.manifest.frames - 1):
        ids = bundle.ids(frame)
        assert ids.shape == (bundle.camera.height, bundle.camera.width)
        for number, name in enumerate(bundle.names):
            rows, columns = np.nonzero(ids == number + 1)
            pose = bundle.poses[frame, number]
            seen = bundle.camera.project(shapes[name] @ pose[:3, :3].T + pose[:3, 3])
            reach = 1.2 * bundle.manifest.pixels_per_unit
            assert columns.min() > seen[:, 0].min() - reach
            assert columns.max() < seen[:, 0].max() + reach
            assert rows.min() > seen[:, 1].min() - reach
            assert rows.max() < seen[:, 1].max() + reach


def test_a_manifest_comes_back_as_it_was(bundle: Bundle) -> None:
    document = manifest_to_json(bundle.manifest)
    again = manifest_from_json(json.dumps(document).encode())
    assert manifest_to_json(again) == document


def test_a_damaged_bundle_is_refused(bundle: Bundle, tmp_path: Path) -> None:
    with pytest.raises(BundleError, match="no bundle"):
        read_bundle(tmp_path)
    for name in (*FILES, MANIFEST):
        for path in bundle.path.iterdir():
            (tmp_path / path.name).write_bytes(path.read_bytes())
        (tmp_path / name).write_bytes(b"{}")
        with pytest.raises(BundleError):
            read_bundle(tmp_path)
        (tmp_path / name).unlink()
        with pytest.raises(BundleError, match=name):
            read_bundle(tmp_path)


def test_a_folder_that_is_there_is_left_alone(bundle: Bundle, renderer: Renderer) -> None:
    with pytest.raises(BundleError, match="exists"):
        make_bundle(find_level("burr-piston"), bundle.path, SMALL, renderer)
    assert read_bundle(bundle.path).manifest.frames == bundle.manifest.frames


def _bodies(bundle: Bundle):  # type: ignore[no-untyped-def]
    from pysim.catalog import find_family

    rules = find_family(bundle.level).rules
    return rules.scene(bundle.level, rules.initial(bundle.level)).bodies
