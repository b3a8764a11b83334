"""Statements of fact that a model is sent are true of the level and of its pictures.

Every family, mode and observation is tried: the real agent asks a real server for its first action,
and what the server got is read by patterns that share nothing with what wrote it. Everything is
compared with the scene, with what the rules allow, and with pictures drawn without overlays.
"""

import base64
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from bridge.agents.journal import Journal
from bridge.agents.registry import create_agent
from bridge.episode.episode import Episode
from bridge.episode.records import Obs
from bridge.episode.tools import build_action_space
from bridge.runs.decoys import add_decoy
from bridge.runs.play import PlayStopped
from bridge.runs.protocol import Attempt, PlayedBench, select_benches
from bridge.runs.settings import RunSettings
from luban.testing.contract import few_levels
from pysim.catalog import AnyLevel, discover_families, find_family, list_shipped_levels
from pysim.errors import LubanError
from pysim.field_types import encode_arguments
from pysim.geometry import Bounds
from pysim.puzzle import Action
from pysim.render.camera import list_cameras
from pysim.render.composition import SHEET
from pysim.render.overlay import Overlay
from pysim.render.palette import PALETTE
from pysim.render.renderer import Renderer
from pysim.render.views import observe
from pysim.scene import Scene
from pysim.viewpoints import Views
from tests.agents.server import Chat, chat_server, saying
from tests.contract.schemas import conforms
from tests.needs import usable_renderer
from tests.sampling import more, these_by_day

SIZE = 256
BARE = Overlay(axes=False, ruler=False)
NUMBERS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
CELL = r"\[(-?\d+), (-?\d+), (-?\d+)\]"
BLOCK = re.compile(rf"from {CELL}.*?to {CELL}")
ROOM = re.compile(r"within x (-?\d+)\.\.(-?\d+), y (-?\d+)\.\.(-?\d+), z (-?\d+)\.\.(-?\d+)")
SIZES = re.compile(r"(?:box of|room has|cube of) (\d+) x (\d+) x (\d+) (?:unit )?cells")
HELD = re.compile(r"at first they fill x (\S+)\.\.(\S+), y (\S+)\.\.(\S+), z (\S+)\.\.(\d+)")
LEGEND = re.compile(r"(?m)^In pictures: (.*)\.$")
AXES = re.compile(r"(?i)gizmo|axes (?:are )?(?:drawn|shown|in|of) (?:in )?(?:the|each) picture")


@dataclass(frozen=True)
class Sent:
    """Everything that a model is sent with one question.

    Attributes:
        system, text: the system prompt, and the rest but names of pictures.
        tools: function name -> the function.
        pictures: with their names, in order.
        views: how they are composed.
        shown: the level that they show.
    """

    system: str
    text: str
    tools: Mapping[str, Any]
    pictures: tuple[tuple[str, NDArray[np.uint8]], ...]
    views: Views = Views.COMPOSED
    shown: AnyLevel | None = None

    @property
    def words(self) -> str:
        """Return all that is written."""
        return "\n".join((self.system, self.text, json.dumps(list(self.tools.values()))))


def read_request(request: Mapping[str, Any]) -> Sent:
    """Read a request as a provider would."""
    system, *others = request["messages"]
    parts = [part for message in others for part in message["content"]]
    texts, pictures = [], []
    for before, part in zip([None, *parts], parts, strict=False):
        if part["type"] == "image_url":
            name = re.fullmatch(r"View (.+):", before["text"])
            assert name, "a picture comes after its name"
            pictures.append((name[1], decoded(part["image_url"]["url"])))
            texts.pop()
        else:
            texts.append(part["text"])
    tools = [tool["function"] for tool in request.get("tools", ())]
    tools += [json.loads(line) for line in system["content"].splitlines() if line[:2] == '{"']
    return Sent(
        re.sub(r'(?m)^\{".*$', "", system["content"]),
        "\n".join(texts),
        {tool["name"]: tool for tool in tools},
        tuple(pictures),
    )


def decoded(url: str) -> NDArray[np.uint8]:
    data = np.frombuffer(base64.b64decode(url.partition(",")[2]), np.uint8)
    picture = cv2.imdecode(data, cv2.IMREAD_COLOR_RGB)
    assert picture is not None
    return picture.astype(np.uint8)


@pytest.fixture(scope="module")
def chat() -> Iterator[Chat]:
    with chat_server(lambda request, number: saying("I give up.")) as made:
        yield made


@pytest.fixture(scope="module")
def renderer() -> Iterator[Renderer]:
    with usable_renderer() as made:
        yield made


def first_question(
    bench: PlayedBench, mode: str, level: AnyLevel, obs: Obs, chat: Chat, renderer: Renderer
) -> Sent | None:
    """Return what the agent asks first; None if the bench refuses that combination."""
    chat.requests.clear()
    settings = RunSettings(
        suite=level.id,
        levels=((level.id, level.hash),),
        agent="openai:tall",
        mode=mode,
        obs=obs,
        picture_size=SIZE,
        options={"base_url": chat.url},
        bench=bench.name,
    )
    try:
        settings = bench.configured(settings, bench.options(mode=type(bench.options().mode)(mode)))
        bench.check(settings, [level])
        alike = [other for other in list_shipped_levels() if other.family == level.family]
        shown = add_decoy(settings.make_episode_options(0), level, alike).shown
    except LubanError:
        return None
    play = bench.play(settings)
    options = replace(play.options(level, settings.make_episode_options(0)), shown=shown)
    agent = create_agent(settings.agent, level, obs=options.obs, settings=settings.options)
    drawing = renderer if options.obs.has_images else None
    with Episode(level, renderer=drawing, options=options) as episode:
        attempt = Attempt(
            level, episode, agent, settings, 0, Journal(), Path(), lambda: bool(chat.requests)
        )
        with pytest.raises(PlayStopped):
            play.perform(attempt)
    return replace(read_request(chat.requests[0]), views=options.views, shown=options.shown)


def ways() -> list[tuple[PlayedBench, str]]:
    return [(bench, mode) for bench in select_benches(PlayedBench) for mode in bench.modes]


def cases() -> list[Any]:
    """Every bench, mode and observation with some levels that it plays.

    By day each mode of a bench is asked with each observation about a third of the families, and
    about the cubes that have views of their own.
    """
    few, families = few_levels(1), list(discover_families())
    day = {name: next(v for v in list_shipped_levels() if v.family == name) for name in families}
    found = []
    for way, (bench, mode) in enumerate(ways()):
        for level in list_shipped_levels():
            if not (bench.general or bench.plays(level)) or level.id not in few:
                continue
            for number, obs in enumerate(Obs):
                third = (way + number + families.index(level.family)) % 3 == 0
                stays = "view" in level.id or (level == day[level.family] and third)
                marks = [] if stays else [pytest.mark.slow]
                id_ = f"{bench.name}-{mode}-{obs}-{level.id}"
                found.append(pytest.param(bench, mode, level, obs, id=id_, marks=marks))
    return found


@pytest.mark.by_day(40)
@pytest.mark.parametrize(("bench", "mode", "level", "obs"), cases())
def test_what_a_model_is_sent_first_is_true(
    chat: Chat, renderer: Renderer, bench: PlayedBench, mode: str, level: AnyLevel, obs: Obs
) -> None:
    sent = first_question(bench, mode, level, obs, chat, renderer)
    if sent is None:
        pytest.skip(f"{bench.name} refuses {mode} with {obs}")
    rules = find_family(level).rules
    scene = rules.scene(level, rules.initial(level))
    check_names(sent, level, scene)
    if obs is not Obs.NONE:  # A blind agent reads the words that go with pictures.
        check_words_of_pictures(sent, mode)
    shown = sent.shown or level
    check_overlays(sent, shown, rules.scene(shown, rules.initial(shown)), renderer)
    check_ranges(sent, scene)
    check_budget(sent, level)


def check_names(sent: Sent, level: AnyLevel, scene: Scene) -> None:
    """Pieces and enumerations are bodies, and pictures have unlike names."""
    names = [name for name, _ in sent.pictures]
    assert len(set(names)) == len(names)
    bodies = {body.name for body in scene.bodies}
    listed = re.search(r"(?m)^Pieces: (.*)\.$", sent.text)
    assert listed is None or listed[1].split(", ") == list(level.colours)
    assert set(level.colours) <= bodies
    for enum in enumerations(list(sent.tools.values())):
        assert enum
        if set(enum) & set(level.colours):
            assert set(enum) <= bodies
    for legend in LEGEND.findall(sent.text):
        painted = colours_of(scene)
        for key in (entry.split(": ")[0] for entry in legend.split("; ")):
            named = {word for word in key.replace(",", "").split() if word in PALETTE}
            assert named <= painted or "patches" in key or "haze" in key, key
    for count in re.findall(r"of (\d+) rigid|and (\d+) rigid", sent.text):
        assert int("".join(count)) == len(level.colours)


def colours_of(scene: Scene) -> set[str]:
    """Return the colours of bodies, scenery and what sticks on them."""
    bodies = (*scene.bodies, *scene.scenery)
    return {str(body.colour) for body in bodies} | {
        str(sticker.colour) for body in bodies for sticker in body.stickers
    }


def enumerations(value: Any) -> Iterator[list[Any]]:
    if isinstance(value, dict):
        yield from (value["enum"],) if "enum" in value else ()
        yield from (enum for item in value.values() for enum in enumerations(item))
    elif isinstance(value, list):
        yield from (enum for item in value for enum in enumerations(item))


def check_words_of_pictures(sent: Sent, mode: str) -> None:
    """Pictures are spoken of where there are some, as many as there are."""
    told = re.findall(r"(?i)\b(?:pictures?|images?|gizmo|axes drawn|drawn as)\b", sent.words)
    later = "get_observation" in sent.words  # In turns pictures come when they are asked for.
    assert not told or sent.pictures or later
    for count, _ in re.findall(r"(?i)\b(\w+) (pictures|views)\b", sent.words):
        assert NUMBERS.get(count.lower(), len(sent.pictures)) == len(sent.pictures) or later
    for listed in re.findall(r"(?m)^In (.+) the numbers along", sent.text):
        if mode == "interactive":
            assert set(listed.split(", ")) <= {name for name, _ in sent.pictures}


def check_overlays(sent: Sent, level: AnyLevel, scene: Scene, renderer: Renderer) -> None:
    """Axes and numbers are in just those pictures of which it is said."""
    ruled = {name for found in re.findall(r"(?m)^In (.+) the numbers along", sent.text)
             for name in found.split(", ")}  # fmt: skip
    axes = bool(AXES.search(sent.words))
    drawn = observe(renderer, scene, SIZE, overlay=BARE, views=sent.views)
    bare = {view.name: view.rgb for view in drawn}
    goal = find_family(level).rules.goal_scene(level)
    if goal is not None:
        camera = replace(list_cameras(goal)[0], name="goal")
        (view,) = observe(renderer, goal, SIZE, overlay=BARE, cameras=[camera])
        bare["goal"] = view.rgb
    for name, picture in sent.pictures:
        differs = bool((picture != bare[name]).any())
        assert differs == (axes or name in ruled or (name == SHEET and bool(ruled))), name


def check_ranges(sent: Sent, scene: Scene) -> None:
    """Cells are counted as the text says, and schemas take no others."""
    stated = [tuple(map(int, found)) for found in BLOCK.findall(sent.text)]
    within = [tuple(map(int, found)) for found in ROOM.findall(sent.text)]
    blocks = [Bounds((a, b, c), (d, e, f)) for a, b, c, d, e, f in stated]
    blocks += [Bounds((a, c, e), (b, d, f)) for a, b, c, d, e, f in within]
    for a, b, c, d, e, f in stated:
        inside = scene.work if scene.container is None else scene.container.bounds
        assert Bounds((a, b, c), (d, e, f)).size == inside.size
    for a, b, c, d, e, f in (map(int, found) for found in HELD.findall(sent.text)):
        held = [cell for body in scene.bodies if not body.loose for cell in body.place().cells]
        assert Bounds((a, c, e), (b, d, f)) == Bounds.cover([Bounds(at, at) for at in held])
    for size in SIZES.findall(sent.text):
        inside = scene.work if scene.container is None else scene.container.bounds
        assert tuple(map(int, size)) == inside.size
    for item in cell_schemas(list(sent.tools.values())):
        assert blocks, "an action takes cells, and the text does not say which there are"
        low, high = min(min(b.low) for b in blocks), max(max(b.high) for b in blocks)
        assert (item["minimum"], item["maximum"]) == (low, high)


def cell_schemas(value: Any) -> Iterator[Mapping[str, Any]]:
    if isinstance(value, dict):
        if value.get("minItems") == value.get("maxItems") == 3:
            yield value["items"]
        yield from (found for item in value.values() for found in cell_schemas(item))
    elif isinstance(value, list):
        yield from (found for item in value for found in cell_schemas(item))


def check_budget(sent: Sent, level: AnyLevel) -> None:
    left = re.search(r"(\d+) steps left", sent.text)
    assert left is None or int(left[1]) == level.budget


@pytest.mark.parametrize(
    "level",
    these_by_day(
        [v for v in list_shipped_levels() if v.id in few_levels(1)],
        list_shipped_levels(),
        name=lambda level: level.id,
    ),
)
def test_every_legal_action_along_the_plan_is_offered(level: AnyLevel) -> None:
    family, tools = find_family(level), {}
    for tool in build_action_space(level).schemas():
        function: Any = tool["function"]
        tools[function["name"]] = function["parameters"]
    state = family.rules.initial(level)
    plan = level.plan.actions if level.plan else ()
    for action in plan[: more(6)]:
        tried: list[Action] = [action]
        tried += islice(family.rules.legal(level, state), 60)
        for one in tried:
            assert one.tool in tools
            assert conforms(tools[one.tool], json.loads(json.dumps(encode_arguments(one)))), one
        state = family.rules.apply(level, state, action).state
