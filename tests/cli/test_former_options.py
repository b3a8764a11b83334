"""Former spellings of commands and options: they work, with one notice that names today's."""

from pathlib import Path

import pytest

from bridge.cli.former_options import FORMER_OPTIONS, replace_bench_words, replace_former_words
from bridge.runs.manifests import list_manifests
from pysim.manifests import list_family_manifests
from tests.commands import Luban

CHANGES = [
    ("play L --obs state", "play L --observation state"),
    ("play L --size=64", "play L --image-size=64"),
    ("play L --video", "play L --video all"),
    ("play --video L", "play --video all L"),
    ("play L --no-video --json", "play L --video none --json"),
    ("demo --no-video", "demo --video none"),
    ("show L --size 64", "show L --image-size 64"),
    ("replay LOG --video F --size 64", "replay LOG --video F --image-size 64"),
    ("mcp --level L --obs image --window 3", "mcp --level L --observation image --history 3"),
    ("dataset RUN --obs state --size 64", "dataset RUN --observation state --image-size 64"),
    ("eval S --obs state --window 2 --size 64", "eval S --observation state --history 2 "
     "--image-size 64"),
    ("bundle L --size 64x48", "bundle L --film-size 64x48"),
    ("bundle L --dataset 5 --size 64x48", "dataset --format clips L --count 5 --film-size 64x48"),
    ("generate packing --size 2x2x2 --mode mid", "generate packing --size 2x2x2 --tier medium"),
    ("generate packing --mode=mid", "generate packing --tier=medium"),
    ("compare B V --out O", "score-video B V --out O"),
    ("tables RUN", "report RUN"),
]  # fmt: skip
TODAY = [after for _, after in CHANGES] + [
    "",
    "--version",
    "play L --video failed",
    "play L --video sometimes",
    "demo --video sometimes",
    "generate burr --size 4 --kind cube",
    "generate rubik --mode mid",
    "eval S -- --obs",
    "levels --family burr",
]
BENCH_CHANGES = [
    ("mcube", "mcube --arm text --items 3", "mcube --observation text --item-seed 3"),
    ("portal", "portal-plans --shown=text", "portal-plans --observation=text"),
    ("cube_bench", "cube-bench --mode image --with a=b",
     "cube-bench --observation image --task-setting a=b"),
]  # fmt: skip


@pytest.mark.parametrize(("before", "after"), CHANGES)
def test_former_words_are_replaced_with_one_notice(
    before: str, after: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert replace_former_words(before.split()) == after.split()
    told = capsys.readouterr()
    assert told.out == "" and told.err.startswith("note: ") and told.err.count("\n") == 1
    assert "is now" in told.err and "next version refuses former spellings" in told.err


@pytest.mark.parametrize("words", TODAY)
def test_todays_words_stay_without_a_notice(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert replace_former_words(words.split()) == words.split()
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(("bench", "before", "after"), BENCH_CHANGES)
def test_former_words_of_a_bench_are_replaced_for_that_bench_only(
    bench: str, before: str, after: str, capsys: pytest.CaptureFixture[str]
) -> None:
    manifests = list_manifests()
    own, other = manifests[bench].former_options, manifests["chain"].former_options
    assert replace_bench_words(before.split(), own) == after.split()
    assert capsys.readouterr().err.count("\n") == 1
    assert replace_bench_words(before.split(), other) == before.split()
    assert capsys.readouterr().err == ""


def test_every_former_option_leads_to_one_of_today(luban: Luban) -> None:
    benches = {f"eval {name}": one.former_options for name, one in list_manifests().items()}
    families = {
        f"generate {name}": one.former_options
        for name, one in list_family_manifests().items()
        if one.generator
    }
    assert sum(map(bool, (*benches.values(), *families.values()))) == 5
    for command, options in {**FORMER_OPTIONS, **benches, **families}.items():
        words = command.split()
        if words == ["eval"]:
            words.append("chain")
        told = luban(*words, "--help").out
        for today in options.values():
            assert today in told, (command, today)
        for former in options:
            assert f" {former} " not in told, (command, former)


def test_former_spellings_play_and_ask_as_todays_do(luban: Luban, tmp_path: Path) -> None:
    former = luban("play", "burr-half-lap", "--obs", "state", "--no-video", "--name", "a")
    today = luban(
        "play", "burr-half-lap", "--observation", "state", "--video", "none", "--name", "b"
    )
    assert former.status == today.status == 0
    assert former.out.replace("/a/", "/b/") == today.out
    assert former.err.startswith("note: ") and "note" not in today.err
    asked = ("eval", "mcube", "--task", "cube", "--n", 1, "--arm", "text", "--out", "run", "--json")
    assert luban(*asked).json()["suite"] == "mcube"


def test_help_of_root_lists_no_former_command(luban: Luban) -> None:
    commands = luban("--help").out.partition("Commands:")[2].splitlines()
    rows = [line.split()[0] for line in commands if line.startswith("  ") and line[2] != " "]
    assert "score-video" in rows and not {"compare", "tables"} & set(rows)
