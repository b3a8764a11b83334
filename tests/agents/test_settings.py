"""Settings that agents and scorers declare, and the refusals of others."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any, ClassVar

import pytest

from bridge.agents import registry
from bridge.agents.plugins import Plugin, check_settings
from bridge.agents.protocol import AgentContext, Call, GaveUp
from bridge.agents.registry import create_agent, find_agent
from bridge.episode.observation import Observation
from bridge.items.answerers import find_answerer_kind
from bridge.scoring.selection import scorers
from bridge.scoring.selection.candidates import Candidate
from bridge.scoring.selection.scorers import ScorerBriefing, create_scorer, find_scorer_kind
from luban import evaluate as evaluate_in_python
from pysim.catalog import find_level
from pysim.errors import InputError
from tests.commands import Luban

GIVEN = {"temperature": "0.5", "depth": "3"}
MODELS = (
    "api, api_key_env, base_url, cache, longest, max_completion_tokens, max_tokens, "
    "optional, parallel_tool_calls, pause, reasoning_effort, retries, stream, temperature, "
    "timeout, tool_choice, top_p"
)
LEVEL = "burr-half-lap"


class Style(StrEnum):
    BOLD = "bold"
    SHY = "shy"


@dataclass(frozen=True)
class DeepSettings:
    depth: int = field(default=2, metadata={"help": "Moves ahead.", "least": 1, "most": 9})
    share: float = field(default=0.5, metadata={"least": 0})
    style: Style = Style.BOLD
    loud: bool = False
    names: tuple[str, ...] = ()
    url: str = field(default="", metadata={"free": True})

    def __post_init__(self) -> None:
        if self.loud and self.style is Style.SHY:
            raise ValueError("a shy one is not loud")


class Deep:
    settings: ClassVar[type[Any]] = DeepSettings

    def __init__(self, context: AgentContext) -> None:
        self.own = context.read_settings(DeepSettings)
        self.journal = context.journal

    def act(self, observation: Observation) -> Call:
        self.journal.record({"depth": self.own.depth, "share": self.own.share})
        raise GaveUp("that was all")


class Named:
    """Declares names alone, as agents did before there were dataclasses."""

    settings = ("depth",)
    free = ("depth",)

    def __init__(self, context: AgentContext) -> None:
        self.context = context


class Silent:
    @property
    def settings(self) -> str:
        return "what it was given"


@dataclass(frozen=True)
class NeedySettings:
    depth: int


class Needy(Deep):
    settings = NeedySettings


@dataclass(frozen=True)
class MistypedSettings:
    depth: int = field(default=1, metadata={"hlep": "Moves ahead."})


class Mistyped(Deep):
    settings = MistypedSettings


@dataclass(frozen=True)
class TasteSettings:
    taste: int = field(default=1, metadata={"most": 3})


class Taster:
    settings = TasteSettings

    def __init__(self, briefing: ScorerBriefing) -> None:
        self.taste = briefing.read_settings(TasteSettings).taste

    def score(self, candidates: Sequence[Candidate]) -> Sequence[float]:
        return [float(self.taste)] * len(candidates)


def _entries(group: str, *made: type) -> dict[str, EntryPoint]:
    return {
        one.__name__.lower(): EntryPoint(one.__name__.lower(), f"{__name__}:{one.__name__}", group)
        for one in made
    }


@pytest.fixture(autouse=True)
def others(monkeypatch: pytest.MonkeyPatch) -> None:
    agents = _entries(registry.GROUP, Deep, Named, Silent, Needy, Mistyped)
    tasters = _entries(scorers.SCORERS, Taster)
    monkeypatch.setattr(registry, "discover_agents", lambda: agents)
    monkeypatch.setattr(scorers, "discover_scorers", lambda: tasters)


def test_settings_go_to_those_that_take_them() -> None:
    for kind in (find_agent("openai:tall"), find_answerer_kind("openai:tall")):
        assert kind.select_own(GIVEN) == {"temperature": "0.5"}
    assert find_scorer_kind("judge:openai:wise").select_own(GIVEN) == {"temperature": "0.5"}
    for name in ("deep", "named"):
        assert find_agent(name).select_own(GIVEN) == {"depth": "3"}
    assert find_agent("silent").select_own(GIVEN) == GIVEN
    for kind in (find_agent("random"), find_answerer_kind("oracle"), find_scorer_kind("progress")):
        assert kind.select_own(GIVEN) == {}


def test_settings_that_are_free_may_change_on_the_way() -> None:
    given = {"depth": "3", "url": "there"}
    assert find_agent("deep").select_lasting(given) == {"depth": "3"}
    assert find_agent("named").select_lasting(given) == {"url": "there"}
    assert find_agent("silent").select_lasting(given) == given


def test_setting_that_nobody_takes_is_refused_with_those_that_there_are() -> None:
    agent, judge = find_agent("needy"), find_scorer_kind("judge:openai:wise")
    check_settings(GIVEN, {"the agent needy": agent, "the judge": judge})
    check_settings({"wit": "1"}, {"the agent": find_agent("silent"), "the judge": judge})
    with pytest.raises(InputError) as refused:
        check_settings({"depth": "3", "wit": "1"}, {"the agent needy": agent, "the judge": judge})
    assert str(refused.value) == (
        "nothing here takes the setting 'wit': the agent needy takes depth; the judge takes "
        + MODELS
    )


def test_declared_settings_are_read_as_their_types() -> None:
    given = {"depth": "9", "share": "1e-3", "style": "shy", "names": "a, b", "url": "1"}
    agent = create_agent("deep", find_level(LEVEL), settings=given)
    assert isinstance(agent, Deep)
    assert agent.own == DeepSettings(9, 0.001, Style.SHY, names=("a", "b"), url="1")
    bare = create_agent("deep", find_level(LEVEL))
    assert isinstance(bare, Deep) and bare.own == DeepSettings()
    taster = create_scorer("taster", ScorerBriefing(settings={"taste": "-2"}))
    assert isinstance(taster, Taster) and taster.taste == -2
    named = create_agent("named", find_level(LEVEL), settings={"depth": "x"})
    assert isinstance(named, Named) and named.context.settings == {"depth": "x"}


WRONG = [
    ({"depth": "two"}, "depth is a whole number from 1 to 9, not 'two'"),
    ({"depth": "2.5"}, "depth is a whole number from 1 to 9, not '2.5'"),
    ({"depth": "0"}, "depth is a whole number from 1 to 9, not '0'"),
    ({"depth": "10"}, "depth is a whole number from 1 to 9, not '10'"),
    ({"depth": "9" * 5000}, "depth is a whole number from 1 to 9, not '999"),
    ({"share": "nan"}, "share is a number from 0 up, not 'nan'"),
    ({"share": "inf"}, "share is a number from 0 up, not 'inf'"),
    ({"share": "-0.1"}, "share is a number from 0 up, not '-0.1'"),
    ({"style": "meek"}, "style is one of bold, shy, not 'meek'"),
    ({"loud": "yes"}, "loud is true or false, not 'yes'"),
    ({"loud": "true", "style": "shy"}, "a shy one is not loud"),
]


@pytest.mark.parametrize(("given", "words"), WRONG)
def test_value_that_a_setting_does_not_take_is_refused_by_name(
    given: dict[str, str], words: str
) -> None:
    with pytest.raises(InputError) as refused:
        check_settings(given, {"the agent deep": find_agent("deep")})
    assert str(refused.value).startswith(f"the agent deep: {words}")
    assert len(str(refused.value)) < 200
    with pytest.raises(InputError) as unmade:
        create_agent("deep", find_level(LEVEL), settings=given)
    assert str(unmade.value).startswith(words)


def test_setting_without_a_default_must_be_given() -> None:
    kind: Plugin[Any, Any] = find_agent("needy")
    check_settings({"depth": "1"}, {"the agent needy": kind})
    with pytest.raises(InputError, match=r"^the agent needy: give depth$"):
        check_settings({}, {"the agent needy": kind})


def test_declaration_that_says_what_nothing_reads_is_refused() -> None:
    with pytest.raises(InputError, match=r"agent mistyped .*MistypedSettings\.depth says hlep"):
        find_agent("mistyped")


Evaluate = Callable[..., str]


@pytest.fixture(params=["command", "python"])
def evaluate(request: pytest.FixtureRequest, luban: Luban) -> Evaluate:
    """Evaluates an agent with settings, and returns the error."""

    def by_command(suite: str, settings: dict[str, Any], **options: Any) -> str:
        words = [word for name, value in settings.items() for word in ("--set", f"{name}={value}")]
        words += [word for name, value in options.items() for word in (f"--{name}", value)]
        return luban("eval", suite, *words).complaint()

    def by_python(suite: str, settings: dict[str, Any], **options: Any) -> str:
        with pytest.raises(InputError) as refused:
            evaluate_in_python(suite, settings=settings, **options)
        return str(refused.value)

    return by_command if request.param == "command" else by_python


MODEL_ERRORS = [
    ({"warmth": 1}, "nothing here takes the setting 'warmth'"),
    ({"temperature": "hot"}, "temperature is a number from 0 up, not 'hot'"),
    ({"temperature": float("nan")}, "temperature is a number from 0 up, not 'nan'"),
    ({"max_tokens": 0.5}, "max_tokens is a whole number from 0 up, not '0.5'"),
    ({"stream": 2}, "stream is a whole number from 0 to 1, not '2'"),
    ({"api": "smoke"}, "api is one of auto, chat, responses, not 'smoke'"),
    ({"parallel_tool_calls": "no"}, "parallel_tool_calls is one of true, false, omit, not 'no'"),
    ({"optional": "pause"}, "optional: it names some of temperature, top_p"),
]


@pytest.mark.parametrize("suite", [LEVEL, "cube-bench"])
@pytest.mark.parametrize(("settings", "words"), MODEL_ERRORS)
def test_evaluation_with_a_wrong_setting_is_refused_and_leaves_nothing(
    evaluate: Evaluate, suite: str, settings: dict[str, Any], words: str
) -> None:
    assert words in evaluate(suite, settings, agent="openai:tall")
    assert not list(Path().rglob("*.json*"))


def test_setting_of_a_scorer_is_refused_without_a_search(evaluate: Evaluate) -> None:
    judge = {"scorer": "judge:openai:wise"}
    told = evaluate(LEVEL, {"temperature": 1}, agent="random", **judge)
    assert "nothing here takes the setting 'temperature': the agent random takes none" in told
    told = evaluate(LEVEL, {"temperature": "hot"}, agent="random", beam=2, **judge)
    assert "the scorer judge:openai:wise: temperature is a number from 0 up, not 'hot'" in told


def test_run_keeps_settings_as_texts_and_resumes_with_other_free_ones(luban: Luban) -> None:
    options: dict[str, Any] = {"workers": 1, "out": "run"}
    given = {"depth": 5, "share": 0.25, "loud": True}
    evaluate_in_python(LEVEL, "deep", settings={**given, "url": "here"}, **options)
    kept = json.loads(Path("run/run.json").read_text())["options"]
    assert kept == {"depth": "5", "share": "0.25", "loud": "true", "url": "here"}
    (noted,) = next(Path("run").rglob("agent.jsonl")).read_text().splitlines()
    assert (json.loads(noted)["depth"], json.loads(noted)["share"]) == (5, 0.25)
    evaluate_in_python(LEVEL, "deep", settings={**given, "url": "there"}, **options)
    with pytest.raises(InputError, match="options was"):
        evaluate_in_python(LEVEL, "deep", settings={**given, "depth": 6}, **options)


def test_play_reads_settings_before_the_episode_begins(luban: Luban) -> None:
    play = ("play", LEVEL, "--agent", "deep", "--observation", "none", "--video", "none", "--json")
    told = luban(*play, "--set", "wit=1").complaint()
    assert "the setting 'wit': the agent deep takes depth, loud, names, share, style, url" in told
    told = luban(*play, "--set", "depth=nan").complaint()
    assert "the agent deep: depth is a whole number from 1 to 9, not 'nan'" in told
    assert "NAME=VALUE" in luban(*play, "--set", "depth").complaint()
    assert not Path("runs").exists()
    assert luban(*play, "--set", "depth=4").json()["steps"] == 0


def test_selection_reads_the_settings_of_its_scorers(luban: Luban) -> None:
    assert luban("eval", LEVEL, "--k", 2, "--workers", 1, "--out", "run").status == 0
    select = ("select", "run", "--by", "taster", "--json")
    for setting, words in (
        ("wit=1", "the setting 'wit': the scorer taster takes taste"),
        ("taste=sour", "the scorer taster: taste is a whole number up to 3, not 'sour'"),
        ("taste=4", "the scorer taster: taste is a whole number up to 3, not '4'"),
    ):
        assert words in luban(*select, "--set", setting).complaint()
    assert luban(*select, "--set", "taste=2").status == 0
    (kept,) = Path("run/selections").glob("*.jsonl")
    assert json.loads(kept.read_text().splitlines()[0])["settings"] == {"taste": "2"}
