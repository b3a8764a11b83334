"""Episodes and plans as documents that a page shows step by step."""

from collections.abc import Iterator

from bridge.episode.records import Ending, LiveStep, Start, describe_travel
from bridge.episode.tools import build_action_space
from bridge.recording.log import Log
from bridge.recording.replay import replay
from bridge.report.transcripts import read_transcript
from bridge.web.messages import (
    JsonObject,
    describe_palettes,
    encode_change,
    encode_motions,
    encode_page_scene,
)
from pysim.catalog import AnyLevel, find_family
from pysim.field_types import Json
from pysim.motion import Motion
from pysim.puzzle import Plan
from pysim.scene import Scene

__all__ = ["build_plan_document", "build_replay_document"]

_MOST_WORDS = 4000
"""Characters of an agent's words that are shown at a step."""


def build_replay_document(log: Log) -> JsonObject:
    """Play a log again in the world ``lattice``, and return what a page needs to show it.

    Raises:
        ReplayMismatch: the rules of this version do not do what the log says.
    """
    recorder = _Recorder(_read_words(log))
    replay(log, world="lattice", listener=recorder)
    return {
        **_describe_episode(log),
        "scene": recorder.first,
        "steps": recorder.steps,
        "colour_blind": dict(describe_palettes()),
    }


def _describe_episode(log: Log) -> JsonObject:
    header, ending = log.header, log.ending
    return {
        "title": header.level.name,
        "agent": header.options.agent,
        "world": " ".join(header.world),
        "budget": header.budget,
        "outcome": None if ending is None else ending.outcome.value,
        "note": "" if ending is None else ending.note,
        "instruction": find_family(header.level).rules.instruction(header.level),
    }


def build_plan_document(level: AnyLevel) -> JsonObject:
    """Return a level's plan, as a page shows it.

    Raises:
        ActionError: the rules refuse the plan.
    """
    rules, plan = find_family(level).rules, level.plan
    return {
        "title": level.name,
        "scene": encode_page_scene(rules.scene(level, rules.initial(level))),
        "steps": [] if plan is None else list(_encode_plan(level, plan)),
        "proof": None if plan is None else plan.proof.value,
        "colour_blind": dict(describe_palettes()),
    }


def _encode_plan(level: AnyLevel, plan: Plan) -> Iterator[JsonObject]:
    rules, actions = find_family(level).rules, build_action_space(level)
    state = rules.initial(level)
    scene = rules.scene(level, state)
    for action in plan.actions:
        transition = rules.apply(level, state, action)
        after = rules.scene(level, transition.state)
        yield {
            "call": actions.line(action),
            "kind": "ok",
            "words": describe_travel(transition.travel),
            **_encode_step(transition.motions, scene, after),
        }
        state, scene = transition.state, after


class _Recorder:
    """Listener that keeps a replay's scenes as changes from step to step."""

    def __init__(self, words: dict[int, str]) -> None:
        self.first: JsonObject = {}
        self.steps: list[Json] = []
        self._words = words
        self._scene: Scene | None = None

    def record_start(self, start: Start) -> None:
        """Keep the first scene."""
        self._scene = start.scene
        self.first = encode_page_scene(start.scene)

    def record_step(self, record: LiveStep) -> None:
        """Keep a step."""
        assert self._scene is not None
        after = record.scene
        step: JsonObject = {
            "call": record.line,
            "kind": record.kind.value,
            "words": record.told,
            "culprits": list(record.culprits),
            "travel": record.travel,
            "budget_left": record.budget_left,
            **_encode_step(record.motions, self._scene, after),
        }
        if record.step in self._words:
            step["agent_words"] = self._words[record.step]
        self.steps.append(step)
        self._scene = after

    def record_end(self, ending: Ending) -> None:
        """Do nothing: the log has the end."""


def _encode_step(motions: tuple[Motion, ...], before: Scene, after: Scene) -> JsonObject:
    return {"motions": [*encode_motions(motions)], "change": encode_change(before, after)}


def _read_words(log: Log) -> dict[int, str]:
    """Return an agent's words by the number of the step, from the journal beside its log."""
    words: dict[int, str] = {}
    for turn in read_transcript(log.path.parent, log).turns:
        said = "\n".join(one.words or one.reasoning for one in turn.exchanges).strip()
        if said and turn.steps:
            words[turn.steps[0].step] = said[:_MOST_WORDS]
    return words
