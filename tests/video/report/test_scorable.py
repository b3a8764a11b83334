"""Videos that can't be scored: each is refused in one line that says what to do."""

from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest

from bridge.video.reference.bundle import Bundle, read_bundle
from bridge.video.reference.bundle_making import BundleRequest, make_bundle
from bridge.video.report.scorable import UnscorableError, check_scorable, compute_density
from bridge.video.tracking.footage import FootageError, open_footage
from pysim.catalog import find_level
from pysim.render.renderer import Renderer

SIZE = (240, 144)


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory, renderer: Renderer) -> Bundle:
    out = tmp_path_factory.mktemp("scorable") / "lock"
    make_bundle(find_level("burr-piston"), out, BundleRequest((320, 192), 6, 1), renderer)
    return read_bundle(out)


def write(
    path: Path,
    size: tuple[int, int],
    *,
    inside: tuple[int, int] | None = None,
    codec: str = "libx264",
    pixels: Fraction | None = None,
    with_sound: bool = False,
    fps: int = 24,
) -> Path:
    """Write 24 frames of noise, with black borders around what is inside."""
    width, height = size
    wide, high = inside or size
    rng = np.random.default_rng(0)
    with av.open(str(path), "w", options={"movflags": "+faststart"}) as container:
        stream = container.add_stream(codec, rate=Fraction(fps))
        stream.width, stream.height, stream.pix_fmt = width, height, "yuv420p"
        if pixels is not None:
            stream.codec_context.sample_aspect_ratio = pixels
        sound = container.add_stream("aac", rate=44100) if with_sound else None
        for _ in range(24):
            picture = np.zeros((height, width, 3), np.uint8)
            top, left = (height - high) // 2, (width - wide) // 2
            noise = rng.integers(0, 255, (high, wide, 3), dtype=np.uint8)
            picture[top : top + high, left : left + wide] = noise
            container.mux(stream.encode(av.VideoFrame.from_ndarray(picture, format="rgb24")))
        container.mux(stream.encode())
        if sound is not None:
            for k in range(200):  # Longer than the pictures.
                samples = av.AudioFrame.from_ndarray(np.zeros((1, 1024), "f4"), "fltp", "mono")
                samples.sample_rate, samples.pts = 44100, 1024 * k
                container.mux(sound.encode(samples))
            container.mux(sound.encode())
    return path


def check(bundle: Bundle, path: Path) -> None:
    check_scorable(bundle, open_footage(path, bundle.camera.width / bundle.camera.height))


@pytest.mark.by_day(1)
@pytest.mark.parametrize(
    ("size", "inside", "pixels"),
    [
        ((320, 192), None, None),
        ((640, 384), None, None),
        ((336, 192), None, None),  # Sizes of models are multiples of 16.
        ((320, 240), (320, 192), None),
        ((400, 192), (320, 192), None),
        ((256, 192), None, Fraction(5, 4)),  # Its pixels are wide: it is shown as 320 x 192.
    ],
)
def test_whole_video_of_the_films_proportions_can_be_scored(
    bundle: Bundle,
    size: tuple[int, int],
    inside: tuple[int, int] | None,
    pixels: Fraction | None,
    tmp_path: Path,
) -> None:
    check(bundle, write(tmp_path / "v.mp4", size, inside=inside, pixels=pixels))


@pytest.mark.slow
@pytest.mark.parametrize(("size", "shown"), [((256, 192), "256 x 192"), ((320, 320), "320 x 320")])
def test_stretched_video_is_refused(
    bundle: Bundle, size: tuple[int, int], shown: str, tmp_path: Path
) -> None:
    path = write(tmp_path / "v.mp4", size)
    with pytest.raises(UnscorableError) as caught:
        check(bundle, path)
    assert str(caught.value) == (
        f"{path} is stretched or cut: its pictures are {shown}, and the film's 320 x 192; keep "
        "that, with borders if need be"
    )


@pytest.mark.by_day(3)
@pytest.mark.parametrize(
    ("name", "codec", "with_sound"),
    [
        ("v.mp4", "libx264", False),
        ("v.mov", "libx264", True),
        ("v.mkv", "libx264", False),
        ("v.mkv", "libx264", True),
        ("v.webm", "libvpx-vp9", False),
        ("v.avi", "mpeg4", False),
    ],
)
def test_file_that_is_cut_off_is_refused_and_the_whole_one_is_not(
    bundle: Bundle, name: str, codec: str, with_sound: bool, tmp_path: Path
) -> None:
    path = write(tmp_path / name, SIZE, codec=codec, with_sound=with_sound)
    whole = path.read_bytes()
    check(bundle, path)
    path.write_bytes(whole[: len(whole) * 6 // 10])
    with pytest.raises(UnscorableError, match=r"is truncated: it .* copy it again") as caught:
        check(bundle, path)
    assert "\n" not in str(caught.value)


def test_video_of_an_unknown_coding_is_refused_in_words(bundle: Bundle, tmp_path: Path) -> None:
    path = write(tmp_path / "v.mp4", SIZE)
    path.write_bytes(path.read_bytes().replace(b"avc1", b"zzzz"))
    with pytest.raises(FootageError) as caught:
        check(bundle, path)
    assert str(caught.value) == (
        f"{path} is no video that can be read (its pictures have a coding that is not known)"
    )


def test_video_of_few_pixels_to_a_unit_is_refused_and_the_size_told_is_enough(
    bundle: Bundle, tmp_path: Path
) -> None:
    density = bundle.manifest.pixels_per_unit / 320
    least = 10.0 / density
    small = round(least * 0.9 / 10) * 10
    with pytest.raises(
        UnscorableError, match=r"is too small: it has .* pixels to a unit"
    ) as caught:
        check(bundle, write(tmp_path / "small.mp4", (small, round(small * 0.3) * 2)))
    told = int(str(caught.value).split("make it ")[1].split()[0])
    assert least <= told < least + 16 and told % 16 == 0
    check(bundle, write(tmp_path / "large.mp4", (told, round(told * 0.3) * 2)))


def test_video_of_few_frames_a_second_is_refused(bundle: Bundle, tmp_path: Path) -> None:
    """A slideshow of 4 frames a second shows steps as fast as the film does."""
    path = write(tmp_path / "slides.mp4", (320, 192), fps=4)
    with pytest.raises(UnscorableError) as caught:
        check(bundle, path)
    told = f"{path} has 4 frames a second, not 6 or more: steps can't be told from leaps"
    assert str(caught.value) == told
    check(bundle, write(tmp_path / "slow.mp4", (320, 192), fps=6))


@pytest.mark.slow
def test_large_pieces_with_stickers_need_fewer_pixels_to_a_unit(
    renderer: Renderer, tmp_path: Path
) -> None:
    made = {}
    for level in ("nets-easy-01", "cubebench-d02-3-face-view", "portal-d1-01"):
        make_bundle(find_level(level), tmp_path / level, BundleRequest((64, 48), 6, 1), renderer)
        bundle = read_bundle(tmp_path / level)
        density = compute_density(bundle.level, bundle.manifest, 64)
        made[level] = density / bundle.manifest.pixels_per_unit
    # Squares of nets are several units wide. A cube's pieces are one, and chambers are walls.
    assert made["nets-easy-01"] > 1.0
    assert made["cubebench-d02-3-face-view"] == made["portal-d1-01"] == 1.0
