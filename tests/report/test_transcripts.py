"""Transcripts of a report, held against what a model's server was sent and has answered."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("httpx", reason="NOT TESTED: no httpx")

from bridge.episode.tools import ToolCall
from pysim.catalog import find_level
from pysim.render import factory
from pysim.render.renderer import Renderer, RendererUnavailable
from tests.agents.reasoning import thinking
from tests.agents.server import Chat, Reply, Request, calling, chat_server, saying
from tests.browsing import browser
from tests.commands import Luban
from tests.report.pages import EpisodeOnPage, episodes_on

__all__ = ["browser"]

LOCK = find_level("burr-three-bars")
assert LOCK.plan is not None
PLAN = [ToolCall.of(action) for action in LOCK.plan.actions]
HOSTILE = (
    "</pre></details></template><script>alert(1)</script><img src=x onerror=alert(2)>"
    "\u202eevil\u202c \x1b[31mred\x1b[0m &amp; \ud800"
)


def answer(request: Request, number: int) -> Reply:
    """Refused, words alone, and then the plan."""
    if number == 0:
        return calling("slide", '{"pieces":["red"],"direction":"+x","distance":"far"}')
    if number == 1:
        return saying(f"Just words: {HOSTILE}{'y' * 300_000}")
    call = PLAN[(number - 2) % len(PLAN)]
    return thinking(call.name, call.arguments_json())


def evaluated(
    luban: Luban, how: Callable[[Request, int], Reply], *options: object, levels: str = LOCK.id
) -> Chat:
    with chat_server(how) as chat:
        command = ["eval", levels, "--agent", "openai:tall", "--base-url", chat.url]
        done = luban(*command, "--workers", 1, "--image-size", 64, "--out", "run", *options)
        assert done.status == 0, done.err
    return chat


def reported(luban: Luban, folder: Path, *options: object) -> list[EpisodeOnPage]:
    done = luban("report", "run", "--out", "page.html", "--force", *options)
    assert done.status == 0, done.err
    return episodes_on(folder / "page.html")


def sent(request: Request) -> tuple[str, str, int]:
    """System prompt, text and number of pictures of a request."""
    system, user = (message["content"] for message in request["messages"])
    text = next(part["text"] for part in user if part["type"] == "text")
    return system, text, sum(part["type"] == "image_url" for part in user)


@pytest.mark.slow
def test_transcript_of_interactive_play_has_all_that_the_server_was_sent_and_said(
    luban: Luban, tmp_path: Path
) -> None:
    chat = evaluated(luban, answer, "--observation", "image+state", "--budget", 9)
    (episode,) = reported(luban, tmp_path)
    assert len(episode.turns) == len(chat.requests) == 2 + len(PLAN)
    for turn, request in zip(episode.turns, chat.requests, strict=True):
        system, text, pictures = sent(request)
        assert text in turn.texts["Given to the agent"]
        assert len(turn.pictures) == pictures >= 4
        assert ("System prompt" in turn.texts) == (turn is episode.turns[0])
        assert system in episode.turns[0].texts["System prompt"]
        assert all((tmp_path / one["src"]).stat().st_size > 500 for one in turn.pictures)
    first, second, *planned = episode.turns
    assert first.refused and '"distance":"far"' in first.texts["Call"]
    assert "invalid" in first.summary and "invalid" in first.texts["What came of it"]
    assert second.refused and "Just words: </pre></details>" in second.texts["The agent's words"]
    for turn, call in zip(planned, PLAN, strict=True):
        assert not turn.refused
        assert turn.texts["Call"].strip().splitlines()[0] == f"{call.name} {call.arguments_json()}"
        assert "The green one first?" in turn.texts["Reasoning"]
    assert "0 left" not in planned[-1].summary and "tokens" in planned[-1].summary
    assert episode.words.count("took") == 1 and "began 20" in episode.words
    # The same state looks the same, and is drawn once.
    assert [p["src"] for p in first.pictures] == [p["src"] for p in second.pictures]
    assert [p["src"] for p in first.pictures] != [p["src"] for p in planned[-1].pictures]


def test_hostile_words_become_no_markup_and_are_shortened(
    luban: Luban, tmp_path: Path, browser: Any
) -> None:
    evaluated(luban, answer, "--observation", "state", "--budget", 9)
    (episode,) = reported(luban, tmp_path)
    text = (tmp_path / "page.html").read_text()
    assert text.count("</script>") == text.count("<script")
    assert "onerror=alert" not in re.sub(r"<pre>.*?</pre>", "", text, flags=re.S)
    assert not re.search("[\u202a-\u202e\x1b]", text)
    told = episode.turns[1].texts
    assert "more characters are in agent.jsonl" in told[next(t for t in told if "show all" in t)]
    assert len(text) < 600_000 and "y" * 250_000 not in text  # The viewer takes a part.
    page = browser.new_page()
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("dialog", lambda dialog: complaints.append(dialog.message))
    page.goto((tmp_path / "page.html").as_uri() + "#e0")
    page.get_by_role("button", name="unfold all turns").click()
    assert page.locator("details.turn[open]").count() == 2 + len(PLAN)
    assert "<script>alert(1)</script>" in page.locator("details.turn").nth(1).inner_text()
    assert page.locator("#episode img").count() == 2
    assert complaints == []
    page.close()


def test_one_shot_is_one_turn_with_the_steps_that_followed(luban: Luban, tmp_path: Path) -> None:
    plan = [{"name": c.name, "arguments": dict(c.arguments)} for c in PLAN]
    text = f"So: {json.dumps({'actions': [{'name': 'fly', 'arguments': {}}, *plan]})}"
    chat = evaluated(luban, lambda request, number: saying(text), "--mode", "one-shot")
    (episode,) = reported(luban, tmp_path)
    (turn,) = episode.turns
    (request,) = chat.requests
    assert len(turn.pictures) == sent(request)[2] > 0
    assert text in turn.texts["The agent's words"]
    assert turn.summary.startswith(f"1–{1 + len(PLAN)}")
    assert "fly" in turn.texts["What came of it"] and "moved" in turn.texts["What came of it"]


def test_a_conversation_has_each_turn_with_its_code_pictures_and_results(
    luban: Luban, tmp_path: Path
) -> None:
    def code(request: Request, number: int) -> Reply:
        if number == 0:
            return saying(
                "Look.\n```python\nget_observation()\nmake_move('U')\nget_observation()\n```"
            )
        return saying("Turn.\n```python\nprint(make_move('R'), 'turned')\n```")

    options = ["--mode", "code", "--turns", 3, "--sandbox", "weak"]
    chat = evaluated(luban, code, *options, levels="cubebench-d20-5-full-visual")
    (episode,) = reported(luban, tmp_path)
    assert len(episode.turns) == len(chat.requests) == 3
    last = chat.requests[-1]["messages"]
    assert last[0]["content"].strip()[:60] in episode.turns[0].texts["System prompt"]
    seen = [part for m in last if m["role"] == "user" for part in m["content"]]
    assert sum(part["type"] == "image_url" for part in seen) == 2
    assert [len(turn.pictures) for turn in episode.turns] == [0, 2, 0]
    before, after = (one["src"] for one in episode.turns[1].pictures)
    assert before != after
    assert "turned" in episode.turns[1].texts["What the agent was told of it"]
    assert [turn.summary.split()[0] for turn in episode.turns] == ["1", "2", "3"]


def test_thumbnails_need_no_video_and_say_what_the_agent_did_not_see(
    luban: Luban, tmp_path: Path
) -> None:
    evaluated(luban, answer, "--observation", "state", "--budget", 9, "--video", "none")
    (episode,) = reported(luban, tmp_path)
    assert [one["alt"] for one in episode.media] == [
        "at the start (not shown to the agent)",
        "at the end (not shown to the agent)",
    ]
    assert all((tmp_path / one["src"]).exists() for one in episode.media)
    assert not any(turn.pictures for turn in episode.turns)


def test_pictures_are_limited_kept_and_may_be_left_out(luban: Luban, tmp_path: Path) -> None:
    evaluated(luban, answer, "--observation", "image", "--budget", 9)
    whole = reported(luban, tmp_path)
    files = {p.name: p.stat().st_mtime_ns for p in (tmp_path / "page_files").iterdir()}
    assert reported(luban, tmp_path) == whole
    again = {p.name: p.stat().st_mtime_ns for p in (tmp_path / "page_files").glob("*.jpg")}
    assert again.items() <= files.items() and len(again) == len(files) - 1
    (few,) = reported(luban, tmp_path, "--pictures", 2)
    assert [len(turn.pictures) for turn in few.turns][-1] == 0
    assert "observations are left out" in few.words
    assert "at most 2 observations" in (tmp_path / "page.html").read_text()
    assert len(list((tmp_path / "page_files").glob("*.jpg"))) < len(again)
    (none,) = reported(luban, tmp_path, "--pictures", 0)
    assert none.media == [] and "left out" not in none.words
    assert "(not drawn)" in none.turns[0].texts["Given to the agent"]
    (alone,) = reported(luban, tmp_path, "--embed")
    assert alone.turns[0].pictures[0]["src"].startswith("data:image/jpeg;base64,")


def test_without_a_renderer_the_page_says_so(
    luban: Luban, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    evaluated(luban, answer, "--observation", "image", "--budget", 9)

    def broken(*arguments: object) -> Renderer:
        raise RendererUnavailable("no EGL here: install it")

    monkeypatch.setattr(factory, "_MAKERS", {"egl": broken})
    (episode,) = reported(luban, tmp_path)
    assert (
        "No pictures are drawn: no renderer: Renderer egl is unavailable: no EGL here"
        in episode.words
    )
    assert len(episode.turns) == 2 + len(PLAN)


def test_journals_of_earlier_versions_and_of_others_are_shown_as_far_as_they_go(
    luban: Luban, tmp_path: Path
) -> None:
    evaluated(luban, answer, "--observation", "state", "--budget", 9)
    (home,) = tmp_path.glob("run/episodes/*/1")
    (home / "times.jsonl").unlink()
    notes = [
        {"step": 2, "text": 5, "calls": ["go", {"name": ["x"]}], "pictures": [3]},
        {"mood": "<b>"},
    ]
    (home / "agent.jsonl").write_text("".join(json.dumps(note) + "\n" for note in notes))
    (episode,) = reported(luban, tmp_path)
    assert len(episode.turns) == 2
    assert "began" not in episode.words and '"mood": "<b>"' in episode.words
    assert "['x']" in episode.turns[1].texts["Calls"]
