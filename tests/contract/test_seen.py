"""Each piece that an action can name is seen before it must be named, in every mode and surface."""

import base64
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import anyio
import cv2
import gymnasium
import numpy as np
import pytest
from mcp.client.client import Client
from numpy.typing import NDArray

import luban as front_door
from bridge.adapters.mcp import OBSERVE, puzzle_server
from bridge.episode.episode import Episode
from bridge.episode.records import Obs, Options
from bridge.episode.rendering import SharedRenderer
from bridge.episode.tools import ActionSpace
from bridge.rpc.client import connect
from bridge.rpc.server import LubanServer
from bridge.runs.direct import DirectPlay
from bridge.runs.play import Mode
from pysim.catalog import AnyLevel, find_family, find_level
from pysim.render.legibility import LEAST_PIXELS, measure_observed_coverage
from pysim.render.renderer import Renderer
from pysim.render.views import observe
from pysim.scene import Scene
from pysim.viewpoints import Views
from tests.agents.server import chat_server, saying
from tests.commands import Luban
from tests.needs import usable_renderer
from tests.sampling import levels_by_day

SIZE = 256
CHOSEN = ("packing-easy-01", "burr-tusk-tenon", "burr-piston-assemble", "jigsaw-easy-1")
COARSE = {("portal-12", Mode.ONE_SHOT): 20}
"""A wide room of which a quarter of a sheet has the only plan; 81 pixels at the usual 512."""
Pictures = Mapping[str, NDArray[np.uint8]]


@pytest.fixture(scope="module")
def egl() -> Iterator[Renderer]:
    with usable_renderer("egl") as made:
        yield made


def start_of(level: AnyLevel) -> Scene:
    rules = find_family(level).rules
    return rules.scene(level, rules.initial(level))


def words_in(schema: object) -> Iterator[str]:
    """Yield every text that a schema lists as a possible value."""
    if isinstance(schema, dict):
        yield from (str(value) for value in schema.get("enum", ()))
        for part in schema.values():
            yield from words_in(part)
    elif isinstance(schema, list):
        for part in schema:
            yield from words_in(part)


def nameable(level: AnyLevel, scene: Scene) -> set[str]:
    """Return the names of the bodies that an action can name."""
    schemas = ActionSpace(find_family(level).actions, level.colours).schemas()
    return {body.name for body in scene.bodies} & set(words_in(schemas))


def views_in(mode: Mode, level: AnyLevel) -> Views:
    return DirectPlay(mode).options(level, Options()).views


@pytest.mark.by_day(16)
@pytest.mark.parametrize("mode", list(Mode))
@pytest.mark.parametrize("level", levels_by_day())
def test_every_nameable_piece_is_seen_in_the_first_observation(
    egl: Renderer, level: AnyLevel, mode: Mode
) -> None:
    scene = start_of(level)
    if scene.views == () or not (names := nameable(level, scene)):
        return
    seen = measure_observed_coverage(egl, scene, SIZE, views=views_in(mode, level))
    least = COARSE.get((level.id, mode), LEAST_PIXELS)
    assert not {name: seen[name] for name in names if seen[name] < least}


def test_nameable_pieces_of_locks_are_all_of_them() -> None:
    level = find_level("burr-piston")
    assert nameable(level, start_of(level)) == set(level.colours)


def expected(egl: Renderer, name: str, views: Views) -> Pictures:
    return {v.name: v.rgb for v in observe(egl, start_of(find_level(name)), SIZE, views=views)}


def by_python(name: str, views: Views) -> Pictures:
    with front_door.start(name, observation="image", image_size=SIZE, views=views) as episode:
        return {view.name: view.rgb() for view in episode.observe().views}


def by_wire(name: str, views: Views, tmp_path: Path) -> Pictures:
    with (
        LubanServer(tmp_path / "runs") as server,
        connect(server.address) as client,
        client.start(name, observation="image", image_size=SIZE, views=views) as episode,
    ):
        return {view.name: view.rgb() for view in episode.observe().views}


def by_mcp(name: str, views: Views) -> list[NDArray[np.uint8]]:
    found: list[NDArray[np.uint8]] = []

    async def look(episode: Episode) -> None:
        async with Client(puzzle_server(episode)) as client:
            seen: Any = await client.call_tool(OBSERVE, {})
            found.extend(decoded(part.data) for part in seen.content if part.type == "image")

    renderer = SharedRenderer("egl")
    options = Options(obs=Obs.IMAGE, picture_size=SIZE, views=views)
    with Episode(find_level(name), renderer=renderer, options=options) as episode:
        anyio.run(look, episode)
    renderer.close()
    return found


def by_gymnasium(name: str, views: Views) -> NDArray[np.uint8]:
    family = find_level(name).family.capitalize()
    env = gymnasium.make(
        f"luban.envs:Luban/{family}-v0", level=name, observation="rgb", image_size=SIZE, views=views
    )
    seen, _ = env.reset(seed=0)
    env.close()
    pictures: NDArray[np.uint8] = seen["rgb"]
    return pictures


def decoded(text: str) -> NDArray[np.uint8]:
    data = np.frombuffer(base64.b64decode(text), np.uint8)
    return cv2.imdecode(data, cv2.IMREAD_COLOR_RGB).astype(np.uint8)  # type: ignore[union-attr]


def same(one: Sequence[NDArray[np.uint8]], other: Sequence[NDArray[np.uint8]]) -> bool:
    return len(one) == len(other) and all(map(np.array_equal, one, other))


@pytest.mark.by_day(2)
@pytest.mark.parametrize("views", list(Views))
@pytest.mark.parametrize("name", CHOSEN[:3])
def test_every_surface_shows_the_pictures_of_the_composition(
    egl: Renderer, name: str, views: Views, tmp_path: Path
) -> None:
    wanted = expected(egl, name, views)
    for found in (by_python(name, views), by_wire(name, views, tmp_path)):
        assert same([found[view] for view in wanted], list(wanted.values()))
    assert same(by_mcp(name, views)[: len(wanted)], list(wanted.values()))
    batch = by_gymnasium(name, views)
    assert all(any(np.array_equal(one, picture) for picture in batch) for one in wanted.values())


def sent(request: Mapping[str, Any]) -> list[NDArray[np.uint8]]:
    parts = [part for message in request["messages"] for part in message["content"]]
    urls = [p["image_url"]["url"] for p in parts if isinstance(p, dict) and "image_url" in p]
    return [decoded(url.partition(",")[2]) for url in urls]


EVAL: list[tuple[list[str], Callable[[AnyLevel], Views]]] = [
    ([], lambda level: Views.COMPOSED),
    (["--mode", "one-shot"], lambda level: views_in(Mode.ONE_SHOT, level)),
    (["--views", "classic"], lambda level: Views.CLASSIC),
    (["--views", "sheet"], lambda level: Views.SHEET),
]


@pytest.mark.by_day(1)
@pytest.mark.parametrize(("more", "views"), EVAL, ids=["default", "one-shot", "classic", "sheet"])
def test_a_model_is_sent_the_pictures_of_the_composition(
    egl: Renderer, luban: Luban, more: list[str], views: Callable[[AnyLevel], Views]
) -> None:
    options = [
        "--observation",
        "image",
        "--image-size",
        SIZE,
        "--budget",
        1,
        "--workers",
        1,
        "--out",
        "run",
    ]
    with chat_server(lambda request, number: saying(json.dumps({"actions": []}))) as chat:
        agent = ["--agent", "openai:m", "--base-url", chat.url]
        assert luban("eval", ",".join(CHOSEN), *agent, *options, *more).status == 0
    assert len(chat.requests) == len(CHOSEN)
    for name, request in zip(CHOSEN, chat.requests, strict=True):
        wanted = list(expected(egl, name, views(find_level(name))).values())
        assert same(sent(request)[: len(wanted)], wanted), name


def test_one_classic_shot_is_the_first_view_alone(egl: Renderer, luban: Luban) -> None:
    options = [
        "--observation",
        "image",
        "--image-size",
        SIZE,
        "--mode",
        "one-shot",
        "--views",
        "classic",
    ]
    with chat_server(lambda request, number: saying(json.dumps({"actions": []}))) as chat:
        agent = ["--agent", "openai:m", "--base-url", chat.url]
        assert luban("eval", CHOSEN[0], *agent, *options, "--out", "run").status == 0
    first = list(expected(egl, CHOSEN[0], Views.CLASSIC).values())[:1]
    assert same(sent(chat.requests[0]), first)
