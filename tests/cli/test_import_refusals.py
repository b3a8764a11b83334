"""``luban import --bench`` refuses damaged files, and ``luban eval`` damaged suites."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from pysim.families.rubik.cube import make_cube
from pysim.families.rubik.moves import parse_moves
from pysim.families.rubik.strings import Order, format_cube
from tests.cli.published import ARRAYS, BOX, ROW, Document, sample, save, states
from tests.commands import Luban


def changed(row: Document, **values: Document) -> Document:
    return {**row, **values}


def without(row: Document, key: str) -> Document:
    return {name: value for name, value in row.items() if name != key}


SAMPLE = sample("R", "R R' U D", "B")
STATE = format_cube(make_cube(parse_moves("R U F")), Order.DRAWN)
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
