"""A suite of items that is not Luban's: which way a letter on a cell is turned, and shapes.

Three tasks: contrastive pairs with pictures of glyphs, rounds of a conversation, and shapes of
which every rotation is right.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bridge.items.options import AskOptions
from bridge.items.suites import EndedTrial, ItemSuite, ScoredRun, Subset
from bridge.items.tables import compute_common_scores, make_common_table
from bridge.report.parts import Table
from pysim.answer_keys import SameShape
from pysim.field_types import Json
from pysim.geometry import HOME, Bounds, Cell, Direction, Voxels
from pysim.glyphs import Glyph
from pysim.items import Item, Picture, Single, Trial
from pysim.scene import Body, Colour, Scene, Sticker
from pysim.viewpoints import Panel, View

__all__ = ["BENCH", "DiceOptions", "DiceSuite"]


@dataclass(frozen=True, slots=True)
class Words:
    """One of some words, wherever it stands last."""

    known: tuple[str, ...]

    def parse(self, text: str) -> str | None:
        said = [word for word in text.split() if word in self.known]
        return said[-1] if said else None

    def format(self, answer: str) -> str:
        return answer

    def draw(self, random: Random) -> str:
        return random.choice(self.known)


@dataclass(frozen=True, slots=True)
class Cells:
    """Cells as ``0,0,0 1,0,0``."""

    def parse(self, text: str) -> tuple[Cell, ...] | None:
        try:
            rows = [list(map(int, word.split(","))) for word in text.split()]
            return tuple((x, y, z) for x, y, z in rows) or None
        except ValueError:
            return None

    def format(self, answer: Sequence[Cell]) -> str:
        return " ".join(",".join(map(str, cell)) for cell in answer)

    def draw(self, random: Random) -> tuple[Cell, ...]:
        return ((0, 0, 0), (1, 0, 0), (2, 0, 0), (random.randrange(3), 1, 0))


WAYS = ("up", "right", "down", "left")
L_SHAPE: tuple[Cell, ...] = ((0, 0, 0), (1, 0, 0), (2, 0, 0), (2, 1, 0))


@dataclass(frozen=True)
class Stripe:
    """A strip, three times as wide as high, with a mark."""

    at: int

    def draw(self, size: int) -> NDArray[np.uint8]:
        strip = np.full((size // 3, size, 3), 255, dtype=np.uint8)
        strip[:, self.at * size // 4 : (self.at + 1) * size // 4] = 0
        return strip


def picture(turns: int) -> Picture:
    sticker = Sticker((0, 0, 0), Direction.MINUS_Y, Colour("white"), Glyph("F", turns))
    body = Body("grey", Voxels.from_cells([(0, 0, 0)]), HOME, Colour("grey"), stickers=(sticker,))
    shots = (
        View("front", (Panel((0.0, -1.0, 0.0), (0.0, 0.0, 1.0)),)),
        View("aside", (Panel((0.6, -1.0, 0.5), (0.0, 0.0, 1.0)),)),
    )
    scene = Scene((body,), Bounds((0, 0, 0), (0, 0, 0)), views=shots)
    return Picture("die", scene, f"F{turns}")


@dataclass(frozen=True, slots=True)
class Rounds:
    """Three questions, each after what was said to those before; its state is the answers."""

    id: str
    turns: int

    def start(self) -> tuple[str, ...]:
        return ()

    def ask(self, state: Sequence[str]) -> Item[str] | None:
        step = len(state)
        if step == 3:
            return None
        gold = WAYS[(self.turns + step) % 4]
        text = f"Step {step}: {'wrong' if state and state[-1] != 'up' else 'well'}. Which way?"
        shown = (Picture("strip", Stripe(step), f"{step}"),)
        return Item(f"{self.id}/{step}", "Say up, right, down or left.", text, shown, Words(WAYS),
                    gold, follows=True)  # fmt: skip

    def after(self, state: Sequence[str], text: str) -> tuple[str, ...]:
        return (*state, text)


@dataclass(frozen=True, slots=True)
class DiceSuite:
    """See :class:`~bridge.items.suites.ItemSuite`."""

    name: str = "dice"
    version: str = "1"
    tasks: tuple[str, ...] = ("pairs", "rounds", "shapes")

    def subsets(self, options: "DiceOptions") -> tuple[Subset, ...]:
        chosen = options.choose_tasks(self.name, self.tasks)
        return tuple(Subset(t, options.n, {"spin": options.spin, "<b>": [1, 2]}) for t in chosen)

    def trials(self, subset: Subset) -> list[Trial[Any]]:
        return [_MAKERS[subset.variant](subset, seed) for seed in range(subset.count)]

    def scores(self, subset: Subset, ended: Sequence[EndedTrial]) -> Mapping[str, Json]:
        return compute_common_scores(ended)

    def tables(self, runs: Sequence[ScoredRun]) -> list[Table]:
        return [make_common_table("Dice", "By task.", runs)]


def _pair(subset: Subset, seed: int) -> Trial[Any]:
    spin = subset.options["spin"]
    assert isinstance(spin, int)
    turns = (spin + seed % 2 + seed // 2) % 4
    return Single(
        Item(
            f"pairs/{seed}",
            "Say up, right, down or left.",
            "Where is the top of the <i>letter</i>?",
            (picture(turns),),
            Words(WAYS),
            WAYS[turns],
            group=f"pair {seed // 2}",
        )
    )


def _rounds(subset: Subset, seed: int) -> Trial[Any]:
    return Rounds(f"rounds/{seed}", seed)


def _shape(subset: Subset, seed: int) -> Trial[Any]:
    item = Item(f"shapes/{seed}", "Cells as 0,0,0 1,0,0.", "Draw an L of four cells.", (), Cells(),
                L_SHAPE, key=SameShape.from_cells(L_SHAPE))  # fmt: skip
    return Single(item)


_MAKERS = {"pairs": _pair, "rounds": _rounds, "shapes": _shape}


@dataclass(frozen=True, slots=True)
class DiceOptions(AskOptions):
    """What is asked of dice."""

    spin: int = field(default=0, metadata={"help": "Quarter turns of all."})


@dataclass(frozen=True, slots=True)
class DiceBench:
    """See :class:`~bridge.items.suites.Asker`."""

    name: str = "dice"
    title: str = "Dice"
    suites: Mapping[str, str] = field(default_factory=lambda: {"dice": "dice"})
    options: type[DiceOptions] = DiceOptions
    item_suites: Mapping[str, type[ItemSuite]] = field(default_factory=lambda: {"dice": DiceSuite})


BENCH = DiceBench()
