"""Videos whose camera is elsewhere, made ready for comparison."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from bridge.video.reference.film import smooth
from bridge.video.tracking.comparison import sum_differences
from bridge.video.tracking.preparation import prepare_video, sum_unexplained
from bridge.video.tracking.shutter import Shutter, open_shutter
from pysim.render.scenery import Scenery
from tests.sampling import more
from tests.video.films import film_of, look_of, play, redraw

NET = "nets-hard-04"
FRAMES = more(6, night=16)


@pytest.mark.slow
@pytest.mark.parametrize("start", [1.0, 1.03])
def test_zoomed_camera_is_followed_where_shadows_fall_otherwise(start: float) -> None:
    film = film_of("nets-easy-05", steps=1, width=416)
    width, height = film.size
    x, y, z = Scenery().sun
    poses = film.bundle.poses[::12]
    zooms = np.linspace(start, 1.03, len(poses))
    pictures = [
        cv2.warpAffine(
            picture,
            cv2.getRotationMatrix2D((width / 2.0, height / 2.0), 0.0, zoom),
            (width, height),
            borderMode=cv2.BORDER_REPLICATE,
        )
        for picture, zoom in zip(redraw(film, poses, Scenery(sun=(-x, -y, z))), zooms, strict=True)
    ]
    prepared = prepare_video(film, look_of(film), lambda: pictures, 1.0)
    assert prepared.ground is not None
    assert np.abs(prepared.zooms - zooms).max() < 0.006


@pytest.mark.slow
def test_zoomed_video_has_one_map_and_is_as_sharp_as_the_film() -> None:
    film = film_of(NET, width=416)
    width, height = film.size
    zoom = cv2.getRotationMatrix2D((width / 2.0, height / 2.0), 0.0, 1.03)
    pictures = [cv2.warpAffine(p, zoom, (width, height)) for p in play(film, np.arange(FRAMES))]
    prepared = prepare_video(film, look_of(film), lambda: pictures, 12.0)
    corners = np.array([[0, 0, 1], [width, 0, 1], [0, height, 1], [width, height, 1]])
    off = (np.stack(prepared.maps) - zoom) @ corners.T
    assert len(prepared.maps) == FRAMES
    assert np.linalg.norm(off, axis=1).max() < 1.0
    assert prepared.film.blur < 2.0


@pytest.mark.slow
def test_camera_that_moves_is_followed_where_little_stands_still() -> None:
    film = film_of("burr-three-bars", width=320)
    frames = np.arange(0, film.bundle.manifest.frames, 3)[: more(16, night=200)]
    width, height = film.size
    ways = 10.0 * np.sin(np.pi * np.arange(len(frames)) / len(frames))
    shifts = [np.array([[1.0, 0.0, 0.6 * way], [0.0, 1.0, way]]) for way in ways]
    pictures = [
        cv2.warpAffine(picture, shift, (width, height), borderMode=cv2.BORDER_REPLICATE)
        for picture, shift in zip(play(film, frames), shifts, strict=True)
    ]
    prepared = prepare_video(film, look_of(film), lambda: pictures, 4.0)
    rows, columns = np.nonzero(cv2.resize(film.bundle.ids(0), film.size))
    middle = np.array([columns.mean(), rows.mean(), 1.0])
    assert len(prepared.maps) == len(frames)
    off = (np.stack(prepared.maps) - np.stack(shifts)) @ middle
    assert np.linalg.norm(off, axis=1).max() < 1.0


@pytest.mark.slow
def test_zooming_camera_is_followed_where_frames_are_left_out() -> None:
    film = film_of("jigsaw-easy-5", steps=1, fps=24)
    width, height = film.size
    frames = np.arange(1, 106, 2)
    zooms = [
        cv2.getRotationMatrix2D((width / 2.0, height / 2.0), 0.0, zoom)
        for zoom in np.linspace(1.0, 1.02, len(frames))
    ]
    pictures = [
        cv2.warpAffine(picture, zoom, (width, height), borderMode=cv2.BORDER_REPLICATE)
        for picture, zoom in zip(play(film, frames), zooms, strict=True)
    ]
    prepared = prepare_video(film, look_of(film), lambda: pictures, 12.0)
    assert len(prepared.maps) == len(frames)
    assert prepared.unexplained.max() < 20.0


@pytest.mark.slow
def test_camera_that_drifts_after_pictures_that_nothing_explains_is_followed() -> None:
    film = film_of("burr-piston", width=208)
    width, height = film.size
    frames, ways = np.arange(24), np.repeat([0.0, 6.0, 6.0], 8)
    ways[14:] += 0.4 * np.arange(1, 11)  # It moves at once, and later drifts.
    shifts = [np.array([[1.0, 0.0, way], [0.0, 1.0, 0.0]]) for way in ways]
    pictures = [
        cv2.warpAffine(picture, shift, (width, height), borderMode=cv2.BORDER_REPLICATE)
        for picture, shift in zip(play(film, frames), shifts, strict=True)
    ]
    for picture in pictures[6:12]:
        picture[: height // 4, : width // 3] = 20.0  # A card.
    prepared = prepare_video(film, look_of(film), lambda: pictures, 12.0)
    assert len(prepared.maps) == len(frames)
    off = (np.stack(prepared.maps) - np.stack(shifts)) @ [width / 2.0, height / 2.0, 1.0]
    assert np.linalg.norm(off, axis=1)[[5, -1]].max() < 1.2


@pytest.mark.slow
def test_shutter_of_any_time_is_found() -> None:
    film = film_of("rubik-l120-easy-01")
    look, moving = look_of(film), np.flatnonzero(film.speeds > 0.0)
    smeared = open_shutter(film, look, Shutter(0.0, 0.35), moving)
    pictures = play(smeared, np.arange(film.bundle.manifest.frames))
    prepared = prepare_video(film, look, lambda: pictures, 12.0)
    still = prepare_video(film, look, lambda: play(film, [0] * len(pictures)), 12.0)
    assert prepared.unexplained.max() < still.unexplained.max() + 20.0


@pytest.mark.slow
def test_smeared_pictures_are_those_of_a_renderer_that_blurs_motion() -> None:
    film = film_of("packing-medium-08", width=416)
    fast = np.argsort(-film.speeds, kind="stable")[:4]
    frames = film.frames[fast]
    poses = film.bundle.poses[np.stack([frames, frames + 1], axis=1).ravel()]
    blurred = redraw(film, poses, is_blurred=True)[::2]
    smeared = open_shutter(film, look_of(film), Shutter(0.0, 0.4), fast).pictures
    for place, picture in zip(fast.tolist(), blurred, strict=True):
        seen = smooth(picture.astype(np.uint8))
        usual = sum_differences(seen, film.pictures[place])
        assert sum_differences(seen, smeared[place]) < 0.15 * usual


@pytest.mark.slow
def test_frames_that_are_mixed_with_others_look_as_the_films() -> None:
    film = film_of("packing-medium-08")
    count = film.bundle.manifest.frames
    times = np.arange(0.0, count - 1, 0.8)
    before, after = (play(film, times.astype(int) + more) for more in (0, 1))
    pictures = [
        (1.0 - share) * one + share * other
        for one, other, share in zip(before, after, times % 1.0, strict=True)
    ]
    prepared = prepare_video(film, look_of(film), lambda: pictures, 15.0)
    fast = prepared.unexplained > 20.0
    assert fast.any()
    left = [
        sum_unexplained(picture, prepared.film, position, None)
        for (picture, _), position in zip(
            prepared.read_pictures(), prepared.aligned.positions.tolist(), strict=True
        )
    ]
    assert np.array(left)[fast].sum() < 0.2 * prepared.unexplained[fast].sum()


def test_picture_that_is_ahead_of_the_film_is_not_taken_for_a_mixed_one() -> None:
    film = film_of("packing-medium-08")
    pictures = play(film, np.arange(film.bundle.manifest.frames))
    prepared = prepare_video(film, look_of(film), lambda: pictures, 12.0)
    lost = replace(prepared, unexplained=np.full(len(pictures), 100.0))
    position = int(film.speeds[:-4].argmax())
    number = int(np.flatnonzero(lost.aligned.positions == position)[0])
    for ahead in (2, 3, 4):
        picture = film.pictures[position + ahead]
        assert lost.unmix(number, picture) is picture


@pytest.mark.parametrize("share", [0.2, 0.4])
def test_frame_with_some_of_the_next_one_is_unmixed_though_all_is_noisy(share: float) -> None:
    film = film_of("packing-medium-08")
    pictures = play(film, np.arange(film.bundle.manifest.frames))
    prepared = prepare_video(film, look_of(film), lambda: pictures, 12.0)
    noisy = replace(prepared, unexplained=np.full(len(pictures), 1.0))
    position = int(film.speeds[:-4].argmax())
    number = int(np.flatnonzero(noisy.aligned.positions == position)[0])
    shown = noisy.film.pictures
    one, other = shown[position].astype(float), shown[position + 1].astype(float)
    noise = np.random.default_rng(0).normal(0.0, 2.0, one.shape)
    mixed = np.clip((1.0 - share) * one + share * other + noise, 0, 255).astype(np.uint8)
    moving = np.abs(other - one).max(axis=2) > 20.0
    off, left = (np.abs(seen - one)[moving].mean() for seen in (mixed, noisy.unmix(number, mixed)))
    assert left < 0.4 * off


def test_frame_is_no_mixture_where_the_film_shows_the_same_for_long() -> None:
    film = film_of("packing-medium-08")
    pictures = play(film, np.zeros(6, np.int64))
    prepared = prepare_video(film, look_of(film), lambda: pictures, 12.0)
    still = replace(film, pictures=[film.pictures[0]] * len(film.pictures))
    lost = replace(prepared, film=still, unexplained=np.full(len(pictures), 100.0))
    other = np.clip(film.pictures[0].astype(int) + 9, 0, 255).astype(np.uint8)
    assert lost.unmix(3, other) is other


def test_light_after_a_flash_is_that_before_it() -> None:
    film = film_of("burr-piston")
    pictures = play(film, np.arange(24))
    for frame in range(10, 13):
        pictures[frame] = 0.25 * pictures[frame] + 191.0
    prepared = prepare_video(film, look_of(film), lambda: pictures, 12.0)
    assert all(one is prepared.calibrations[9] for one in prepared.calibrations[13:])
    assert not prepared.unexplained[13:].any()


def test_light_stays_as_it_is_where_the_whole_net_goes_elsewhere() -> None:
    film = film_of("nets-easy-11")
    frames = np.arange(more(12, night=96))
    poses = np.repeat(film.bundle.poses[:1], len(frames), axis=0)
    # It is lifted out of the picture, while that of the film is folded.
    poses[:, :, 2, 3] += np.minimum(frames, 12)[:, None] * 1.6
    pictures = redraw(film, poses)
    prepared = prepare_video(film, look_of(film), lambda: pictures, 12.0)
    greys = np.arange(60, 240, 20, dtype=np.uint8)[None, :, None].repeat(3, axis=2)
    for calibration in prepared.calibrations:
        assert np.abs(calibration.apply(greys).astype(int) - greys).max() < 4
