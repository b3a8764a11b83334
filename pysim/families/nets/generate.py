"""The generator: a cube with six colours, unfolded in one way or in two."""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from random import Random

from pysim.errors import InputError
from pysim.families.nets.cube import Arrow, ArrowColour, ArrowCube, CornerView
from pysim.families.nets.faces import CubeFace, list_frames
from pysim.families.nets.folding import ArrowNet, fold, open_cube
from pysim.families.nets.joints import FLAT, MOUNTAIN, Bends, Tree, find_obstacles
from pysim.families.nets.planner import plan_for
from pysim.families.nets.puzzle import FlatNet, NetPuzzle, Plate, write_puzzle
from pysim.families.nets.rules import NetRules
from pysim.families.nets.shapes import NetShape, Square, draw_outline, list_net_shapes
from pysim.families.nets.state import NetState, find_cube, measure_reach
from pysim.generation import Draft, GenerationResult, Rejected
from pysim.geometry import Rotation, list_rotations
from pysim.puzzle import Fact, Level, Source, Tier
from pysim.scene import Colour

__all__ = ["NetGenerator", "count_folding_orders"]

_TURNS = {Tier.EASY: (0, 1), Tier.MEDIUM: (2,), Tier.HARD: (2,)}
"""How many turns the plans of each tier take."""
_LEAST_BUDGET = 24
_REJECTED = Rejected("no such turns")
_PAPERS = tuple(map(Colour, ("pink", "mint", "lavender", "peach", "sky", "lilac")))
"""Of the second net's faces, on which all eight colours of arrows are seen well."""


@dataclass(frozen=True, slots=True)
class NetGenerator:
    """See :class:`pysim.generation.Generator`.

    Attempts go through the 11 shapes in turn.

    Attributes:
        tier: how hard the levels are.
        seed: where the random numbers come from.
        turns: that the plans take; None for the tier's.

    Raises:
        InputError: a tier that is not made.
    """

    tier: Tier
    seed: int
    turns: int | None = None

    def __post_init__(self) -> None:
        if self.tier not in _TURNS:
            raise InputError(f"nets are made {', '.join(_TURNS)}, not {self.tier}")

    @property
    def family(self) -> str:
        """``nets``."""
        return "nets"

    @property
    def name(self) -> str:
        """The tier, and the version."""
        return f"nets/{self.tier} 1"

    @property
    def slug(self) -> str:
        """The tier."""
        return str(self.tier)

    @property
    def settings(self) -> Mapping[str, Fact]:
        """All that the attempts depend on."""
        turns = {} if self.turns is None else {"turns": self.turns}
        return {"tier": str(self.tier), "seed": self.seed, **turns}

    @property
    def command(self) -> str:
        """The command line that makes the same levels again."""
        words = f"luban generate nets --tier {self.tier} --seed {self.seed}"
        return words if self.turns is None else f"{words} --turns {self.turns}"

    @property
    def _turns(self) -> tuple[int, ...]:
        return _TURNS[self.tier] if self.turns is None else (self.turns,)

    def attempt(self, number: int) -> GenerationResult:
        """Return a cube, unfolded; two ways for hard levels."""
        random = Random(f"{self.name} {self.seed} {number}")
        shape = list_net_shapes()[number % len(list_net_shapes())]
        cube = _cube(random)
        net = _held(open_cube(cube, shape, random.choice(list_frames())))
        drafts = map(self._draft, self._puzzles(cube, net, shape, random))
        return next((draft for draft in drafts if draft is not None), _REJECTED)

    def _puzzles(
        self, cube: ArrowCube, net: FlatNet, shape: NetShape, random: Random
    ) -> Iterator[NetPuzzle]:
        """Puzzles with a net, in random order."""
        if self.tier is not Tier.HARD:
            for rotation in random.sample(list_rotations(), len(list_rotations())):
                yield NetPuzzle((net,), _view(net, rotation))
            return
        other = random.choice([one for one in list_net_shapes() if one != shape])
        papers = random.sample(_PAPERS, len(_PAPERS))
        for frame in random.sample(list_frames(), len(list_frames())):
            yield NetPuzzle((net, _held(open_cube(cube, other, frame), papers)))

    def _draft(self, puzzle: NetPuzzle) -> Draft | None:
        """Return a certified level; None if it is not as hard as wanted."""
        plan = plan_for(NetRules(), _level(puzzle))
        turns = 0 if plan is None else sum(action.tool == "turn" for action in plan.actions)
        if plan is None or turns not in self._turns:
            return None
        return Draft(
            puzzle=puzzle,
            title=_title(puzzle, turns),
            tier=self.tier,
            budget=max(_LEAST_BUDGET, 3 * len(plan)),
            plan=plan,
            key=hashlib.sha256(json.dumps(write_puzzle(puzzle)).encode()).hexdigest()[:32],
            score=len(plan),
            facts=_facts(puzzle, turns, len(plan)),
        )


def _cube(random: Random) -> ArrowCube:
    """Return six of the eight colours, no two alike, so that faces can be called by them."""
    colours = random.sample(list(ArrowColour), len(CubeFace))
    arrows = (Arrow(c, random.choice(f.beside)) for c, f in zip(colours, CubeFace, strict=True))
    return ArrowCube(tuple(arrows))


def _held(net: ArrowNet, papers: Sequence[Colour] = ()) -> FlatNet:
    """Return a net, held by the face from which it reaches least far.

    Args:
        papers: what its faces are called, from that face on; none: after their arrows.
    """
    squares = sorted(net.shape, key=lambda square: (measure_reach(net.shape, square), square))
    order = (squares[0], *sorted(squares[1:], key=_reading))
    names = papers or [Colour(net.get_arrow(square).colour.value) for square in order]
    return FlatNet(
        tuple(
            Plate(name, square, net.get_arrow(square))
            for name, square in zip(names, order, strict=True)
        )
    )


def _reading(square: Square) -> tuple[int, int]:
    """Return rows from the top, each from the left."""
    return -square[1], square[0]


def _view(net: FlatNet, rotation: Rotation) -> CornerView:
    """Return the view of the folded net after a rotation."""
    cube = find_cube(net, NetState((FLAT, *(MOUNTAIN,) * 5), rotation))
    assert cube is not None and cube.is_same(fold(net.net))
    return cube.view


def _level(puzzle: NetPuzzle) -> Level[NetPuzzle]:
    """Return a level to plan for; nothing else of it counts."""
    source = Source("luban", "draft")
    return Level("draft", "nets", "", Tier.EASY, 1, puzzle, puzzle.colours, None, source, "")


def _title(puzzle: NetPuzzle, turns: int) -> str:
    """Return the shape, one of 11, and the number of turns."""
    shapes = [str(list_net_shapes().index(net.net.shape) + 1) for net in puzzle.nets]
    what = f"Net {shapes[0]}" if len(shapes) == 1 else f"Nets {' and '.join(shapes)} of one cube"
    return f"{what}, {('no turn', 'a turn', 'two turns')[turns]}"


def _facts(puzzle: NetPuzzle, turns: int, moves: int) -> dict[str, Fact]:
    return {
        "nets": " ".join(draw_outline(net.net.shape) for net in puzzle.nets),
        "turns": turns,
        "moves": moves,
        "folding_orders": min(count_folding_orders(net.tree) for net in puzzle.nets),
    }


def count_folding_orders(tree: Tree) -> int:
    """In how many of the 120 orders the hinges can be folded, mountain folds all."""
    return _orders(tree, (FLAT,) * len(tree))


@cache
def _orders(tree: Tree, bends: Bends) -> int:
    flat = [plate for plate in range(1, len(tree)) if bends[plate] == FLAT]
    free = (plate for plate in flat if not find_obstacles(tree, bends, plate, MOUNTAIN))
    if not flat:
        return 1
    return sum(_orders(tree, (*bends[:k], MOUNTAIN, *bends[k + 1 :])) for k in free)
