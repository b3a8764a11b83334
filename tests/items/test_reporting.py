"""``luban report`` of runs that asked questions."""

import json
import re
from html.parser import HTMLParser
from importlib.metadata import version
from pathlib import Path

import pytest

from bridge.items.log import ItemLog, ItemRunSettings
from bridge.items.reporting import MOST, ListedItems
from bridge.items.runner import run_items
from bridge.report.entries import Entry, Listed, Shown
from bridge.report.page import build_body, build_page
from bridge.report.transcript_view import SHORT
from tests.commands import Luban
from tests.items.dice import DiceOptions, DiceSuite


def asked(luban: Luban, out: str, *options: object) -> None:
    command = [
        "eval",
        "cube-bench",
        "--task",
        "move-prediction",
        "--observation",
        "image",
        "--out",
        out,
    ]
    luban(*command, "--n", 3, *options, "--json").json()


def page(luban: Luban, folder: Path, *runs: str) -> str:
    assert luban("report", *runs, "--out", "report.html").status == 0
    return (folder / "report.html").read_text(encoding="utf-8")


class Elements(HTMLParser):
    """Which elements a page has, and whether they are closed in order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.seen: list[str] = []
        self.open: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.seen.append(tag)
        if tag not in ("img", "meta", "input", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_a_page_shows_tables_and_each_trial_with_its_pictures(luban: Luban, tmp_path: Path) -> None:
    asked(luban, "wise", "--agent", "oracle")
    asked(luban, "guess", "--agent", "random")
    text = page(luban, tmp_path, "wise", "guess")
    found = Elements(text)
    assert found.open == []
    assert found.seen.count("details") == 6
    assert found.seen.count("img") == 6
    assert "Table 4: move prediction" in text
    assert text.count("<h3>") == 2
    wise = text[text.index("<h3>wise") : text.index("<h3>guess")]
    assert wise.count("✓ right") == 6  # In the title of each trial, and below its one question.
    assert "✗ wrong" not in wise
    assert len(set(re.findall(r'data:image/png;base64,[^"]+', wise))) == 3


def test_figures_of_questions_stand_in_the_documents(luban: Luban, tmp_path: Path) -> None:
    asked(luban, "run", "--agent", "oracle")
    summary = luban("report", "run", "--out", "report.html", "--json").json()
    assert (summary["item_runs"], summary["trials"], summary["episodes"]) == (["run"], 3, 0)
    document = json.loads((tmp_path / "report.json").read_text())
    assert document["items"]["run"]["accuracy"] == 1.0
    assert [table["title"][:7] for table in document["tables"]] == ["Table 4", "Beside ", "With wh"]
    assert document["tables"][2]["rows"][0][3].startswith(version("luban"))
    assert "Table 4" in (tmp_path / "report.tables.csv").read_text()
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert '<section hidden>\n<h2 id="episodes">' in page


def test_the_closed_loop_is_drawn_as_bars_for_each_depth(luban: Luban, tmp_path: Path) -> None:
    command = ["eval", "cube-bench", "--task", "closed-loop", "--depth", 1, "--depth", 2]
    luban(*command, "--n", 3, "--out", "loops", "--json").json()
    text = page(luban, tmp_path, "loops")
    for what in ("teacher adherence", "perfect episodes"):
        assert f"<figcaption>Figure 3: {what} by depth</figcaption>" in text
    for depth in (1, 2):
        assert f"<title>loops, d = {depth}: 100</title>" in text


def test_play_and_questions_share_a_page(luban: Luban, tmp_path: Path) -> None:
    asked(luban, "questions", "--agent", "oracle")
    luban(
        "eval", "burr-half-lap", "--observation", "state", "--out", "play", "--workers", 1, "--json"
    ).json()
    result = luban("report", "play", "questions", "--out", "report.html")
    assert result.out.startswith("1 episodes, 3 trials:")
    text = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "burr-half-lap" in text
    assert "Questions of cube-bench" in text


def dice(folder: Path, monkeypatch: pytest.MonkeyPatch, options: DiceOptions) -> ListedItems:
    """A run of a suite that is not installed."""
    from bridge.items import reporting

    suite = DiceSuite()
    log = ItemLog.begin(folder, ItemRunSettings("dice", "1", suite.subsets(options), "oracle"))
    assert run_items(log, suite) == []
    monkeypatch.setattr(reporting, "find_suite", lambda name: suite)
    return ListedItems("dice", {"run": ItemLog.read(folder)})


def test_trials_of_several_questions_and_markup_are_shown_as_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    listed = dice(tmp_path, monkeypatch, DiceOptions(n=2))
    text = build_body([], [listed])
    assert "&lt;i&gt;letter&lt;/i&gt;" in text
    assert "<i>" not in text
    # Two questions of two views each, and two trials of three strips.
    assert text.count("<img ") == 2 * 2 + 2 * 3
    assert text.count("<details") == 6
    # The first of each run is seen without a click, each picture with its name.
    assert text.count(" open>") == 1
    assert re.findall(r"<figcaption>(.*?)</figcaption>", text) == re.findall(r'alt="(.*?)"', text)


def test_many_trials_are_shown_in_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    listed = dice(tmp_path, monkeypatch, DiceOptions(task="shapes", n=MOST + 7))
    ((_, shown, total),) = listed.list_entries()
    assert (len(shown), total) == (MOST, MOST + 7)
    assert f"{MOST} shown; the log has all {MOST + 7}." in build_body([], [listed])


class Hostile:
    """Runs whose every text is markup."""

    title = "<script>alert(1)</script>"

    def build_parts(self) -> list[object]:
        return []

    def list_entries(self) -> list[tuple[str, list[Entry], int]]:
        texts = [("<b>", "</pre><img src=x onerror=alert(1)>"), ("long", "x" * (SHORT + 1))]
        step = Shown((('"><script>', b"png"),), texts, None)
        return [("<run>", [Entry("</summary>", [step])], 1)]


def test_nothing_in_an_entry_becomes_markup(tmp_path: Path) -> None:
    listed: Listed = Hostile()  # type: ignore[assignment]
    text = build_page([], tmp_path, embed=False, listed=[listed])
    found = Elements(text)
    assert found.seen.count("script") == 2  # The page's own: its data and its program.
    assert found.seen.count("img") == 1
    assert "onerror=alert" not in re.sub(r"<pre>.*?</pre>", "", text)
    assert f"show all {SHORT + 1:,} characters" in text


def test_a_trial_is_right_if_all_of_its_steps_are() -> None:
    marks: list[tuple[list[bool | None], bool | None]] = [
        ([True, None, True], True),
        ([True, False], False),
        ([None], None),
        ([], None),
    ]
    for steps, right in marks:
        assert Entry("t", [Shown((), (), one) for one in steps]).right is right


def test_a_condition_without_its_depth_is_said(luban: Luban, tmp_path: Path) -> None:
    assert (
        luban("eval", "cube-bench", "--task", "verification", "--n", 2, "--out", "run").status == 0
    )
    log = tmp_path / "run" / "items.jsonl"
    log.write_text(log.read_text().replace('"depth"', '"death"', 1))
    for command in (("report", "run"), ("report", "run", "--out", "page.html")):
        assert "the depth of 'verification,edition=3' is a number" in luban(*command).complaint()
