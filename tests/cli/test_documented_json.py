"""What commands print with ``--json`` has the fields that the documents list, in their order."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from pysim.catalog import list_level_paths
from pysim.families.burr.files.xmpuzzle import write_xmpuzzle
from pysim.families.burr.sixpiece import make_six_piece_design
from tests.cli.test_processes import luban as started
from tests.commands import Luban
from tests.pages import named, sentences, table

PISTON = (88, 512, 768, 922, 1008, 1008)
PLAIN = ("--observation", "state")


def fields(page: str, promise: str) -> list[str]:
    """The outer fields of the object that a page shows behind some words."""
    text = sentences(page).partition(promise)[2]
    shown = re.search(r"`(\{.*?\})`", text)
    assert shown is not None, promise
    inner = shown[1][1:-1]
    while (plain := re.sub(r"\{[^{}]*\}|\[[^\[\]]*\]", "", inner)) != inner:
        inner = plain
    return re.findall(r'"(\w+)"', inner)


def inner_fields(page: str, promise: str, name: str) -> list[str]:
    """The fields of one of its objects, or of those of one of its lists."""
    text = sentences(page).partition(promise)[2]
    shown = re.search(rf'"{name}": \[?\{{(.*?)\}}', text)
    assert shown is not None, name
    return re.findall(r'"(\w+)"', shown[1])


def holds(told: dict[str, Any], page: str, promise: str) -> None:
    assert list(told) == fields(page, promise)


def test_levels(luban: Luban) -> None:
    first = luban("levels", "--json").json()[0]
    holds(first, "cli", "`levels --json`")
    assert list(first["source"]) == inner_fields("cli", "`levels --json`", "source")
    drawn = luban("levels", list_level_paths()[0], "--gallery", "x.html", "--json").json()
    holds(drawn, "cli", "With `--gallery`:")


def test_play_and_replay(luban: Luban) -> None:
    played = luban("play", "burr-half-lap", *PLAIN, "--video", "none", "--json").json()
    holds(played, "cli", "`play --json`")
    holds(luban("replay", played["log"], "--json").json(), "cli", "`replay --json`")


def test_demo(luban: Luban) -> None:
    told = luban("demo", "--video", "none", "--json").json()
    holds(told, "cli", "`demo --json`")
    for episode in told["episodes"]:
        holds(episode, "cli", "`play --json`")


def test_serve(tmp_path: Path) -> None:
    with started(tmp_path, "serve", "--json") as process:
        assert process.stdout is not None
        holds(json.loads(process.stdout.readline()), "cli", "`serve --json`")


def test_designs(luban: Luban) -> None:
    Path("x.xmpuzzle").write_bytes(write_xmpuzzle(make_six_piece_design(PISTON)))
    holds(luban("solve", "x.xmpuzzle", "--json").json(), "cli", "`solve --json`")
    turned = luban("solve", "x.xmpuzzle", "--rotations", "--json").json()
    extra = re.search(r'With `--rotations` also `"(\w+)"` and `"(\w+)"`', sentences("cli"))
    assert extra is not None
    assert list(turned) == [*fields("cli", "`solve --json`"), *extra.groups()]
    made = luban("import", "x.xmpuzzle", "--out", "x.json", "--json").json()
    holds(made, "cli", "`import --json`")
    holds(
        luban("export", "x.json", "--out", "y.xmpuzzle", "--json").json(), "cli", "`export --json`"
    )
    for out in (["--out", "y.stl"], ["--to", "glb", "--out", "y"]):
        holds(luban("export", "x.json", *out, "--json").json(), "cli", "Of meshes:")


def test_show_and_doctor(luban: Luban) -> None:
    holds(
        luban("show", "burr-half-lap", "--image-size", 64, "--json").json(), "cli", "`show --json`"
    )
    told = json.loads(luban("doctor", "--json").out)
    holds(told, "cli", "`doctor --json`")
    for finding in told["findings"]:
        assert list(finding) == inner_fields("cli", "`doctor --json`", "findings")


@pytest.fixture
def told(luban: Luban) -> dict[str, Any]:
    """What a run of two attempts prints; the run is ``run``."""
    command = ("eval", "burr-half-lap,burr-three-bars", *PLAIN, "--k", 2, "--workers", 1)
    document: dict[str, Any] = luban(*command, "--out", "run", "--json").json()
    return document


def test_eval(told: dict[str, Any]) -> None:
    holds(told, "eval", "`--json` prints")
    shown = re.search(r"`by_family` and `by_tier` hold `\{(.*?)\}`", sentences("eval"))
    assert shown is not None
    for group in (*told["by_family"].values(), *told["by_tier"].values()):
        assert list(group) == re.findall(r'"(\w+)"', shown[1])


@pytest.mark.usefixtures("told")
def test_what_is_made_of_runs(luban: Luban) -> None:
    row = luban("select", "run", "--by", "verifier", "--json").json()["strategies"][0]
    shown = re.search(r'`\{"strategies": \[\.\.\.\]\}` with `(.*?)` for each', sentences("eval"))
    assert shown is not None and list(row) == shown[1].split(", ")
    holds(
        luban("report", "run", "--out", "r.html", "--json").json(),
        "eval",
        "replaces a report that exists.",
    )
    report = json.loads(Path("r.json").read_text(encoding="utf-8"))
    holds(report, "eval", "Beside it the same figures")


@pytest.mark.usefixtures("told")
def test_datasets(luban: Luban) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="NOT TESTED: no pyarrow")
    made = luban("dataset", "run", "--observation", "state", "--out", "d", "--json").json()
    holds(made, "datasets", "`--json` prints")
    columns = set(named(table("datasets", "column | what it is")))
    found = {
        name
        for path in Path("d/data").rglob("*.parquet")
        for name in parquet.read_schema(path).names
    }
    assert found == columns | {"task_index", "observation.state", "action"}
    luban(
        "dataset", "run", "--observation", "state", "--format", "parquet", "--out", "p", "--json"
    ).json()
    plain = parquet.read_schema("p/steps.parquet")
    assert set(plain.names) == columns | {"bodies"}
    body = re.search(r"`\{(name, .*?)\}`", sentences("datasets"))
    assert body is not None
    assert [field.name for field in plain.field("bodies").type.value_type] == body[1].split(", ")


def test_cube_bench(luban: Luban) -> None:
    command = ("eval", "cube-bench", "--task", "move-effect", "--n", 2, "--agent", "oracle")
    document = luban(*command, "--out", "run", "--json").json()
    holds(document, "cube-bench", "`--json` prints")
    for part in document["parts"]:
        assert list(part) == inner_fields("cube-bench", "`--json` prints", "parts")


def test_generate(luban: Luban) -> None:
    command = ("generate", "burr", "--kind", "cube", "--level", 2, "--seed", 3, "--count", 1)
    command = (*command, "--workers", 1, "--out", "made")
    holds(luban(*command, "--json").json(), "generate", "`--json` prints")
