"""Players in C#: the headless one under Mono, and the Unity build that LUBAN_UNITY_PLAYER names."""

import os
import subprocess
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import Queue
from threading import Event
from typing import Any

import grpc
import pytest

from bridge.episode.episode import Episode
from bridge.episode.records import Obs, Options
from bridge.rpc._pb.luban.mlagents.v1 import communicator_pb2
from bridge.rpc._pb.luban.v1 import unity_pb2 as pb
from bridge.unity import codec, communicator, mlagents_import
from bridge.unity.errors import PlayerError
from bridge.unity.link import Launch
from bridge.unity.player import Player
from bridge.unity.pool import PlayerPool
from bridge.unity.state import LatticeState
from bridge.unity.world import UnityWorld
from pysim.catalog import AnyLevel, find_family, find_level
from pysim.motion import Motion
from pysim.physics.lattice import LatticeWorld
from pysim.physics.world import World
from pysim.puzzle import Outcome
from pysim.render.camera import list_cameras
from tests.physics.scenes import same
from tests.sampling import by_day
from tests.unity.headless import build_headless
from tests.unity.processes import large_scene
from tests.unity.standins import some_levels
from tests.unity.test_mlagents_import import Genuine, plan_of
from tests.waiting import PATIENCE
from tools.gen_vectors import level_tour, packed_tour, turned_tour, walk

HEADLESS = "headless"
BUILT = os.environ.get("LUBAN_UNITY_PLAYER")
SOME = some_levels(each=3)
TOURS = [
    packed_tour(2),
    turned_tour(1),
    level_tour(find_level("burr-piston-assemble")),
    level_tour(find_level("checkerboard")),
]
QUIET = Options(obs=Obs.STATE)


@pytest.fixture(scope="module", params=[HEADLESS, *([BUILT] if BUILT else [])])
def player(request: pytest.FixtureRequest) -> Path:
    """The executable."""
    name: str = request.param
    return build_headless() if name == HEADLESS else Path(name)


@pytest.fixture(scope="module")
def headless() -> Path:
    return build_headless()


@pytest.fixture(scope="module")
def players(player: Path) -> Iterator[PlayerPool]:
    with PlayerPool(Launch(player)) as pool:
        yield pool


@pytest.fixture(scope="module")
def exact(player: Path) -> Iterator[PlayerPool]:
    """Players in which nothing falls, and then stands in the way."""
    with PlayerPool(Launch(player, options=("--luban-no-physics",))) as pool:
        yield pool


@pytest.mark.parametrize("level", by_day(SOME, lambda v: v.family, name=lambda v: v.id))
def test_an_episode_is_solved_with_every_digest_right(level: AnyLevel, players: PlayerPool) -> None:
    assert level.plan is not None
    episode = Episode(level, UnityWorld(players), None, QUIET)
    for action in level.plan.actions:
        episode.step(action)
    episode.close()
    assert (episode.outcome, episode.disagreements) == (Outcome.SOLVED, 0)


def answer(world: World | Player, motions: Sequence[Motion]) -> tuple[Any, ...]:
    """What comes of motions, or the kind of error."""
    try:
        report = world.execute(motions)
    except KeyError:
        return (KeyError,)
    except ValueError:  # Of a player it is the InputError among them.
        return (ValueError,)
    return report.completed, report.travel, report.contacts


@pytest.mark.slow
@pytest.mark.parametrize("tour", TOURS, ids=[tour.name for tour in TOURS])
def test_likely_unlikely_and_senseless_motions_go_as_in_the_lattice(
    tour: Any, exact: PlayerPool
) -> None:
    player, lattice = exact.take(graphics=False), LatticeWorld()
    player.reset(tour.scene)
    lattice.reset(tour.scene)
    asked = 0
    for motions, *_ in walk(tour, 150):
        if motions is None:
            player.reset(tour.scene)
            lattice.reset(tour.scene)
        else:
            assert answer(player, motions) == answer(lattice, motions), motions
            asked += 1
    assert asked >= 150
    exact.give_back(player, graphics=False)


def test_bodies_are_where_the_lattice_has_them(players: PlayerPool) -> None:
    tour = TOURS[0]
    player, lattice = players.take(graphics=False), LatticeWorld()
    player.reset(tour.scene)
    lattice.reset(tour.scene)
    assert same(player.transforms(), lattice.transforms())
    players.give_back(player, graphics=False)


def test_a_scene_that_is_refused_leaves_the_player_sound(players: PlayerPool) -> None:
    player = players.take(graphics=False)
    tour = TOURS[0]
    player.reset(tour.scene)
    twice = type(tour.scene)((*tour.scene.bodies[:1], *crowd(tour)), tour.scene.work)
    with pytest.raises(ValueError, match="overlap"):
        player.reset(twice)
    assert len(player.transforms()) == len(tour.scene.bodies)
    players.give_back(player, graphics=False)


def test_a_scene_that_is_too_large_for_a_message_goes_in_parts(players: PlayerPool) -> None:
    player = players.take(graphics=False)
    player.reset(large_scene())
    assert list(player.transforms()) == ["plate"]
    players.give_back(player, graphics=False)


def crowd(tour: Any) -> list[Any]:
    """A body where the first one is."""
    body = tour.scene.bodies[0]
    return [type(body)("another", body.shape, body.pose, body.colour)]


def test_a_player_without_graphics_does_not_draw(headless: Path) -> None:
    tour = TOURS[0]
    player = Player(Launch(headless))
    player.reset(tour.scene)
    with pytest.raises(PlayerError, match="graphics"):
        player.render(list_cameras(tour.scene), 32)
    player.close()
    with pytest.raises(PlayerError, match="can't draw"):
        Player(Launch(headless), graphics=True)


@pytest.mark.skipif(
    mlagents_import.find_installed_version() is None,
    reason=f"NOT TESTED: {mlagents_import.INSTALL}",
)
@pytest.mark.filterwarnings("ignore:distutils Version classes:DeprecationWarning")
def test_the_genuine_environment_plays_with_every_digest_right(player: Path) -> None:
    environment = Genuine(player, worker=20)
    try:
        for steps in (2, 0):  # The same after the second reset, however far it went before.
            environment.environment.reset()
            assert observed(environment) == 0.0
            for _ in range(steps):
                environment.environment.step()
            assert observed(environment) == steps
        for level in SOME:
            rules = find_family(level).rules
            scene = rules.scene(level, rules.initial(level))
            state = LatticeState.of(scene)
            built = environment.ask(reset=pb.PlayerReset(scene=codec.encode_scene(scene)))
            assert built.HasField("ready") and built.digest == state.digest
            for motions in plan_of(level):
                state = state.apply(motions)
                call = pb.PlayerExecute(motions=map(codec.encode_motion, motions))
                answer = environment.ask(execute=call)
                assert answer.report.completed and answer.digest == state.digest
    finally:
        environment.environment.close()


def observed(environment: Genuine) -> float:
    """The one number that the agent sees."""
    (name,) = environment.environment.behavior_specs
    decisions, _ = environment.environment.get_steps(name)
    return float(decisions.obs[0][0, 0])


class Controller(grpc.GenericRpcHandler):
    """The least that a player can talk to: an answer for each call, and then silence."""

    def __init__(self, answers: Sequence[bytes]) -> None:
        self.calls: Queue[communicator_pb2.UnityMessage] = Queue()
        self.gone = Event()
        self._answers = iter(answers)

    def service(self, details: grpc.HandlerCallDetails) -> Any:
        assert details.method == f"/{communicator.SERVICE}/{communicator.METHOD}"
        return grpc.unary_unary_rpc_method_handler(self._exchange)

    def _exchange(self, request: bytes, context: grpc.ServicerContext) -> bytes:
        self.calls.put(communicator_pb2.UnityMessage.FromString(request))
        answer = next(self._answers, None)
        if answer is None:
            self.gone.wait(PATIENCE)
        return answer or b""


def turn(status: int = communicator.OK, command: int = communicator.RESET) -> bytes:
    message = communicator_pb2.UnityMessage()
    message.header.status = status
    message.unity_input.rl_input.command = command
    return message.SerializeToString()


def ending(
    headless: Path, answers: Sequence[bytes], *, hang_up: bool = False
) -> tuple[int, Controller]:
    """The exit status of a player that is told ``answers``, and then perhaps cut off."""
    controller = Controller(answers)
    server = grpc.server(ThreadPoolExecutor(1))
    server.add_generic_rpc_handlers((controller,))
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    process = subprocess.Popen([headless, "--mlagents-port", str(port)], stderr=subprocess.PIPE)
    try:
        if hang_up:
            while controller.calls.qsize() <= len(answers):
                time.sleep(0.01)
            server.stop(grace=None)
        process.communicate(timeout=PATIENCE)
        return process.returncode, controller
    finally:
        process.kill()
        controller.gone.set()
        server.stop(grace=None).wait()


def test_the_handshake_is_that_of_ml_agents(headless: Path) -> None:
    hello = communicator.write_introduction(seed=3)
    status, controller = ending(headless, [hello, turn(), turn(command=0), turn(status=400)])
    assert status == 0
    greeting, ready, *looks = [controller.calls.get_nowait() for _ in range(4)]
    assert [m.header.status for m in (greeting, ready, *looks)] == [200] * 4
    introduced = greeting.unity_output.rl_initialization_output
    assert introduced.communication_version == communicator.COMMUNICATION_VERSION
    assert introduced.capabilities == communicator.build_capabilities()
    assert not ready.unity_output.HasField("rl_output")
    first, second = (look.unity_output for look in looks)
    (brain,) = first.rl_initialization_output.brain_parameters
    assert not second.HasField("rl_initialization_output")
    for steps, output in enumerate((first, second)):
        (agent,) = output.rl_output.agent_infos[brain.brain_name].value
        (seen,) = agent.observations
        assert (list(seen.shape), list(seen.float_data.data)) == ([1], [float(steps)])


@pytest.mark.parametrize("command", [0, 1])
def test_a_player_ends_when_it_is_told_to(headless: Path, command: int) -> None:
    hello = communicator.write_introduction(seed=0)
    assert ending(headless, [hello, turn(status=400, command=command)])[0] == 0


def test_a_player_ends_when_the_controller_quits(headless: Path) -> None:
    hello = communicator.write_introduction(seed=0)
    assert ending(headless, [hello, turn(), turn(command=2)])[0] == 0


def test_a_player_ends_when_it_is_told_what_it_can_not_read(headless: Path) -> None:
    hello = communicator.write_introduction(seed=0)
    assert ending(headless, [hello, turn(), b"\xff\xff"])[0] == 1


def test_a_player_ends_when_it_is_cut_off(headless: Path) -> None:
    hello = communicator.write_introduction(seed=0)
    status, _ = ending(headless, [hello, *[turn(command=0)] * 50], hang_up=True)
    assert status == 1
