"""Tools of agents for a cube, with code and without: the functions of appendix I."""

from collections.abc import Mapping
from typing import NoReturn

import numpy as np
from numpy.typing import NDArray

from bridge.benches.cubebench.protocol import Setup, TurnProtocol
from bridge.benches.cubebench.sandbox.interpreter import CallRefused, Function
from bridge.benches.cubebench.solvers import UnreadableCube, solve_ideal, solve_standard
from bridge.episode.observation import View
from bridge.episode.protocol import PlayableEpisode
from bridge.episode.tools import ToolCall
from pysim.families.rubik.cube import turn_of
from pysim.families.rubik.moves import Move
from pysim.families.rubik.puzzle import CubePuzzle, Setting
from pysim.families.rubik.strings import Order, format_cube
from pysim.field_types import Json
from pysim.puzzle import ActionError, Level

__all__ = ["MOST_PICTURES", "CubeTools", "RunOver"]

MOST_PICTURES = 12
"""Of the pictures of one turn an agent is shown the last ones, up to this number."""


class RunOver(Exception):
    """The cube is solved, or all actions are used up: whatever called a tool is to end."""


class CubeTools:
    """The tools of one run.

    Attributes:
        moves, looks: calls carried out of ``make_move`` and ``apply_view_transformation``.
        seen: for each picture that wasn't taken yet, the steps made before it.

    Args:
        level: what is played.
        episode: of that level, at its start.
        protocol: says which tools there are, and what a move is worth.
    """

    def __init__(
        self, level: Level[CubePuzzle], episode: PlayableEpisode, protocol: TurnProtocol
    ) -> None:
        self._episode = episode
        self._setting = level.puzzle.setting
        self._protocol = protocol
        self._cube = level.puzzle.start
        self._score = protocol.reward.score(self._cube)
        self._pictures: list[View] = []
        self.seen: list[int] = []
        self.moves = 0
        self.looks = 0

    @property
    def steps(self) -> int:
        """Return the number of steps of the episode so far, refused ones included."""
        return self._episode.steps

    @property
    def functions(self) -> Mapping[str, Function]:
        """The tools by name."""
        found: dict[str, Function] = {
            "make_move": self.make_move,
            "get_observation": self._get_picture if self.has_pictures else self._get_letters,
        }
        if self._setting.partial:
            found["apply_view_transformation"] = self.apply_view_transformation
        if self._protocol.setup is Setup.STANDARD_SOLVER:
            found["solve_cube"] = solve_cube_standard
        elif self._protocol.setup is Setup.IDEAL_SOLVER:
            found["solve_cube"] = solve_cube_ideal
        return found

    def make_move(self, move: Json) -> int:
        """Turn a face, one of F F' B B' L L' R R' U U' D D'; returns the reward of the move."""
        self._act("make_move", {"move": move})
        self.moves += 1
        self._cube = self._cube.compose(turn_of(Move.parse(str(move))))
        before, self._score = self._score, self._protocol.reward.score(self._cube)
        self._end_if_over()
        return self._score - before

    @property
    def has_pictures(self) -> bool:
        """Whether the cube is seen in pictures; else in letters."""
        return self._setting is not Setting.FULL_SYMBOLIC

    def get_observation(self) -> str | NDArray[np.uint8]:
        """Return what is seen of the cube now, as its setting shows it."""
        return self._get_picture() if self.has_pictures else self._get_letters()

    def _get_letters(self) -> str:
        """Look at the cube; returns its 54 letters."""
        return format_cube(self._cube, Order.DRAWN)

    def _get_picture(self) -> NDArray[np.uint8]:
        """Look at the cube; returns a picture (H, W, 3) uint8."""
        view = self._episode.observe().views[0]
        self._pictures = [*self._pictures, view][-MOST_PICTURES:]
        self.seen = [*self.seen, self.steps][-MOST_PICTURES:]
        return view.rgb()

    def apply_view_transformation(self, direction: Json) -> None:
        """Go around the cube, which stays as it is: up, down, left or right."""
        self._act("apply_view_transformation", {"direction": direction})
        self.looks += 1
        self._end_if_over()

    def take_pictures(self) -> list[View]:
        """Return the pictures that were looked at since the last time."""
        taken, self._pictures, self.seen = self._pictures, [], []
        return taken

    def _act(self, name: str, arguments: Mapping[str, Json]) -> None:
        try:
            self._episode.step(ToolCall(name, arguments))
        except ActionError as error:
            self._end_if_over()
            raise CallRefused(f"{error.reason}: {error.message}") from None

    def _end_if_over(self) -> None:
        if self._episode.outcome is not None:
            raise RunOver


def solve_cube_standard(state: Json) -> list[str]:
    """Solve a cube given by 54 letters, each the letter of the face whose colour a facelet has.

    The order is that of the faces U R F D L B, each row by row with U above it, U itself with B
    above it and D with F, so that the solved cube is nine U, nine R and so on. Returns the moves of
    a solution, for make_move. Another text is an error.
    """
    try:
        return solve_standard(state)
    except UnreadableCube as error:
        _refuse(error)


def solve_cube_ideal(state: Json) -> list[str]:
    """Solve a cube given by 54 letters of colours, W R B O G Y.

    The order is that of the faces U L F R D B, each row by row as they lie in the unfolded cross: U
    on top, below it L, F and R side by side, below F then D, and B below D. So L, F and R have U
    above them, U has B, D has F, and B has D. Returns the moves of a solution, for make_move.
    Another text is an error.
    """
    try:
        return solve_ideal(state)
    except UnreadableCube as error:
        _refuse(error)


def _refuse(error: UnreadableCube) -> NoReturn:
    raise CallRefused(str(error)) from None
