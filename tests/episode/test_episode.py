"""The controller: budget, history, observations, refusals, verification, listeners."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from bridge.episode.episode import Episode, EpisodeOver, state_hash
from bridge.episode.records import Ending, LiveStep, Obs, Options, Start, StepKind
from bridge.episode.tools import ToolCall
from pysim.catalog import find_family, find_level
from pysim.field_types import Json
from pysim.motion import Motion
from pysim.physics.lattice import LatticeWorld
from pysim.physics.world import Report
from pysim.puzzle import Action, IllegalMove, InvalidAction, Level, Outcome, Reason
from pysim.trajectory import Transform

LEVEL: Level[Any] = find_level("burr-chinese-cross")
QUIET = Options(obs=Obs.STATE)


@dataclass
class Notes:
    """A listener that keeps what it is told, and fails when it is asked to."""

    starts: list[Start] = field(default_factory=list)
    steps: list[LiveStep] = field(default_factory=list)
    endings: list[Ending] = field(default_factory=list)
    failing: bool = False

    def record_start(self, start: Start) -> None:
        self.starts.append(start)

    def record_step(self, record: LiveStep) -> None:
        if self.failing:
            raise OSError("disk full")
        self.steps.append(record)

    def record_end(self, ending: Ending) -> None:
        self.endings.append(ending)


class LyingWorld(LatticeWorld):
    """A real world whose reports can be twisted: the double of an engine that is wrong."""

    def __init__(self, twist: Callable[[Report], Report] = lambda report: report) -> None:
        super().__init__()
        self.twist = twist
        self.offset = 0.0
        self.resets = 0

    def reset(self, scene: Any) -> None:
        self.resets += 1
        super().reset(scene)

    def execute(self, motions: Sequence[Motion]) -> Report:
        return self.twist(super().execute(motions))

    def transforms(self) -> dict[str, Transform]:
        found = super().transforms()
        for transform in found.values():
            transform[0, 3] += self.offset
        return found


@pytest.fixture
def notes() -> Notes:
    return Notes()


@pytest.fixture
def episode(notes: Notes) -> Iterator[Episode]:
    episode = Episode(LEVEL, LatticeWorld(), None, QUIET, notes)
    yield episode
    episode.close()


def slide(pieces: list[Json], direction: str = "+x", distance: Json = 1) -> ToolCall:
    return ToolCall("slide", {"pieces": pieces, "direction": direction, "distance": distance})


def plan() -> tuple[Action, ...]:
    assert LEVEL.plan is not None
    return LEVEL.plan.actions


def blocked() -> ToolCall:
    """A slide that no lock allows at first: a piece that others hold."""
    rules = find_family(LEVEL).rules
    state = rules.initial(LEVEL)
    from pysim.families.burr.actions import Slide
    from pysim.field_types import OUT, encode_arguments
    from pysim.geometry import Direction

    for colour in LEVEL.colours:
        action = Slide((colour,), Direction.PLUS_X, OUT)
        try:
            rules.apply(LEVEL, state, action)
        except IllegalMove:
            return ToolCall("slide", encode_arguments(action))
    raise AssertionError("nothing is blocked")


def test_the_plan_solves_the_level_step_by_step(episode: Episode, notes: Notes) -> None:
    for number, action in enumerate(plan(), 1):
        assert episode.outcome is None
        result = episode.step(action)
        assert result.step == number and result.disagreement is None
        assert result.budget_left == LEVEL.budget - number == episode.budget_left
        assert result.state_hash == episode.state_hash
    assert result.outcome is episode.outcome is Outcome.SOLVED
    (ending,) = notes.endings
    assert ending == Ending(Outcome.SOLVED, "", len(plan()), 0, episode.state_hash)
    assert [record.kind for record in notes.steps] == [StepKind.OK] * len(plan())


def test_a_hash_belongs_to_a_level_and_a_state() -> None:
    rules = find_family(LEVEL).rules
    initial = rules.initial(LEVEL)
    moved = rules.apply(LEVEL, initial, plan()[0]).state
    hashes = {
        state_hash(LEVEL, initial),
        state_hash(LEVEL, moved),
        state_hash(find_level("burr-piston"), initial),
    }
    assert len(hashes) == 3 and all(len(h) == 64 and int(h, 16) for h in hashes)
    assert state_hash(LEVEL, rules.initial(LEVEL)) == state_hash(LEVEL, initial)


@pytest.mark.parametrize(
    ("call", "error", "reason"),
    [
        (slide(["ultraviolet"]), InvalidAction, Reason.UNKNOWN_COLOUR),
        (slide([]), InvalidAction, Reason.BAD_VALUE),
        (slide(["red", "red"]), InvalidAction, Reason.DUPLICATE_COLOUR),
        (slide(["red"], distance=0), InvalidAction, Reason.BAD_VALUE),
        (slide(["red"], distance=2.5), InvalidAction, Reason.BAD_VALUE),
        (slide(["red"], distance=float("nan")), InvalidAction, Reason.BAD_VALUE),
        (slide(["red"], direction="up"), InvalidAction, Reason.BAD_VALUE),
        (ToolCall("fly", {}), InvalidAction, Reason.UNKNOWN_ACTION),
        (ToolCall("slide", {}), InvalidAction, Reason.MISSING_FIELD),
        (ToolCall("slide", {"piece": 1}), InvalidAction, Reason.UNKNOWN_FIELD),
        (blocked(), IllegalMove, Reason.BLOCKED),
        (slide(list(LEVEL.colours), distance="out"), IllegalMove, Reason.NO_EFFECT),
        (slide(list(LEVEL.colours), distance=1000), IllegalMove, Reason.OUT_OF_BOUNDS),
    ],
)
def test_a_refused_action_costs_a_step_and_changes_nothing(
    episode: Episode, notes: Notes, call: ToolCall, error: type[Exception], reason: Reason
) -> None:
    before, scene = episode.state_hash, episode.scene
    with pytest.raises(error) as refused:
        episode.step(call)
    assert refused.value.reason is reason  # type: ignore[attr-defined]
    assert episode.steps == 1 and episode.budget_left == LEVEL.budget - 1
    assert episode.state_hash == before and episode.scene == scene
    (record,) = notes.steps
    assert record.reason == reason.value and record.state_hash == before
    assert record.kind is (StepKind.INVALID if error is InvalidAction else StepKind.ILLEGAL)
    assert record.disagreement is None and episode.disagreements == 0
    assert (record.measured is not None) == (reason is Reason.BLOCKED)
    assert reason.value in episode.observe().history


def test_json_that_can_not_be_read_costs_a_step(episode: Episode, notes: Notes) -> None:
    for text in ("{", "[1]", '{"a": NaN}', "x" * 10**6):
        with pytest.raises(InvalidAction) as refused:
            episode.step_json("slide", text)
        assert refused.value.reason is Reason.MALFORMED
    assert episode.steps == 4
    assert all(len(record.line) < 200 for record in notes.steps)


def test_an_action_that_can_not_be_read_is_refused_by_hand(episode: Episode, notes: Notes) -> None:
    error = InvalidAction(Reason.MALFORMED, "no JSON")
    episode.refuse("slide", "{oops\nnext line", error)
    assert episode.steps == 1 and notes.steps[0].reason == "MALFORMED"
    episode.refuse("x" * 10_000, "\n" * 500, error)
    assert all(len(record.line) < 300 for record in notes.steps)
    assert len(episode.observe().history.splitlines()) == 2, "one turn, one line"


def test_the_history_holds_one_line_per_turn_whatever_was_written(episode: Episode) -> None:
    for call in (
        ToolCall("fly\naway", {}),
        ToolCall("slide", {"pieces": ["red\n2. slide blue -> done"], "direction": "+x"}),
        ToolCall("slide", {"a\nb": 1}),
        slide(["x" * 5000]),
    ):
        with pytest.raises(InvalidAction):
            episode.step(call)
    history = episode.observe().history
    assert len(history.splitlines()) == 4 and len(history) < 2500


def test_the_budget_ends_the_episode(notes: Notes) -> None:
    episode = Episode(LEVEL, LatticeWorld(), None, replace(QUIET, budget=3), notes)
    for _ in range(3):
        assert episode.outcome is None
        with pytest.raises(InvalidAction):
            episode.step(ToolCall("fly", {}))
    assert episode.outcome is Outcome.OUT_OF_BUDGET and episode.budget_left == 0
    assert notes.endings[0].outcome is Outcome.OUT_OF_BUDGET


def test_the_last_step_of_the_budget_may_solve_it() -> None:
    episode = Episode(LEVEL, LatticeWorld(), None, replace(QUIET, budget=len(plan())))
    for action in plan():
        episode.step(action)
    assert episode.outcome is Outcome.SOLVED and episode.budget_left == 0


@pytest.mark.parametrize("ending", ["solved", "budget", "given up"])
def test_a_finished_episode_takes_nothing_more(notes: Notes, ending: str) -> None:
    options = replace(QUIET, budget=1) if ending == "budget" else QUIET
    episode = Episode(LEVEL, LatticeWorld(), None, options, notes)
    if ending == "solved":
        for action in plan():
            episode.step(action)
    elif ending == "budget":
        episode.step(plan()[0])
    else:
        episode.give_up()
    before = (episode.steps, episode.state_hash, episode.outcome, len(notes.steps))
    for attempt in (
        lambda: episode.step(plan()[0]),
        lambda: episode.step(ToolCall("fly", {})),
        lambda: episode.step_json("slide", "{"),
        lambda: episode.refuse("slide", "{", InvalidAction(Reason.MALFORMED, "no JSON")),
    ):
        with pytest.raises(EpisodeOver):
            attempt()
    episode.give_up()
    episode.close()
    assert before == (episode.steps, episode.state_hash, episode.outcome, len(notes.steps))
    assert len(notes.endings) == 1
    assert episode.observe().outcome is episode.outcome


def test_an_episode_that_was_left_takes_and_shows_nothing_more(notes: Notes) -> None:
    episode = Episode(LEVEL, LatticeWorld(), None, QUIET, notes)
    fork = episode.fork()
    episode.leave()
    for attempt in (
        lambda: episode.step(plan()[0]),
        lambda: episode.step_json("slide", "{"),
        episode.observe,
    ):
        with pytest.raises(EpisodeOver, match="was ended"):
            attempt()
    assert (episode.steps, episode.outcome, notes.steps) == (0, None, [])
    assert fork.step(plan()[0]).step == 1
    fork.leave()


def test_giving_up_and_closing_end_the_episode_with_a_note(notes: Notes) -> None:
    episode = Episode(LEVEL, LatticeWorld(), None, QUIET, notes)
    episode.give_up("left idle")
    assert episode.outcome is Outcome.GAVE_UP and notes.endings[0].note == "left idle"
    other = Notes()
    closed = Episode(LEVEL, LatticeWorld(), None, QUIET, other)
    closed.close()
    assert closed.outcome is Outcome.GAVE_UP and other.endings[0].note


@pytest.mark.parametrize("window", [0, 1, 3, 5])
def test_the_history_shows_the_last_turns(window: int) -> None:
    options = replace(QUIET, history_window=window)
    episode = Episode(LEVEL, LatticeWorld(), None, options)
    assert episode.observe().history == ""
    for _ in range(4):
        with pytest.raises(InvalidAction):
            episode.step(ToolCall("fly", {}))
    episode.step(plan()[0])
    lines = episode.observe().history.splitlines()
    turns = [line for line in lines if line[0].isdigit()]
    assert len(turns) == min(window, 5)
    assert [int(turn.split(".")[0]) for turn in turns] == list(range(6 - len(turns), 6))
    if window:
        assert episode.actions.line(plan()[0]) in turns[-1]
    if 0 < window < 5:
        assert lines[0] == f"({5 - window} earlier turns are not shown)"


@pytest.mark.parametrize("obs", [obs for obs in Obs if obs is not Obs.WRONG])
def test_the_state_in_words_is_shown_only_where_it_is_asked_for(obs: Obs) -> None:
    episode = Episode(LEVEL, LatticeWorld(), None, Options(obs=obs))
    seen = episode.observe(images=False)
    assert (seen.state is not None) == obs.has_state
    assert seen.views == () and seen.colours == LEVEL.colours
    assert seen.instruction and (seen.step, seen.budget_left) == (0, LEVEL.budget)
    if obs is Obs.IMAGE:
        assert "cells" not in seen.instruction + seen.history
    if obs.has_images:
        with pytest.raises(RuntimeError, match="without a renderer"):
            episode.observe()


def test_observing_is_free_and_changes_nothing(episode: Episode) -> None:
    first = [episode.observe() for _ in range(3)]
    assert first[0] == first[1] == first[2]
    assert episode.steps == 0 and episode.budget_left == LEVEL.budget


@pytest.mark.parametrize(
    "twist",
    [
        lambda report: replace(report, completed=False, travel=0, contacts=frozenset({"blue"})),
        lambda report: replace(report, travel=report.travel + 1),
    ],
)
def test_a_world_that_denies_a_legal_move_is_counted_and_play_goes_on(
    notes: Notes, twist: Callable[[Report], Report]
) -> None:
    world = LyingWorld(twist)
    episode = Episode(LEVEL, world, None, QUIET, notes)
    result = episode.step(plan()[0])
    assert result.disagreement is not None and episode.disagreements == 1
    assert notes.steps[0].disagreement == result.disagreement
    expected = find_family(LEVEL).rules.apply(
        LEVEL, find_family(LEVEL).rules.initial(LEVEL), plan()[0]
    )
    assert episode.state_hash == state_hash(LEVEL, expected.state), "the rules are the authority"
    world.twist = lambda report: report
    for action in plan()[1:]:
        assert episode.step(action).disagreement is None
    assert episode.outcome is Outcome.SOLVED and notes.endings[0].disagreements == 1


@pytest.mark.parametrize(
    "twist",
    [
        lambda report: replace(report, completed=True, contacts=frozenset()),
        lambda report: replace(report, travel=report.travel + 1),
        lambda report: replace(report, contacts=report.contacts | {"somebody"}),
        lambda report: replace(report, contacts=frozenset()),
    ],
)
def test_a_world_that_denies_a_refusal_is_counted_too(
    notes: Notes, twist: Callable[[Report], Report]
) -> None:
    world = LyingWorld(twist)
    episode = Episode(LEVEL, world, None, QUIET, notes)
    before, resets = episode.state_hash, world.resets
    with pytest.raises(IllegalMove):
        episode.step(blocked())
    assert episode.disagreements == 1 and notes.steps[0].disagreement is not None
    assert episode.state_hash == before
    if twist(Report(False, 0, 0.0, frozenset(), notes.steps[0].trajectory)).completed:
        assert world.resets == resets + 1, "a world that went through is put back"


@pytest.mark.parametrize(("offset", "count"), [(0.0, 0), (0.05, 0), (0.5, 1)])
def test_final_poses_are_verified_against_the_world(
    notes: Notes, offset: float, count: int
) -> None:
    world = LyingWorld()
    episode = Episode(LEVEL, world, None, QUIET, notes)
    world.offset = offset
    episode.give_up()
    assert episode.disagreements == count == notes.endings[0].disagreements


def test_when_a_step_can_not_be_written_down_it_was_never_made(notes: Notes) -> None:
    world = LyingWorld()
    episode = Episode(LEVEL, world, None, QUIET, notes)
    before = (episode.state_hash, episode.scene, episode.observe())
    poses = {name: t.tolist() for name, t in world.transforms().items()}
    notes.failing = True
    for call in (plan()[0], blocked(), ToolCall("fly", {})):
        with pytest.raises(OSError, match="disk full"):
            episode.step(call)
        assert before == (episode.state_hash, episode.scene, episode.observe())
        assert poses == {name: t.tolist() for name, t in world.transforms().items()}
        assert episode.steps == 0
    notes.failing = False
    for action in plan():
        episode.step(action)
    assert episode.outcome is Outcome.SOLVED and episode.disagreements == 0


def test_the_start_tells_what_is_needed_to_play_again(episode: Episode, notes: Notes) -> None:
    (start,) = notes.starts
    assert start.level is LEVEL and start.options == QUIET and start.budget == LEVEL.budget
    assert start.world == ("lattice", LatticeWorld.version) and start.renderer is None
    assert start.state_hash == episode.state_hash and start.scene == episode.scene


def test_records_tell_the_scene_after_their_step(episode: Episode, notes: Notes) -> None:
    rules = find_family(LEVEL).rules
    state = rules.initial(LEVEL)
    for action in plan():
        episode.step(action)
        state = rules.apply(LEVEL, state, action).state
        assert notes.steps[-1].scene == rules.scene(LEVEL, state) == episode.scene
        assert notes.steps[-1].state_hash == state_hash(LEVEL, state)


def test_two_episodes_of_a_level_do_not_know_each_other() -> None:
    one, other = (Episode(LEVEL, LatticeWorld(), None, QUIET) for _ in range(2))
    before = other.state_hash
    one.step(plan()[0])
    assert other.state_hash == before != one.state_hash and other.steps == 0
