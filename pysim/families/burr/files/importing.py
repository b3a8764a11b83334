"""From a design and one of its assemblies to a lock.

The assembly is one that the solver found, or one that a file holds.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from pysim.families.burr.files.design import (
    Design,
    DesignError,
    DrawnShape,
    PartUse,
    Problem,
    StoredAssembly,
)
from pysim.families.burr.files.placing import find_pose, fit_pose
from pysim.families.burr.lock import MAX_EXTENT, MAX_PIECES, Companions, Goal, Lock, Piece
from pysim.families.burr.notches import make_stick
from pysim.geometry import IDENTITY, Bounds, Cell, Pose, Voxels, subtract
from pysim.geometry.resting import find_stable_rotation
from pysim.scene import Colour

__all__ = [
    "PlacedPart",
    "check_pieces",
    "fix_assembly",
    "lock_of",
    "place_found_parts",
    "place_stored_parts",
]


@dataclass(frozen=True, slots=True)
class PlacedPart:
    """A copy of a part in an assembly.

    Attributes:
        part: place in the problem's parts.
        shape: its drawn cells, with the low corner of their bounds at the origin.
        pose: how it stands in the frame of the goal's drawing.
    """

    part: int
    shape: Voxels
    pose: Pose

    @property
    def cells(self) -> Voxels:
        """The cells that it fills."""
        return self.pose.place(self.shape)


def check_pieces(design: Design, problem: Problem, *, most: int = MAX_PIECES) -> None:
    """Refuse a problem of which no assembly can be a lock, before a long search for one.

    Args:
        design: holds the problem's shapes.
        problem: what is to be built.
        most: pieces that the lock may have.

    Raises:
        DesignError: the goal is empty, there are too many or too few pieces, or a piece that is
            used in every assembly can't be one of a lock; the message says what to do.
    """
    goal = design.shapes[problem.goal]
    if not goal.filled and not goal.variable:
        raise DesignError(
            f"the goal, shape S{problem.goal + 1}, is empty; draw what is to be built"
        )
    least = sum(part.minimum for part in problem.parts)
    if least > most:
        raise DesignError(f"a lock has up to {most} pieces; this problem needs {least:,}")
    if sum(part.maximum for part in problem.parts) < 2:
        raise DesignError("a lock has 2 pieces or more; this problem has fewer")
    for part in problem.parts:
        if part.minimum:
            _drawn(design, part)


def _drawn(design: Design, part: PartUse) -> Voxels:
    """Return the cells of a part's shape, with the low corner of their bounds at the origin."""
    shape, name = design.shapes[part.shape], f"shape S{part.shape + 1}"
    if not shape.filled:
        raise DesignError(f"{name} is empty; a piece needs a filled cell")
    cells = shape.voxels.move_to_origin()
    if max(cells.bounds.size) > MAX_EXTENT:
        raise DesignError(f"{name} is longer than {MAX_EXTENT} cells; draw it on a coarser grid")
    if not cells.is_connected:
        raise DesignError(f"{name} is not connected; join its cells, or make it two pieces")
    try:
        find_stable_rotation(cells, IDENTITY)
    except ValueError as error:
        raise DesignError(f"{name} can't be a piece of a lock: {error}") from None
    return cells


def place_found_parts(
    design: Design, problem: Problem, pieces: Sequence[tuple[int, Sequence[Cell]]]
) -> tuple[PlacedPart, ...]:
    """Return an assembly that the solver found: for each piece its part and its cells.

    Raises:
        DesignError: a piece can't be one of a lock.
    """
    drawn = _drawn_parts(design, problem, {part for part, _ in pieces})
    return tuple(
        _placed(problem, part, drawn[part], fit_pose(drawn[part], Voxels.from_cells(cells)))
        for part, cells in pieces
    )


def place_stored_parts(design: Design, problem: Problem, number: int) -> tuple[PlacedPart, ...]:
    """Return the assembly that the file holds under a number, from 0.

    Raises:
        DesignError: there is none, a piece can't be one of a lock, or the assembly contradicts the
            problem: it doesn't fill the goal, or needs a piece's mirror image.
    """
    stored = problem.assemblies
    if not stored:
        raise DesignError("the problem holds no stored assembly; search for one instead")
    if not 0 <= number < len(stored):
        raise DesignError(
            f"the problem holds the stored assemblies 0 to {len(stored) - 1}, no {number}"
        )
    try:
        placed = tuple(_stored(design, problem, stored[number]))
        _check_filling(design, problem, placed)
    except DesignError as error:
        raise DesignError(f"stored assembly {number}: {error}") from None
    return placed


def _stored(design: Design, problem: Problem, assembly: StoredAssembly) -> Iterator[PlacedPart]:
    owners = (i for i, part in enumerate(problem.parts) for _ in range(part.maximum))
    pairs = zip(owners, assembly.placements, strict=True)
    used = [(part, placement) for part, placement in pairs if placement is not None]
    if len(used) > MAX_PIECES:
        raise DesignError(f"a lock has up to {MAX_PIECES} pieces; it has {len(used):,}")
    drawn = _drawn_parts(design, problem, {part for part, _ in used})
    for part, placement in used:
        pose = find_pose(design.shapes[problem.parts[part].shape], placement)
        yield _placed(problem, part, drawn[part], pose)


def _drawn_parts(design: Design, problem: Problem, parts: Iterable[int]) -> dict[int, Voxels]:
    return {part: _drawn(design, problem.parts[part]) for part in sorted(parts)}


def _placed(problem: Problem, part: int, shape: Voxels, pose: Pose | None) -> PlacedPart:
    if pose is None:
        number = problem.parts[part].shape + 1
        raise DesignError(f"it needs the mirror image of shape S{number}; draw that as a shape")
    return PlacedPart(part, shape, pose)


def _check_filling(design: Design, problem: Problem, placed: Sequence[PlacedPart]) -> None:
    goal = design.shapes[problem.goal]
    filled: set[Cell] = set()
    for piece in placed:
        cells = piece.cells.cell_set
        if twice := cells & filled:
            raise DesignError(f"cell {min(twice)} is covered twice")
        filled |= cells
    if outside := filled - goal.filled - goal.variable:
        raise DesignError(f"cell {min(outside)} lies outside of the goal")
    if missing := goal.filled - filled:
        raise DesignError(f"cell {min(missing)} of the goal is not covered")
    used = Counter(piece.part for piece in placed)
    for i, part in enumerate(problem.parts):
        if used[i] < part.minimum:
            raise DesignError(f"of shape S{part.shape + 1} it uses {used[i]}, not {part.minimum}")


def lock_of(
    design: Design,
    problem: Problem,
    placed: Sequence[PlacedPart],
    goal: Goal,
    colours: Sequence[Colour],
) -> Lock:
    """Return the lock that an assembly is, with the low corner of its bounds at the origin.

    A shape's name may hold a burr piece number, which the piece keeps if the shape is that stick,
    and one colour for each of its copies, which they get if nobody else has it; all others get the
    first colours that are free.

    Args:
        design: holds the problem's shapes.
        problem: what is built.
        placed: the assembly.
        goal: what is to be done with the lock.
        colours: names to be handed out, in order.

    Raises:
        DesignError: there are more pieces than colours, or than a lock may have.
        InputError: the pieces can't be a lock.
    """
    most = min(MAX_PIECES, len(colours))
    if len(placed) > most:
        raise DesignError(f"a lock has up to {most} pieces; this assembly has {len(placed):,}")
    low = Bounds.cover(piece.cells.bounds for piece in placed).low
    pieces = tuple(
        Piece(colour, piece.shape, piece.pose.translate(subtract((0, 0, 0), low)), number)
        for colour, number, piece in zip(
            _colours(design, problem, placed, colours),
            _numbers(design, problem, placed),
            placed,
            strict=True,
        )
    )
    return Lock(pieces, goal, tuple(_companions(problem, placed)))


def _by_part(placed: Sequence[PlacedPart]) -> Mapping[int, list[int]]:
    """Part -> the places of its copies."""
    copies: dict[int, list[int]] = {}
    for i, piece in enumerate(placed):
        copies.setdefault(piece.part, []).append(i)
    return copies


def _colours(
    design: Design, problem: Problem, placed: Sequence[PlacedPart], colours: Sequence[Colour]
) -> list[Colour]:
    """Return a colour for each piece: the one that its shape's name says, or the next."""
    known = set(colours)
    given: dict[int, Colour] = {}
    for part, copies in _by_part(placed).items():
        words = design.shapes[problem.parts[part].shape].name.lower().split()
        words = words[1:] if words and words[0].isdecimal() else words
        if len(words) == len(copies):
            for i, word in zip(copies, map(Colour, words), strict=True):
                if word in known:
                    known.remove(word)
                    given[i] = word
    free = (colour for colour in colours if colour in known)
    return [given[i] if i in given else next(free) for i in range(len(placed))]


def _numbers(
    design: Design, problem: Problem, placed: Sequence[PlacedPart]
) -> Iterator[int | None]:
    for piece in placed:
        yield _stick_number(design.shapes[problem.parts[piece.part].shape].name, piece.shape)


def _stick_number(name: str, shape: Voxels) -> int | None:
    """Return the burr piece number with which a name begins, if the shape is that stick."""
    word = name.partition(" ")[0]
    if not (word.isascii() and word.isdecimal() and len(word) <= 4):
        return None
    try:
        stick = make_stick(int(word), shape.bounds.size[0])
    except ValueError:
        return None
    return int(word) if stick == shape else None


def _companions(problem: Problem, placed: Sequence[PlacedPart]) -> Iterator[Companions]:
    """Yield the companions that the problem's groups name; groups that join no two are left out."""
    copies = _by_part(placed)
    members: dict[int, list[tuple[frozenset[int], int]]] = {}
    for i, part in enumerate(problem.parts):
        for group, count in part.memberships:
            # BurrTools takes group 0 for none.
            if group and count and i in copies:
                most = min(count, len(copies[i]))
                members.setdefault(group, []).append((frozenset(copies[i]), most))
    for group in sorted(members):
        if sum(most for _, most in members[group]) > 1:
            yield Companions(tuple(members[group]))


def fix_assembly(design: Design, problem: Problem, placed: Sequence[PlacedPart]) -> Design:
    """Return a design with one problem that only this assembly solves.

    Every piece has a colour of its own, and only the cells that it fills take that colour. Of a
    group that takes fewer copies of a part than there are, all copies are members: the design comes
    apart no later than the problem does.
    """
    goal = design.shapes[problem.goal]
    painted = {c: i for i, piece in enumerate(placed, start=1) for c in piece.cells.cells}
    shapes = [DrawnShape(goal.size, frozenset(painted), colours=painted)]
    parts = []
    for i, piece in enumerate(placed, start=1):
        part, cells = problem.parts[piece.part], piece.cells.move_to_origin()
        weight = design.shapes[part.shape].weight
        colours = dict.fromkeys(cells.cells, i)
        shapes.append(DrawnShape(cells.bounds.size, cells.cell_set, colours=colours, weight=weight))
        groups = tuple((group, 1) for group, count in part.groups if count)
        parts.append(PartUse(i, 1, 1, part.group, groups))
    allowed = frozenset((i, i) for i in range(1, len(placed) + 1))
    alone = replace(problem, parts=tuple(parts), goal=0, allowed=allowed, assemblies=())
    return Design(tuple(shapes), (replace(alone, max_holes=None),))
