"""What agents are told of their actions, at each level and on every surface."""

import json
import math
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from bridge.adapters.toolbox import Toolbox
from bridge.episode.episode import Episode
from bridge.episode.records import Feedback, Obs, Options
from bridge.recording.log import EpisodeLog, LogError, read_log
from bridge.recording.replay import replay
from bridge.rpc.client import connect
from bridge.rpc.server import LubanServer
from bridge.runs.settings import RunSettings
from luban.playing import start
from pysim.catalog import find_level
from pysim.errors import InputError
from pysim.puzzle import ActionError, IllegalMove, InvalidAction, Reason
from tests.adapters.secrets import ROOT
from tests.episode.probing import LOCKS, candidates, learnt, probes

LEVEL = find_level("burr-piston")
ACCEPTED = ("slide", {"pieces": ["purple"], "direction": "+y", "distance": 1})
BLOCKED = ("slide", {"pieces": ["red"], "direction": "+x", "distance": 1})
FAULTY = ("slide", {"pieces": ["red"]})
SCRIPT = [ACCEPTED, BLOCKED, FAULTY, ("jump", {})]
BY = "red can't move towards +x before blue, green, orange is in the way; nothing moved"


def played(episode: Any) -> list[str]:
    """What is told of each step of the script, however it is told."""
    told = []
    for name, arguments in SCRIPT:
        try:
            result = episode.step_json(name, json.dumps(arguments))
        except ActionError as error:
            kind = type(error).__name__
            told.append(f"{kind} {error.reason} {error.culprits} {error.travel} {error.message}")
        else:
            told.append(f"{result.message} {result.travel} {result.disagreement}")
    return told


REFUSED = "() None the action was refused"
TOLD = {
    Feedback.NONE: ["tried None None"] * 4,
    Feedback.LEGAL: ["done None None"] + [f"IllegalMove REFUSED {REFUSED}"] * 3,
    Feedback.REASON: [
        "done None None",
        f"IllegalMove BLOCKED {REFUSED}",
        f"InvalidAction MISSING_FIELD {REFUSED}",
        f"InvalidAction UNKNOWN_ACTION {REFUSED}",
    ],
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LubanServer]:
    with LubanServer(tmp_path_factory.mktemp("runs")) as server:
        yield server


@pytest.mark.parametrize("feedback", Feedback)
def test_an_episode_tells_as_much_as_it_is_to_tell(feedback: Feedback) -> None:
    with Episode(LEVEL, options=Options(Obs.STATE, feedback=feedback)) as episode:
        told = played(episode)
        history = episode.observe().history
    if feedback is Feedback.FULL:
        assert told[0] == "moved 1 1 None"
        assert told[1].startswith("IllegalMove BLOCKED ('blue', 'green', 'orange'")
        assert "needs 'direction'" in told[2]
        assert "moved 1" in history and "BLOCKED by blue" in history
    else:
        assert told == TOLD[feedback]
        assert not re.search(r"moved|blue|green|needs|there is no", history)
    assert len(history.splitlines()) == len(SCRIPT)


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("feedback", Feedback)
def test_a_server_tells_the_same(server: LubanServer, feedback: Feedback, stream: bool) -> None:
    with Episode(LEVEL, options=Options(Obs.STATE, feedback=feedback)) as episode:
        here = played(episode), episode.observe().history
    with connect(server.address) as client:
        there = client.start(LEVEL, observation="state", feedback=feedback, stream=stream)
        assert (played(there), there.observe().history) == here
        assert (there.steps, there.state_hash) == (4, episode.state_hash)


def test_without_feedback_a_refused_action_looks_like_an_accepted_one() -> None:
    texts = []
    for script in ([ACCEPTED], [BLOCKED], [FAULTY], [("jump", {})]):
        options = Options(Obs.IMAGE, feedback=Feedback.NONE)
        with Episode(LEVEL, options=options) as episode:
            result = episode.step_json(script[0][0], json.dumps(script[0][1]))
            seen = episode.observe(images=False)
            history = seen.history.partition(" -> ")[2]
            texts.append((result.message, result.travel, result.budget_left, history, seen.state))
    assert len(set(texts)) == 1


def test_a_model_is_told_no_more_by_its_tools() -> None:
    for feedback in (Feedback.NONE, Feedback.LEGAL, Feedback.REASON):
        options = Options(Obs.STATE, feedback=feedback)
        with Episode(LEVEL, options=options) as episode:
            box = Toolbox(episode)
            replies = [box.call(name, json.dumps(arguments)) for name, arguments in SCRIPT]
        said = [reply.text.partition("\n")[0] for reply in replies]
        refused = [reply.refused for reply in replies]
        match feedback:
            case Feedback.NONE:
                assert (said, refused) == (["tried"] * 4, [False] * 4)
            case Feedback.LEGAL:
                assert said == ["done"] + ["the action was refused"] * 3
                assert refused == [False, True, True, True]
            case _:
                assert said[1:3] == [
                    "illegal, BLOCKED: the action was refused",
                    "invalid, MISSING_FIELD: the action was refused",
                ]


@pytest.mark.parametrize("feedback", Feedback)
def test_gymnasium_tells_no_more(feedback: Feedback) -> None:
    gym = pytest.importorskip("gymnasium", reason="needs the extra gymnasium")
    import bridge.adapters.gymnasium  # noqa: F401

    env = gym.make("Luban/Burr-v0", level="burr-half-lap", feedback=feedback)
    _, begun = env.reset()
    numbers = [begun["action_mask"].argmin(), begun["action_mask"].argmax()]
    infos = [env.step(number)[4] for number in numbers]
    env.close()
    if feedback is Feedback.FULL:
        assert begun["action_mask"].min() == 0 and infos[0]["reason"] and infos[1]["state_hash"]
        return
    assert {info["state_hash"] for info in (begun, *infos)} == {""}
    assert all(info["action_mask"].all() for info in (begun, *infos))
    assert all(info["message"] in ("tried", "done", "the action was refused") for info in infos)


def logged(path: Path, feedback: Feedback) -> list[str]:
    options = Options(Obs.STATE, feedback=feedback)
    with Episode(LEVEL, options=options, listener=EpisodeLog(path)) as episode:
        played(episode)
        episode.end()
    return path.read_text().splitlines()


def test_the_log_has_everything_at_every_level_and_says_which_it_was(tmp_path: Path) -> None:
    logs = {f: logged(tmp_path / f"{f}.jsonl", f) for f in Feedback}
    assert len({tuple(lines[1:]) for lines in logs.values()}) == 1
    for feedback, (header, *_) in logs.items():
        options = json.loads(header)["options"]
        assert options.get("feedback") == (None if feedback is Feedback.FULL else feedback)
        log = read_log(tmp_path / f"{feedback}.jsonl")
        assert log.header.options.feedback is feedback
        assert log.steps[1].message == BY and log.steps[1].reason is Reason.BLOCKED
        assert replay(log).steps == len(SCRIPT)


def test_a_log_with_a_strange_level_is_refused(tmp_path: Path) -> None:
    header, *lines = logged(tmp_path / "log.jsonl", Feedback.LEGAL)
    damaged = tmp_path / "damaged.jsonl"
    damaged.write_text("\n".join([header.replace('"legal"', '"much"'), *lines]) + "\n")
    with pytest.raises(LogError, match="feedback is one of none, legal, reason, full, not 'much'"):
        read_log(damaged)


def test_a_run_is_another_one_with_another_level() -> None:
    def settings(feedback: Feedback) -> RunSettings:
        levels = ((LEVEL.id, LEVEL.hash),)
        return RunSettings("burr", levels, "oracle", feedback=feedback)

    full, legal = settings(Feedback.FULL), settings(Feedback.LEGAL)
    assert "feedback" not in full.to_document()
    for one in (full, legal):
        assert RunSettings.from_document(json.loads(json.dumps(one.to_document()))) == one
    assert full.list_differences(legal) == ["feedback was full, not legal"]
    assert legal.make_episode_options(3).feedback is Feedback.LEGAL


@pytest.mark.parametrize(
    "begin", [lambda: start(LEVEL, feedback="some"), lambda: Options(feedback=Feedback("some"))]
)
def test_a_level_that_there_is_not_is_refused(begin: Callable[[], object]) -> None:
    with pytest.raises(InputError, match="feedback is one of none, legal, reason, full"):
        begin()


def test_the_front_door_has_the_levels() -> None:
    with start(LEVEL, observation="state", feedback="legal") as episode:
        with pytest.raises(IllegalMove) as refused:
            episode.step(FAULTY[0], **FAULTY[1])
        assert refused.value.reason is Reason.REFUSED
    with start(LEVEL, observation="state") as episode, pytest.raises(InvalidAction):
        episode.step(FAULTY[0], **FAULTY[1])


@pytest.mark.slow
def test_what_a_prober_learns_is_what_the_page_says() -> None:
    """And that less feedback never tells more."""
    text = (ROOT / "docs" / "reliability.md").read_text()
    for name in LOCKS:
        locks = candidates(name)
        rows = [learnt(locks, feedback) for feedback in Feedback]
        assert rows == sorted(rows, key=lambda row: (row.together, row.mean, row.best))
        best, mean, together = (
            " | ".join(f"{getattr(row, part):.2f}" for row in rows)
            for part in ("best", "mean", "together")
        )
        known = f"| `{name}` | {len(locks)}, {math.log2(len(locks)):.2f} bits |"
        assert f"{known} the best probe | {best} |" in text
        assert f"| | | a probe on average | {mean} |" in text
        assert f"| | | all {len(probes(locks[0]))} probes | {together} |" in text
