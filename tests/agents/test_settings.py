"""Who takes which ``--set``, and what is said of one that nobody takes."""

from importlib.metadata import EntryPoint

import pytest

from bridge.agents import registry
from bridge.agents.named import refuse_unknown_settings
from bridge.agents.registry import agent_kind
from bridge.items.answerers import find_answerer_kind
from bridge.scoring.selection.scorers import find_scorer_kind
from pysim.errors import InputError

GIVEN = {"temperature": "0.5", "depth": "3"}
MODELS = (
    "api, api_key_env, base_url, cache, longest, max_completion_tokens, max_tokens, "
    "optional, parallel_tool_calls, pause, reasoning_effort, retries, stream, temperature, "
    "timeout, tool_choice, top_p"
)


class _Deep:
    settings = ("depth",)


class _Silent:
    @property
    def settings(self) -> str:
        return "what it was given"


@pytest.fixture
def others(monkeypatch: pytest.MonkeyPatch) -> None:
    entries = {
        name: EntryPoint(name, f"{__name__}:{made}", registry.GROUP)
        for name, made in (("deep", "_Deep"), ("silent", "_Silent"))
    }
    monkeypatch.setattr(registry, "other_agents", lambda: entries)


def test_everybody_is_given_what_they_take(others: None) -> None:
    for kind in (agent_kind("openai:tall"), find_answerer_kind("openai:tall")):
        assert kind.own(GIVEN) == {"temperature": "0.5"}
    assert find_scorer_kind("judge:openai:wise").own(GIVEN) == {"temperature": "0.5"}
    assert agent_kind("deep").own(GIVEN) == {"depth": "3"}
    assert agent_kind("silent").own(GIVEN) == GIVEN
    for kind in (agent_kind("random"), find_answerer_kind("oracle"), find_scorer_kind("progress")):
        assert kind.own(GIVEN) == {}


def test_a_setting_is_refused_if_nobody_takes_it(others: None) -> None:
    agent, judge = agent_kind("deep"), find_scorer_kind("judge:openai:wise")
    refuse_unknown_settings(GIVEN, {"the agent deep": agent, "the judge": judge})
    refuse_unknown_settings(["wit"], {"the agent": agent_kind("silent"), "the judge": judge})
    with pytest.raises(InputError) as refused:
        refuse_unknown_settings(["depth", "wit"], {"the agent deep": agent, "the judge": judge})
    assert str(refused.value) == (
        "nothing here takes the setting 'wit': the agent deep takes depth; the judge takes "
        + MODELS
    )


def test_every_documented_setting_of_a_model_is_taken() -> None:
    """Names, not what they do, which :mod:`tests.agents.test_model` has."""
    taken = agent_kind("openai:tall").settings
    assert taken is not None and ", ".join(sorted(taken)) == MODELS
