"""Episodes and plans as documents that a page shows step by step."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from bridge.episode.records import Ending, LiveStep, Start, describe_travel
from bridge.episode.tools import build_action_space
from bridge.recording.log import Log
from bridge.recording.replay import replay
from bridge.recording.times import EpisodeTimes
from bridge.report.pictures import EpisodePictures, PictureAlbum
from bridge.report.transcript_view import list_pictures
from bridge.report.transcripts import Transcript, TranscriptTurn, read_transcript
from bridge.web.games import AGENT_OF_SCENE
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
from pysim.render.renderer import Renderer
from pysim.scene import Scene

__all__ = [
    "build_level_document",
    "build_plan_document",
    "build_replay_document",
    "build_scene_document",
    "draw_replay_pictures",
]

_MOST_WORDS = 4000
"""Characters of an agent's words that are shown at a step."""
_MOST_OBSERVATIONS = 100
_MOST_BYTES = 6 * 2**20
"""Observations whose pictures go with a replay, and bytes of all of them."""
_SIZE = 240
"""Edge of a view in pixels."""


def build_replay_document(log: Log) -> JsonObject:
    """Play a log again in the world ``lattice``, and return what a page needs to show it.

    Raises:
        ReplayMismatch: the rules of this version do not do what the log says.
    """
    transcript = read_transcript(log.path.parent, log)
    words, last_words = _collect_words(transcript)
    recorder = _Recorder(words, transcript.times)
    replay(log, world="lattice", listener=recorder)
    return {
        **_describe_episode(log),
        "scene": recorder.first,
        "steps": recorder.steps,
        "last_words": last_words,
        "colour_blind": dict(describe_palettes()),
    }


def _describe_episode(log: Log) -> JsonObject:
    header, ending = log.header, log.ending
    return {
        "title": header.level.name,
        "agent": header.options.agent,
        "world": _name_world(*header.world),
        "budget": header.budget,
        "outcome": None if ending is None else ending.outcome.value,
        "note": "" if ending is None else ending.note,
        "instruction": find_family(header.level).rules.instruction(header.level),
    }


def _name_world(name: str, version: str) -> str:
    return version if version.startswith(name) else f"{name} {version}"


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


def build_level_document(level: AnyLevel) -> JsonObject:
    """Return a level as it starts, as a page shows it."""
    rules = find_family(level).rules
    return build_scene_document(level, level.name, rules.scene(level, rules.initial(level)))


def build_scene_document(level: AnyLevel, title: str, scene: Scene) -> JsonObject:
    """Return one scene of a level, as a page shows it."""
    return {
        "title": title,
        "scene": encode_page_scene(scene),
        "steps": [],
        "instruction": find_family(level).rules.instruction(level),
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

    def __init__(self, words: Mapping[int, str], times: EpisodeTimes) -> None:
        self.first: JsonObject = {}
        self.steps: list[Json] = []
        self._words = words
        self._times = times
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
        seconds = self._times.step_seconds(1, record.step)
        if seconds is not None:
            step["seconds"] = seconds
        self.steps.append(step)
        self._scene = after

    def record_end(self, ending: Ending) -> None:
        """Do nothing: the log has the end."""


def _encode_step(motions: tuple[Motion, ...], before: Scene, after: Scene) -> JsonObject:
    return {"motions": [*encode_motions(motions)], "change": encode_change(before, after)}


def _collect_words(transcript: Transcript) -> tuple[dict[int, str], str]:
    """Return an agent's words by the number of the step that follows, and those after the last."""
    words: dict[int, str] = {}
    waiting: list[str] = []
    for turn in transcript.turns:
        waiting += [one.words or one.reasoning for one in turn.exchanges]
        if turn.steps:
            words[turn.steps[0].step] = _join(waiting)
            waiting = []
    return {step: said for step, said in words.items() if said}, _join(waiting)


def _join(texts: list[str]) -> str:
    return "\n".join(texts).strip()[:_MOST_WORDS]


def draw_replay_pictures(log: Log, renderer: Renderer) -> JsonObject:
    """Return the pictures that an agent was shown, by the step that followed.

    They are drawn from the log, at most of a hundred observations. A note tells of those that are
    left out, and why none can be drawn where that is so.
    """
    transcript = read_transcript(log.path.parent, log)
    turns = [turn for turn in transcript.turns if turn.pictures and turn.steps]
    if not turns or log.header.options.agent == AGENT_OF_SCENE:
        return {"images": [], "turns": {}, "note": ""}
    looks = [picture.after for turn in turns for picture in turn.pictures]
    album = PictureAlbum(renderer, _MOST_OBSERVATIONS, size=_SIZE)
    drawn = album.draw_episode(log, looks, ends=False, share=_MOST_OBSERVATIONS)
    sheet = _Sheet()
    for turn in turns:
        sheet.add(turn, drawn)
    return sheet.to_document(drawn.problem)


@dataclass
class _Sheet:
    """The pictures of a replay: each once, however often it was shown."""

    images: dict[str, int] = field(default_factory=dict)
    turns: dict[str, Json] = field(default_factory=dict)
    left_out: int = 0
    _bytes: int = 0

    def add(self, turn: TranscriptTurn, drawn: EpisodePictures) -> None:
        """Add those of a turn, if they are drawn and there is room."""
        shown = list(list_pictures(turn.pictures, drawn))
        sources = {one.source for one in shown if one.source}
        size = sum(map(len, sources - self.images.keys()))
        if not sources or self._bytes + size > _MOST_BYTES:
            self.left_out += 1
            return
        self._bytes += size
        self.turns[str(turn.steps[0].step)] = [
            {"name": one.name, "image": self._place(one.source)} for one in shown
        ]

    def _place(self, source: str) -> int | None:
        """Return the place of an image; None for one that was not drawn."""
        return self.images.setdefault(source, len(self.images)) if source else None

    def to_document(self, problem: str) -> JsonObject:
        note = f"Pictures of {self.left_out} turns are left out." if self.left_out else ""
        if problem:
            note = f"No pictures are drawn: {problem}"
        return {"images": list(self.images), "turns": self.turns, "note": note}
