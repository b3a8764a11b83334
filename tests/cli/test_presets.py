"""``luban eval --preset``: the settings of publications, and runs that depart from them."""

import json
import re
from pathlib import Path

import pytest

from bridge.runs.presets import find_presets, read_preset_note
from bridge.runs.protocol import load_benches
from tests.agents.server import Reply, chat_server, saying
from tests.commands import Luban

SUITES = [
    "locks-32",
    "cubebench-160",
    "cube-bench",
    "euclifold",
    "mcube",
    "portal-plans",
    "portal-blanks",
]
LEVEL = "burr-half-lap"
EMPTY = json.dumps({"actions": []})


@pytest.mark.by_day(3)
@pytest.mark.parametrize("suite", SUITES)
def test_preset_of_a_suite_differs_in_nothing_and_is_reported(
    luban: Luban, tmp_path: Path, suite: str
) -> None:
    more = ["--seconds", 1800, "--turns", 20] if suite.startswith("cubebench") else []
    told = luban(
        *("eval", suite, "--preset", "paper", "--agent", "random", "--limit", 1, *more),
        *("--image-size", 32, "--workers", 1, "--out", "run"),
    )
    assert told.status == 0, told.err
    note = read_preset_note(tmp_path / "run")
    assert note is not None and note.preset == "paper" and note.departures == ()
    assert f"paper: settings of {note.source}" in told.out
    assert luban("report", "run", "--out", "page.html", "--pictures", 0).status == 0
    assert note.source in (tmp_path / "page.html").read_text()


def test_run_without_a_preset_names_the_settings_that_differ(luban: Luban, tmp_path: Path) -> None:
    few = ["--limit", 1, "--workers", 1, "--image-size", 32, "--out", "run"]
    told = luban("eval", "locks-32", "--agent", "first-legal", *few)
    note = read_preset_note(tmp_path / "run")
    assert note is not None and note.preset == ""
    assert note.departures == (
        "--observation image+state (paper: image)",
        "--most-budget usual (paper: 60)",
    )
    (line,) = [line for line in told.out.splitlines() if "differs from" in line]
    assert all(words in line for words in note.departures)


def test_levels_of_no_publication_are_compared_with_none(luban: Luban, tmp_path: Path) -> None:
    told = luban("eval", LEVEL, "--agent", "first-legal", "--observation", "state", "--out", "run")
    assert "paper:" not in told.out
    assert read_preset_note(tmp_path / "run") is None


def test_option_given_beside_a_preset_wins(luban: Luban, tmp_path: Path) -> None:
    options = ["--preset", "paper", "--observation", "state", "--agent", "random", "--out", "run"]
    assert luban("eval", LEVEL, *options, "--workers", 1).status == 0
    settings = json.loads((tmp_path / "run" / "run.json").read_text())
    assert (settings["observation"], settings["most_budget"]) == ("state", 60)


def test_preset_sets_sampling_of_models_and_one_view_in_one_shot(
    luban: Luban, tmp_path: Path
) -> None:
    with chat_server(lambda request, number: saying(EMPTY)) as chat:
        model = ["--agent", "openai:preset-a", "--base-url", chat.url]
        options = ["--preset", "paper", "--mode", "one-shot", "--image-size", 32, "--out", "run"]
        assert luban("eval", LEVEL, *model, *options).status == 0
    (request,) = chat.requests
    assert (request["temperature"], request["top_p"]) == (0.6, 0.95)
    pictures = [part for part in request["messages"][-1]["content"] if part["type"] == "image_url"]
    assert len(pictures) == 1


def test_sampling_that_a_server_refuses_is_left_out_and_reported(luban: Luban) -> None:
    def answer(request: object, number: int) -> Reply:
        assert isinstance(request, dict)
        if "temperature" in request:
            words = "Unsupported parameter: 'temperature' is not supported with this model."
            return Reply(json.dumps({"error": {"message": words, "param": "temperature"}}), 400)
        return saying(EMPTY)

    with chat_server(answer) as chat:
        model = ["--agent", "openai:preset-b", "--base-url", chat.url]
        told = luban("eval", LEVEL, *model, "--preset", "paper", "--mode", "one-shot")
    assert told.status == 0, told.err
    assert [("temperature" in r, "top_p" in r) for r in chat.requests] == [
        (True, True),
        (False, True),
    ]
    assert "luban: the server refuses temperature: left out" in told.err


def test_sampling_that_a_user_sets_is_not_left_out(luban: Luban) -> None:
    words = "Unsupported parameter: 'temperature' is not supported with this model."
    refusal = Reply(json.dumps({"error": {"message": words, "param": "temperature"}}), 400)
    with chat_server(lambda request, number: refusal) as chat:
        model = ["--agent", "openai:preset-c", "--base-url", chat.url, "--set", "temperature=1"]
        told = luban("eval", LEVEL, *model, "--mode", "one-shot")
    assert told.status == 1 and len(chat.requests) == 1
    assert "temperature" in told.err


def test_preset_that_a_bench_lacks_is_refused(luban: Luban) -> None:
    complaint = luban("eval", LEVEL, "--preset", "thesis").complaint()
    assert complaint == "luban: chain has no preset 'thesis': it has paper"


def test_optional_setting_that_is_no_sampling_is_refused(luban: Luban) -> None:
    options = ["--agent", "openai:m", "--set", "optional=base_url", "--workers", 1]
    assert "optional: it names some of temperature, top_p" in luban("eval", LEVEL, *options).err


def test_budgets_are_cut_at_the_limit(luban: Luban, tmp_path: Path) -> None:
    options = ["--agent", "random", "--most-budget", 7, "--workers", 1, "--observation", "state"]
    assert luban("eval", "burr-philippe-dubois,burr-half-lap", *options, "--out", "run").status == 0
    headers = [
        json.loads(log.read_text().splitlines()[0])
        for log in sorted((tmp_path / "run").rglob("episode.jsonl"))
    ]
    assert {header["budget"] for header in headers} == {7}


def test_every_bench_of_a_publication_has_a_preset_and_the_page_lists_it() -> None:
    text = (Path(__file__).parents[2] / "docs" / "eval.md").read_text()
    section = text[text.index("## Presets") : text.index("## Noise floors")]
    for name, bench in load_benches().items():
        presets = find_presets(bench)
        assert list(presets) == ["paper"], name
        paper = presets["paper"]
        for option, value in paper.options.items():
            assert re.search(rf"--{option.replace('_', '-')} {re.escape(value)}\b", section), name
        for option, value in paper.agent.items():
            assert f"--set {option}={value}" in section, name
