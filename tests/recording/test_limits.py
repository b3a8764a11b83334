"""What agents say without end is cut or refused on every way in, and takes little of a log."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bridge.adapters.toolbox import Toolbox
from bridge.agents.chat import ChatClient
from bridge.agents.human import HumanAgent
from bridge.agents.protocol import RawCall
from bridge.episode.episode import Episode
from bridge.episode.records import Obs, Options
from bridge.episode.tools import ActionSpace, ToolCall
from bridge.items.log import LOG_NAME
from bridge.recording.log import EpisodeLog, read_log
from bridge.recording.replay import replay
from bridge.runs.play import make_step
from pysim.catalog import find_family, find_level
from pysim.field_types import Json
from pysim.limits import MAX_ACTION_NAME, MAX_ANSWER, MAX_ARGUMENTS, MAX_LINE, MAX_MESSAGE
from pysim.puzzle import InvalidAction, Reason
from tests.agents.server import calling, chat_server
from tests.agents.strangers import install_agents
from tests.commands import Luban
from tests.sampling import more

LEVEL = find_level("burr-half-lap")
HUGE = "x" * (60 * 10**6)
GOOD: dict[str, Json] = {"pieces": ["red"], "direction": "+x", "distance": 1}


@pytest.fixture
def episode(tmp_path: Path) -> Episode:
    log = EpisodeLog(tmp_path / "episode.jsonl")
    return Episode(LEVEL, options=Options(obs=Obs.STATE), listener=log)


def checked(episode: Episode, tmp_path: Path, steps: int) -> None:
    """All cost a step each, and the log is small and can be replayed."""
    episode.end()
    assert episode.steps == steps
    path = tmp_path / "episode.jsonl"
    assert all(len(line) < 1500 for line in path.read_bytes().splitlines()[2:])
    assert replay(read_log(path)).steps == steps


CALLS: dict[str, tuple[str, dict[str, Json]]] = {
    "a name": (HUGE, GOOD),
    "a name of one character too many": ("slide".ljust(MAX_ACTION_NAME + 1), GOOD),
    "an argument": ("slide", GOOD | {"direction": HUGE}),
    "a field": ("slide", GOOD | {HUGE: 1}),
    "many fields": ("slide", GOOD | dict.fromkeys(map(str, range(50_000)), 1)),
    "many pieces": ("slide", GOOD | {"pieces": ["red"] * 10**6}),
    "many lists": ("slide", GOOD | {"pieces": [[[]] * 1000] * 1000}),
}


@pytest.mark.by_day(4)
@pytest.mark.parametrize("name", CALLS)
def test_a_huge_call_costs_a_step_and_a_line_by_whatever_way_it_comes(
    name: str, episode: Episode, tmp_path: Path
) -> None:
    tool, arguments = CALLS[name]
    with pytest.raises(InvalidAction) as refused:
        episode.step(ToolCall(tool, arguments))
    assert len(refused.value.message) <= MAX_MESSAGE
    with pytest.raises(InvalidAction) as refused:
        episode.step_json(tool, json.dumps(arguments))
    assert len(refused.value.message) <= MAX_MESSAGE
    for given_ in (arguments, json.dumps(arguments)):
        reply = Toolbox(episode).call(tool, given_)
        assert reply.refused and len(reply.text) < 2000
    told = make_step(episode, RawCall(tool, json.dumps(arguments)))
    assert not told.ok and len(told.action) <= 80 and len(told.message) <= MAX_MESSAGE
    checked(episode, tmp_path, 5)


def test_arguments_are_weighed_alike_as_text_and_as_a_value(episode: Episode) -> None:
    for extra in (0, 1):
        room = MAX_ARGUMENTS - len(json.dumps({"move": ""}, separators=(",", ":"))) + extra
        arguments = {"move": "x" * room}
        text = json.dumps(arguments, separators=(",", ":"))
        for step in (
            lambda text=text: episode.step_json("slide", text),
            lambda given_=arguments: episode.step(ToolCall("slide", given_)),
        ):
            with pytest.raises(InvalidAction) as refused:
                step()
            assert (refused.value.reason is Reason.MALFORMED) == bool(extra)
    episode.end()


@pytest.mark.parametrize("arguments", [3, "null", "[]", ["red"], True, 0.5])
def test_arguments_that_are_no_object_cost_a_step(
    arguments: Any, episode: Episode, tmp_path: Path
) -> None:
    reply = Toolbox(episode).call("slide", arguments)
    assert reply.refused and "the arguments are a JSON object, not" in reply.text
    checked(episode, tmp_path, 1)


def test_call_without_arguments_is_read_as_an_empty_object(
    episode: Episode, tmp_path: Path
) -> None:
    replies = [Toolbox(episode).call("slide", one).text for one in (None, "", "{}", {})]
    assert all("slide needs 'pieces'" in text for text in replies)
    checked(episode, tmp_path, 4)


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@pytest.mark.slow
@settings(max_examples=more(10))
@given(st.dictionaries(st.text(), JSON_VALUES))
def test_no_call_that_fits_as_text_is_too_much_as_a_value(arguments: dict[str, Json]) -> None:
    from bridge.episode.tools import _weight

    text = json.dumps(arguments, separators=(",", ":"), ensure_ascii=False)
    assert _weight(arguments, MAX_ARGUMENTS) <= len(text)


def test_the_name_of_a_call_is_cut_where_a_model_s_answer_comes_in() -> None:
    with chat_server(lambda request, number: calling("y" * 10**7, "{}")) as chat:
        (said,) = ChatClient(chat.url, "").ask({}).calls
    assert said.name == "y" * (MAX_ACTION_NAME + 1)


def test_a_line_that_is_too_long_is_asked_for_again_for_free() -> None:
    actions = ActionSpace(find_family(LEVEL).actions, LEVEL.colours)
    lines = iter(["x" * (MAX_LINE + 1), "slide red +x 1"])
    hints: list[str] = []

    def ask(observation: Any, hint: str) -> str:
        hints.append(hint)
        return next(lines)

    assert HumanAgent(actions, ask).act(None).name == "slide"  # type: ignore[arg-type]
    assert hints[1] == f"a line has at most {MAX_LINE:,} characters"


def test_a_person_s_endless_line_is_one_line(luban: Luban) -> None:
    options = ("--observation", "state", "--agent", "human", "--video", "none")
    done = luban("play", LEVEL.id, *options, stdin=f"{'x' * 10**6}\nfly\nquit\n")
    assert done.status == 0
    assert done.out.count("a line has at most") == 1 and "no action 'fly'" in done.out


TALKER = '''
class Talker:
    """Says much."""

    def __init__(self, briefing):
        pass

    def answer(self, question):
        global asked
        asked += 1
        return "<ANSWER> A </ANSWER>".ljust({most} + asked % 2)


asked = 0
'''


def test_an_answer_that_is_too_long_says_nothing(
    luban: Luban, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from bridge.agents import registry

    site = tmp_path / "site"
    site.mkdir()
    install_agents(site, "talking_agents", TALKER.format(most=MAX_ANSWER), ("Talker",))
    monkeypatch.syspath_prepend(str(site))
    registry.discover_agents.cache_clear()
    options = ("--task", "move-prediction", "--n", 2, "--out", "run", "--image-size", 32, "--agent")
    names = [name for name in registry.list_agents() if "talker" in name.lower()]
    done = luban("eval", "cube-bench", *options, f"{names[0].partition(':')[0]}:x")
    registry.discover_agents.cache_clear()
    assert done.status == 0, done.err
    lines = map(json.loads, (tmp_path / "run" / LOG_NAME).read_text().splitlines())
    texts = [line["text"] for line in lines if line["type"] == "answer"]
    assert {len(text) for text in texts} == {0, MAX_ANSWER}
