"""Beam search: as good as the agent alone or better, and a log like any other."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from bridge.agents.journal import Journal
from bridge.agents.protocol import Agent
from bridge.agents.registry import create_agent
from bridge.episode.episode import Episode
from bridge.episode.records import Obs, Options
from bridge.recording.log import EpisodeLog, read_log
from bridge.recording.replay import replay
from bridge.runs.play import PlayStopped, play_episode
from bridge.runs.results import read_search_cost
from bridge.scoring.selection.beam import BeamSettings, search_episode
from bridge.scoring.selection.candidates import Candidate
from bridge.scoring.selection.scorers import create_scorer
from pysim.catalog import find_level
from pysim.puzzle import Outcome

OPTIONS = Options(obs=Obs.STATE, budget=12)
LOCKS = ("burr-chinese-cross", "burr-three-bars", "burr-five-bars")


def play(
    log: Path,
    agent: str,
    *,
    level: str = LOCKS[0],
    seed: int = 0,
    beam: BeamSettings | None = None,
    options: Options = OPTIONS,
) -> Outcome:
    """Let an agent play, alone or in a search; its log, and the search's journal beside it."""
    found = find_level(level)
    player = create_agent(agent, found, seed=seed)
    with (
        EpisodeLog(log) as written,
        Episode(found, options=options, listener=written) as episode,
    ):
        if beam is None:
            return play_episode(episode, player, images=False).outcome
        return search_episode(
            episode,
            player,
            create_scorer(beam.scorer),
            beam,
            journal=Journal(log.with_suffix(".search")),
            images=False,
        ).outcome


@pytest.mark.by_day(5)
@pytest.mark.parametrize("level", [*LOCKS, "packing-soma"])
@pytest.mark.parametrize("agent", ["greedy", "noisy-oracle:0.5", "random", "first-legal", "oracle"])
def test_one_beam_with_one_branch_is_the_agent_alone_byte_for_byte(
    tmp_path: Path, level: str, agent: str
) -> None:
    alone, searched = tmp_path / "alone.jsonl", tmp_path / "searched.jsonl"
    play(alone, agent, level=level)
    play(searched, agent, level=level, beam=BeamSettings(1, 1, "progress"))
    assert searched.read_bytes() == alone.read_bytes()
    cost = read_search_cost(searched.with_suffix(".search"))
    assert cost is not None
    assert cost.tried == len(read_log(alone).steps)


@pytest.mark.by_day(1)
@pytest.mark.parametrize("agent", ["greedy", "noisy-oracle:0.6"])
def test_a_search_by_progress_solves_more_than_the_agent_alone(tmp_path: Path, agent: str) -> None:
    def solved(beam: BeamSettings | None) -> int:
        games = [(level, seed) for level in ("burr-piston-key", LOCKS[1]) for seed in range(2)]
        return sum(
            play(tmp_path / f"{beam}{level}{n}", agent, level=level, seed=n, beam=beam)
            is Outcome.SOLVED
            for level, n in games
        )

    assert solved(BeamSettings(4, 4, "progress")) > solved(None)


def test_the_log_is_an_ordinary_one_and_every_step_tried_is_counted(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    beam = BeamSettings(2, 3, "progress")
    assert play(log, "noisy-oracle:0.8", seed=1, beam=beam) is Outcome.SOLVED
    read = read_log(log)
    assert replay(read).outcome is Outcome.SOLVED
    lines = [json.loads(line) for line in log.with_suffix(".search").read_text().splitlines()]
    assert [line["step"] for line in lines] == list(range(1, len(read.steps) + 1))
    assert len(lines[0]["tried"]) == 3
    assert all(len(line["tried"]) <= 6 for line in lines)
    assert all(1 <= sum(one["kept"] for one in line["tried"]) <= 2 for line in lines)
    cost = read_search_cost(log.with_suffix(".search"))
    assert cost is not None
    assert cost.tried == sum(len(line["tried"]) for line in lines) > len(read.steps)


def test_ways_to_the_same_state_are_one(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    play(log, "oracle", beam=BeamSettings(3, 3, "progress"))
    lines = [json.loads(line) for line in log.with_suffix(".search").read_text().splitlines()]
    assert [(len(line["tried"]), sum(o["kept"] for o in line["tried"])) for line in lines] == [
        (3, 1)
    ] * len(lines)


def test_an_agent_that_can_not_be_forked_is_told(tmp_path: Path) -> None:
    script = tmp_path / "script.txt"
    script.write_text("slide red +x 1\n")
    agent = f"scripted:{script}"
    assert play(tmp_path / "a", agent, beam=BeamSettings(3, 1, "random")) is Outcome.GAVE_UP
    with pytest.raises(ValueError, match=r"a ScriptedAgent can't try several .* --branch 1"):
        play(tmp_path / "b", agent, beam=BeamSettings(1, 2, "random"))


class Odd:
    def __init__(self, scores: Sequence[float]) -> None:
        self._scores = scores

    def score(self, candidates: Sequence[Candidate]) -> Sequence[float]:
        return self._scores


@pytest.mark.parametrize(
    ("scores", "words"),
    [([1.0], "gave 1 scores for"), ([float("nan")] * 4, "no finite number")],
)
def test_a_scorer_that_makes_no_sense_is_told_and_leaves_the_episode(
    scores: list[float], words: str
) -> None:
    with Episode(find_level(LOCKS[0]), options=OPTIONS) as episode:
        agent: Agent = create_agent("random", find_level(LOCKS[0]))
        with pytest.raises(ValueError, match=words):
            search_episode(
                episode, agent, Odd(scores), BeamSettings(2, 4, ""), journal=Journal(), images=False
            )
        assert (episode.steps, episode.outcome) == (0, None)


def test_a_search_can_be_stopped_between_two_actions() -> None:
    asked: list[int] = []

    def stopped() -> bool:
        asked.append(0)
        return len(asked) > 5

    with Episode(find_level(LOCKS[0]), options=OPTIONS) as episode:
        agent: Agent = create_agent("random", find_level(LOCKS[0]))
        with pytest.raises(PlayStopped):
            search_episode(
                episode,
                agent,
                create_scorer("random"),
                BeamSettings(2, 2, "random"),
                journal=Journal(),
                images=False,
                stopped=stopped,
            )
        assert (len(asked), episode.steps) == (6, 0)


@pytest.mark.parametrize("numbers", [(0, 1), (1, 0), (65, 1), (1, 65)])
def test_a_beam_has_a_sensible_width(numbers: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="from 1 to 64"):
        BeamSettings(*numbers, "progress")


@pytest.mark.parametrize("text", ["{\n", '{"type": "step"}\n', "[]\n"])
def test_a_damaged_journal_of_a_search_is_said(tmp_path: Path, text: str) -> None:
    (tmp_path / "search.jsonl").write_text(text)
    with pytest.raises(ValueError, match="no journal of a search"):
        read_search_cost(tmp_path / "search.jsonl")
    assert read_search_cost(tmp_path / "none") is None
