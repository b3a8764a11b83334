"""Private twins: drawn from a secret seed, the same for the same seed."""

from pathlib import Path

import pytest

from bridge.generating.ladder import TierStep, draw_step, list_steps
from bridge.generating.suites import draw_suite
from bridge.generating.twin import Twin, derive_twin, read_seed
from pysim.catalog import AnyLevel, encode_level
from pysim.errors import InputError
from pysim.puzzle import Tier
from tests.commands import Luban

STEP = TierStep("rubik", Tier.EASY)
SEED = b"sixteen bytes at least"


def hashes(levels: tuple[AnyLevel, ...]) -> list[str]:
    return [level.hash for level in levels]


def drawn(twin: Twin) -> tuple[AnyLevel, ...]:
    return tuple(draw_step(STEP, twin.draw))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "has 0 bytes"),
        (b"x" * 15, "has 15 bytes"),
        (b"x" * (2**20 + 1), "more than 1,048,576"),
    ],
)
def test_seed_of_the_wrong_size_is_refused(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "seed"
    path.write_bytes(content)
    with pytest.raises(InputError, match=message) as refused:
        read_seed(path)
    assert "\n" not in str(refused.value) and "/dev/urandom" in str(refused.value)


def test_seed_that_is_missing_or_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="No such file"):
        read_seed(tmp_path / "none")
    with pytest.raises(InputError, match="is a folder"):
        read_seed(tmp_path)


def test_seed_of_sixteen_bytes_is_read(tmp_path: Path) -> None:
    (tmp_path / "seed").write_bytes(bytes(16))
    assert read_seed(tmp_path / "seed") == bytes(16)


def test_twin_same_seed_draws_the_same_levels_and_another_one_others() -> None:
    levels = drawn(derive_twin(SEED))
    assert len(levels) == 5 and levels == drawn(derive_twin(SEED))
    assert not set(hashes(levels)) & set(hashes(drawn(derive_twin(SEED + b"!"))))


def test_twin_tells_neither_the_seed_nor_a_number_that_levels_are_drawn_by() -> None:
    twin = derive_twin(SEED)
    assert SEED.hex() not in twin.name and SEED not in twin.draw.seed
    assert twin.digest not in twin.draw.seed.hex()
    for level in drawn(twin):
        assert level.source.seed is None
        assert encode_level(level)["source"]["reference"] == "a private draw"  # type: ignore[index]


def test_drawn_suite_is_kept_and_read_again(tmp_path: Path) -> None:
    steps, told = list_steps({"rubik"})[:2], []
    first = draw_suite(
        derive_twin(SEED).draw, steps, tmp_path, workers=2, tell=lambda *n: told.append(n)
    )
    assert told == [(5, 10), (10, 10)]
    again = draw_suite(derive_twin(SEED).draw, steps, tmp_path, tell=lambda *n: told.append(n))
    assert first == again and len(told) == 2


def test_drawn_suite_step_whose_file_is_torn_is_drawn_again(tmp_path: Path) -> None:
    steps = list_steps({"rubik"})[:1]
    first = draw_suite(derive_twin(SEED).draw, steps, tmp_path)
    (tmp_path / "rubik-easy.json").write_text("[{")
    assert draw_suite(derive_twin(SEED).draw, steps, tmp_path) == first


def test_eval_private_of_another_suite_is_refused(luban: Luban, tmp_path: Path) -> None:
    (tmp_path / "seed").write_bytes(SEED)
    said = luban("eval", "locks-32", "--private", "seed").complaint()
    assert said == "luban: --private draws a twin of luban-120; locks-32 has none"


def test_eval_private_with_a_short_seed_is_refused(luban: Luban, tmp_path: Path) -> None:
    (tmp_path / "seed").write_bytes(b"short")
    assert "has 5 bytes" in luban("eval", "luban-120", "--private", "seed").complaint()


@pytest.mark.slow
def test_eval_private_plays_the_twin_and_names_its_digest(
    luban: Luban, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LUBAN_CACHE", str(tmp_path / "cache"))
    (tmp_path / "seed").write_bytes(SEED)
    command = ("eval", "luban-120", "--private", "seed", "--limit", 3, "--observation", "state")
    document = luban(*command, "--out", "run", "--json").json()
    assert document["suite"] == derive_twin(SEED).name and document["solved"] == 3
    assert SEED.decode() not in (tmp_path / "run" / "run.json").read_text()
    assert luban(*command, "--out", "run", "--json").json()["episodes"] == 3
