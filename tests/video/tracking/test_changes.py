"""Changes of single bodies in a picture."""

import numpy as np

from bridge.video.reference.film import smooth
from bridge.video.tracking.changes import ChangeFinder, ChangeKind
from bridge.video.tracking.comparison import NARROW
from bridge.video.tracking.hypotheses import Composer
from tests.video.films import film_of, look_of, redraw


def test_cubelet_that_is_gone_is_absent_rather_than_of_a_size_that_hides_it() -> None:
    film = film_of("checkerboard", steps=1, width=416)
    body = film.bundle.names.index("ULB")
    poses = film.bundle.poses[:1].copy()
    poses[0, body] = np.nan
    (picture,) = redraw(film, poses)
    finder = ChangeFinder(Composer(film, look_of(film), NARROW))
    found = finder.find(smooth((picture + 0.5).astype(np.uint8)), 0)
    assert [(change.kind, change.body) for change in found.changes] == [(ChangeKind.ABSENT, body)]
