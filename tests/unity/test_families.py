"""Every family that there is plays in every player, with the same digests step by step."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from bridge.unity.link import Launch
from bridge.unity.player import Player
from bridge.unity.state import LatticeState
from pysim.catalog import AnyLevel, discover_families, find_family
from tests.sampling import by_day
from tests.unity.standins import some_levels
from tests.unity.test_csharp_players import BUILT, build_headless
from tests.unity.test_mlagents_import import plan_of

LOG = os.environ.get("LUBAN_DIGEST_LOG")
SOME = [level for level in some_levels(each=2) if level.plan is not None]


@pytest.fixture(scope="module")
def running(player: Path) -> Iterator[dict[str, Player]]:
    """Players of each kind: the stand-in, the headless one and the build, where there is one."""
    paths = {"stand-in": player}
    if BUILT:
        paths["built"] = Path(BUILT)
    if shutil.which("mono") or not BUILT:
        paths["headless"] = build_headless()
    players = {name: Player(Launch(path)) for name, path in paths.items()}
    yield players
    for one in players.values():
        one.close()


def test_no_family_is_left_out() -> None:
    assert {level.family for level in SOME} == set(discover_families())


@pytest.mark.by_day(3)
@pytest.mark.parametrize("level", by_day(SOME, lambda v: v.family, name=lambda v: v.id))
def test_a_level_of_any_family_is_played_with_equal_digests(
    level: AnyLevel, running: dict[str, Player]
) -> None:
    rules = find_family(level).rules
    scene = rules.scene(level, rules.initial(level))
    expected = [LatticeState.of(scene)]
    for motions in plan_of(level):
        expected.append(expected[-1].apply(motions))
    for name, player in running.items():
        player.reset(scene)
        digests = [player.digest]
        for motions in plan_of(level):
            assert player.execute(motions).completed
            digests.append(player.digest)
        assert digests == [state.digest for state in expected]
        if LOG:
            write(Path(LOG), f"{level.id} {name}", digests)


def write(path: Path, title: str, digests: list[int]) -> None:
    """Add a line of digests to the log."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8") as log:
        log.write(f"{title}: {' '.join(f'{digest:016x}' for digest in digests)}\n")
