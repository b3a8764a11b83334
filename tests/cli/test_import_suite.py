"""``luban import --bench``: published files become suites that are played and asked by their path.

The files are made here in the formats of the authors: rows of MARBLE's data set, samples of Cube
Bench's generator, states of CubeBench and boxes of CHAIN.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pysim.catalog import find_shipped_level
from pysim.catalog.suite_files import read_suite_file
from pysim.families.burr.files.xmpuzzle import write_xmpuzzle
from pysim.families.burr.sixpiece import six_piece_design
from pysim.families.rubik.cube import Cube, cube_after
from pysim.families.rubik.faces import Face
from pysim.families.rubik.moves import parse_moves
from pysim.families.rubik.strings import Letters, Order, format_cube
from tests.commands import Luban

Document = Any
YELLOW_TOP = dict(zip("URFDLB", "yogwrb", strict=True))
"""Colours of the simulator of Cube Bench's authors, in which yellow is on top."""
COLORS = {"y": "yellow", "o": "orange", "g": "green", "w": "white", "r": "red", "b": "blue"}


def save(document: Document, name: str = "published.json") -> Path:
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(document))
    return path


# -- in the formats of the authors -------------------------------------------------------------


def stickers(cube: Cube) -> dict[str, list[str]]:
    """The nine letters of each face in the colours of Cube Bench's authors."""
    text = format_cube(cube, Order.SOLVER, Letters.FACES)
    return {face.value: [YELLOW_TOP[c] for c in text[9 * face.number :][:9]] for face in Face}


def sample(moves: str, options: str, answer: str) -> dict[str, Document]:
    faces = stickers(cube_after(parse_moves(moves)))

    def row(names: str, k: int) -> str:
        return "".join(f"[{c}]" for name in names for c in faces[name][3 * k : 3 * k + 3])

    lines = [" " * 9 + row("U", k) for k in range(3)]
    lines += [row("LFRB", k) for k in range(3)] + [" " * 9 + row("D", k) for k in range(3)]
    front = [[COLORS[c] for c in faces["F"][3 * k :][:3]] for k in range(3)]
    return {
        "id": 7,
        "scramble_cube": "\n".join(lines) + "\n",
        "options": dict(zip("ABCD", options.split(), strict=True)),
        "correct_option": answer,
        "difficulty": "easy",
        "front_face_colors": front,
    }


ARRAYS = [
    [[1, 0, 0, 0, 0], [1, 1, 1, 1, 1], [1, 1, 1, 1, 1], [1, 1, 1, 1, 0], [1, 0, 1, 0, 0]],
    [[0, 1, 0, 0, 0], [0, 1, 1, 1, 1], [0, 1, 1, 1, 1], [0, 1, 1, 1, 1], [0, 0, 0, 0, 0]],
    [[1, 1, 1, 0, 1], [0, 1, 1, 1, 1], [0, 1, 1, 1, 0], [1, 1, 1, 1, 0], [1, 0, 1, 1, 0]],
    [[0, 1, 1, 1, 1], [0, 1, 1, 1, 1], [0, 1, 1, 1, 1], [1, 1, 1, 1, 1], [0, 1, 1, 0, 0]],
    [[0, 1, 1, 1, 0], [0, 1, 1, 1, 0], [0, 1, 1, 1, 0], [0, 1, 1, 1, 0], [1, 1, 1, 0, 0]],
    [[0, 1, 0, 0, 1], [1, 1, 1, 1, 0], [0, 1, 1, 1, 1], [1, 1, 1, 1, 1], [0, 1, 0, 0, 0]],
]
PLACES = (
    "A: (Top, 3, 2)\nB: (Back, 4, 3)\nC: (Left, 2, 1)\nD: (Bottom, 4, 1)\nE: (Right, 4, 3)\n"
    "F: (Front, 2, 1)"
)
ROW = {"face_arrays": ARRAYS, "question": "Build a cube.", "reference_solution": PLACES}
BOX = {"box": [2, 2, 2], "pieces": [[[x, y, z] for x in (4, 5) for y in (0, 1)] for z in (3, 7)]}


def states(order: Order = Order.DRAWN) -> dict[str, list[str]]:
    levels = [find_shipped_level(f"cubebench-d{d}-1-full-visual") for d in ("01", "04", "20")]
    return {
        str(level.facts["depth_htm"]): [format_cube(level.puzzle.start, order)] for level in levels
    }


# -- suites that are played and asked ----------------------------------------------------------


def test_import_marble_rows_makes_suite_that_is_asked(luban: Luban) -> None:
    told = luban("import", "--bench", "mcube", save([ROW]), "--out", "own.json", "--json").json()
    assert (told["suite"], told["items"], told["levels"]) == ("mcube", 1, 0)
    own = read_suite_file(Path("own.json"))
    assert own is not None and own.hash == told["hash"]
    assert own.source["files"][0]["name"] == "published.json"  # type: ignore[call-overload,index]
    for arm in ("pictures", "text"):
        asked = luban("eval", "own.json", "--arm", arm, "--out", arm, "--json").json()
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


@pytest.mark.parametrize("order", [Order.DRAWN, Order.ENVIRONMENT, Order.ENVIRONMENT_ROWS])
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
    played = luban("eval", "own.json", "--mode", "no-code", "--limit", 3, "--out", "run", "--json")
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
    piston = write_xmpuzzle(six_piece_design((88, 512, 768, 922, 1008, 1008)))
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
    assert luban("verify", "files", "--json").json()["false"] == []
    assert luban("play", "files/own-box-01.json", "--no-video", "--json").json()["steps"] == 2
    assert luban("report", "run", "--out", "page.html", "--json").status == 0


def test_import_writes_same_suite_from_same_files(luban: Luban) -> None:
    save(BOX)
    for name in ("a", "b"):
        luban(
            "import", "--bench", "chain", "published.json", "--out", f"{name}.json", "--id", "own"
        )
    assert Path("a.json").read_bytes() == Path("b.json").read_bytes()


# -- what is refused ---------------------------------------------------------------------------


def changed(row: Document, **values: Document) -> Document:
    return {**row, **values}


def without(row: Document, key: str) -> Document:
    return {name: value for name, value in row.items() if name != key}


SAMPLE = sample("R", "R R' U D", "B")
STATE = format_cube(cube_after(parse_moves("R U F")), Order.DRAWN)
TWISTED = STATE[:8] + STATE[20] + STATE[9:20] + STATE[8] + STATE[21:]
DEEP = states()["20"][0]
REFUSED: list[tuple[str, Document, str]] = [
    ("mcube", [], "it holds nothing"),
    ("mcube", [1], "a row is an object"),
    ("mcube", {}, "neither face_arrays nor answer"),
    ("mcube", {"map_name": "x", "user_prompt": "?"}, "M-Portal ask about screenshots"),
    ("mcube", changed(ROW, face_arrays=ARRAYS[:5]), "face_arrays are six arrays"),
    ("mcube", changed(ROW, face_arrays={"A": ARRAYS[0]}), "called A to F"),
    ("mcube", changed(ROW, face_arrays=[*ARRAYS[:5], [[1]]]), "5 x 5 ones and zeros"),
    ("mcube", changed(ROW, face_arrays=[*ARRAYS[:5], [[2] * 5] * 5]), "5 x 5 ones and zeros"),
    ("mcube", changed(ROW, face_arrays=[*ARRAYS[:5], [[0] * 5] * 5]), "middle 3 x 3 cells"),
    ("mcube", changed(ROW, face_arrays=ARRAYS[::-1]), "does not close the cube"),
    ("mcube", without(ROW, "reference_solution"), "no reference_solution"),
    ("mcube", changed(ROW, reference_solution="A: (Top, 3, 2)"), "no place for B, C, D, E, F"),
    ("mcube", changed(ROW, reference_solution=3), "reference_solution: places are written"),
    ("mcube", changed(ROW, reference_solution="A: (Top, 1, 3)"), "is no place of a piece"),
    ("mcube", changed(ROW, given="A: (Up, 3, 2)"), "given: A: (Up, 3, 2) is no place"),
    ("mcube", changed(ROW, given="nothing"), "given: it names one to five pieces"),
    ("mcube", changed(ROW, given="A: (Top, 2, 1)"), "given at one place and solved at another"),
    ("mcube", [ROW, {"answer": ARRAYS[0]}], "row 2: a row of mcube-perception among rows of mcube"),
    ("mcube", [ROW, changed(ROW, face_arrays=0)], "row 2: face_arrays are six arrays"),
    ("cube-bench", {"id": 1}, "object with scramble_cube or scramble"),
    ("cube-bench", changed(SAMPLE, scramble_cube=1), "scramble_cube is the text of a net"),
    ("cube-bench", changed(SAMPLE, scramble_cube="[y][y]"), "rows of 3 3 3 12 12 12 3 3 3"),
    (
        "cube-bench",
        changed(SAMPLE, scramble_cube=SAMPLE["scramble_cube"].replace("[o]", "[x]", 1)),
        "no centre has the colour 'X'",
    ),
    (
        "cube-bench",
        changed(SAMPLE, scramble_cube=SAMPLE["scramble_cube"].replace("[o]", "[r]", 1)),
        "is there 8 times",
    ),
    ("cube-bench", changed(SAMPLE, options={"A": "R"}), "options are an object with A, B, C and D"),
    ("cube-bench", changed(SAMPLE, options=dict.fromkeys("ABCD", 1)), "an option is a text"),
    ("cube-bench", changed(SAMPLE, options=dict.fromkeys("ABCD", "Q")), "'Q"),
    ("cube-bench", sample("R", "R R2 U D", "B"), "0 of its options solve the cube"),
    ("cube-bench", changed(SAMPLE, correct_option="A"), "correct_option A, R, does not solve"),
    ("cube-bench", changed(SAMPLE, correct_option="E"), "correct_option is A, B, C or D"),
    ("cube-bench", changed(SAMPLE, front_face_colors="x"), "3 x 3 names of colours"),
    (
        "cube-bench",
        changed(SAMPLE, front_face_colors=[["red"] * 3] * 3),
        "front_face_colors are not those of the net",
    ),
    ("cube-bench", {"scramble": "R R'"}, "the cube is solved"),
    ("cube-bench", {"scramble": "R U F L D B R U F"}, "more than 8 face turns"),
    ("cubebench", {}, "no state of 54 letters"),
    ("cubebench", [STATE[:53]], "54 letters, not"),
    ("cubebench", [3], "no state of 54 letters"),
    ("cubebench", [TWISTED], "is no cube in any of the orders"),
    ("cubebench", ["WRGYOB" * 9], "is no cube in any of the orders"),
    ("cubebench", {"4": [STATE]}, "its depth is 3, not 4"),
    ("cubebench", [{"state": STATE, "depth": "3"}], "its depth is a whole number"),
    ("cubebench", [{"state": DEEP, "depth": 20, "solution": "Q"}], "solution: "),
    ("cubebench", [DEEP], "its depth is not stated"),
    ("cubebench", {"7": [DEEP]}, "no cube at depth 7 looks so"),
    ("cubebench", {"21": [DEEP]}, "no cube at depth 21 looks so"),
    ("cubebench", [{"state": DEEP, "depth": 20, "solution": "R"}], "its solution does not solve"),
    (
        "cubebench",
        ["".join(c * 9 for c in "WOGRYB")],
        "the cube is solved",
    ),
    ("chain", {"box": [2, 2, 2]}, "an object with box and pieces"),
    ("chain", changed(BOX, box=[2, 2]), "three whole numbers"),
    ("chain", changed(BOX, box=[2, 2, True]), "three whole numbers"),
    ("chain", changed(BOX, box=[2, 2, 90]), "1 to 8 cells"),
    ("chain", changed(BOX, pieces=[]), "2 to 48 pieces"),
    ("chain", changed(BOX, pieces=[[[0, 0]], [[0, 0, 0]]]), "piece 0 is a list of cells"),
    ("chain", changed(BOX, pieces=[[[0, 0, 0]] * 2] * 2), "piece 0 has a cell twice"),
    ("chain", changed(BOX, pieces=[[[0, 0, 0], [0, 0, 9]]] * 2), "longer than 8 cells"),
    ("chain", changed(BOX, pieces=BOX["pieces"][:1] * 3), "the pieces have 12 cells, the box 8"),
    (
        "chain",
        {
            "box": [2, 2, 2],
            "pieces": [
                [[0, 0, 0], [1, 1, 0], [1, 0, 0], [0, 0, 1]],
                [[0, 0, 0], [2, 0, 0], [3, 0, 0], [0, 1, 0]],
            ],
        },
        "the piece is not connected",
    ),
]


@pytest.mark.parametrize(("bench", "document", "words"), REFUSED)
def test_import_damaged_row_is_refused_in_one_line(
    luban: Luban, bench: str, document: Document, words: str
) -> None:
    complaint = luban("import", "--bench", bench, save(document), "--out", "o.json").complaint()
    assert words in complaint and "published.json" in complaint
    assert not Path("o.json").exists()


@pytest.mark.parametrize("bench", ["mcube", "cube-bench", "cubebench", "chain"])
@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "not JSON"),
        (b"{", "not JSON"),
        (b"\xff\xfe", "no UTF-8 text"),
        (b"[NaN]", "NaN is no number of JSON"),
        (b"[" * 100_000, "not JSON"),
        (b'{"a": 1}\n{"b"', "row 2: this is not JSON"),
        (b"null", "published.json"),
    ],
    ids=["empty", "cut", "no-text", "nan", "deep", "cut-line", "null"],
)
def test_import_file_that_is_no_json_is_refused_in_one_line(
    luban: Luban, bench: str, data: bytes, words: str
) -> None:
    Path("published.json").write_bytes(data)
    complaint = luban("import", "--bench", bench, "published.json", "--out", "o.json").complaint()
    assert words in complaint


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--bench", "nope", "published.json"], "there is no bench 'nope'; --bench is one of"),
        (["--bench", "euclifold", "published.json"], "reads no files of authors"),
        (["--bench", "portal", "published.json"], "reads no files of authors"),
        (["--bench", "chain", "nowhere.json"], "nowhere.json: No such file"),
        (["--bench", "chain", "published.json", "--tier", "hard"], "--tier is for a designer's"),
        (["--bench", "chain", "published.json", "--stored"], "--stored is for a designer's"),
        (["--bench", "chain", "published.json", "--id", "A b"], "'A b'"),
        (["--bench", "chain", "published.json", "--id", "a" * 60], "at most 48 characters"),
        (["--bench", "chain", "empty"], "holds no file that ends in"),
        (["--bench", "chain", "other.csv"], "reads files ending in"),
    ],
)
def test_import_with_wrong_arguments_is_refused(
    luban: Luban, arguments: list[str], words: str
) -> None:
    save(BOX)
    Path("empty").mkdir()
    Path("other.csv").write_text("x")
    assert words in luban("import", *arguments, "--out", "o.json").complaint()


def edit(change: Callable[[Document], object]) -> None:
    document = json.loads(Path("own.json").read_text())
    change(document)
    Path("own.json").write_text(json.dumps(document))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda d: d["items"][0].update(missing="A"), "does not match its hash"),
        (lambda d: d.update(hash="sha256:0"), "does not match its hash"),
        (lambda d: d.update(bench="chain"), "does not match its hash"),
        (lambda d: d.update(items=[]), "has levels or items"),
        (lambda d: d.update(items=[1]), "no list of objects"),
        (lambda d: d.pop("source"), "'source' is no object"),
        (lambda d: d.pop("name"), "name"),
        (lambda d: d.update(name="A B"), "'A B'"),
        (lambda d: d.update(format="luban-own-suite/2"), "luban-own-suite/2"),
    ],
)
def test_eval_of_damaged_suite_is_refused_in_one_line(
    luban: Luban, change: Callable[[Document], object], words: str
) -> None:
    luban("import", "--bench", "mcube", save(ROW), "--out", "own.json")
    edit(change)
    assert words in luban("eval", "own.json", "--out", "run").complaint()
    assert not Path("run").exists()


def test_suite_of_items_is_no_level_and_has_none(luban: Luban) -> None:
    luban("import", "--bench", "mcube", save(ROW), "--out", "own.json")
    assert "this is a suite" in luban("show", "own.json").complaint()
    assert (
        "--levels: this suite holds questions"
        in luban(
            "import", "--bench", "mcube", save(ROW), "--out", "o.json", "--levels", "files"
        ).complaint()
    )
