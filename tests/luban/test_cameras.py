"""A camera of one's own: pictures and films from where a program or a command says."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import luban as package
from luban.errors import InputError, LubanError
from pysim.puzzle import Outcome
from pysim.render.camera import Camera
from pysim.render.factory import create_renderer
from pysim.render.views import observe
from pysim.scene import Scene
from tests.commands import Luban

CROSS, EYE, BESIDE = "burr-half-lap", "9,-7,6", "9,-7,6:2,2,1"
SIZE = 256


def draw(scene: Scene, target: tuple[float, float, float]) -> NDArray[np.uint8]:
    """Draw a scene from the eye of these tests."""
    renderer, _ = create_renderer("auto")
    try:
        camera = Camera("camera", (9.0, -7.0, 6.0), target)
        return observe(renderer, scene, SIZE, cameras=[camera])[0].rgb
    finally:
        renderer.close()


def find_middle(scene: Scene) -> tuple[float, float, float]:
    """Return the middle of all cells of a scene."""
    cells = np.array([cell for body in scene.bodies for cell in body.place().cells])
    x, y, z = ((cells.min(axis=0) + cells.max(axis=0)) / 2).tolist()
    return x, y, z


@pytest.mark.parametrize("text", [EYE, BESIDE])
def test_observation_with_camera_is_its_one_picture(door: Any, text: str) -> None:
    with package.start(CROSS) as usual:
        expected = draw(usual.scene, (2, 2, 1) if text == BESIDE else find_middle(usual.scene))
    with door.start(CROSS, camera=text, image_size=SIZE) as episode:
        (view,) = episode.observe().views
        assert view.name == "camera" and np.array_equal(view.rgb(), expected)
        assert "axis gizmo" in episode.observe().instruction


def test_camera_stands_still_while_pieces_move() -> None:
    with package.start(CROSS, camera=EYE, image_size=SIZE) as episode:
        target, before = find_middle(episode.scene), episode.observe().views[0].rgb()
        episode.step("slide", pieces=["blue"], direction="+z", distance=1)
        assert find_middle(episode.scene) != target
        after = episode.observe().views[0].rgb()
        assert not np.array_equal(before, after)
        assert np.array_equal(after, draw(episode.scene, target))


def test_goal_is_still_shown_beside_a_camera() -> None:
    with package.start("nets-easy-01", camera="12,-9,8", image_size=SIZE) as episode:
        assert [view.name for view in episode.observe().views] == ["camera", "goal"]


def test_level_without_pictures_keeps_none() -> None:
    blind = next(one for one in package.levels("rubik") if find_views(one) == [])
    with package.start(blind, camera=EYE) as episode:
        assert episode.observe().views == ()


def find_views(level: Any) -> list[str]:
    with package.start(level, image_size=32) as episode:
        return [view.name for view in episode.observe().views]


def test_film_is_taken_by_the_camera_of_its_episode(tmp_path: Path, door: Any) -> None:
    own, later = tmp_path / "own.mp4", tmp_path / "later.mp4"
    with door.start(CROSS, camera=BESIDE) as episode:
        assert episode.end().outcome is Outcome.GAVE_UP
        episode.save_video(own, size=SIZE)
    with package.start(CROSS) as plain:
        plain.end()
        plain.save_video(later, size=SIZE, camera=BESIDE)
        plain.save_video(tmp_path / "usual.mp4", size=SIZE)
    assert own.read_bytes() == later.read_bytes() != (tmp_path / "usual.mp4").read_bytes()


def test_log_keeps_the_camera(tmp_path: Path) -> None:
    with package.start(CROSS, camera=EYE) as episode:
        episode.end()
        episode.save_log(tmp_path / "a.jsonl")
    assert package.read_log(tmp_path / "a.jsonl").header.options.camera == EYE
    with package.start(CROSS) as episode:
        episode.end()
        episode.save_log(tmp_path / "b.jsonl")
    assert '"camera"' not in (tmp_path / "b.jsonl").read_text()


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("nan,0,0", "EYE:TARGET"),
        ("9,-7,inf", "EYE:TARGET"),
        ("9,-7", "EYE:TARGET"),
        ("9,-7,6,1", "EYE:TARGET"),
        ("9,-7,6:1,1,1:2,2,2", "EYE:TARGET"),
        ("9,-7,6:", "EYE:TARGET"),
        ("\uff19,-7,6", "EYE:TARGET"),
        ("9,-7,6:9,-7,6", "target must differ"),
        ("1,2,1", "stands in purple"),
        ("2.5,2,5.7", "stands in blue, or less than 0.25 units before it"),
    ],
)
def test_camera_that_makes_no_sense_is_refused(door: Any, text: str, complaint: str) -> None:
    with pytest.raises(LubanError, match=complaint):
        door.start("burr-piston", camera=text)


def test_camera_in_a_wall_is_refused_and_one_before_it_is_not() -> None:
    with pytest.raises(InputError, match="stands in walls"):
        package.start("portal-01", camera="0,0,0")
    package.start("portal-01", camera="-1,0,0").leave()


def test_camera_leaves_out_other_views() -> None:
    with pytest.raises(InputError, match="leave out views sheet"):
        package.start(CROSS, camera=EYE, views="sheet")


@pytest.mark.slow
def test_play_takes_a_camera(luban: Luban) -> None:
    small = ("--image-size", SIZE, "--json")
    played = luban("play", CROSS, *small, "--camera", BESIDE, "--video", "none").json()
    log = played["log"]
    assert luban("replay", log, "--video", "again.mp4", *small).status == 0
    assert luban("replay", log, "--video", "there.mp4", *small, "--camera", BESIDE).status == 0
    assert Path("again.mp4").read_bytes() == Path("there.mp4").read_bytes()
    for wrong, words in [("9,-7", "EYE:TARGET"), ("2,2,1", "stands in")]:
        refused = luban("play", CROSS, "--camera", wrong, "--runs", "none").complaint()
        assert words in refused and not [*Path("none").glob("*")]
