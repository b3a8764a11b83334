"""Who takes which ``--set``, and what is said of one that nobody takes."""

from importlib.metadata import EntryPoint

import pytest

from bridge.agents import registry
from bridge.agents.plugins import refuse_unknown_settings
from bridge.agents.registry import find_agent
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
    monkeypatch.setattr(registry, "discover_agents", lambda: entries)


def test_everybody_is_given_what_they_take(others: None) -> None:
    for kind in (find_agent("openai:tall"), find_answerer_kind("openai:tall")):
        assert kind.select_own(GIVEN) == {"temperature": "0.5"}
    assert find_scorer_kind("judge:openai:wise").select_own(GIVEN) == {"temperature": "0.5"}
    assert find_agent("deep").select_own(GIVEN) == {"depth": "3"}
    assert find_agent("silent").select_own(GIVEN) == GIVEN
    for kind in (find_agent("random"), find_answerer_kind("oracle"), find_scorer_kind("progress")):
        assert kind.select_own(GIVEN) == {}


def test_a_setting_is_refused_if_nobody_takes_it(others: None) -> None:
    agent, judge = find_agent("deep"), find_scorer_kind("judge:openai:wise")
    refuse_unknown_settings(GIVEN, {"the agent deep": agent, "the judge": judge})
    refuse_unknown_settings(["wit"], {"the agent": find_agent("silent"), "the judge": judge})
    with pytest.raises(InputError) as refused:
        refuse_unknown_settings(["depth", "wit"], {"the agent deep": agent, "the judge": judge})
    assert str(refused.value) == (
        "nothing here takes the setting 'wit': the agent deep takes depth; the judge takes "
        + MODELS
    )


def test_every_documented_setting_of_a_model_is_taken() -> None:
    """Names, not what they do, which :mod:`tests.agents.test_model` has."""
    taken = find_agent("openai:tall").settings
    assert taken is not None and ", ".join(sorted(taken)) == MODELS
