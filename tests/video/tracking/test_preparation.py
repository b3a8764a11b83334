"""Videos whose camera is elsewhere, made ready for comparison."""

import cv2
import numpy as np

from bridge.video.tracking.preparation import prepare_video
from tests.sampling import more
from tests.video.films import film_of, look_of, play

NET = "nets-hard-04"
FRAMES = more(6, night=16)


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
