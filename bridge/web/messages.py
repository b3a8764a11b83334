"""Messages to pages: scenes, motions, steps and pictures as JSON.

Scenes and motions are the messages of ``scene.proto`` in their JSON form, as a Unity player gets
them too. Everything that a page is sent passes through this module, so that what it may know is
decided in one place.
"""

import base64
import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from typing import ClassVar

from google.protobuf.json_format import MessageToDict

from bridge.episode.observation import View
from bridge.episode.records import describe_refusal
from bridge.unity.codec import encode_motion, encode_scene
from pysim.field_types import Json, encode_arguments
from pysim.motion import Motion
from pysim.puzzle import ActionError, Gesture, IllegalMove, Outcome, TurnGesture
from pysim.render.palette import COLOUR_BLIND, PALETTE, Rgb
from pysim.scene import Scene

__all__ = [
    "EpisodeMessage",
    "ErrorMessage",
    "JsonObject",
    "Picture",
    "Refusal",
    "StateMessage",
    "StudyMessage",
    "TurnMessage",
    "describe_palettes",
    "describe_swatches",
    "encode_change",
    "encode_gestures",
    "encode_motions",
    "encode_page_scene",
    "encode_pictures",
    "encode_refusal",
]

JsonObject = dict[str, Json]


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture of an observation.

    Attributes:
        name: as in the observation.
        url: the picture itself, as a data URL.
    """

    name: str
    url: str


@dataclass(frozen=True, slots=True)
class Refusal:
    """A refused action, as it is shown.

    Attributes:
        words: why, in a sentence.
        culprits: bodies and fields that it is about.
        travel: whole units that were free; None if no motion was tried.
    """

    words: str
    culprits: tuple[str, ...]
    travel: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Message:
    """A message of a playing page; its class gives its type."""

    type: ClassVar[str]

    def to_json(self) -> str:
        """Return the message as it is sent."""
        return json.dumps({"type": self.type, **asdict(self)}, separators=(",", ":"))


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodeMessage(_Message):
    """The head of an episode: everything that stays as it is.

    It doesn't tell which level it is: names may be hints.

    Attributes:
        key: the secret with which the page goes on after it was reloaded; empty for practice.
        instruction: the task in words.
        budget: steps allowed; None without a limit.
        practice: whether this is no episode, and steps can be undone.
        pictures: whether the pictures of an observation are shown in place of the scene.
        tools: the actions as OpenAI function tools.
        swatches: sRGB of the names of pieces that are names of colours.
        colour_blind: sRGB of a palette -> that of the palette that everybody can distinguish.
    """

    type = "episode"
    key: str
    instruction: str
    budget: int | None
    practice: bool
    pictures: bool
    tools: Sequence[JsonObject]
    swatches: dict[str, int]
    colour_blind: dict[str, int] = field(default_factory=lambda: describe_palettes())


@dataclass(frozen=True, slots=True, kw_only=True)
class StateMessage(_Message):
    """The present state.

    Attributes:
        step, budget_left: as in an observation; None without a budget.
        outcome: how the episode ended, or None.
        scene: the scene; None if pictures are shown.
        pictures: the pictures; empty if the scene is shown.
        gestures: actions that are made by pointing at the scene; empty if pictures are shown.
        words: the state in words; None if it is to be found in the pictures.
        history: a line for each turn, oldest first.
        undoable: steps that can be undone.
    """

    type = "state"
    step: int
    budget_left: int | None
    outcome: Outcome | None
    scene: JsonObject | None
    pictures: tuple[Picture, ...] = ()
    gestures: Sequence[JsonObject] = ()
    words: str | None = None
    history: Sequence[str] = ()
    undoable: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnMessage(_Message):
    """An action that was tried, and the state after it.

    Attributes:
        words: its result in words.
        motions: motions that were made, or refused; empty if pictures are shown.
        refusal: why it was refused; None if it was not.
        state: the state after it.
    """

    type = "turn"
    words: str
    motions: Sequence[JsonObject]
    refusal: Refusal | None
    state: StateMessage


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorMessage(_Message):
    """A request that nothing came of.

    Attributes:
        words: what is wrong, and what to do.
        gone: whether the episode can't go on in this page.
    """

    type = "error"
    words: str
    gone: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyMessage(_Message):
    """The place of a participant in a study.

    Attributes:
        code: with which the participant goes on later.
        title: of the study.
        stage: ``consent``, ``instructions``, ``practice``, ``level`` or ``done``.
        text: to be read at this stage.
        place, levels: number of the level from 1, and of levels.
    """

    type = "study"
    code: str
    title: str
    stage: str
    text: str = ""
    place: int = 0
    levels: int = 0


def encode_page_scene(scene: Scene) -> JsonObject:
    """Return a scene with its scenery, and which bodies are left out when it is seen from a side.

    Raises:
        InputError: a coordinate needs more than 32 bits.
    """
    document: JsonObject = MessageToDict(encode_scene(scene), preserving_proto_field_name=True)
    if scene.scenery:
        dressed = Scene(scene.scenery, scene.work)
        document["scenery"] = MessageToDict(
            encode_scene(dressed), preserving_proto_field_name=True
        )["bodies"]
    if scene.scenery and (looks := _list_looks(scene)):
        document["looks"] = looks
    return document


def _list_looks(scene: Scene) -> list[Json]:
    """Return the sides from which a scene has views, and the bodies that each leaves out or adds.

    They are the walls that stand in the way.
    """
    return [
        {
            "towards": list(panel.towards),
            "hides": sorted(panel.leaves_out),
            "adds": sorted(panel.adds),
        }
        for view in scene.views or ()
        for panel in view.panels
        if panel.eye is None and not panel.label
    ]


def encode_change(before: Scene, after: Scene) -> JsonObject:
    """Return what differs between two scenes of a level: bodies that are changed, and gone ones."""
    known = {body.name: body for body in (*before.bodies, *before.scenery)}
    changed = tuple(body for body in after.bodies if known.get(body.name) != body)
    names = {body.name for body in after.bodies}
    document: JsonObject = {}
    if changed:
        document = MessageToDict(
            encode_scene(Scene(changed, after.work)), preserving_proto_field_name=True
        )
        document.pop("work", None)
    gone: list[Json] = [body.name for body in before.bodies if body.name not in names]
    if gone:
        document["gone"] = gone
    return document


def encode_motions(motions: Iterable[Motion]) -> list[JsonObject]:
    """Return motions, as a page plays them."""
    return [
        MessageToDict(encode_motion(motion), preserving_proto_field_name=True) for motion in motions
    ]


def encode_gestures(gestures: Iterable[Gesture]) -> list[JsonObject]:
    """Return gestures: the action of each with its values in the order of its fields, and a handle.

    The handle is what is dragged, pointed at or pressed.
    """
    return [
        {
            "name": gesture.action.tool,
            "values": list(encode_arguments(gesture.action).values()),
            **_encode_handle(gesture),
        }
        for gesture in gestures
    ]


def _encode_handle(gesture: Gesture) -> JsonObject:
    if isinstance(gesture, TurnGesture):
        (motion,) = encode_motions([gesture.turn])
        return {"grips": sorted(gesture.grips), "turn": motion["turn"]}
    if gesture.cell is not None:
        return {"cell": list(gesture.cell)}
    return {"key": None if gesture.key is None else gesture.key.value}


def encode_pictures(views: Iterable[View]) -> tuple[Picture, ...]:
    """Return pictures as PNG files."""
    return tuple(
        Picture(view.name, f"data:image/png;base64,{base64.b64encode(view.data).decode()}")
        for view in (view.encoded("png") for view in views)
    )


def encode_refusal(error: ActionError) -> tuple[Refusal, tuple[Motion, ...]]:
    """Return a refusal, and the motions that were refused."""
    attempt = error.attempt if isinstance(error, IllegalMove) else ()
    return Refusal(describe_refusal(error), error.culprits, error.travel), attempt


def describe_swatches(names: Iterable[str]) -> dict[str, int]:
    """Return the sRGB of names that are names of colours, as 0xRRGGBB."""
    return {name: _number(PALETTE[name]) for name in names if name in PALETTE}


def describe_palettes() -> dict[str, int]:
    """Return the colours that the palette for all eyes replaces: 0xRRGGBB, in decimal digits."""
    return {
        str(_number(rgb)): _number(COLOUR_BLIND[name])
        for name, rgb in PALETTE.items()
        if COLOUR_BLIND[name] != rgb
    }


def _number(rgb: Rgb) -> int:
    red, green, blue = rgb
    return (red << 16) + (green << 8) + blue
