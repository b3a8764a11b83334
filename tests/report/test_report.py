"""The report: its tables and plots, its command, and what a reader sees in a real browser."""

import csv
import io
import json
import re
import shutil
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bridge.agents.usage import Usage
from bridge.report.charts import ScatterPoint, draw_bars, draw_curves, draw_scatter
from bridge.report.documents import format_runs_csv
from bridge.report.page import build_body, build_page
from bridge.report.parts import ReportedRun, Table
from bridge.report.sections import build_all_parts
from bridge.runs.play import Mode
from bridge.runs.results import EpisodeResult, SearchCost
from bridge.runs.settings import RunSettings
from bridge.runs.store import RunFolder
from bridge.scoring.metrics import Price
from pysim.catalog import find_level
from tests.browsing import browser
from tests.commands import Luban, call
from tests.markup import outline_html
from tests.recording.plays import play_plan, small_films
from tests.runs.cases import refused, result

__all__ = ["browser"]

GOLDEN = Path(__file__).parents[1] / "golden" / "report" / "body.html"
LEVELS = (("one", "sha256:1"), ("two", "sha256:2"), ("box", "sha256:3"))
USAGE = Usage(5, 40_000, 10_000)


def run(name: str, results: list[EpisodeResult], **settings: Any) -> ReportedRun:
    given = RunSettings("mixed", LEVELS, **{"agent": "openai:tall", **settings})
    price = Price(1.0, 8.0) if given.agent == "openai:tall" else None
    return ReportedRun(name, RunFolder(Path(name), given), results, price)


def box(attempt: int, solved: bool, steps: int, **more: Any) -> EpisodeResult:
    return result(
        "box",
        attempt,
        solved=solved,
        steps=steps,
        plan=8,
        bound=6,
        family="packing",
        tier="hard",
        **more,
    )


def mixed() -> list[ReportedRun]:
    """An agent in both modes and with two attempts, and an oracle."""
    errors = (refused(2, "BLOCKED", "red", "blue"), refused(5, "OUT_OF_BOUNDS", "red"))
    interactive = [
        result("one", 1, solved=True, steps=7, usage=USAGE),
        result("one", 2, solved=False, steps=30, refusals=errors, repeated=4, usage=USAGE),
        result("two", 1, solved=True, steps=5, tier="medium", usage=USAGE),
        result("two", 2, solved=True, steps=6, tier="medium", usage=USAGE),
        box(1, True, 10, usage=USAGE),
        box(2, False, 24, refusals=(refused(1, "MALFORMED"),), usage=USAGE),
    ]
    one_shot = [
        result("one", 1, solved=True, steps=5, usage=USAGE),
        result("two", 1, tier="medium", refusals=errors, usage=USAGE),
        box(1, False, 8, usage=USAGE),
    ]
    oracle = [
        result("one", 1, solved=True, steps=5),
        result("two", 1, solved=True, steps=5, tier="medium"),
        box(1, True, 8),
    ]
    return [
        run("tall", interactive, attempts=2),
        run("tall-once", one_shot, mode=Mode.ONE_SHOT),
        run("<oracle & co>", oracle, agent="oracle"),
    ]


def test_the_report_of_a_mixed_run_is_the_golden_one(tmp_path: Path) -> None:
    body = build_body(mixed())
    if outline_html(GOLDEN.read_text(encoding="utf-8")) != outline_html(body):
        found = tmp_path / GOLDEN.name
        found.write_text(body, encoding="utf-8")
        pytest.fail(f"the report is not {GOLDEN.name}; look at {found} and put it there if right")


def test_csv_of_runs_quotes_names_and_notes_of_several_lines() -> None:
    results = [replace(result("one"), note='said "no",\nand\u2028left'), result("two")]
    lines = list(csv.DictReader(io.StringIO(format_runs_csv([run('a, "b"', results)]))))
    assert [line["run"] for line in lines] == ['a, "b"'] * 2
    assert [line["level"] for line in lines] == ["one", "two"]
    assert lines[0]["note"] == results[0].note


def all_tables(runs: list[ReportedRun]) -> list[Table]:
    return [part for part in build_all_parts(runs) if isinstance(part, Table)]


def rows(number: int) -> dict[str, list[str]]:
    table = all_tables(mixed())[1 + number]
    assert all(len(row) == len(table.head) for row in table.rows)
    assert not table.groups or sum(width for _, width in table.groups) == len(table.head)
    return {" ".join(row[:1] if number != 3 else row[:2]): list(row) for row in table.rows}


def test_table_1_has_what_was_worked_out_by_hand() -> None:
    # Pass@1: (1/2 + 1 + 1/2) / 3. Steps 7, 5, 6, 10 with plans 5, 5, 5 and 6 to 8.
    # 4 solved with 6 x 50,000 tokens, which cost 6 x (0.04 + 0.08) USD.
    tall = rows(0)["tall"]
    assert tall[1] == "66.7"
    # Wilson: (4 + z²/2 ± z sqrt(6 (4/6) (2/6) + z²/4)) / (6 + z²), z² = 3.8415.
    assert tall[3:7] == ["30.0–90.3", "4/6", "75.0", "50.0"]
    assert tall[7:] == ["7.0", "1.25–1.75", "0.21–0.32", "13.33", "0.72", "5.56"]
    assert rows(0)["<oracle & co>"][7:] == ["6.0", "0.00–0.67", "0.00–0.11", "–", "–", "–"]


@pytest.mark.parametrize(
    ("locks", "boxes", "printed"),
    [
        (1, 24, ["22.9", "25", "3.1", "31.2"]),
        (1, 20, ["19.3", "21", "3.1", "26.0"]),
        (0, 15, ["13.8", "15", "0.0", "19.5"]),
        (1, 9, ["9.2", "10", "3.1", "11.7"]),
    ],
)
def test_table_1_prints_what_chain_prints_for_as_many_solved_levels(
    locks: int, boxes: int, printed: list[str]
) -> None:
    # Four rows of CHAIN's own Table 1: Pass@1, solved, puzzles of 32, stackings of 77.
    results = [result(f"lock-{n}", solved=n < locks, tier="hard") for n in range(32)]
    results += [result(f"box-{n}", solved=n < boxes, family="packing") for n in range(77)]
    table = next(t for t in all_tables([run("one", results)]) if t.title.startswith("Table 1"))
    row = dict(zip(table.head, table.rows[0], strict=True))
    share, solved, puzzle, stacking = printed
    assert (row["Pass@1 ↑"], row["Succ. task ↑"]) == (share, f"{solved}/109")
    assert (row["burr ↑"], row["packing ↑"]) == (puzzle, stacking)


def test_tables_2_to_4_have_what_was_worked_out_by_hand() -> None:
    assert rows(1)["tall"] == ["tall", "50.0", "100.0", "50.0"]
    figures = rows(2)["openai:tall"][1:]
    assert figures == ["75.0", "50.0", "66.7", "50.0", "0.0", "33.3", "-33.3"]
    assert rows(3)["tall Avg@2"][2:] == ["75.0", "50.0", "66.7", "", "62.5", ""]
    assert rows(3)["tall Pass@1"][2:] == ["100.0", "100.0", "100.0", "+33.3", "100.0", "+37.5"]
    assert rows(3)["tall Pass@2"][2:] == ["100.0", "100.0", "100.0", "+33.3", "100.0", "+37.5"]


def test_table_4_has_the_mean_of_both_families_as_chain_has_it() -> None:
    # A row of CHAIN's Table 4: 3.1 of puzzles and 15.6 of stackings make 9.4 of all.
    results = [result(f"lock-{n}", k, solved=n < 1) for n in range(32) for k in (1, 2, 3, 4)]
    results += [
        result(f"box-{n}", k, solved=4 * n + k <= 48, family="packing")
        for n in range(77)
        for k in (1, 2, 3, 4)
    ]
    tables = all_tables([run("kimi", results, attempts=4)])
    table = next(table for table in tables if table.title.startswith("Table 4"))
    row = dict(zip(table.head, table.rows[0], strict=True))
    assert [row[f"{name} ↑"] for name in ("burr", "packing", "family mean", "all")] == [
        "3.1",
        "15.6",
        "9.4",
        "11.9",
    ]


@pytest.mark.parametrize(
    ("price", "usd", "per_usd"),
    [(Price(10.0, 100.0), "0.30", "10.00"), (None, "–", "–")],
)
def test_usd_of_a_search_counts_the_tokens_of_its_judge(
    price: Price | None, usd: str, per_usd: str
) -> None:
    search = SearchCost(tried=9, scorer=Usage(1, 1_000, 900))
    results = [
        replace(result(name, solved=True, usage=USAGE), search=search) for name in ("a", "b", "c")
    ]
    searched = replace(run("beam", results), price=Price(0.0, 0.0), scorer_price=price)
    table = next(t for t in all_tables([searched]) if t.title.startswith("Table 1"))
    row = dict(zip(table.head, table.rows[0], strict=True))
    assert (row["USD ↓"], row["Solved/USD ↑"]) == (usd, per_usd)


def test_every_two_runs_are_compared() -> None:
    assert list(rows(4)) == [
        "tall − tall-once",
        "tall − <oracle & co>",
        "tall-once − <oracle & co>",
    ]
    assert rows(4)["tall-once − <oracle & co>"][2:] == ["-66.7", "-100.0 to +0.0", "0 / 2", "0.5"]


@pytest.mark.parametrize(
    "svg",
    [
        draw_bars({"a & b": {"x": 3.0}, "c": {"x": 0.0, "y<": 7.0}}, ["x", "y<"], "height"),
        draw_bars({}, [], "nothing"),
        draw_bars({"a": {"x": -0.4, "y": 0.2}, "b": {"x": -0.1}}, ["x", "y"], "signed"),
        draw_bars({f"a long name {n}": {"x" * 90: n} for n in range(12)}, ["x" * 90], "height"),
        draw_curves({"a": [0, 0.5, 1], "b": [], "c": [1]}, "steps", "share"),
        draw_scatter(
            [ScatterPoint("a", 1000, 50), ScatterPoint("b<", 31_000, 0)], "tokens", "success"
        ),
        draw_scatter([ScatterPoint("alone", 1, 0)], "tokens", "success"),
    ],
)
def test_plots_are_whole_and_inside_their_frame(svg: str) -> None:
    root = ElementTree.fromstring(svg)
    _, _, width, height = map(float, root.attrib["viewBox"].split())
    for shape in root.iter():
        for name in ("x", "cx", "y", "cy"):
            value = float(shape.attrib.get(name, 0))
            assert 0 <= value <= (width if "x" in name else height)
        for number in re.findall(r"[-\d.]+", shape.attrib.get("points", "")):
            assert 0 <= float(number) <= width


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An oracle with videos and an agent whose script has markup in it."""
    folder = tmp_path_factory.mktemp("played")
    script = folder / "script.txt"
    script.write_text("slide red +x 1\n</script><b>bold\n")
    levels = "burr-half-lap,burr-three-bars"
    for name, agent, video in (
        ("oracle", "oracle", "all"),
        ("script", f"scripted:{script}", "none"),
    ):
        options = [
            "--agent",
            agent,
            "--workers",
            1,
            "--observation",
            "state",
            "--image-size",
            64,
            "--video",
            video,
            "--json",
        ]
        with small_films():
            call("eval", levels, *options, "--out", folder / "runs" / name)
    return folder / "runs"


@pytest.fixture
def two_runs(played: Path, tmp_path: Path) -> list[str]:
    shutil.copytree(played, tmp_path / "runs")
    return ["runs/oracle", "runs/script"]


@pytest.mark.slow
def test_the_command_writes_page_json_and_csv(
    luban: Luban, tmp_path: Path, two_runs: list[str]
) -> None:
    (tmp_path / "prices.json").write_text('{"oracle": {"input": 1, "output": 2}}')
    report = ["report", *two_runs, "--out", "report.html", "--prices", "prices.json", "--json"]
    assert luban(*report, "--pictures", 1).json() == {
        "out": "report.html",
        "json": "report.json",
        "csv": "report.csv",
        "tables": "report.tables.csv",
        "runs": ["oracle", "script"],
        "episodes": 4,
    }
    document = json.loads((tmp_path / "report.json").read_text())
    assert document["format"] == "luban-report/1"
    documents = document["runs"]
    assert documents["oracle"]["score"]["solved"] == 2
    assert documents["oracle"]["score"]["cost_usd"] == 0
    assert documents["script"]["errors"]["UNKNOWN_ACTION"] == 2
    with (tmp_path / "report.csv").open() as file:
        assert [line["run"] for line in csv.DictReader(file)] == ["oracle"] * 2 + ["script"] * 2
    with (tmp_path / "report.tables.csv").open() as file:
        cells = {(c["table"], c["name"], c["column"]): c["value"] for c in csv.DictReader(file)}
    assert cells["Table 1: main results", "oracle", "Pass@1 ↑"] == "100.0"
    assert [table["title"] for table in document["tables"]] == list(
        dict.fromkeys(title for title, _, _ in cells)
    )
    page = (tmp_path / "report.html").read_text()
    assert page.count("</script>") == page.count("<script")
    assert str(tmp_path) not in page
    assert "report.html exists" in luban(*report).complaint()
    assert luban(*report, "--force", "--pictures", 0).status == 0


def test_an_embedding_page_stands_alone(luban: Luban, tmp_path: Path, two_runs: list[str]) -> None:
    assert luban("report", *two_runs, "--out", "report.html", "--embed").status == 0
    page = (tmp_path / "report.html").read_text()
    assert page.count("data:video/mp4;base64,") == 2
    assert page.count("data:image/png;base64,") == 4
    # The run without videos has small pictures of both ends, drawn for the page.
    assert page.count("data:image/jpeg;base64,") == 4
    assert not (tmp_path / "report_files").exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nowhere", "--out", "r.html"], "holds no run"),
        (["runs/script", "--out", "r.pdf"], "ends in .html"),
        (["runs/script", "--out", "no/r.html"], "no folder"),
        (["runs/script", "runs/script", "--out", "r.html"], "same name"),
        (["begun", "--out", "r.html"], "no episode"),
        (["runs/script", "--out", "r.html", "--prices", "none.json"], "none.json"),
        (["runs/script", "--out", "r.html", "--prices", "odd.json"], "a price table is"),
        (["runs/script", "--out", "r.html", "--prices", "minus.json"], "numbers from 0 to 1,0"),
        (["runs/script", "--out", "r.html", "--prices", "huge.json"], "numbers from 0 to 1,0"),
    ],
)
def test_what_can_not_be_reported_is_said(
    luban: Luban, tmp_path: Path, two_runs: list[str], arguments: list[str], words: str
) -> None:
    RunFolder.begin(tmp_path / "begun", RunSettings("mixed", LEVELS, "oracle"))
    (tmp_path / "odd.json").write_text('{"oracle": 3}')
    (tmp_path / "minus.json").write_text('{"oracle": {"input": -1, "output": NaN}}')
    (tmp_path / "huge.json").write_text('{"oracle": {"input": 1e308, "output": 1}}')
    assert words in luban("report", *arguments).complaint()


def test_a_reader_clicks_to_an_episode_and_plays_its_video(
    luban: Luban, tmp_path: Path, two_runs: list[str], browser: Any
) -> None:
    assert luban("report", *two_runs, "--out", "report.html").status == 0
    page = browser.new_page()
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto((tmp_path / "report.html").as_uri())
    assert page.locator("#list tbody tr").count() == 4
    assert not page.locator("#episode").is_visible()

    page.get_by_label("Show").fill("script three")
    assert page.locator("#list tbody tr").count() == 1
    page.get_by_role("link", name="burr-three-bars").click()
    panel = page.locator("#episode")
    panel.wait_for(state="visible")
    assert "GAVE_UP after 2 steps" in panel.inner_text()
    assert "</script><b>bold" in panel.locator("details.refused").last.inner_text()
    assert panel.locator("video").count() == 0

    page.get_by_role("link", name="close").click()
    panel.wait_for(state="hidden")
    page.get_by_label("Show").fill("oracle half")
    page.get_by_role("link", name="burr-half-lap").click()
    panel.wait_for(state="visible")
    assert "SOLVED after 1 step" in panel.inner_text()
    for i in range(2):
        picture = panel.locator("img").nth(i)
        page.wait_for_function("image => image.naturalWidth > 100", arg=picture.element_handle())
    video = panel.locator("video").element_handle()
    page.evaluate("video => video.play()", video)
    page.wait_for_function("video => video.currentTime > 0.3", arg=video)
    assert page.evaluate("video => video.videoWidth", video) == 64
    assert complaints == []
    page.close()


def test_a_video_that_was_lost_is_said(
    luban: Luban, tmp_path: Path, two_runs: list[str], browser: Any
) -> None:
    assert luban("report", *two_runs, "--out", "report.html").status == 0
    for file in (tmp_path / "runs").rglob("*.mp4"):
        file.unlink()
    page = browser.new_page()
    page.goto((tmp_path / "report.html").as_uri() + "#e0")
    words = page.get_by_text("The video is missing: runs/oracle/")
    words.wait_for()
    assert page.locator("#episode img").count() == 2
    page.get_by_role("link", name="next").click()
    page.wait_for_function("location.hash === '#e1'")
    page.close()


@pytest.mark.slow
def test_a_thousand_episodes_fit_on_a_telephone(tmp_path: Path, browser: Any) -> None:
    run_with_logs(tmp_path / "many", 1000)
    folder = RunFolder.read(tmp_path / "many")
    many = ReportedRun("a-very-long-name-" * 12, folder, folder.read_results())
    (tmp_path / "report.html").write_text(build_page([many], tmp_path, embed=False))
    page = browser.new_page(viewport={"width": 400, "height": 800}, color_scheme="dark")
    page.goto((tmp_path / "report.html").as_uri())
    assert page.locator("#list tbody tr").count() == 1000
    page.get_by_label("Show").fill("solved")
    page.locator("#list a").last.click()
    page.locator("#episode details.turn").first.wait_for()
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= 400
    paper, ink = page.evaluate(
        "[getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color]"
    )
    assert brightness(paper) < 60 < 200 < brightness(ink)
    page.close()


def brightness(colour: str) -> float:
    return sum(map(int, re.findall(r"\d+", colour)[:3])) / 3


def run_with_logs(path: Path, attempts: int) -> None:
    """A run at one level, every episode of which went the same way."""
    level = find_level("burr-half-lap")
    settings = RunSettings("one", ((level.id, level.hash),), "oracle", attempts=attempts)
    folder = RunFolder.begin(path, settings)
    play_plan(path / "log", level.id)
    for attempt in range(1, attempts + 1):
        folder.locate_episode(level.id, attempt).mkdir(parents=True)
        (folder.locate_episode(level.id, attempt) / "episode.jsonl").hardlink_to(path / "log")


def test_bars_below_zero_hang_from_the_line_at_zero() -> None:
    svg = draw_bars({"a": {"x": -0.5, "y": 0.5}}, ["x", "y"], "signed")
    below, above = (
        (float(y), float(height))
        for y, height in re.findall(
            r'y="([\d.]+)" width="[\d.]+" '
            r'height="([\d.]+)" fill="#\w+"><title>',
            svg,
        )
    )
    assert below[0] == pytest.approx(above[0] + above[1]) and below[1] == pytest.approx(above[1])
    assert re.findall(r'text-anchor="end">([-\d.]+)<', svg) == ["-0.5", "-0.25", "0", "0.25", "0.5"]
