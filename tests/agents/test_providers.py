"""Models behind servers that refuse what today's providers refuse."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("openai", reason="NOT TESTED: no openai")

from bridge.agents.chat import ChatClient, ContextFull, ModelError, ModelRefusal
from bridge.agents.servers.responses_api import build_responses_body, join_response
from bridge.agents.streaming import BrokenStream
from bridge.agents.usage import Usage
from bridge.runs.play import Mode
from pysim.puzzle import Outcome
from tests.agents.providers import complaining, cut, in_pieces, reasoning_model, without, words
from tests.agents.reasoning import thinking
from tests.agents.server import Reply, Request, calling, chat_server, saying
from tests.agents.test_model import PLAN, plan_text, play

ONE = Usage(1, 1000, 300, 640, 256)


def answer(request: Request, number: int) -> Reply:
    """The next action of the plan, whatever was tried before."""
    step = int(words(request).partition("Step ")[2].partition(";")[0])
    return thinking(PLAN[step].name, PLAN[step].arguments_json())


def notes(folder: Path) -> list[Any]:
    return [json.loads(line) for line in (folder / "agent.jsonl").read_text().splitlines()]


@pytest.mark.parametrize("stream", ["0", "1"])
def test_model_that_wants_responses_is_played_through_it_by_itself(
    stream: str, tmp_path: Path
) -> None:
    with chat_server(in_pieces(reasoning_model(answer))) as chat:
        outcome, turns, usage = play(chat, tmp_path, stream=stream, reasoning_effort="high")
        assert (outcome, len(turns)) == (Outcome.SOLVED, len(PLAN))
        assert usage == sum([ONE] * len(PLAN), Usage())
        assert len(chat.requests) == 1 + len(PLAN)  # It is refused once.
        play(chat, tmp_path, stream=stream)
        assert len(chat.requests) == 1 + 2 * len(PLAN)  # That is remembered.
    paths = [str(headers["path"]) for headers in chat.headers[:2]]
    assert paths == ["/v1/chat/completions", "/v1/responses"]
    assert [note["api"] for note in notes(tmp_path)] == ["responses"] * 2 * len(PLAN)
    body = chat.requests[1]
    assert body["reasoning"] == {"effort": "high"} and body["store"] is False
    assert (body["tool_choice"], body["parallel_tool_calls"]) == ("required", False)


@pytest.mark.parametrize("setting", ["chat", "responses"])
def test_api_that_is_set_is_used_and_no_other(setting: str, tmp_path: Path) -> None:
    with chat_server(reasoning_model(answer)) as chat:
        if setting == "responses":
            assert play(chat, tmp_path, api=setting)[0] is Outcome.SOLVED
            assert len(chat.requests) == len(PLAN)
        else:
            with pytest.raises(ModelRefusal, match=r"use /v1/responses.*--set api=responses"):
                play(chat, tmp_path, api=setting)


def test_pictures_and_plans_pass_through_responses(tmp_path: Path) -> None:
    with chat_server(reasoning_model(lambda r, n: saying(plan_text(PLAN)))) as chat:
        outcome, _, _ = play(chat, tmp_path, Mode.ONE_SHOT, api="responses")
    assert outcome is Outcome.SOLVED
    picture = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA=="}}
    body = build_responses_body({"messages": [{"role": "user", "content": [picture]}]}, False)
    assert body["input"] == [
        {
            "role": "user",
            "content": [{"type": "input_image", "image_url": "data:image/png;base64,AA=="}],
        }
    ]


def openai_style(name: str) -> Reply:
    message = f"Unsupported parameter: '{name}' is not supported with this model."
    return complaining(400, message, param=name, code="unsupported_parameter")


def pydantic_style(name: str) -> Reply:
    fault = {"type": "extra_forbidden", "loc": ["body", name], "msg": "Extra inputs not permitted"}
    return Reply(json.dumps({"detail": [fault]}), 422)


def vague(name: str) -> Reply:
    return complaining(400, "Unknown parameter in request.")


def in_words(name: str) -> Reply:
    return complaining(
        400, f"{name.replace('_', ' ')} of this kind is not supported in thinking mode"
    )


BOTH = ["tool_choice", "parallel_tool_calls"]
STYLES = (openai_style, pydantic_style, vague, in_words)


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("names", [["tool_choice"], ["parallel_tool_calls"], BOTH])
def test_parameter_that_nobody_set_is_left_out_where_it_is_refused(
    names: list[str], style: Callable[[str], Reply], tmp_path: Path
) -> None:
    with chat_server(without(dict.fromkeys(names, style), answer)) as chat:
        outcome, turns, usage = play(chat, tmp_path, retries="0")
    assert (outcome, len(turns), usage.calls) == (Outcome.SOLVED, len(PLAN), len(PLAN))
    assert len(chat.requests) <= len(PLAN) + len(names)
    assert set(names) <= set(notes(tmp_path)[-1]["without"])


def test_parameter_that_the_user_set_is_sent_and_its_refusal_reported(tmp_path: Path) -> None:
    with (
        chat_server(without({"tool_choice": openai_style}, answer)) as chat,
        pytest.raises(ModelRefusal, match=r"'tool_choice' is not supported.*tool_choice=omit"),
    ):
        play(chat, tmp_path, tool_choice="auto")
    assert len(chat.requests) == 1
    with chat_server(answer) as chat:
        play(chat, tmp_path, tool_choice="omit", parallel_tool_calls="true")
    assert "tool_choice" not in chat.requests[0] and chat.requests[0]["parallel_tool_calls"] is True


def test_stream_options_are_left_out_where_they_are_refused(tmp_path: Path) -> None:
    refusing = without({"stream_options": openai_style}, answer)
    with chat_server(in_pieces(refusing)) as chat:
        assert play(chat, tmp_path, stream="1")[0] is Outcome.SOLVED


@pytest.mark.parametrize("api", ["chat", "responses"])
def test_answer_cut_at_the_token_limit_says_so(api: str, tmp_path: Path) -> None:
    half = PLAN[0].arguments_json()[:12]

    def cutting(request: Request, number: int) -> Reply:
        replies = [cut(saying("")), cut(calling(PLAN[0].name, half)), saying("Hm.")]
        return replies[number] if number < len(replies) else saying("")

    with chat_server(reasoning_model(cutting) if api == "responses" else cutting) as chat:
        _, turns, _ = play(chat, tmp_path, budget=4, api=api)
    was_cut = "the answer was cut at the token limit before a tool call"
    assert [turn.message for turn in turns][:2] == [was_cut, was_cut]
    assert turns[2].message.startswith("no tool call in the answer; call one of slide")
    assert {turn.result for turn in turns} == {"NO_CALL"}
    told = words(chat.requests[3])
    assert f"2. no tool call -> invalid, NO_CALL: {was_cut}\n" in told
    assert "3. no tool call -> invalid, NO_CALL: no tool call in the answer;" in told


def test_whole_call_of_an_answer_that_was_cut_is_made(tmp_path: Path) -> None:
    with chat_server(lambda request, number: cut(answer(request, number))) as chat:
        assert play(chat, tmp_path)[0] is Outcome.SOLVED


def test_cut_plan_without_words_says_so(tmp_path: Path) -> None:
    with chat_server(lambda request, number: cut(saying(""))) as chat:
        _, turns, _ = play(chat, tmp_path, Mode.ONE_SHOT)
    assert [turn.message for turn in turns] == [
        "the answer was cut at the token limit before a tool call"
    ]


def test_calls_beside_the_first_are_reported_to_the_model(tmp_path: Path) -> None:
    def two(request: Request, number: int) -> Reply:
        document = json.loads(answer(request, number).body)
        document["choices"][0]["message"]["tool_calls"] *= 3
        return Reply(json.dumps(document)) if number == 0 else answer(request, number)

    with chat_server(two) as chat:
        outcome, turns, _ = play(chat, tmp_path)
    assert (outcome, len(turns)) == (Outcome.SOLVED, len(PLAN))
    notice = "Your last answer had 3 calls; only the first was made: one call an answer."
    assert [words(request).endswith(notice) for request in chat.requests] == [False, True]
    first, second = notes(tmp_path)
    assert len(first["calls"]) == 3 and second["user"].endswith(notice)


OF_ALL = {
    "key": (complaining(401, "Incorrect API key provided."), "OPENAI_API_KEY"),
    "model": (complaining(404, "The model `tall` does not exist."), "check the model's name"),
    "forbidden": (complaining(403, "Project has no access to tall."), "check the key"),
    "credit": (complaining(402, "Insufficient credits."), "add credit"),
    "quota": (
        complaining(429, "You exceeded your current quota.", code="insufficient_quota"),
        "add credit",
    ),
    "limit": (
        complaining(
            400,
            "Unsupported parameter: 'max_tokens' is not supported with this model. "
            "Use 'max_completion_tokens' instead.",
            param="max_tokens",
        ),
        "--set max_completion_tokens=N",
    ),
    "warmth": (complaining(400, "temperature does not support 0.6"), "leave out --set temperature"),
    "no tools": (complaining(400, "tall does not support tools"), "--mode one-shot"),
    "size": (
        complaining(400, "max_tokens is too large: 9. This model supports at most 8 tokens."),
        "--set max_tokens",
    ),
    "no pictures": (
        complaining(400, "Invalid content type. image_url is only supported by certain models."),
        "--observation state",
    ),
    "anything": (Reply("no", 400), "status 400: no"),
}


@pytest.mark.parametrize("refusal", OF_ALL)
def test_refusal_of_every_request_says_what_to_do(refusal: str, tmp_path: Path) -> None:
    reply, advice = OF_ALL[refusal]
    with chat_server(lambda r, n: reply) as chat, pytest.raises(ModelRefusal) as refused:
        play(chat, tmp_path, temperature="0.6", max_tokens="9")
    assert advice in str(refused.value)
    assert len(chat.requests) == 1


OF_ONE = {
    "policy": complaining(400, "rejected by our safety system", code="content_policy_violation"),
    "filter": complaining(400, "The response was filtered", code="content_filter"),
    "moderated": complaining(403, "Your input was flagged by moderation"),
    "picture": complaining(400, "Invalid image: image too large"),
    "size": Reply("Request Entity Too Large", 413),
    "context": complaining(400, "too long", code="context_length_exceeded"),
}


def test_key_that_a_server_quotes_is_not_repeated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-sesame")
    reply = complaining(401, "Incorrect API key provided: sk-sesame.")
    with chat_server(lambda r, n: reply) as chat, pytest.raises(ModelRefusal) as refused:
        play(chat, tmp_path)
    assert "provided: ***." in str(refused.value) and "sesame" not in str(refused.value.args)


@pytest.mark.parametrize("refusal", OF_ONE)
def test_refusal_of_one_request_concerns_no_other(refusal: str, tmp_path: Path) -> None:
    with chat_server(lambda r, n: OF_ONE[refusal]) as chat, pytest.raises(ModelError) as refused:
        play(chat, tmp_path)
    assert not isinstance(refused.value, ModelRefusal)
    assert isinstance(refused.value, ContextFull) is (refusal == "context")


@pytest.mark.parametrize("status", [400, 500])
def test_endless_complaint_is_read_no_further_than_any_answer(status: int) -> None:
    with (
        chat_server(lambda request, number: Reply("x" * (2**24 + 9), status)) as chat,
        pytest.raises(ModelError, match="more than 16,777,216 bytes"),
    ):
        ChatClient(chat.url, "", retries=0).ask({})


BROKEN = [
    Reply('{"status": "failed", "error": {"code": "server_error", "message": "oh"}}'),
    Reply('{"output": 3}'),
    Reply('{"object": "response"}'),
    Reply("[]"),
]


@pytest.mark.parametrize("reply", BROKEN)
def test_response_that_holds_no_answer_is_asked_for_again(reply: Reply, tmp_path: Path) -> None:
    def once(request: Request, number: int) -> Reply:
        return reply if number == 0 else reasoning_model(answer)(request, number)

    with chat_server(once) as chat:
        assert play(chat, tmp_path, api="responses")[0] is Outcome.SOLVED
    assert len(chat.requests) == 1 + len(PLAN)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('data: {"type": "response.output_text.delta", "delta": "a"}\n\n', "broke off"),
        ('data: {"type": "error", "message": "no room"}\n\n', "no room"),
        ('data: {"type": "error", "error": {"message": "no room"}}\n\n', "no room"),
    ],
)
def test_stream_of_a_response_without_an_end_is_none(text: str, said: str) -> None:
    with pytest.raises(BrokenStream, match=said):
        join_response(text)


def test_items_of_a_stream_count_where_its_end_lacks_them() -> None:
    item = {"type": "message", "content": [{"type": "output_text", "text": "x"}]}
    pieces = [{"type": "response.output_item.done", "item": item},
              {"type": "response.completed", "response": {"status": "completed"}}]  # fmt: skip
    text = "".join(f"data: {json.dumps(piece)}\n\n" for piece in pieces)
    assert join_response(text)["output"] == [item]


def test_package_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "bridge.agents.servers.transport", raising=False)
    monkeypatch.setitem(sys.modules, "openai", None)
    with pytest.raises(ImportError, match=r"pip install 'luban\[openai\]'"):
        ChatClient("http://127.0.0.1:9/v1", "").ask({})
