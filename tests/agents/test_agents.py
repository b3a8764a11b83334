"""Agents that need no model, played over gRPC on the lattice."""

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from bridge.agents.human import HumanAgent
from bridge.agents.protocol import Agent, GaveUp
from bridge.agents.registry import create_agent, list_agents
from bridge.episode.observation import Observation
from bridge.episode.records import Ending, Obs
from bridge.episode.tools import ActionSpace, ToolCall
from bridge.rpc.client import Client, connect
from bridge.rpc.server import LubanServer
from bridge.runs.play import StepReport, play_episode
from pysim.catalog import AnyLevel, find_family, find_level
from pysim.puzzle import Outcome
from tests.sampling import levels_by_day

PISTON = find_level("burr-piston")
SEEN = Observation(0, 45, "task", "", ("red",), None, (), None)
"""Something to look at; none of these agents needs to."""


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    runs = tmp_path_factory.mktemp("runs")
    with LubanServer(runs) as server, connect(server.address) as client:
        yield client


def play(client: Client, level: str, agent: Agent, budget: int | None = None) -> Ending:
    episode = client.start(level, observation=Obs.STATE, budget=budget, stream=True)
    ending = play_episode(episode, agent, images=False)
    assert ending.disagreements == 0
    return ending


@pytest.mark.by_day(10)
@pytest.mark.parametrize("level", levels_by_day())
def test_the_oracle_solves_every_level_in_exactly_its_plan(client: Client, level: AnyLevel) -> None:
    plan = level.plan
    assert plan is not None
    ending = play(client, level.id, create_agent("oracle", level))
    assert (ending.outcome, ending.steps) == (Outcome.SOLVED, len(plan))


def test_the_oracle_searches_where_a_level_has_no_plan(client: Client) -> None:
    level = find_level("burr-chinese-cross")
    ending = play(client, level.id, create_agent("oracle", replace(level, plan=None)))
    assert (ending.outcome, ending.steps) == (Outcome.SOLVED, 5)


def test_the_oracle_gives_up_after_its_plan() -> None:
    agent = create_agent("oracle", find_level("burr-chinese-cross-key"))
    assert agent.act(SEEN).name == "slide"
    with pytest.raises(GaveUp, match="end"):
        agent.act(SEEN)


@pytest.mark.parametrize("name", ["random", "first-legal"])
@pytest.mark.parametrize("level", ["burr-piston", "burr-chinese-cross", "burr-piston-assemble"])
def test_these_agents_make_legal_moves_only(client: Client, level: str, name: str) -> None:
    turns: list[StepReport] = []
    episode = client.start(level, observation="state", budget=8)
    play_episode(episode, create_agent(name, find_level(level), seed=1), watch=turns.append)
    assert len(turns) == episode.steps > 0
    assert all(turn.ok for turn in turns)


def test_chance_is_the_same_for_the_same_seed(client: Client) -> None:
    def final(seed: int) -> str:
        return play(client, PISTON.id, create_agent("random", PISTON, seed=seed), 15).state_hash

    assert final(1) == final(1)
    assert len({final(seed) for seed in range(1, 6)}) > 1


def test_first_legal_draws_nothing(client: Client) -> None:
    hashes = {
        play(client, PISTON.id, create_agent("first-legal", PISTON, seed=seed), 6).state_hash
        for seed in (1, 2)
    }
    assert len(hashes) == 1


def test_random_takes_any_legal_move_first() -> None:
    rules = find_family(PISTON).rules
    actions = ActionSpace(find_family(PISTON).actions, PISTON.colours)
    legal = [actions.call(action) for action in rules.legal(PISTON, rules.initial(PISTON))]
    drawn = [create_agent("random", PISTON, seed=seed).act(SEEN) for seed in range(60)]
    assert all(call in legal for call in drawn)
    assert all(call in drawn for call in legal)
    assert create_agent("first-legal", PISTON).act(SEEN) == legal[0]


def typing(*lines: str) -> tuple[HumanAgent, list[str]]:
    """A person who types these lines, and the hints that they get."""
    hints: list[str] = []
    rest = iter(lines)

    def ask(observation: Observation, hint: str) -> str:
        assert observation is SEEN
        hints.append(hint)
        line = next(rest, None)
        if line is None:
            raise EOFError
        return line

    space = ActionSpace(find_family(PISTON).actions, PISTON.colours)
    return HumanAgent(space, ask), hints


@pytest.mark.parametrize(
    ("line", "name", "arguments"),
    [
        ("slide red +x 2", "slide", {"pieces": ["red"], "direction": "+x", "distance": 2}),
        (" slide red,blue -z out ", "slide", {"pieces": ["red", "blue"], "distance": "out"}),
        ("slide red+blue -z out", "slide", {"pieces": ["red", "blue"], "direction": "-z"}),
        ('slide {"pieces":["red"],"direction":"+x","distance":1}', "slide", {"distance": 1}),
        ("bring red +X+Y+Z 1,-2,3 -z", "bring", {"piece": "red", "cell": [1, -2, 3]}),
        ("rotate red z 3", "rotate", {"piece": "red", "axis": "z", "quarter_turns": 3}),
    ],
)
def test_what_a_person_types_is_read(line: str, name: str, arguments: dict[str, object]) -> None:
    agent, hints = typing(line)
    call = agent.act(SEEN)
    assert call.name == name
    assert arguments.items() <= call.arguments.items()
    assert hints == [""]


def test_what_can_not_be_read_is_asked_for_again_with_a_hint() -> None:
    agent, hints = typing(
        *("", "jump", "slide", "slide red +x one", 'slide red "x', "slide a b c d"),
        *("slide rad +x 1", "slide red +x 1"),
    )
    assert agent.act(SEEN) == ToolCall(
        "slide", {"pieces": ["red"], "direction": "+x", "distance": 1}
    )
    assert hints[0] == ""
    for hint, word in zip(
        hints[1:],
        [
            *("type an action", "no action 'jump'", "pieces", "distance", "can't read", "too many"),
            "did you mean red?",
        ],
        strict=True,
    ):
        assert word in hint


@pytest.mark.parametrize("lines", [["quit"], ["exit"], ["give up"], [], ["nonsense"]])
def test_a_person_may_give_up(lines: list[str]) -> None:
    agent, _ = typing(*lines)
    with pytest.raises(GaveUp):
        agent.act(SEEN)


def test_an_episode_that_is_given_up_is_ended(client: Client) -> None:
    agent, _ = typing()
    episode = client.start(PISTON.id, observation="state")
    ending = play_episode(episode, _Told(lambda seen: agent.act(SEEN)))
    assert (ending.outcome, ending.steps) == (Outcome.GAVE_UP, 0)


def test_a_refused_action_is_told_as_a_turn(client: Client) -> None:
    calls = iter(
        [
            ToolCall("slide", {"pieces": ["red"], "direction": "+x", "distance": 1}),
            ToolCall("slide", {"pieces": ["pink"], "direction": "+x", "distance": 1}),
            ToolCall("jump", {"height": "x" * 200}),
        ]
    )
    turns: list[StepReport] = []
    episode = client.start(PISTON.id, observation="state", budget=3)
    ending = play_episode(episode, _Told(lambda seen: next(calls)), watch=turns.append)
    assert ending.outcome is Outcome.OUT_OF_BUDGET
    assert [(turn.step, turn.ok, turn.budget_left) for turn in turns] == [
        (1, False, 2),
        (2, False, 1),
        (3, False, 0),
    ]
    assert turns[0].result == "BLOCKED by blue, green, orange"
    assert (turns[0].travel, turns[1].travel) == (0, None)
    assert turns[1].action == "slide pink +x 1"
    assert len(turns[2].action) <= 80


def test_an_agent_that_does_not_exist_is_said() -> None:
    for name in ("genius", "", "gpt:large"):
        with pytest.raises(ValueError, match=f"no agent '{name}'; there are {list_agents()[0]}, "):
            create_agent(name, PISTON)
    with pytest.raises(ValueError, match="did you mean random"):
        create_agent("rondom", PISTON)


@pytest.mark.parametrize(
    "name", ["random:1", "oracle:", "noisy-oracle", "noisy-oracle:", "scripted"]
)
def test_an_argument_that_is_missing_or_too_many_is_said(name: str) -> None:
    with pytest.raises(ValueError, match=f"is written .*, not '{name}'"):
        create_agent(name, PISTON)


def test_a_person_needs_a_terminal() -> None:
    with pytest.raises(ValueError, match="terminal"):
        create_agent("human", PISTON)


class _Told:
    """An agent that does as it is told."""

    name = "told"

    def __init__(self, act: Callable[[Observation], ToolCall]) -> None:
        self.act = act
