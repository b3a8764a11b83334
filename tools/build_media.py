"""Makes the pictures of the README: ``python tools/build_media.py``.

Plays the Piston lock by its plan in PyBullet, as the demo does, and writes the first observation as
PNG and the video as a small GIF to ``docs/media``; also what Cube Bench shows.
"""

import tempfile
from fractions import Fraction
from pathlib import Path

import av
import cv2
import numpy as np
from numpy.typing import NDArray

from bridge.benches.cube_bench.condition import (
    Perturbation,
    PictureType,
    Task,
    parse_condition,
)
from bridge.benches.cube_bench.questions import make_face_trial
from bridge.cli.commands.play import PlayRequest
from bridge.cli.handlers.play import play_level
from bridge.items.pictures import draw
from bridge.rpc.server import LubanServer
from pysim.render.factory import create_renderer
from pysim.render.views import tile

ROOT = Path(__file__).resolve().parent.parent
MEDIA = ROOT / "docs" / "media"
LEVEL = "burr-piston"
WIDTH = 320
FRAMES_PER_SECOND = 8


def main() -> None:
    """Play once, keep two files; draw what Cube Bench shows."""
    MEDIA.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, LubanServer(Path(folder)) as server:
        request = PlayRequest(level=LEVEL, world="bullet", runs=Path(folder), name="media")
        played = play_level(server.address, request, own_server=True, quiet=True)
        assert played.video is not None
        views = cv2.imread(str(played.folder / "views.png"))
        assert views is not None
        cv2.imwrite(str(MEDIA / "views.png"), views, [cv2.IMWRITE_PNG_COMPRESSION, 9])
        _write_gif(_frames(played.video), MEDIA / "piston.gif")
    cv2.imwrite(str(MEDIA / "cube-bench.png"), _cube_bench(), [cv2.IMWRITE_PNG_COMPRESSION, 9])
    for path in sorted(MEDIA.iterdir()):
        print(f"{path.relative_to(ROOT)}: {path.stat().st_size // 1024} KiB")


def _cube_bench() -> NDArray[np.uint8]:
    """Return both views of one cube (H, W, 3) in BGR, plain and with everything done to them."""
    renderer, _ = create_renderer()
    everything = "+".join(Perturbation)
    pictures = []
    for settings in ({}, {"perturb": everything}):
        for look in PictureType:
            asked = parse_condition(Task.FACE, 5, {"picture": look.value, **settings})
            (picture,) = make_face_trial(asked, 2).item.pictures
            (view,) = draw(renderer, picture, 360)
            pictures.append(view.rgb())
    renderer.close()
    return np.ascontiguousarray(tile(pictures, 4)[..., ::-1])


def _frames(video: Path) -> list[NDArray[np.uint8]]:
    """Return some of the frames (H, W, 3), evenly spaced, scaled down."""
    with av.open(str(video)) as container:
        stream = container.streams.video[0]
        rate = stream.average_rate
        assert rate is not None
        every = max(1, round(float(rate) / FRAMES_PER_SECOND))
        height = WIDTH * stream.height // stream.width // 2 * 2
        return [
            np.asarray(frame.reformat(WIDTH, height, "rgb24").to_ndarray(), np.uint8)
            for number, frame in enumerate(container.decode(stream))
            if number % every == 0
        ]


def _write_gif(frames: list[NDArray[np.uint8]], path: Path) -> None:
    """An endless GIF with one palette for all frames."""
    with av.open(str(path), "w", options={"loop": "0"}) as container:
        height, width, _ = frames[0].shape
        beat = Fraction(1, FRAMES_PER_SECOND)
        graph = av.filter.Graph()
        source = graph.add_buffer(
            width=width, height=height, format=av.VideoFormat("rgb24"), time_base=beat
        )
        split = graph.add("split")
        palette = graph.add("palettegen", "max_colors=64:stats_mode=full")
        use = graph.add("paletteuse", "dither=none")
        sink = graph.add("buffersink")
        source.link_to(split)
        split.link_to(use, 0, 0)
        split.link_to(palette, 1, 0)
        palette.link_to(use, 0, 1)
        use.link_to(sink)
        graph.configure()
        stream = container.add_stream("gif", rate=FRAMES_PER_SECOND)
        stream.width, stream.height, stream.pix_fmt = width, height, "pal8"
        for number, picture in enumerate(frames):
            frame = av.VideoFrame.from_ndarray(picture, format="rgb24")
            frame.pts = number
            source.push(frame)
        source.push(None)
        while True:
            try:
                shown = sink.pull()
            except (av.BlockingIOError, av.EOFError):
                break
            assert isinstance(shown, av.VideoFrame)
            container.mux(stream.encode(shown))
        container.mux(stream.encode(None))


if __name__ == "__main__":
    main()
