"""A family of another package, with its own levels and suites, wherever Luban's own are played."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from bridge.rpc.client import IllegalMove, connect
from bridge.rpc.server import LubanServer
from pysim import catalog
from pysim.catalog import (
    LevelError,
    discover_families,
    encode_level,
    find_level,
    list_shipped_levels,
)
from pysim.discovery import DiscoveryError, list_external
from pysim.manifests import list_family_manifests
from pysim.suites import SuiteError, find_suite, list_suites
from tests.commands import ROOT, Luban
from tests.toys import add_entry, install_toys

TOYS = ["toy-straight", "toy-in-the-way"]


def forget() -> None:
    for known in (
        list_external,
        catalog.discover_families,
        catalog.list_asset_folders,
        catalog.list_shipped_levels,
        list_family_manifests,
    ):
        known.cache_clear()
    for name in [name for name in sys.modules if name.split(".")[0] == "toy_family"]:
        del sys.modules[name]


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Where the toys are installed."""
    site = tmp_path / "site"
    site.mkdir()
    install_toys(site)
    monkeypatch.syspath_prepend(str(site))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(site), str(ROOT)]))
    forget()
    yield site
    forget()


@pytest.mark.usefixtures("site")
def test_its_levels_are_listed_with_the_columns_that_it_wants(luban: Luban) -> None:
    assert list(discover_families())[-1] == "toy"
    rows = luban("levels", "--suite", "toys", "--json").json()
    assert [row["id"] for row in rows] == TOYS == [row["id"] for row in rows]
    assert luban("levels", "--family", "toy").out.splitlines() == [
        "id              tier  pieces  rail  plan       budget  name",
        "toy-in-the-way  easy       2     6  5 optimal      20  In the way",
        "toy-straight    easy       2     6  3 optimal      20  Straight along",
    ]


@pytest.mark.usefixtures("site")
def test_families_share_a_table_that_fits_80_columns(
    luban: Luban, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = luban("levels").out.splitlines()
    assert max(map(len, lines)) <= 80 and len(lines) == len(list_shipped_levels()) + 1
    assert lines[0].split()[:2] == ["id", "tier"] and "rail" in lines[0].split()
    monkeypatch.setenv("COLUMNS", "200")
    told = {line.split()[0]: line for line in luban("levels").out.splitlines()}
    labels = {
        column.heading for family in discover_families().values() for column in family.columns
    }
    assert "made by" in labels and all(label in told["id"] for label in labels)
    assert "a careful hand" in told["toy-straight"]


@pytest.mark.usefixtures("site")
def test_a_level_is_shown_played_and_verified(luban: Luban) -> None:
    shown = luban("show", "toy-straight", "--image-size", 64, "--json").json()
    assert len(shown["views"]) == 4
    played = luban("play", "toy-in-the-way", "--video", "none", "--image-size", 32, "--json").json()
    assert (played["outcome"], played["steps"], played["disagreements"]) == ("SOLVED", 5, 0)
    verified = luban("verify", "toys", "--workers", 1).out
    assert "0 are false" in verified and "toy-straight" in verified


@pytest.mark.usefixtures("site")
def test_a_suite_is_evaluated_in_worker_processes(luban: Luban) -> None:
    command = ("eval", "toys", "--agent", "oracle", "--video", "none", "--workers", 2, "--json")
    told = luban(*command, "--out", "run").json()
    assert (told["suite"], told["episodes"], told["solved"]) == ("toys", 2, 2)


@pytest.mark.usefixtures("site")
def test_the_server_has_it_and_plays_it(tmp_path: Path) -> None:
    with LubanServer(tmp_path / "runs") as server, connect(server.address) as client:
        assert client.server_info().families[-1] == "toy"
        episode = client.start("toy-straight", observation="state")
        with pytest.raises(IllegalMove):
            episode.step("nudge", piece="red", way="left")
        for _ in range(3):
            episode.step("nudge", piece="red", way="right")
        assert episode.end().outcome == "SOLVED"


@pytest.mark.slow
@pytest.mark.usefixtures("site")
def test_gymnasium_has_an_environment_for_it() -> None:
    code = (
        "import gymnasium, numpy as np, bridge.adapters.gymnasium\n"
        "env = gymnasium.make('Luban/Toy-v0', observation='state')\n"
        "_, info = env.reset(seed=0)\n"
        "assert env.unwrapped.level.id == 'toy-straight'\n"
        "from bridge.adapters.vocabulary import vocabulary_of\n"
        "words = vocabulary_of(env.unwrapped.level)\n"
        "for action in env.unwrapped.level.plan.actions:\n"
        "    _, reward, done, _, info = env.step(np.int64(words.number(action)))\n"
        "assert done and reward == 1 and info['success']\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.usefixtures("site")
def test_its_generator_has_a_command_with_its_options(luban: Luban, tmp_path: Path) -> None:
    assert " toy " in luban("generate", "--help").out
    told = luban("generate", "toy", "--help").out
    assert "--apart" in told and "near or far" in told and "--seed" in told
    made = luban("generate", "toy", "--apart", "far", "--count", 2, "--out", "mine", "--json")
    for name in made.json()["levels"]:
        level = find_level(str(tmp_path / "mine" / f"{name}.json"))
        assert level.source.reference.startswith("luban generate toy --apart far --length 6")
        played = luban(
            "play", f"mine/{name}.json", "--observation", "state", "--video", "none", "--json"
        )
        assert played.json()["outcome"] == "SOLVED"
    refused = luban("generate", "toy", "--apart", "far", "--length", 3, "--out", "no").complaint()
    assert "make --length 4 or more" in refused
    assert "--apart is one of near, far, not 'up'" in (
        luban("generate", "toy", "--apart", "up", "--out", "no").complaint()
    )
    assert luban("generate", "toy", "--apart", "far", "--length", 13, "--out", "no").status == 2


def test_a_suite_whose_name_is_taken_is_refused_with_both(site: Path, luban: Luban) -> None:
    folder = site / "toy_family" / "assets" / "suites"
    taken = json.loads((folder / "toys.json").read_text()) | {"name": "locks-32"}
    (folder / "locks-32.json").write_text(json.dumps(taken))
    with pytest.raises(SuiteError, match=r"two suites are called locks-32: .* and .*toy_family"):
        list_suites()
    assert "two suites are called locks-32" in luban("eval", "locks-32", "--json").complaint()


def test_a_suite_may_include_one_of_lubans_own(site: Path) -> None:
    folder = site / "toy_family" / "assets" / "suites"
    mixed = json.loads((folder / "toys.json").read_text()) | {"name": "mixed"}
    (folder / "mixed.json").write_text(json.dumps(mixed | {"suites": ["locks-32"]}))
    assert find_suite("mixed").level_ids == (*find_suite("locks-32").level_ids, *TOYS)


def test_a_level_whose_id_is_taken_is_refused_with_both(site: Path) -> None:
    toy = encode_level(find_level("toy-straight")) | {"id": "burr-piston"}
    path = site / "toy_family" / "assets" / "toy" / "burr-piston.json"
    path.write_text(json.dumps(toy))
    for find in (list_shipped_levels, lambda: find_level("burr-piston")):
        with pytest.raises(LevelError, match="levels share an id: ") as refused:
            find()
        assert str(path) in str(refused.value) and "assets/burr/burr-piston" in str(refused.value)


def test_an_id_of_80_characters_is_shown_whole_in_80_columns(site: Path, luban: Luban) -> None:
    long = encode_level(find_level("toy-straight")) | {"id": "toy-" + "x" * 76}
    (site / "toy_family" / "assets" / "toy" / f"{long['id']}.json").write_text(json.dumps(long))
    lines = luban("levels").out.splitlines()
    assert max(map(len, lines)) == 80 and lines[-1] == long["id"]
    assert len(lines) == len(list_shipped_levels()) + 1


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ("toy2 = toy_family:FAMILY", "offered as 'toy2', but its name is 'toy'"),
        ("toy2 = toy_family:COLOURS", "is no Family but a tuple"),
        ("toy2 = toy_famly:FAMILY", "No module named 'toy_famly'"),
        ("burr = toy_family:FAMILY", "two packages offer 'burr'"),
    ],
)
def test_a_package_that_offers_no_family_is_named_in_one_line(
    site: Path, luban: Luban, entry: str, message: str
) -> None:
    add_entry(site, "acme-toys", "luban.families", entry)
    complaint = luban("levels", "--family", "toy2").complaint()
    assert message in complaint and "acme-toys" in complaint


def test_other_families_are_played_though_one_can_not_be_loaded(site: Path) -> None:
    add_entry(site, "acme-toys", "luban.families", "broken = missing_toys:FAMILY")
    assert find_level("burr-piston").family == "burr"
    with pytest.raises(DiscoveryError, match="acme-toys"):
        discover_families()["broken"]


@pytest.mark.usefixtures("site")
def test_batch_env_family_without_batches_is_refused() -> None:
    vectors = pytest.importorskip("bridge.adapters.vectors", reason="NOT TESTED: no gymnasium")
    with pytest.raises(ValueError, match="the family toy has no batches"):
        vectors.BatchEnv("toy", 2)
