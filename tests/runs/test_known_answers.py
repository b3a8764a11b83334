"""Baselines whose scores are known beforehand, over all families and tiers."""

import os
import pty
import select
import shutil
import subprocess
import sys
import time
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from bridge.agents.registry import create_agent
from bridge.episode.episode import Episode
from bridge.episode.records import Obs, Options
from bridge.episode.tools import ActionSpace
from bridge.recording.log import EpisodeLog, read_log
from bridge.runs.play import play_episode
from bridge.runs.results import EpisodeResult, make_result
from bridge.scoring.metrics import PlanDistance, score
from pysim.catalog import discover_families, find_family, find_level, list_shipped_levels
from pysim.puzzle import Level, Proof, Tier
from pysim.suites import find_suite, load_levels
from tests.waiting import PATIENCE

ROOT = Path(__file__).resolve().parents[2]
GROUPS = [(family, tier) for family in sorted(discover_families()) for tier in Tier]


def sample(family: str, tier: Tier, count: int) -> list[Level[Any]]:
    """Levels of a family and tier, evenly from all of them in the order of their ids."""
    own = sorted(
        (x for x in list_shipped_levels() if (x.family, x.tier) == (family, tier)),
        key=lambda x: x.id,
    )
    return own[:: max(1, len(own) // count)][:count]


def play(level: Level[Any], agent: str, folder: Path, seed: int = 0) -> EpisodeResult:
    """One episode with the level's own budget; the result is made from its log."""
    path = folder / f"{level.id}-{seed}.jsonl"
    options = Options(obs=Obs.STATE, agent=agent, seed=seed)
    with Episode(level, options=options, listener=EpisodeLog(path)) as episode:
        play_episode(episode, create_agent(agent, level, seed=seed))
    return make_result(read_log(path), 1)


@pytest.mark.by_day(3)
@pytest.mark.parametrize(("family", "tier"), GROUPS)
def test_the_oracle_is_perfect_and_no_step_from_the_best(
    family: str, tier: Tier, tmp_path: Path
) -> None:
    played = sample(family, tier, 2)
    found = score([play(level, "oracle", tmp_path) for level in played])
    assert (found.pass_at_1, found.legality, found.faultless, found.disagreements) == (1, 1, 1, 0)
    assert found.dist2opt is not None and found.normdist is not None
    assert found.dist2opt.low == found.normdist.low == 0
    proven = all(level.plan is not None and level.plan.proof is Proof.OPTIMAL for level in played)
    assert found.dist2opt.exact == proven
    assert (found.dist2opt == PlanDistance(0, 0)) == proven


@pytest.mark.slow
def test_random_solves_next_to_nothing_that_is_hard(tmp_path: Path) -> None:
    hard = [x for family in ("packing", "rubik") for x in sample(family, Tier.HARD, 4)]
    hard += [find_level("burr-piston"), find_level("burr-computers-choice-unique-10")]
    found = score([play(level, "random", tmp_path, seed=7) for level in hard])
    assert found.legality == 1
    assert found.pass_at_1 is not None and found.pass_at_1 < 0.1


@pytest.mark.slow
def test_random_solves_next_to_nothing_of_the_hard_levels_of_chain(tmp_path: Path) -> None:
    hard = [level for level in load_levels(find_suite("chain-109")) if level.tier is Tier.HARD]
    found = score([play(level, "random", tmp_path, seed=7) for level in hard])
    assert found.episodes > 40
    assert found.pass_at_1 is not None and found.pass_at_1 < 0.05


def test_easy_boxes_tell_the_baselines_apart(tmp_path: Path) -> None:
    boxes = [level for level in sample("packing", Tier.EASY, 12) if "l120" not in level.id][:6]
    greedy, first = (
        score([play(level, name, tmp_path, seed) for level in boxes])
        for seed, name in enumerate(("greedy", "first-legal"))
    )
    assert greedy.pass_at_1 == 1
    assert first.pass_at_1 is not None and first.pass_at_1 < 1
    assert greedy.legality == first.legality == 1


def test_noise_costs_steps_and_no_level(tmp_path: Path) -> None:
    boxes = sample("packing", Tier.EASY, 4)
    distances = []
    for noise in (0.0, 0.3):
        agent = f"noisy-oracle:{noise}"
        found = score(
            [
                play(x, agent, tmp_path, 10 * n + seed)
                for seed in range(3)
                for n, x in enumerate(boxes, round(100 * noise))
            ]
        )
        assert (found.pass_at_1, found.legality) == (1, 1)
        assert found.dist2opt is not None
        distances.append(found.dist2opt.low)
    assert distances[0] == 0 < distances[1]


@pytest.mark.parametrize("level", ["burr-chinese-cross", "packing-soma", "checkerboard"])
def test_a_script_of_the_plan_does_what_the_oracle_does(level: str, tmp_path: Path) -> None:
    chosen = find_level(level)
    script = tmp_path / "plan.txt"
    script.write_text("\n".join(plan_lines(chosen)) + "\n")
    play(chosen, "oracle", tmp_path, 0)
    play(chosen, f"scripted:{script}", tmp_path, 1)
    oracle, scripted = (read_log(tmp_path / f"{level}-{seed}.jsonl") for seed in (0, 1))
    assert scripted.steps == oracle.steps
    assert scripted.ending == oracle.ending


def plan_lines(level: Level[Any]) -> list[str]:
    """The certified plan as a person types it."""
    assert level.plan is not None
    space = ActionSpace(find_family(level).actions, level.colours)
    return [space.line(action) for action in level.plan.actions]


def test_a_person_at_a_terminal_types_the_plan_and_solves_the_lock(tmp_path: Path) -> None:
    level = find_level("burr-chinese-cross")
    arguments = ["play", level.id, "--agent", "human", "--observation", "state", "--video", "none"]
    lines = ["help me", *plan_lines(level)]
    said, status = at_a_terminal([sys.executable, "-m", "bridge.cli", *arguments], lines, tmp_path)
    assert status == 0, said
    assert "SOLVED" in said
    (log,) = tmp_path.rglob("episode.jsonl")
    found = make_result(read_log(log), 1)
    assert found.solved and found.steps == found.plan == 5
    assert found.first_error is None


def at_a_terminal(command: Sequence[str], lines: Sequence[str], folder: Path) -> tuple[str, int]:
    """What a command says to a person who types one line whenever it waits, and its status."""
    ours, theirs = pty.openpty()
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "TERM": "dumb"}
    with subprocess.Popen(
        command, cwd=folder, env=environment, stdin=theirs, stdout=theirs, stderr=theirs
    ) as process:
        os.close(theirs)
        said, left = b"", list(lines)
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            if not select.select([ours], [], [], 0.5)[0]:
                continue
            try:
                more = os.read(ours, 4096)
            except OSError:  # The other end is closed.
                break
            said += more
            if left and said.endswith(b"> "):
                os.write(ours, left.pop(0).encode() + b"\n")
        os.close(ours)
        return said.decode(errors="replace"), process.wait(PATIENCE)


def test_an_agent_of_an_installed_package_is_found_by_its_name(tmp_path: Path) -> None:
    wheel, site = tmp_path / "pushers-1.0-py3-none-any.whl", tmp_path / "site"
    info = "pushers-1.0.dist-info"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("pushers.py", PUSHERS)
        archive.writestr(f"{info}/METADATA", "Metadata-Version: 2.1\nName: pushers\nVersion: 1.0\n")
        archive.writestr(f"{info}/entry_points.txt", "[luban.agents]\npusher = pushers:Pusher\n")
        archive.writestr(
            f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        archive.writestr(f"{info}/RECORD", "")
    shutil.unpack_archive(wheel, site, "zip")  # As pip installs it, but in no time.
    command = [sys.executable, "-m", "bridge.cli", "eval", "burr-half-lap", "--agent", "pusher:+z"]
    done = subprocess.run(
        [*command, "--observation", "state", "--workers", "1", "--out", "run", "--json"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(site), str(ROOT)])},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert '"solved": 1' in done.stdout
    assert read_log(next(tmp_path.rglob("episode.jsonl"))).header.options.agent == "pusher:+z"


PUSHERS = '''
from bridge.episode.tools import ToolCall


class Pusher:
    """Pushes the second piece out, in the direction that it is told."""

    def __init__(self, briefing):
        self.direction = briefing.argument

    def act(self, observation):
        piece = observation.colours[1]
        distance = {"pieces": [piece], "direction": self.direction, "distance": "out"}
        return ToolCall("slide", distance)
'''
