"""``luban import --bench``: published files become suites that are played or asked by path."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from pysim.catalog import find_shipped_level
from pysim.catalog.suite_files import format_suite_file, read_suite_file
from pysim.families.burr.files.xmpuzzle import write_xmpuzzle
from pysim.families.burr.sixpiece import make_six_piece_design
from pysim.families.rubik.strings import Order
from tests.cli.published import ARRAYS, BOX, PLACES, ROW, sample, save, states
from tests.commands import Luban
from tests.sampling import by_day


def test_import_marble_rows_makes_suite_that_is_asked(luban: Luban) -> None:
    told = luban("import", "--bench", "mcube", save([ROW]), "--out", "own.json", "--json").json()
    assert (told["suite"], told["items"], told["levels"]) == ("mcube", 1, 0)
    own = read_suite_file(Path("own.json"))
    assert own is not None and own.hash == told["hash"]
    assert own.source["files"][0]["name"] == "published.json"  # type: ignore[call-overload,index]
    for arm in ("pictures", "text"):
        asked = luban("eval", "own.json", "--observation", arm, "--out", arm, "--json").json()
        assert (asked["suite"], asked["items"], asked["accuracy"]) == ("mcube", 1, 1.0)
    Path("own.json").unlink()
    again = luban("eval", "mcube", "--n", "1", "--out", "other", "--json").json()
    assert again["items"] == 1
    page = luban("report", "text", "pictures", "--out", "page.html", "--json")
    assert page.status == 0, page.err
    assert "given=own" in Path("page.html").read_text()


@pytest.mark.parametrize("given", ["question", "given"])
def test_import_marble_rows_with_given_pieces_asks_for_missing_ones(
    luban: Luban, given: str
) -> None:
    lines = PLACES.splitlines()
    row = ROW | {"reference_solution": "\n".join(lines[:2]), given: "\n".join(lines[2:])}
    told = luban("import", "--bench", "mcube", save(row), "--out", "own.json", "--json").json()
    assert told["suite"] == "mcube-easy"
    asked = luban("eval", "own.json", "--out", "run", "--json").json()
    assert (asked["parts"][0]["missing"], asked["accuracy"]) == (2, 1.0)


def test_import_marble_perception_rows_asks_for_each_piece(luban: Luban) -> None:
    rows = [{"answer": array, "question": "?"} for array in ARRAYS]
    luban("import", "--bench", "mcube", save(rows), "--out", "own.json", "--json").json()
    asked = luban("eval", "own.json", "--out", "run", "--json").json()
    assert (asked["items"], asked["parts"][0]["scores"]["piece_accuracy"]) == (6, 1.0)


def test_import_generator_samples_keeps_their_options_and_answers(luban: Luban) -> None:
    rows = [sample("D2", "B2 D2 L2 R", "B"), sample("R U'", "R U F D", "A")]
    told = luban(
        "import", "--bench", "cube-bench", save(rows), "--out", "own.json", "--json"
    ).json()
    assert (told["suite"], told["items"]) == ("cube-bench", 2)
    asked = luban("eval", "own.json", "--out", "run", "--json").json()
    tasks = {part["variant"].partition(",")[0] for part in asked["parts"]}
    assert len(tasks) == 7
    moves = [part for part in asked["parts"] if part["variant"].startswith("move-prediction")]
    assert all(part["scores"]["gold_slots"]["B"] == 1 for part in moves)
    assert all(part["given"]["name"] == "own" for part in asked["parts"])
    answers = Path("run/items.jsonl").read_text().splitlines()
    assert all(json.loads(line).get("right") in (True, None) for line in answers)


def test_import_of_a_run_is_resumed_and_refused_with_other_items(luban: Luban) -> None:
    luban(
        "import", "--bench", "cube-bench", save([sample("R", "R R' U D", "B")]), "--out", "own.json"
    )
    eval_ = ("eval", "own.json", "--task", "move-prediction", "--out", "run", "--json")
    first = luban(*eval_).json()
    assert luban(*eval_).json() == first
    luban(
        "import", "--bench", "cube-bench", save([sample("L", "R L' U D", "B")]),
        "--out", "own.json", "--force",
    )  # fmt: skip
    assert "holds another run" in luban(*eval_).complaint()


def test_eval_of_imported_file_with_former_bench_name_asks_its_items(luban: Luban) -> None:
    named = ("import", "--bench", "cube_questions")
    luban(*named, save([sample("R", "R R' U D", "B")]), "--out", "own.json")
    own = read_suite_file(Path("own.json"))
    assert own is not None and own.bench == "cube_bench"
    Path("old.json").write_bytes(format_suite_file(replace(own, bench="cube_questions")))
    asked = luban("eval", "old.json", "--task", "verification", "--out", "run", "--json").json()
    assert (asked["suite"], asked["accuracy"]) == ("cube-bench", 1.0)


@pytest.mark.parametrize("order", by_day([Order.DRAWN, Order.ENVIRONMENT, Order.ENVIRONMENT_ROWS]))
def test_import_cubebench_states_finds_their_order(luban: Luban, order: Order) -> None:
    told = luban(
        "import", "--bench", "cubebench", save(states(order)), "--out", "own.json", "--json"
    ).json()
    assert told["levels"] == 12
    assert f"in the order {order}" in told["notes"][0]
    own = read_suite_file(Path("own.json"))
    assert own is not None
    shipped = find_shipped_level("cubebench-d20-1-vertex-view")
    assert [level.hash for level in own.levels if "d20" in level.id][3] == shipped.hash
    alone = ("--limit", 3, "--workers", 1)
    played = luban("eval", "own.json", "--mode", "no-code", *alone, "--out", "run", "--json")
    assert (played.json()["solved"], "cubebench" in played.json()) == (3, True)


def test_import_cubebench_lines_and_other_colours_gives_same_cubes(luban: Luban) -> None:
    other = str.maketrans("WRGYOB", "YOGWRB")
    lines = [f"{depth} {text[0].translate(other)}" for depth, text in states().items()]
    Path("states.txt").write_text("\n".join(lines) + "\n")
    told = luban(
        "import", "--bench", "cubebench", "states.txt", "--out", "own.json", "--json"
    ).json()
    assert "repainted" in told["notes"][1]
    own = read_suite_file(Path("own.json"))
    assert own is not None
    assert {level.hash for level in own.levels} >= {
        find_shipped_level("cubebench-d04-1-full-symbolic").hash
    }


def test_import_boxes_and_designs_makes_levels_of_both(luban: Luban) -> None:
    save(BOX, "chain/2x2x2/hard/001/2x2x2_hard_001.json")
    piston = write_xmpuzzle(make_six_piece_design((88, 512, 768, 922, 1008, 1008)))
    Path("chain/piston.xmpuzzle").write_bytes(piston)
    made = ("import", "--bench", "chain", "chain", "--out", "own.json", "--levels", "files")
    told = luban(*made, "--json").json()
    assert told["levels"] == 2
    own = read_suite_file(Path("own.json"))
    assert own is not None
    lock, box = own.levels
    assert (lock.id, box.id, box.tier.value) == ("own-lock-01", "own-box-01", "hard")
    played = luban("eval", "own.json", "--out", "run", "--workers", 1, "--json").json()
    assert (played["episodes"], played["solved"]) == (2, 2)
    assert luban("verify", "files", "--workers", 1, "--no-films", "--json").json()["false"] == []
    assert luban("play", "files/own-box-01.json", "--video", "none", "--json").json()["steps"] == 2
    assert luban("report", "run", "--out", "page.html", "--pictures", 0).status == 0


def test_import_writes_same_suite_from_same_files(luban: Luban) -> None:
    save(BOX)
    for name in ("a", "b"):
        luban(
            "import", "--bench", "chain", "published.json", "--out", f"{name}.json", "--id", "own"
        )
    assert Path("a.json").read_bytes() == Path("b.json").read_bytes()
