"""MARBLE's M-Cube as it is published: rows of its data set ``mrble/MARBLE``, as JSON.

A row of ``cube`` and ``cube_easy`` has ``face_arrays``, six arrays of 5 x 5 ones and zeros (a list,
or an object by letter), ``question`` and ``reference_solution``; one of ``cube_perception`` has
``answer``, one such array. Pictures are not read: Luban draws the pieces itself. Rows of M-Portal
ask about screenshots and can't be taken over.

A row of ``cube_easy`` says in its question where the given pieces are. A key ``given`` of the
reader's own, with lines like ``A: (Top, 3, 2)``, is taken in its place.
"""

from collections.abc import Iterable, Mapping, Sequence

from bridge.benches.mcube.given import LETTERS, AskedCube, read_cube, read_places, write_cube
from bridge.runs.importing import AuthorFile, Imported, PublishedRow, read_rows
from pysim.errors import InputError
from pysim.families.jigsaw.faces import SIDE, Seat
from pysim.families.jigsaw.fitting import is_cube
from pysim.field_types import Json

__all__ = ["import_cubes"]

_PORTAL = frozenset({"map_name", "user_prompt", "system_prompt"})


def import_cubes(files: Sequence[AuthorFile], name: str = "") -> Imported:
    """Read rows of one subtask.

    Args:
        files: as their authors published them.
        name: of the suite, of which the items need none.

    Raises:
        InputError: a row is damaged or of another kind, or the rows are of several subtasks.
    """
    rows = [row for file in files for row in read_rows(file)]
    kinds = {_suite(row): row for row in rows}
    if len(kinds) > 1:
        one, other = list(kinds)[:2]
        raise kinds[other].refuse(f"a row of {other} among rows of {one}: import them one by one")
    (suite,) = kinds
    cubes = [_cube(row, suite) for row in rows]
    return Imported(suite=suite, items=tuple(map(write_cube, cubes)), notes=_notes(suite))


def _notes(suite: str) -> tuple[str, ...]:
    redrawn = "pictures are not read: the pieces are drawn anew"
    if suite == "mcube":
        return (redrawn, "no row says that a piece is in place: all six are asked for")
    return (redrawn,) if suite == "mcube-perception" else ()


def _suite(row: PublishedRow) -> str:
    value = row.value
    if not isinstance(value, Mapping):
        raise row.refuse("a row is an object with face_arrays, or with answer")
    if _PORTAL & set(value):
        raise row.refuse("rows of M-Portal ask about screenshots, which can't be taken over")
    if "face_arrays" in value:
        return "mcube-easy" if "given" in value or _given(row, value) else "mcube"
    if "answer" in value:
        return "mcube-perception"
    raise row.refuse("it has neither face_arrays nor answer")


def _given(row: PublishedRow, value: Mapping[str, Json]) -> dict[int, Seat]:
    """Return the pieces that are in place: those of ``given``, or those that the question names.

    Places in a question that contradict the solution are examples of how to answer.
    """
    try:
        given = read_places(value.get("given", value.get("question", "")))
    except InputError as error:
        if "given" in value:
            raise row.refuse(f"given: {error}") from None
        return {}
    if "given" in value:
        if not 1 <= len(given) < len(LETTERS):
            raise row.refuse("given: it names one to five pieces")
        return given
    solved = _solution(row, value)
    is_example = len(given) == len(LETTERS) or any(solved.get(i, s) != s for i, s in given.items())
    return {} if is_example else given


def _cube(row: PublishedRow, suite: str) -> AskedCube:
    value = row.value
    assert isinstance(value, Mapping)
    if suite == "mcube-perception":
        return _read(row, {"pieces": [_drawn(row, value["answer"])]})
    arrays = value["face_arrays"]
    if isinstance(arrays, Mapping):
        if sorted(arrays) != list(LETTERS):
            raise row.refuse("the arrays of an object are called A to F")
        arrays = [arrays[letter] for letter in LETTERS]
    if not isinstance(arrays, list) or len(arrays) != len(LETTERS):
        raise row.refuse("face_arrays are six arrays")
    given = _given(row, value) if suite == "mcube-easy" else {}
    places = _places(row, value, given)
    missing = "".join(LETTERS[i] for i in range(6) if i not in given)
    lines = "\n".join(
        f"{LETTERS[i]}: ({seat.face}, {seat.left.number}, {seat.top.number})"
        for i, seat in sorted(places.items())
    )
    pieces: list[Json] = [_drawn(row, array) for array in arrays]
    cube = _read(row, {"pieces": pieces, "places": lines, "missing": missing})
    _check(row, cube)
    return cube


def _solution(row: PublishedRow, value: Mapping[str, Json]) -> dict[int, Seat]:
    if "reference_solution" not in value:
        raise row.refuse("it has no reference_solution")
    try:
        return read_places(value["reference_solution"])
    except InputError as error:
        raise row.refuse(f"reference_solution: {error}") from None


def _places(
    row: PublishedRow, value: Mapping[str, Json], given: Mapping[int, Seat]
) -> dict[int, Seat]:
    """Return the places of the reference solution, those of given pieces among them."""
    found = _solution(row, value)
    for i, seat in given.items():
        if found.setdefault(i, seat) != seat:
            raise row.refuse(f"piece {LETTERS[i]} is given at one place and solved at another")
    if lost := [LETTERS[i] for i in range(6) if i not in found]:
        raise row.refuse(f"reference_solution has no place for {', '.join(lost)}")
    return found


def _drawn(row: PublishedRow, array: Json) -> str:
    if not _is_square(array) or not all(cell in (0, 1) for line in _cells(array) for cell in line):
        raise row.refuse("a piece is an array of 5 x 5 ones and zeros")
    return "/".join("".join("#" if cell else "." for cell in line) for line in _cells(array))


def _is_square(array: Json) -> bool:
    return (
        isinstance(array, list)
        and len(array) == SIDE
        and all(isinstance(line, list) and len(line) == SIDE for line in array)
    )


def _cells(array: Json) -> Iterable[Sequence[Json]]:
    assert isinstance(array, list)
    return [line for line in array if isinstance(line, list)]


def _read(row: PublishedRow, document: Mapping[str, Json]) -> AskedCube:
    try:
        return read_cube(document)
    except InputError as error:
        raise row.refuse(str(error)) from None


def _check(row: PublishedRow, cube: AskedCube) -> None:
    if not is_cube(cube.pieces, cube.places):
        raise row.refuse("its reference_solution does not close the cube")
