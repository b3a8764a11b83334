"""Levels whose pictures stand in for the played one's."""

from typing import Any

import pytest

from bridge.episode.records import Obs, Options
from bridge.runs.decoys import add_decoy, check_decoys, choose_decoy
from bridge.runs.folders import RunError
from bridge.runs.settings import RunSettings
from pysim.catalog import find_level, list_shipped_levels
from pysim.suites import find_suite, load_levels

LOCKS = load_levels(find_suite("locks-32"))
CUBES = load_levels(find_suite("cubebench-160"))
VISUAL = tuple(cube for cube in CUBES if cube.id.endswith("full-visual"))


def settings(chosen: tuple[Any, ...]) -> RunSettings:
    return RunSettings("x", tuple((one.id, one.hash) for one in chosen), "oracle", obs=Obs.WRONG)


@pytest.mark.parametrize("level", [*LOCKS[::5], *VISUAL[::9]], ids=lambda level: level.id)
def test_decoy_is_another_puzzle_with_the_nearest_number_of_pieces(level: Any) -> None:
    among = LOCKS if level in LOCKS else VISUAL
    for seed in range(5):
        decoy = choose_decoy(level, among, seed)
        assert decoy == choose_decoy(level, among, seed)
        assert decoy.id != level.id and decoy.puzzle != level.puzzle
        nearest = min(
            abs(len(one.colours) - len(level.colours)) for one in among if one.id != level.id
        )
        assert abs(len(decoy.colours) - len(level.colours)) == nearest


def test_decoys_of_other_seeds_differ() -> None:
    assert len({choose_decoy(VISUAL[0], VISUAL, seed).id for seed in range(20)}) > 5


def test_decoy_is_of_the_same_family_and_shows_pictures_of_the_same_names() -> None:
    mixed = (*VISUAL[:3], *(cube for cube in CUBES if cube.id.endswith("face-view")), *LOCKS)
    for seed in range(5):
        assert choose_decoy(VISUAL[0], mixed, seed) in VISUAL


def test_options_without_the_wrong_arm_stay_as_they_are() -> None:
    options = Options(obs=Obs.IMAGE)
    assert add_decoy(options, LOCKS[0], ()) is options


def test_check_level_without_pictures_is_refused_by_name() -> None:
    letters = tuple(cube for cube in CUBES if cube.id.endswith("full-symbolic"))[:2]
    with pytest.raises(RunError, match=f"and {letters[0].id} has none"):
        check_decoys(settings(letters), letters)


def test_check_single_level_of_a_family_is_refused_by_name() -> None:
    chosen = (*VISUAL[:2], LOCKS[0])
    with pytest.raises(RunError, match=f"second level of the family burr .* {LOCKS[0].id}"):
        check_decoys(settings(chosen), chosen)


def test_check_whole_suites_pass() -> None:
    for name in ("locks-32", "portal-16"):
        chosen = load_levels(find_suite(name))
        check_decoys(settings(chosen), chosen)


def test_decoy_is_not_the_same_puzzle_under_another_name() -> None:
    same = [one for one in list_shipped_levels() if one.puzzle == find_level(VISUAL[0].id).puzzle]
    with pytest.raises(RunError, match="second level"):
        choose_decoy(VISUAL[0], same, 1)
