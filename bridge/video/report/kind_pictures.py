"""Pictures that explain kinds of violations: a few frames, drawn with blocks."""

from dataclasses import dataclass

from bridge.video.verdict.violations import ViolationKind

__all__ = ["Block", "KindPicture", "list_kind_pictures"]

_RED, _BLUE, _GREEN = "#d55e00", "#0072b2", "#009e73"


@dataclass(frozen=True, slots=True)
class Block:
    """A block of a picture that is 100 wide and 60 high.

    Attributes:
        x, y, width, height: its place.
        color: of its face.
        turn: degrees about its middle, clockwise.
        is_clear: whether one sees through it.
    """

    x: float
    y: float
    width: float = 20.0
    height: float = 20.0
    color: str = _RED
    turn: float = 0.0
    is_clear: bool = False


@dataclass(frozen=True, slots=True)
class KindPicture:
    """Explanation of a kind.

    Attributes:
        kind: its name.
        words: what is wrong.
        frames: what is seen, one frame after another.
        grounds: colour of what is behind, for each frame.
    """

    kind: str
    words: str
    frames: tuple[tuple[Block, ...], ...]
    grounds: tuple[str, ...]


def list_kind_pictures() -> list[KindPicture]:
    """Return the explanations of all kinds, in their order."""
    return [_explain(kind) for kind in ViolationKind]


def _explain(kind: ViolationKind) -> KindPicture:
    words, frames = _PICTURES[kind]
    plain = "#f2f2f4"
    changed = "#cfe3d4" if kind is ViolationKind.BACKGROUND else plain
    return KindPicture(kind.value, words, frames, (*(plain for _ in frames[1:]), changed))


_WALLS = (Block(10, 4, 80, 14, _BLUE), Block(10, 40, 80, 14, _BLUE))
"""Two pieces, with a channel between them along which another one goes."""
_BESIDE = Block(66, 30, color=_BLUE)

_PICTURES: dict[ViolationKind, tuple[str, tuple[tuple[Block, ...], ...]]] = {
    ViolationKind.PERMANENCE: (
        "A piece vanishes, or is there again, though nothing hides it.",
        ((Block(14, 30), _BESIDE), (_BESIDE,), (Block(14, 30), _BESIDE)),
    ),
    ViolationKind.RIGIDITY: (
        "A piece grows, shrinks, bends, or shows what it never had on it.",
        ((Block(14, 30), _BESIDE), (Block(14, 22, 34, 28), _BESIDE)),
    ),
    ViolationKind.SWAP: (
        "Two pieces change places or colours at once.",
        ((Block(14, 30), _BESIDE), (Block(14, 30, color=_BLUE), Block(66, 30))),
    ),
    ViolationKind.MERGE: (
        "A piece melts into another one, or takes its colour.",
        ((Block(24, 30), Block(54, 30, color=_BLUE)), (Block(32, 30, 36, 20, _BLUE),)),
    ),
    ViolationKind.SPLIT: (
        "A piece comes apart, or a part of it is elsewhere.",
        ((Block(30, 30, 40),), (Block(12, 30), Block(68, 30))),
    ),
    ViolationKind.EXTRA: (
        "There is a second piece like one that is there, more of one, or a thing that is no piece.",
        ((Block(14, 30), _BESIDE), (Block(14, 30), Block(40, 30), _BESIDE)),
    ),
    ViolationKind.TELEPORT: (
        "A piece is elsewhere in the next frame, without having gone there.",
        ((Block(8, 30), Block(38, 30, color=_BLUE)), (Block(72, 30), Block(38, 30, color=_BLUE))),
    ),
    ViolationKind.INTERPENETRATION: (
        "Two pieces are in the same place.",
        (
            (Block(14, 30), Block(54, 30, color=_BLUE)),
            (Block(40, 30, is_clear=True), Block(52, 30, color=_BLUE, is_clear=True)),
        ),
    ),
    ViolationKind.DIAGONAL: (
        "A piece that others hold leaves its straight line.",
        ((*_WALLS, Block(16, 20, 18, 18)), (*_WALLS, Block(44, 28, 18, 18))),
    ),
    ViolationKind.ROTATION: (
        "A piece that others hold is turned.",
        ((*_WALLS, Block(30, 20, 34, 18)), (*_WALLS, Block(30, 20, 34, 18, turn=35.0))),
    ),
    ViolationKind.ILLEGAL: (
        "A piece goes where another one is in its way.",
        (
            (Block(8, 30), Block(42, 20, 14, 32, _BLUE)),
            (Block(38, 30), Block(42, 20, 14, 32, _BLUE)),
            (Block(72, 30), Block(42, 20, 14, 32, _BLUE)),
        ),
    ),
    ViolationKind.ORDER: (
        "A piece comes free before the one that holds it is gone.",
        (
            (*_WALLS, Block(14, 20, 66, 18), Block(44, 4, 12, 50, _GREEN)),
            (*_WALLS, Block(70, 20, 66, 18), Block(44, 4, 12, 50, _GREEN)),
        ),
    ),
    ViolationKind.BACKGROUND: (
        "The floor or the wall behind the pieces changes.",
        ((Block(14, 30), _BESIDE), (Block(14, 30), _BESIDE)),
    ),
}
