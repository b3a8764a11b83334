"""CubeBench's states, as strings of 54 letters: each becomes a level in all four settings.

A file is JSON or lines of text. In JSON, states are texts, or objects with ``state`` and, if known,
``depth`` and ``solution``, in lists and objects of any depth; a key with a number in it, like
``"8"`` or ``"depth_8"``, is the depth of what it holds. A line of text is a state, with its depth
before it or not. The order of letters is the one in which all states of a file are cubes.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from bridge.runs.importing import AuthorFile, Imported, ImportRefused, read_rows
from pysim.catalog import AnyLevel, check_id, compute_content_hash
from pysim.errors import InputError
from pysim.families.rubik.cube import Cube
from pysim.families.rubik.family import FAMILY
from pysim.families.rubik.moves import Metric, Move, format_moves, parse_moves
from pysim.families.rubik.planner import plan_for, plan_of
from pysim.families.rubik.puzzle import CubePuzzle, Setting
from pysim.families.rubik.solver.meet_in_middle import create_meet_in_middle
from pysim.families.rubik.strings import ReadCubes, read_letters
from pysim.field_types import Json
from pysim.options import is_whole
from pysim.puzzle import Fact, Level, Plan, Source, Tier

__all__ = ["import_states"]

BUDGET = 200
CHECKED = 8
"""Up to so many face turns depths are checked."""
MOST_STATES = 2_000
_DEEPEST = 20
_LINE = re.compile(r"(?:depth\W*)?(?:(\d{1,2})[\s,;:]+)?([A-Za-z]{54})", re.IGNORECASE)
_STATE_KEYS = ("state", "cube", "initial_state", "facelets")
_DEPTH_KEYS = ("depth", "level", "optimal_length")


@dataclass(frozen=True, slots=True)
class _Stated:
    """A state as a file gives it.

    Attributes:
        where: in the file, for messages.
        letters: the 54.
        depth: as stated; None if it is not.
        solution: moves that solve it; empty if none are stated.
    """

    where: str
    letters: str
    depth: int | None = None
    solution: str = ""


@dataclass(frozen=True, slots=True)
class _Known:
    """A state of which the depth is known."""

    stated: _Stated
    cube: Cube
    depth: int
    plan: Plan
    facts: Mapping[str, Fact]


def import_states(files: Sequence[AuthorFile], name: str) -> Imported:
    """Read states into levels.

    Raises:
        InputError: a state is no cube, is solved, or its depth is wrong or unknown.
    """
    levels: list[AnyLevel] = []
    notes: list[str] = []
    numbers: dict[int, int] = {}
    for file in files:
        stated = list(_stated(file))
        read = _read(file, [one.letters for one in stated])
        notes.append(f"{file.name}: {len(stated)} states in the order {read.order}")
        if read.is_repainted:
            notes.append(f"{file.name}: cubes are repainted, their centres were {read.scheme}")
        for one, cube in zip(stated, read.cubes, strict=True):
            known = _known(one, cube)
            number = numbers[known.depth] = numbers.get(known.depth, 0) + 1
            levels += _levels(known, f"{name}-d{known.depth:02}-{number}", read.order)
    order = list(Setting)
    levels.sort(key=lambda level: order.index(level.puzzle.setting))
    return Imported(levels=tuple(levels), notes=tuple(notes))


def _stated(file: AuthorFile) -> Iterator[_Stated]:
    if PurePosixPath(file.name).suffix.lower() == ".txt":
        found = list(_in_lines(file))
    else:
        found = [one for row in read_rows(file) for one in _in_json(row.where, row.value, None)]
    if not found:
        raise ImportRefused(f"{file.name}: it holds no state of 54 letters")
    if len(found) > MOST_STATES:
        raise ImportRefused(f"{file.name}: it has {len(found):,} states, more than {MOST_STATES:,}")
    return iter(found)


def _in_lines(file: AuthorFile) -> Iterator[_Stated]:
    for number, line in enumerate(file.text.splitlines(), 1):
        if not line.strip():
            continue
        match = _LINE.fullmatch(line.strip())
        if match is None:
            raise ImportRefused(f"{file.name}, line {number}: a line is a depth and 54 letters")
        depth = int(match[1]) if match[1] else None
        yield _Stated(f"{file.name}, line {number}", match[2], depth)


def _in_json(where: str, value: Json, depth: int | None) -> Iterator[_Stated]:
    """Yield the states in a JSON value, with the depth of the key that holds them."""
    if isinstance(value, str):
        yield _Stated(where, value, depth)
    elif isinstance(value, list):
        for number, inner in enumerate(value, 1):
            yield from _in_json(f"{where}, entry {number}", inner, depth)
    elif isinstance(value, Mapping):
        state = next((value[key] for key in _STATE_KEYS if isinstance(value.get(key), str)), None)
        if state is not None:
            yield _of_object(where, value, str(state), depth)
            return
        for key, inner in value.items():
            if isinstance(inner, list | Mapping) or _is_state(inner):
                yield from _in_json(f"{where}, {key[:40]}", inner, _number_in(key) or depth)


def _is_state(value: Json) -> bool:
    return isinstance(value, str) and len("".join(value.split())) == 54


def _of_object(where: str, value: Mapping[str, Json], state: str, depth: int | None) -> _Stated:
    told = next((value[key] for key in _DEPTH_KEYS if key in value), depth)
    if told is not None and not is_whole(told):
        raise ImportRefused(f"{where}: its depth is a whole number")
    solution = value.get("solution", "")
    if isinstance(solution, list):
        solution = " ".join(map(str, solution))
    if not isinstance(solution, str):
        raise ImportRefused(f"{where}: its solution is a text or a list of moves")
    return _Stated(where, state, told, solution)


def _number_in(key: str) -> int | None:
    found = re.search(r"\d+", key)
    return int(found[0][:4]) if found else None


def _read(file: AuthorFile, letters: Sequence[str]) -> ReadCubes:
    try:
        return read_letters(letters)
    except InputError as error:
        raise ImportRefused(f"{file.name}: {error}") from None


def _known(stated: _Stated, cube: Cube) -> _Known:
    """Return a state with its depth, which is checked as far as that is cheap."""
    near = create_meet_in_middle(Metric.HTM, CHECKED // 2).solve(cube)
    depth = stated.depth if near is None else len(near)
    if cube.solved:
        raise ImportRefused(f"{stated.where}: the cube is solved")
    if depth is None:
        raise ImportRefused(
            f"{stated.where}: its depth is not stated, and more than {CHECKED} face turns"
        )
    if stated.depth not in (None, depth):
        raise ImportRefused(f"{stated.where}: its depth is {depth}, not {stated.depth}")
    if not depth <= _DEEPEST or (near is None and depth <= CHECKED):
        raise ImportRefused(f"{stated.where}: no cube at depth {depth} looks so")
    moves = near or _solution(stated, cube)
    plan = plan_of(moves, 1) if moves and near is None else plan_for(cube)
    facts: dict[str, Fact] = {"depth_htm": depth}
    if moves and len(moves) == depth:
        facts["solution_htm"] = format_moves(moves)
    searched = depth - 1 if near is not None else CHECKED
    facts["certificate_htm"] = (
        f"all sequences of up to {searched} face turns searched: none solves it"
        + ("" if near is not None else "; the depth is the file's")
    )
    return _Known(stated, cube, depth, plan, facts)


def _solution(stated: _Stated, cube: Cube) -> tuple[Move, ...]:
    try:
        moves = parse_moves(stated.solution)
    except InputError as error:
        raise ImportRefused(f"{stated.where}: solution: {error}") from None
    if moves and not cube.turn(moves).solved:
        raise ImportRefused(f"{stated.where}: its solution does not solve it")
    return moves


def _levels(known: _Known, prefix: str, order: str) -> Iterator[AnyLevel]:
    """Yield a state's level in each setting."""
    tier = Tier.EASY if known.depth <= 4 else Tier.MEDIUM if known.depth <= 12 else Tier.HARD
    for setting in Setting:
        puzzle = CubePuzzle(known.cube, setting)
        yield Level(
            id=check_id(f"{prefix}-{setting}"),
            family=FAMILY.name,
            name=f"depth {known.depth}, {known.stated.where}, {setting}"[:200],
            tier=tier,
            budget=BUDGET,
            puzzle=puzzle,
            colours=FAMILY.colours(puzzle),
            plan=known.plan,
            source=Source("unattributed", f"{known.stated.where}, order {order}"[:200]),
            hash=compute_content_hash(FAMILY, puzzle, BUDGET),
            facts=known.facts,
        )
