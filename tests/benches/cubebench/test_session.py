"""Runs in turns, with code and without: protocol, rewards, limits, observations."""

import itertools
import json
import re
import time
from pathlib import Path
from typing import Any

import pytest

from bridge.agents.registry import create_agent
from bridge.agents.turns import TurnAnswer
from bridge.benches.cubebench.protocol import End, Setup, TurnMode, TurnProtocol, end_of
from bridge.benches.cubebench.results import make_cube_play, measure
from bridge.benches.cubebench.sandbox.interpreter import SandboxError, Strength, check_sandbox
from bridge.episode.records import StepKind
from bridge.recording.log import Log
from bridge.recording.replay import replay
from bridge.runs.play import PlayStopped
from bridge.runs.results import make_result
from pysim.families.rubik.cube import Cube
from pysim.families.rubik.moves import Move, parse_moves
from pysim.families.rubik.rewards import Reward
from pysim.families.rubik.strings import Order, format_cube
from pysim.puzzle import Outcome
from tests.benches.cubebench.playing import Script, call, code, level, play


@pytest.fixture(scope="module", autouse=True)
def needs_sandbox() -> None:
    try:
        check_sandbox(Strength.STRONG)
    except SandboxError as error:
        pytest.skip(f"NOT TESTED: {error}")


MODES = (TurnMode.CODE, TurnMode.NO_CODE)


def notes(folder: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in (folder / "agent.jsonl").read_text().splitlines()]


def ended(log: Log) -> End:
    assert log.ending is not None
    return end_of(log.ending.outcome, log.ending.note)


def drawn(cube: Cube) -> str:
    return format_cube(cube, Order.DRAWN)


def making(*moves: str) -> TurnAnswer:
    """A turn that makes moves, with code and without."""
    text = "\n".join(f"make_move({move!r})" for move in moves)
    return TurnAnswer(code(text).text, [call("make_move", json.dumps({"moves": list(moves)}))])


@pytest.mark.parametrize("mode", MODES)
def test_a_run_ends_with_the_move_that_solves_the_cube(mode: TurnMode, tmp_path: Path) -> None:
    played = level(2)
    assert played.plan is not None
    moves = [str(action.move) for action in played.plan.actions]  # type: ignore[attr-defined]
    agent = Script([making("U", "U'"), making(*moves, "F", "F")])
    ending, log = play(played, agent, tmp_path, mode=mode)
    assert (ending.outcome, ending.steps, ended(log)) == (Outcome.SOLVED, 4, End.SOLVED)
    assert [note["turn"] for note in notes(tmp_path)] == [1, 2]
    found = make_cube_play(make_result(log, 1, extras=measure(log)))
    assert found is not None
    assert (found.moves, found.depth, found.ratio, found.normal) == (4, 2, 2.0, True)


@pytest.mark.parametrize("mode", MODES)
def test_a_run_has_no_more_turns_than_its_protocol(mode: TurnMode, tmp_path: Path) -> None:
    agent = Script([making("U")] * 9)
    ending, log = play(level(3), agent, tmp_path, mode=mode, protocol=TurnProtocol(turns=3))
    assert (ending.outcome, ending.steps) == (Outcome.OUT_OF_BUDGET, 3)
    assert ending.note == "turns: all 3 turns are used up"
    assert (ended(log), len(agent.prompts)) == (End.TURNS, 3)


@pytest.mark.parametrize("mode", MODES)
def test_a_run_ends_when_its_moves_are_used_up(mode: TurnMode, tmp_path: Path) -> None:
    ending, log = play(level(8), Script([making(*"UUUUU")] * 3), tmp_path, mode=mode, budget=7)
    assert (ending.outcome, ending.steps, ended(log)) == (Outcome.OUT_OF_BUDGET, 7, End.ACTIONS)


@pytest.mark.timing
def test_a_run_ends_when_its_time_is_over_in_the_middle_of_code(tmp_path: Path) -> None:
    began = time.monotonic()
    protocol = TurnProtocol(seconds=8.0)
    agent = Script([code("import time\nmake_move('U')\nwhile True: time.sleep(1)")])
    ending, log = play(level(3), agent, tmp_path, mode=TurnMode.CODE, protocol=protocol)
    assert (ending.outcome, ending.note) == (Outcome.OUT_OF_BUDGET, "time: 8 seconds are over")
    assert ended(log) is End.TIME
    assert 8 <= time.monotonic() - began < 72
    found = make_cube_play(make_result(log, 1, extras=measure(log)))
    assert found is not None
    assert (found.moves, found.normal) == (1, False)


def test_time_that_an_agent_thinks_counts(tmp_path: Path) -> None:
    class Slow(Script):
        def take_turn(self, prompt: object) -> TurnAnswer:
            time.sleep(0.3)
            return making("U", "U")

    _, log = play(level(3), Slow([]), tmp_path, protocol=TurnProtocol(seconds=0.2))
    assert (ended(log), len(log.steps)) == (End.TIME, 0)


def test_an_agent_may_give_up(tmp_path: Path) -> None:
    ending, log = play(level(3), Script([]), tmp_path)
    assert (ending.outcome, ended(log)) == (Outcome.GAVE_UP, End.GAVE_UP)


@pytest.mark.parametrize("mode", MODES)
def test_somebody_who_wants_to_stop_is_heard(mode: TurnMode, tmp_path: Path) -> None:
    calls = 0

    def stopped() -> bool:
        nonlocal calls
        calls += 1
        return calls > 5

    endless = code("while True: make_move('U')").text
    agent = Script([TurnAnswer(endless, making(*"UD" * 50).calls)])
    with pytest.raises(PlayStopped):
        play(level(8), agent, tmp_path, mode=mode, stopped=stopped)
    assert '"end"' not in (tmp_path / "episode.jsonl").read_text()


@pytest.mark.parametrize("reward", Reward)
def test_a_move_is_worth_the_change_that_it_makes(reward: Reward, tmp_path: Path) -> None:
    played = level(8)
    moves = parse_moves("R U R' U' F' D B L'")
    cubes: list[Cube] = [played.puzzle.start]
    for move in moves:
        cubes.append(cubes[-1].turn([move]))
    values = [reward.score(cube) for cube in cubes]
    expected = [b - a for a, b in itertools.pairwise(values)]
    text = f"print([make_move(m) for m in {list(map(str, moves))!r}])"
    agent = Script([code(text), code("print(make_move(move='U') + make_move(\"U'\"))")])
    play(played, agent, tmp_path, mode=TurnMode.CODE, protocol=TurnProtocol(reward=reward))
    assert agent.prompts[1].text == f"{expected}\n"
    assert agent.prompts[2].text == "0\n"


def test_without_code_the_rewards_of_a_sequence_are_told(tmp_path: Path) -> None:
    played = level(1)  # One turn from home: any other face takes stickers away.
    first = Move.parse(str(played.facts["solution_htm"])).face.opposite.value
    agent = Script([making(first, f"{first}'")])
    protocol = TurnProtocol(reward=Reward.STICKER)
    play(played, agent, tmp_path, protocol=protocol)
    made, rewards = agent.prompts[1].text.split(", rewards ")
    assert made == "2 moves made"
    there, back = map(int, rewards.split())
    assert there == -back < 0


def test_the_symbolic_observation_is_54_letters(tmp_path: Path) -> None:
    played = level(4)
    after = played.puzzle.start.turn(parse_moves("F"))
    agent = Script([code("print(get_observation())\nmake_move('F')\nprint(get_observation())")])
    play(played, agent, tmp_path, mode=TurnMode.CODE)
    assert agent.prompts[1].text.split() == [drawn(played.puzzle.start), drawn(after)]
    assert agent.prompts[1].pictures == []
    told = Script([TurnAnswer("", [call("get_observation")])])
    (tmp_path / "two").mkdir()
    play(played, told, tmp_path / "two")
    assert told.prompts[1].results == (drawn(played.puzzle.start),)


@pytest.mark.by_day(1)
@pytest.mark.parametrize("setting", ["full-visual", "face-view", "vertex-view"])
def test_a_visual_observation_is_a_picture_and_nothing_in_words(
    setting: str, tmp_path: Path
) -> None:
    played = level(4, setting)
    look = "x = get_observation()\nprint(x.shape[2], x.dtype, int(x.max()) > 0)\nmake_move('U')\n"
    look += "print(bool((x != get_observation()).any()))"
    agent = Script([code(look), code("print(1)")])
    play(played, agent, tmp_path, mode=TurnMode.CODE)
    assert agent.prompts[1].text == "3 uint8 True\nTrue\n"
    assert len(agent.prompts[1].pictures) == 2
    assert agent.prompts[1].pictures[0].data.startswith(b"\x89PNG")
    assert agent.prompts[2].pictures == []
    told = " ".join(prompt.text for prompt in agent.prompts)
    assert drawn(played.puzzle.start) not in told
    for hidden in (played.id, played.hash, str(played.facts["solution_htm"])):
        assert hidden not in told


def test_only_partial_settings_have_a_view_to_change(tmp_path: Path) -> None:
    agent = Script([code("apply_view_transformation('left')")])
    play(level(2), agent, tmp_path, mode=TurnMode.CODE)
    assert "apply_view_transformation(" not in agent.prompts[0].text
    assert "NameError" in agent.prompts[1].text
    (tmp_path / "two").mkdir()
    turn = "a = get_observation()\napply_view_transformation('up')\nb = get_observation()\n"
    turn += "print(bool((a != b).any()))"
    other = Script([code(turn), code("apply_view_transformation('back')")])
    _, log = play(level(2, "face-view"), other, tmp_path / "two", mode=TurnMode.CODE)
    assert "apply_view_transformation(direction)" in other.prompts[0].text
    assert other.prompts[1].text == "True\n"
    assert "ValueError" in other.prompts[2].text
    assert [step.kind for step in log.steps] == [StepKind.OK, StepKind.INVALID]
    found = make_cube_play(make_result(log, 1, extras=measure(log)))
    assert found is not None
    assert found.moves == 0


@pytest.mark.by_day(4)
@pytest.mark.parametrize("bad", ["'U2'", "'X'", "1", "None", "['U']", "'U', 'D'", ""])
def test_a_move_that_is_none_is_an_error_in_the_code(bad: str, tmp_path: Path) -> None:
    agent = Script([code(f"try:\n    make_move({bad})\nexcept ValueError as e:\n    print('no')")])
    _, log = play(level(2), agent, tmp_path, mode=TurnMode.CODE)
    assert agent.prompts[1].text == "no\n"
    found = make_cube_play(make_result(log, 1, extras=measure(log)))
    assert found is not None
    assert found.moves == 0


SOLVING = {
    Setup.IDEAL_SOLVER: "for move in solve_cube(get_observation()): make_move(move)",
    Setup.STANDARD_SOLVER: (
        "text = get_observation()\n"
        "faces = dict(zip('ULFRDB', (text[i:i + 9] for i in range(0, 54, 9))))\n"
        "faces['B'] = faces['B'][::-1]\n"
        "letters = {faces[f][4]: f for f in faces}\n"
        "state = ''.join(letters[c] for f in 'URFDLB' for c in faces[f])\n"
        "for move in solve_cube(state): make_move(move)"
    ),
}


@pytest.mark.parametrize("setup", SOLVING)
def test_a_solver_solves_any_cube_that_is_told_to_it_rightly(setup: Setup, tmp_path: Path) -> None:
    ending, log = play(
        level(20), Script([code(SOLVING[setup])]), tmp_path, mode=TurnMode.CODE,
        protocol=TurnProtocol(setup=setup),
    )  # fmt: skip
    assert ending.outcome is Outcome.SOLVED
    found = make_cube_play(make_result(log, 1, extras=measure(log)))
    assert found is not None
    assert 20 <= found.moves <= 50


def test_the_ideal_format_is_an_error_to_the_standard_solver(tmp_path: Path) -> None:
    agent = Script([code(SOLVING[Setup.IDEAL_SOLVER]), TurnAnswer("", [])])
    protocol = TurnProtocol(setup=Setup.STANDARD_SOLVER)
    play(level(8), agent, tmp_path, mode=TurnMode.CODE, protocol=protocol)
    assert "ValueError: letters: a cube is written with U R F D L B" in agent.prompts[1].text


def test_without_code_the_solver_tells_moves_or_an_error(tmp_path: Path) -> None:
    played = level(3)
    state = drawn(played.puzzle.start)
    calls = [
        call("solve_cube", json.dumps({"state": state})),
        call("solve_cube", json.dumps({"state": state[::-1]})),
    ]
    agent = Script([TurnAnswer("", calls)])
    play(played, agent, tmp_path, protocol=TurnProtocol(setup=Setup.IDEAL_SOLVER))
    solution, error = agent.prompts[1].results
    assert played.puzzle.start.turn(map(Move.parse, solution.split())).solved
    assert error.startswith("error: ")


def test_a_basic_agent_has_no_solver(tmp_path: Path) -> None:
    agent = Script([TurnAnswer("", [call("solve_cube", '{"state": ""}')])])
    play(level(3), agent, tmp_path)
    assert [tool["function"]["name"] for tool in agent.prompts[0].tools] == [  # type: ignore[index, call-overload]
        "make_move",
        "get_observation",
    ]
    assert "there is no 'solve_cube'" in agent.prompts[1].text


FAULTY = [
    TurnAnswer("I don't know."),
    TurnAnswer(""),
    TurnAnswer("", [call("make_move", '{"moves": ["U", "Q"]}')]),
    TurnAnswer("", [call("make_move", '{"moves": ["U"]'), call("get_observation")]),
]


@pytest.mark.parametrize("answer", FAULTY)
@pytest.mark.parametrize("mode", MODES)
def test_a_faulty_answer_costs_a_turn_and_changes_nothing(
    answer: TurnAnswer, mode: TurnMode, tmp_path: Path
) -> None:
    agent = Script([answer] * 3)
    ending, log = play(level(3), agent, tmp_path, mode=mode, protocol=TurnProtocol(turns=3))
    assert (ended(log), ending.steps) == (End.TURNS, 0)
    assert agent.prompts[1].text.startswith("Nothing was ")
    if mode is TurnMode.NO_CODE:
        assert len(agent.prompts[1].results) == len(answer.calls)


def test_code_that_was_ended_is_told_and_the_run_goes_on(tmp_path: Path) -> None:
    agent = Script([code("x = 1\nimport os\nos._exit(1)"), code("print(x)"), making("U")])
    ending, _ = play(level(3), agent, tmp_path, mode=TurnMode.CODE)
    assert "without your variables" in agent.prompts[1].text
    assert "NameError" in agent.prompts[2].text
    assert ending.steps == 1


def test_variables_are_kept_from_turn_to_turn(tmp_path: Path) -> None:
    agent = Script([code("x = 41"), code("print(x + 1)")])
    play(level(3), agent, tmp_path, mode=TurnMode.CODE)
    assert [prompt.text for prompt in agent.prompts[1:]] == ["(no output)", "42\n"]


@pytest.mark.parametrize("mode", MODES)
def test_a_log_plays_again_to_the_same_end(mode: TurnMode, tmp_path: Path) -> None:
    for name, turns in (("turns", 2), ("gave-up", 9)):
        (tmp_path / name).mkdir()
        agent = Script([making("U", "R"), making("F'")])
        protocol = TurnProtocol(turns=turns)
        ending, log = play(level(3), agent, tmp_path / name, mode=mode, protocol=protocol)
        assert replay(log).outcome is ending.outcome
        assert replay(log).state_hash == ending.state_hash


@pytest.mark.by_day(2)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", ["oracle", "random", "first-legal"])
def test_baselines_play_in_turns(name: str, mode: TurnMode, tmp_path: Path) -> None:
    played = level(3, "vertex-view")
    protocol = TurnProtocol(turns=4)
    agent = create_agent(name, played, seed=3)
    ending, log = play(played, agent, tmp_path, mode=mode, protocol=protocol)
    if name == "oracle":
        assert played.plan is not None
        assert (ending.outcome, ending.steps) == (Outcome.SOLVED, len(played.plan))
    elif ending.outcome is not Outcome.SOLVED:
        assert ending.steps == 80
    (tmp_path / "again").mkdir()
    again = create_agent(name, played, seed=3)
    other = TurnMode.CODE if mode is TurnMode.NO_CODE else TurnMode.NO_CODE
    _, twin = play(played, again, tmp_path / "again", mode=other, protocol=protocol)
    assert [step.call for step in twin.steps] == [step.call for step in log.steps]


def test_an_agent_that_can_not_play_in_turns_is_told(tmp_path: Path) -> None:
    class Stepwise:
        def act(self, observation: object) -> None:
            """Never asked."""

    with pytest.raises(ValueError, match="a Stepwise can't play in turns"):
        play(level(1), Stepwise(), tmp_path)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"turns": 0}, "from 1 to 1000"),
        ({"seconds": 0.0}, "more than 0"),
        ({"seconds": float("nan")}, "more than 0"),
    ],
)
def test_limits_that_make_no_sense_are_refused(settings: dict[str, float], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        TurnProtocol(**settings)  # type: ignore[arg-type]


def test_the_agent_of_the_page_solves_every_cube(tmp_path: Path) -> None:
    page = Path(__file__).parents[3] / "docs" / "cubebench.md"
    (example,) = re.findall(r"```python\n(.*?)\n```\n\n`prompt", page.read_text(), re.DOTALL)
    names: dict[str, Any] = {}
    exec(example, names)
    protocol = TurnProtocol(setup=Setup.IDEAL_SOLVER)
    agent = names["Asker"](None)
    ending, _ = play(level(16), agent, tmp_path, mode=TurnMode.CODE, protocol=protocol)
    assert ending.outcome is Outcome.SOLVED
