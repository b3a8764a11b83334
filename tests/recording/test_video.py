"""Videos that play anywhere, and appear whole or not at all."""

from itertools import product
from pathlib import Path

import av
import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from bridge.recording.errors import RecordingError
from bridge.recording.pngs import film_writer
from bridge.recording.video import Codec, FrameConverter, VideoWriter
from pysim.render.palette import PALETTE
from tests.recording.plays import full_disk, unwritable

SIZE = (64, 48)


def plain(colour: tuple[int, int, int]) -> NDArray[np.uint8]:
    return np.full((SIZE[1], SIZE[0], 3), colour, dtype=np.uint8)


def test_a_video_is_h264_that_browsers_play(tmp_path: Path) -> None:
    path = tmp_path / "film.mp4"
    with VideoWriter(path, SIZE, 10) as video:
        for k in range(25):
            video.write(plain((10 * k, 0, 0)))
        video.write(plain((0, 255, 0)), 5)
    with av.open(str(path)) as container:
        stream = container.streams.video[0]
        assert stream.codec_context.name == "h264"
        assert (stream.pix_fmt, stream.average_rate) == ("yuv420p", 10)
        assert (stream.width, stream.height) == SIZE
        frames = list(container.decode(video=0))
    assert len(frames) == video.frames == 30
    assert [k for k, frame in enumerate(frames) if frame.key_frame][:3] == [0, 10, 20]
    content = path.read_bytes()
    assert content.index(b"moov") < content.index(b"mdat")


def test_colours_stay_what_they_are(tmp_path: Path) -> None:
    colours = list(PALETTE.values())
    with VideoWriter(tmp_path / "film.mp4", SIZE, 24) as video:
        for colour in colours:
            video.write(plain(colour))
    with av.open(str(tmp_path / "film.mp4")) as container:
        for colour, frame in zip(colours, container.decode(video=0), strict=True):
            found = frame.to_ndarray(format="rgb24").mean(axis=(0, 1))
            assert np.abs(found - colour).max() < 6


@pytest.mark.parametrize("size", [SIZE, (86, 98), (2, 2)])
def test_a_picture_that_changes_in_part_is_converted_like_a_new_one(size: tuple[int, int]) -> None:
    rng, (width, height) = np.random.default_rng(7), size
    picture, converter = np.zeros((height, width, 3), np.uint8), FrameConverter(*size)
    for _ in range(100):
        top, left = rng.integers(0, height), rng.integers(0, width)
        rows, columns = rng.integers(0, height - top + 1), rng.integers(0, width - left + 1)
        picture[top : top + rows, left : left + columns] = rng.integers(0, 256, 3)
        found = converter.convert(picture)
        wanted = av.VideoFrame.from_ndarray(picture, format="rgb24").reformat(
            format="yuv420p", dst_colorspace="ITU709"
        )
        assert np.array_equal(found.to_ndarray(), wanted.to_ndarray())
        assert found.colorspace == wanted.colorspace


def test_the_same_pictures_are_the_same_bytes(tmp_path: Path) -> None:
    pictures = np.full((12, 240, 240, 3), 230, np.uint8)
    for number, part in product(range(12), range(6)):
        row, column = (
            15 + 53 * part + 3 * number * (part % 2),
            20 + 37 * part + 5 * number * (part % 3),
        )
        row, column = row % 180, column % 180
        square = pictures[number, row : row + 50, column : column + 50]
        square[:] = 40 * part, 200 - 30 * part, 90 + 20 * part
        square[8:10] = 0
    made = set()
    for _ in range(12):
        with VideoWriter(tmp_path / "v.mp4", (240, 240), 6) as video:
            for picture in pictures:
                video.write(picture)
        made.add((tmp_path / "v.mp4").read_bytes())
    assert len(made) == 1


def test_an_older_video_is_replaced_only_by_a_whole_one(tmp_path: Path) -> None:
    path = tmp_path / "film.mp4"
    path.write_text("older")
    with pytest.raises(KeyError), VideoWriter(path, SIZE, 24) as video:
        video.write(plain((1, 2, 3)))
        raise KeyError
    with pytest.raises(RecordingError, match="needs a picture"), VideoWriter(path, SIZE, 24):
        pass
    assert path.read_text() == "older"
    with VideoWriter(path, SIZE, 24) as video:
        video.write(plain((1, 2, 3)))
    assert path.stat().st_size > 100
    assert list(tmp_path.iterdir()) == [path]


def test_a_folder_that_cannot_be_written_to_is_said(tmp_path: Path) -> None:
    for folder in unwritable(tmp_path):
        with pytest.raises(RecordingError, match=f"can't write {folder}/film.mp4: "):
            VideoWriter(folder / "film.mp4", SIZE, 24)


def test_a_full_disk_is_said_and_nothing_is_left(tmp_path: Path) -> None:
    noise = np.random.default_rng(0)
    path = tmp_path / "film.mp4"
    size = (256, 256)
    failure = pytest.raises(RecordingError, match=f"can't write {path}: ")
    with full_disk(20_000), failure, VideoWriter(path, size, 24) as video:
        for _ in range(60):
            video.write(noise.integers(0, 255, (256, 256, 3), dtype=np.uint8))
    assert list(tmp_path.iterdir()) == []


def test_a_closed_video_takes_no_more(tmp_path: Path) -> None:
    video = VideoWriter(tmp_path / "film.mp4", SIZE, 24)
    video.write(plain((1, 2, 3)))
    video.close()
    video.close()
    with pytest.raises(RecordingError, match="closed"):
        video.write(plain((1, 2, 3)))
    assert (tmp_path / "film.mp4").exists()


@pytest.mark.parametrize("size", [(63, 48), (64, 47), (0, 2)])
def test_odd_sizes_are_refused(size: tuple[int, int], tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="even"):
        VideoWriter(tmp_path / "film.mp4", size, 24)


def test_other_pictures_than_announced_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="not"), VideoWriter(tmp_path / "f.mp4", SIZE, 24) as video:
        video.write(np.zeros((48, 60, 3), dtype=np.uint8))
    assert list(tmp_path.iterdir()) == []


def noise(frames: int) -> list[NDArray[np.uint8]]:
    rng = np.random.default_rng(5)
    return [rng.integers(0, 256, (SIZE[1], SIZE[0], 3), dtype=np.uint8) for _ in range(frames)]


def test_every_pixel_of_a_lossless_video_comes_back(tmp_path: Path) -> None:
    pictures = noise(30)
    with VideoWriter(tmp_path / "film.mp4", SIZE, 24, Codec.LOSSLESS) as video:
        for picture in pictures:
            video.write(picture)
    with av.open(str(tmp_path / "film.mp4")) as container:
        assert container.streams.video[0].codec_context.name == "h264"
        for picture, frame in zip(pictures, container.decode(video=0), strict=True):
            assert np.array_equal(frame.to_ndarray(format="rgb24"), picture)


def test_a_film_of_pngs_is_a_folder_that_appears_whole(tmp_path: Path) -> None:
    pictures, out = noise(3), tmp_path / "film"
    with pytest.raises(KeyError), film_writer(out, SIZE, 24, Codec.PNG) as film:
        film.write(pictures[0])
        raise KeyError
    with film_writer(out, SIZE, 24, Codec.PNG) as film:
        for picture in pictures:
            film.write(picture, 2)
    assert [path.name for path in sorted(out.iterdir())] == [f"{k:06d}.png" for k in range(6)]
    for number, path in enumerate(sorted(out.iterdir())):
        read = cv2.imread(str(path))
        assert read is not None and np.array_equal(read[..., ::-1], pictures[number // 2])
    with pytest.raises(ValueError, match="exists"):
        film_writer(out, SIZE, 24, Codec.PNG)
    assert [path.name for path in tmp_path.iterdir()] == ["film"]
    for folder in unwritable(tmp_path):
        with pytest.raises(RecordingError, match="can't make"):
            film_writer(folder / "frames", SIZE, 24, Codec.PNG)


def test_there_is_no_other_codec() -> None:
    with pytest.raises(ValueError, match="web, lossless, png, not 'gif'"):
        Codec("gif")
