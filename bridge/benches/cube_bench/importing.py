"""Cube Bench's samples, as the generator of its authors makes them by seed, written as JSON.

A sample has ``scramble_cube``, the net that their simulator prints, ``options`` with four move
sequences A to D, ``correct_option`` and ``front_face_colors``. Their yellow face is on top: cubes
are repainted by their centres, so that moves keep their names. A row may have ``scramble`` with
moves from the solved cube instead of a net.
"""

from collections.abc import Mapping, Sequence

from bridge.benches.cube_bench.condition import DEEPEST
from bridge.benches.cube_bench.forms import OPTIONS
from bridge.benches.cube_bench.given import GivenState, read_state, write_state
from bridge.runs.importing import AuthorFile, Imported, PublishedRow, read_rows
from pysim.errors import InputError
from pysim.families.rubik.cube import Cube, make_cube
from pysim.families.rubik.faces import Face
from pysim.families.rubik.moves import Metric, Move, parse_moves
from pysim.families.rubik.solver.meet_in_middle import create_meet_in_middle
from pysim.families.rubik.strings import ReadCubes, read_net
from pysim.field_types import Json
from pysim.limits import quote

__all__ = ["import_samples"]

_SUITE = "cube-bench"


def import_samples(files: Sequence[AuthorFile], name: str = "") -> Imported:
    """Read samples of the generator.

    Args:
        files: as their authors published them.
        name: of the suite, of which the items need none.

    Raises:
        InputError: a row is damaged or of another kind.
    """
    rows = [row for file in files for row in read_rows(file)]
    read = [_state(row) for row in rows]
    notes = []
    if any(is_repainted for _, is_repainted in read):
        notes.append("cubes are repainted so that U is white and R red; moves keep their names")
    plain = sum(not state.options and state.depth == 1 for state, _ in read)
    if plain:
        notes.append(f"{plain} cubes one move from solved have no options: they are drawn")
    items = tuple(write_state(state) for state, _ in read)
    return Imported(suite=_SUITE, items=items, notes=tuple(notes))


def _state(row: PublishedRow) -> tuple[GivenState, bool]:
    """Return a state, and whether it is repainted."""
    value = row.value
    if not isinstance(value, Mapping) or not {"scramble_cube", "scramble"} & set(value):
        raise row.refuse("a sample is an object with scramble_cube or scramble")
    try:
        cube, is_repainted = _cube(row, value)
        depth = _depth(cube)
        _check_front(value, cube, is_repainted)
        options = _options(value) if depth == 1 else []
        document = write_state(GivenState(cube, depth)) | ({"options": options} if options else {})
        state = read_state(document)
        _check_answer(value, state)
    except InputError as error:
        raise row.refuse(str(error)) from None
    return state, is_repainted


def _cube(row: PublishedRow, value: Mapping[str, Json]) -> tuple[Cube, bool]:
    net, moves = value.get("scramble_cube"), value.get("scramble")
    if isinstance(net, str):
        read: ReadCubes = read_net(net)
        return read.cubes[0], read.is_repainted
    if "scramble_cube" not in value and isinstance(moves, str):
        return make_cube(parse_moves(moves)), False
    raise row.refuse("scramble_cube is the text of a net, and scramble one of moves")


def _depth(cube: Cube) -> int:
    moves = create_meet_in_middle(Metric.HTM, DEEPEST // 2).solve(cube)
    if moves is None:
        raise InputError(f"the cube is more than {DEEPEST} face turns from solved")
    if not moves:
        raise InputError("the cube is solved")
    return len(moves)


def _check_front(value: Mapping[str, Json], cube: Cube, is_repainted: bool) -> None:
    """Compare the front face that the sample states; colours stand for faces in any scheme."""
    front = value.get("front_face_colors")
    if front is None:
        return
    told = _cells(front)
    if len(told) != 9 or not all(isinstance(cell, str) for cell in told):
        raise InputError("front_face_colors are 3 x 3 names of colours")
    start = 9 * Face.F.number
    own = [face.value for face in cube.list_colours()[start : start + 9]]
    pairs = {(str(a), b) for a, b in zip(told, own, strict=True)}
    if len({a for a, _ in pairs}) < len(pairs) or len({b for _, b in pairs}) < len(pairs):
        raise InputError("front_face_colors are not those of the net")


def _cells(front: Json) -> list[Json]:
    """Return the cells of nested lists; none of something else."""
    lines = front if isinstance(front, list) else []
    return [cell for line in lines if isinstance(line, list) for cell in line]


def _options(value: Mapping[str, Json]) -> list[Json]:
    """Return the four moves A to D; none if the sample has none, or sequences of several."""
    options = value.get("options")
    if options is None:
        return []
    if not isinstance(options, Mapping) or sorted(options) != [o.value for o in OPTIONS]:
        raise InputError("options are an object with A, B, C and D")
    texts = [options[letter.value] for letter in OPTIONS]
    if not all(isinstance(text, str) for text in texts):
        raise InputError("an option is a text of moves")
    moves = [parse_moves(str(text)) for text in texts]
    return [str(one[0]) for one in moves] if all(len(one) == 1 for one in moves) else []


def _check_answer(value: Mapping[str, Json], state: GivenState) -> None:
    told = value.get("correct_option")
    if not state.options or told is None:
        return
    if told not in [option.value for option in OPTIONS]:
        raise InputError(f"correct_option is A, B, C or D, not {quote(told)}")
    move: Move = state.options["ABCD".index(str(told))]
    if not state.cube.turn([move]).solved:
        raise InputError(f"its correct_option {told}, {move}, does not solve the cube")
