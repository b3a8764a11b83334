"""Baselines with known answers, played in this process on the lattice."""

import json
from collections.abc import Sequence
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest

from bridge.agents import registry
from bridge.agents.protocol import Agent, AgentContext, Call, GaveUp, RawCall
from bridge.agents.registry import create_agent, list_agents
from bridge.episode.episode import Episode
from bridge.episode.observation import Observation
from bridge.episode.records import Ending, Obs, Options
from bridge.episode.tools import ToolCall
from bridge.runs.play import Mode, PlayStopped, StepReport, play_episode
from pysim.catalog import find_level
from pysim.puzzle import Level, Outcome

PISTON = find_level("burr-piston")
CROSS = find_level("burr-chinese-cross")
SOMA = find_level("packing-soma")
SAY_NOTHING = Options(obs=Obs.STATE)


def play(
    level: Level[Any], agent: Agent, mode: Mode = Mode.INTERACTIVE, budget: int | None = None
) -> tuple[Ending, list[StepReport]]:
    turns: list[StepReport] = []
    options = Options(obs=Obs.STATE, budget=budget)
    with Episode(level, options=options) as episode:
        ending = play_episode(episode, agent, mode=mode, watch=turns.append)
    assert ending.disagreements == 0
    return ending, turns


@pytest.mark.parametrize("level", [PISTON, CROSS, SOMA], ids=lambda level: level.id)
def test_an_oracle_without_noise_is_the_oracle(level: Level[Any]) -> None:
    assert level.plan is not None
    ending, turns = play(level, create_agent("noisy-oracle:0", level, seed=3))
    assert (ending.outcome, ending.steps) == (Outcome.SOLVED, len(level.plan))
    assert [turn.action for turn in turns] == [
        turn.action for turn in play(level, create_agent("oracle", level))[1]
    ]


@pytest.mark.parametrize("level", [PISTON, CROSS], ids=lambda level: level.id)
def test_a_noisy_oracle_finds_its_way_back(level: Level[Any]) -> None:
    assert level.plan is not None
    steps = []
    for seed in range(5):
        ending, turns = play(level, create_agent("noisy-oracle:0.3", level, seed=seed), budget=200)
        assert ending.outcome is Outcome.SOLVED
        assert all(turn.ok for turn in turns)
        steps.append(ending.steps)
    assert min(steps) >= len(level.plan)
    assert max(steps) > len(level.plan)


def test_an_oracle_that_is_all_noise_makes_random_moves() -> None:
    first = {repr(create_agent("noisy-oracle:1", CROSS, seed=s).act(SEEN)) for s in range(40)}
    assert len(first) > 5


@pytest.mark.parametrize("noise", ["-0.1", "1.5", "nan", "much"])
def test_noise_is_a_share(noise: str) -> None:
    with pytest.raises(ValueError, match="noise"):
        create_agent(f"noisy-oracle:{noise}", PISTON)


def test_greedy_packs_soma_better_than_it_started_and_never_errs() -> None:
    ending, turns = play(SOMA, create_agent("greedy", SOMA), budget=8)
    assert all(turn.ok for turn in turns)
    assert sum(turn.action.startswith("place") for turn in turns) >= 5
    assert ending.steps == 8


def test_greedy_takes_a_lock_apart_where_only_one_piece_holds_it() -> None:
    level = find_level("burr-chinese-cross-key")
    ending, _ = play(level, create_agent("greedy", level))
    assert (ending.outcome, ending.steps) == (Outcome.SOLVED, 1)


def test_greedy_goes_to_new_states_first() -> None:
    hashes = set()
    agent = create_agent("greedy", PISTON)
    with Episode(PISTON, options=SAY_NOTHING) as episode:
        for _ in range(6):
            call = agent.act(episode.observe())
            assert isinstance(call, ToolCall)
            hashes.add(episode.step(call).state_hash)
    assert len(hashes) == 6


def test_a_script_is_played_as_it_was_typed(tmp_path: Path) -> None:
    script = tmp_path / "moves.txt"
    script.write_text("# the key of the lock\n\nslide red +x 1\nslide pink +x 1  # no such piece\n")
    ending, turns = play(PISTON, create_agent(f"scripted:{script}", PISTON))
    assert [(turn.action, turn.ok) for turn in turns] == [
        ("slide red +x 1", False),
        ("slide pink +x 1", False),
    ]
    assert (ending.outcome, ending.steps) == (Outcome.GAVE_UP, 2)


def test_a_folder_of_scripts_has_one_for_each_level(tmp_path: Path) -> None:
    (tmp_path / "burr-piston.txt").write_text("slide red +x 1\n")
    assert play(PISTON, create_agent(f"scripted:{tmp_path}", PISTON))[0].steps == 1
    with pytest.raises(ValueError, match=r"no script burr-chinese-cross\.txt"):
        create_agent(f"scripted:{tmp_path}", CROSS)


def test_a_log_is_a_script_too(tmp_path: Path) -> None:
    assert PISTON.plan is not None
    log = tmp_path / "log.jsonl"
    calls = [ToolCall.of(action) for action in PISTON.plan.actions]
    steps = [{"type": "step", "call": {"name": c.name, "arguments": c.arguments}} for c in calls]
    lines: list[object] = [{"type": "header"}, *steps, {"type": "end"}]
    log.write_text("\n".join(map(json.dumps, lines)) + "\n")
    ending, _ = play(PISTON, create_agent(f"scripted:{log}", PISTON))
    assert ending.outcome is Outcome.SOLVED


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("absent.txt", None),
        ("bytes.txt", b"\xff\xfe"),
        ("quotes.txt", b'slide red "x'),
        ("no.jsonl", b"slide red +x 1\n"),
        ("odd.jsonl", b'{"type": "step", "call": 1}\n'),
        ("list.jsonl", b"[]\n"),
    ],
)
def test_a_script_that_can_not_be_read_is_said(
    tmp_path: Path, name: str, content: bytes | None
) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(ValueError, match="script"):
        create_agent(f"scripted:{tmp_path / name}", PISTON)


@pytest.mark.parametrize("name", ["oracle", "greedy", "random", "first-legal"])
def test_baselines_say_in_one_answer_what_they_would_do_step_by_step(name: str) -> None:
    at_once = play(CROSS, create_agent(name, CROSS, seed=5), Mode.ONE_SHOT, budget=7)
    by_steps = play(CROSS, create_agent(name, CROSS, seed=5), budget=7)
    assert at_once[1] == by_steps[1]
    assert at_once[0].outcome == by_steps[0].outcome


def test_one_shot_shows_one_view_and_the_goal(tmp_path: Path) -> None:
    from pysim.render.factory import create_renderer

    class Looker:
        def act(self, observation: Observation) -> Call:
            raise AssertionError("it is asked once, for everything")

        def plan(self, observation: Observation) -> Sequence[Call]:
            self.seen = [view.name for view in observation.views]
            raise GaveUp("it only looked")

    renderer, _ = create_renderer()
    for level, names in ((PISTON, 1), (find_level("burr-piston-assemble"), 2)):
        looker = Looker()
        with Episode(level, renderer=renderer, options=Options(picture_size=32)) as episode:
            play_episode(episode, looker, mode=Mode.ONE_SHOT)
        assert len(looker.seen) == names
        assert looker.seen[1:] == ["goal"] * (names - 1)
    renderer.close()


def test_an_agent_without_a_plan_can_not_play_one_shot() -> None:
    class Actor:
        def act(self, observation: Observation) -> Call:
            raise GaveUp("no")

    with pytest.raises(ValueError, match="one-shot"):
        play(PISTON, Actor(), Mode.ONE_SHOT)


def test_what_a_model_wrote_is_read_by_the_episode_and_costs_a_step() -> None:
    said = iter(
        [
            RawCall("slide", '{"pieces": ["red"], "direction": "+x", "distance": 1}'),
            RawCall("slide", '{"pieces": ["red"'),
            RawCall("", ""),
        ]
    )

    class Model:
        def act(self, observation: Observation) -> Call:
            return next(said)

    _, turns = play(PISTON, Model(), budget=3)
    assert [turn.result.split(" by ")[0] for turn in turns] == [
        "BLOCKED",
        "MALFORMED",
        "UNKNOWN_ACTION",
    ]
    assert [turn.budget_left for turn in turns] == [2, 1, 0]


def test_play_stops_between_steps_and_leaves_the_episode_without_an_end() -> None:
    asked = iter([False, False, True])
    with Episode(CROSS, options=SAY_NOTHING) as episode:
        with pytest.raises(PlayStopped):
            play_episode(episode, create_agent("oracle", CROSS), stopped=lambda: next(asked))
        assert (episode.steps, episode.outcome) == (2, None)


class _Stranger:
    """An agent of another package."""

    def __init__(self, briefing: AgentContext) -> None:
        self.briefing = briefing

    def act(self, observation: Observation) -> Call:
        return ToolCall(str(self.briefing.tools[0]["type"]), {})


def test_other_packages_bring_agents_and_are_told_nothing_of_the_level(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    entries = {
        "stranger": EntryPoint("stranger", f"{__name__}:_Stranger", registry.GROUP),
        "broken": EntryPoint("broken", "no_such_module:Agent", registry.GROUP),
        "number": EntryPoint("number", f"{__name__}:PISTON", registry.GROUP),
    }
    monkeypatch.setattr(registry, "discover_agents", lambda: entries)
    assert list_agents()[-1] == "stranger"
    agent = create_agent("stranger:fast", PISTON, seed=7, settings={"temperature": "0.6"})
    assert isinstance(agent, _Stranger)
    assert (agent.briefing.seed, agent.briefing.argument) == (7, "fast")
    assert agent.briefing.settings == {"temperature": "0.6"}
    told = repr(agent.briefing)
    assert PISTON.id not in told
    assert PISTON.hash not in told
    for name in ("broken", "number"):
        with pytest.raises(ValueError, match=name):
            create_agent(name, PISTON)


def test_the_agent_on_the_agents_page_plays() -> None:
    page = (Path(__file__).parents[2] / "docs" / "agents.md").read_text(encoding="utf-8")
    code = page.partition("```python\n")[2].partition("```")[0]
    names: dict[str, Any] = {"__name__": "page"}
    exec(code, names)
    pusher = names["Pusher"](registry.Assignment(PISTON).build_context())
    ending, turns = play(PISTON, pusher)
    assert (ending.outcome, len(turns)) == (Outcome.GAVE_UP, len(PISTON.colours))


SEEN = Observation(0, 45, "task", "", ("red",), None, (), None)
"""Something to look at; none of these agents needs to."""
