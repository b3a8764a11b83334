"""Reading and writing ``.xmpuzzle``, the format of BurrTools, in which designers share burrs.

A gzipped or plain XML text: drawn shapes, and problems that use them. The format has no written
standard; what is read and written here is what BurrTools 0.6 reads and writes, on its cubic grid.
Left out are the state of an unfinished search and elements that the format does not have.
"""

import gzip
import io
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from math import prod
from pathlib import Path

from pysim.families.burr.files.design import (
    ANY,
    Design,
    DesignError,
    DrawnShape,
    PartUse,
    Problem,
    StoredAssembly,
    StoredSearch,
)
from pysim.families.burr.files.xmlreader import Element, check_text, load_bytes, read_xml
from pysim.geometry import Cell

__all__ = ["MAX_CELLS", "MAX_PIECES", "MAX_VOLUME", "read_xmpuzzle", "write_xmpuzzle"]

MAX_CELLS = 300_000
"""Filled and variable cells of all shapes of a design together."""
MAX_VOLUME = 4_000_000
"""Cells of the boxes in which all shapes of a design are drawn, together."""
MAX_PIECES = 10_000
"""Copies of all parts of a problem together."""
MAX_PLACEMENTS = 200_000
"""Places of pieces in all stored assemblies of a design together."""
MAX_COLOURS = 63
MAX_NUMBER = 1_000_000
"""Bound of coordinates, weights and group numbers."""
MAX_COUNT = 2**53
"""Bound of what is only reported: numbers found, seconds."""

_GRIDS = ("cubes", "triangular prisms", "spheres", "rhombic tetrahedra", "tetrahedra-octahedra")
_SEPARATIONS = ("separation", "separationInfo")
_UNSOLVED, _SOLVING, _SOLVED = range(3)
_AXES = ("x", "y", "z")
_INTEGER = re.compile(r"\s*([+-]?[0-9]{1,16})\s*")
_STRAY = re.compile("[^-+x0-9 \t\r\n]")
_COLOURED = re.compile("(.?)([0-9]+)", re.DOTALL)
_ESCAPES = str.maketrans({c: f"&#{ord(c)};" for c in '&<>"\t\n\r'})


def read_xmpuzzle(source: bytes | Path) -> Design:
    """Return a design from the content of an ``.xmpuzzle`` file, or from its path.

    Raises:
        DesignError: it can't be read, is damaged, too large, on another grid than cubes, or
            contradicts itself; the message says what and where, with shapes named S1, S2, ... and
            problems P1, P2, ... as BurrTools does.
    """
    root = read_xml(load_bytes(source), verbatim=_SEPARATIONS)
    if root.tag != "puzzle":
        raise DesignError(f"the file holds a {_shown(root.tag)}, not a puzzle")
    version = _integer(root, "version", 0, MAX_NUMBER)
    if version not in (1, 2):
        raise DesignError(f"version {version} of the format is not known")
    _check_grid(root.find("gridType"))
    palette = _read_palette(root.find("colors"))
    shapes = _read_shapes(root.get("shapes"), len(palette))
    problems: list[Problem] = []
    room = MAX_PLACEMENTS
    for i, problem in enumerate(root.get("problems").find_all("problem"), start=1):
        with _within(f"problem P{i}"):
            problems.append(_read_problem(problem, len(shapes), len(palette), room))
        room -= sum(len(assembly.placements) for assembly in problems[-1].assemblies)
    comment = root.find("comment") or Element("comment", {})
    return Design(shapes, tuple(problems), palette, comment.text, "popup" in comment.attributes)


def _check_grid(grid: Element | None) -> None:
    if grid is None:  # BurrTools takes it for cubes too
        return
    number = _integer(grid, "type", -MAX_NUMBER, MAX_NUMBER)
    if number != 0:
        name = _GRIDS[number] if 0 < number < len(_GRIDS) else "which is not known"
        raise DesignError(f"the puzzle is on grid {number} ({name}); only cubes (0) can be read")


def _read_palette(colours: Element | None) -> tuple[tuple[int, int, int], ...]:
    found = [] if colours is None else list(colours.find_all("color"))
    if len(found) > MAX_COLOURS:
        raise DesignError(f"a puzzle may have {MAX_COLOURS} colours, not {len(found):,}")
    red, green, blue = ([_integer(c, n, 0, 255) for c in found] for n in ("red", "green", "blue"))
    return tuple(zip(red, green, blue, strict=True))


def _read_shapes(element: Element, colours: int) -> tuple[DrawnShape, ...]:
    shapes: list[DrawnShape] = []
    cells, volume = MAX_CELLS, MAX_VOLUME
    for i, voxel in enumerate(element.find_all("voxel"), start=1):
        with _within(f"shape S{i}"):
            shape = _read_shape(voxel, cells, volume, colours)
        shapes.append(shape)
        cells -= len(shape.filled) + len(shape.variable)
        volume -= prod(shape.size)
    return tuple(shapes)


def _read_shape(voxel: Element, cells: int, volume: int, colours: int) -> DrawnShape:
    x, y, z = (_integer(voxel, axis, 1, MAX_NUMBER) for axis in _AXES)
    if x * y * z > volume:
        raise DesignError(f"all drawings together may have {MAX_VOLUME:,} cells, empty ones too")
    if _integer(voxel, "type", 0, MAX_NUMBER, absent=0) != 0:
        raise DesignError(f"drawings of type {voxel.attributes['type']} are not known")
    # A cell is written with one to three characters; what is far too long is not worth a look.
    text = voxel.text.strip()[: 3 * x * y * z + 1]
    drawing = re.sub("[0-9]+", "", text)
    if stray := re.search("[^#+_]", drawing):
        raise DesignError(f"a drawing is made of # + _ and digits, not {stray[0]!r}")
    if len(drawing) != x * y * z:
        raise DesignError(f"{x} x {y} x {z} cells are announced, {len(drawing):,} are drawn")
    if drawing.count("#") + drawing.count("+") > cells:
        raise DesignError(f"all drawings together may have {MAX_CELLS:,} filled cells")
    hx, hy, hz = (_integer(voxel, f"h{a}", -MAX_NUMBER, MAX_NUMBER, absent=0) for a in _AXES)
    return DrawnShape(
        size=(x, y, z),
        filled=frozenset(_cell(m.start(), x, y) for m in re.finditer("#", drawing)),
        variable=frozenset(_cell(m.start(), x, y) for m in re.finditer("[+]", drawing)),
        colours={_cell(i, x, y): colour for i, colour in _coloured(text, colours)},
        hotspot=(hx, hy, hz),
        name=voxel.attributes.get("name", ""),
        weight=_integer(voxel, "weight", -MAX_NUMBER, MAX_NUMBER, absent=1),
    )


def _coloured(text: str, colours: int) -> Iterator[tuple[int, int]]:
    """(index of a cell, its colour constraint) for each cell of a drawing that has one."""
    digits = 0
    for match in _COLOURED.finditer(text):
        if match[1] not in ("#", "+"):
            raise DesignError("a colour is given where no cell is filled")
        if len(match[2]) > 2 or int(match[2]) > colours:
            raise DesignError(f"there is no colour {match[2][:10]}, only {colours}")
        if int(match[2]):
            yield match.start() - digits, int(match[2])
        digits += len(match[2])


def _cell(index: int, x: int, y: int) -> Cell:
    return (index % x, index // x % y, index // (x * y))


def _read_problem(element: Element, shapes: int, colours: int, room: int) -> Problem:
    parts = tuple(_read_part(shape, shapes) for shape in element.get("shapes").find_all("shape"))
    pieces = sum(part.maximum for part in parts)
    if pieces > MAX_PIECES:
        raise DesignError(f"a problem may have {MAX_PIECES:,} pieces, not {pieces:,}")
    holes = element.attributes.get("maxHoles")
    solutions = list((element.find("solutions") or Element("solutions", {})).find_all("solution"))
    if len(solutions) * pieces > room:
        raise DesignError(f"a file may hold the places of {MAX_PLACEMENTS:,} pieces")
    return Problem(
        name=element.attributes.get("name", ""),
        parts=parts,
        goal=_integer(element.get("result"), "id", 0, shapes - 1),
        allowed=_read_allowed(element.find("bitmap"), colours),
        max_holes=None if holes is None else _integer(element, "maxHoles", 0, MAX_COUNT),
        assemblies=tuple(_read_assembly(s, pieces) for s in solutions),
        search=_read_search(element),
    )


def _read_part(element: Element, shapes: int) -> PartUse:
    shape = _integer(element, "id", 0, shapes - 1)
    if "count" in element.attributes or not {"min", "max"} & element.attributes.keys():
        minimum = maximum = _integer(element, "count", 0, MAX_PIECES, absent=1)
    else:
        minimum = _integer(element, "min", 0, MAX_PIECES)
        maximum = _integer(element, "max", 0, MAX_PIECES)
    if minimum > maximum:
        raise DesignError(f"shape S{shape + 1}: at least {minimum} and at most {maximum} pieces")
    group = _integer(element, "group", 0, MAX_NUMBER, absent=0)
    # BurrTools too looks at the list of groups only if there is no one group for all.
    groups = () if group else tuple(_read_membership(g) for g in element.find_all("group"))
    return PartUse(shape, minimum, maximum, group, groups)


def _read_membership(element: Element) -> tuple[int, int]:
    return _integer(element, "group", 0, MAX_NUMBER), _integer(element, "count", 0, MAX_PIECES)


def _read_allowed(bitmap: Element | None, colours: int) -> frozenset[tuple[int, int]]:
    if bitmap is None:
        return frozenset()
    return frozenset(
        (_integer(p, "piece", 0, colours - 1) + 1, _integer(p, "result", 0, colours - 1) + 1)
        for p in bitmap.find_all("pair")
    )


def _read_search(element: Element) -> StoredSearch | None:
    state = _integer(element, "state", _UNSOLVED, _SOLVED, absent=_UNSOLVED)
    if state == _UNSOLVED:
        return None
    assemblies, solutions, seconds = (
        _integer(element, name, 0, MAX_COUNT) if name in element.attributes else None
        for name in ("assemblies", "solutions", "time")
    )
    return StoredSearch(state == _SOLVED, assemblies, solutions, seconds)


def _read_assembly(solution: Element, pieces: int) -> StoredAssembly:
    text = solution.get("assembly").text
    if stray := _STRAY.search(text):
        raise DesignError(f"an assembly is made of numbers and x, not {stray[0]!r}")
    placements = tuple(_read_placements(text.split(maxsplit=4 * pieces + 1)))
    if len(placements) != pieces:
        raise DesignError(f"an assembly of {pieces} pieces places {len(placements)}")
    return StoredAssembly(
        placements,
        "".join(child.verbatim for child in solution.children),
        _integer(solution, "asmNum", 0, MAX_COUNT, absent=0),
        _integer(solution, "solNum", 0, MAX_COUNT, absent=0),
    )


def _read_placements(parts: list[str]) -> Iterator[tuple[int, int, int, int] | None]:
    words = iter(parts)
    for word in words:
        if word == "x":
            yield None
            continue
        numbers = word, next(words, ""), next(words, ""), next(words, "")
        try:
            x, y, z, turn = map(int, numbers)
        except ValueError:
            raise DesignError(f"{_shown(' '.join(numbers))} is no placement") from None
        if max(abs(x), abs(y), abs(z)) > MAX_NUMBER or not 0 <= turn < 48:
            raise DesignError(f"{_shown(' '.join(numbers))} places a piece nowhere")
        yield x, y, z, turn


def _integer(element: Element, name: str, low: int, high: int, absent: int | None = None) -> int:
    text = element.attributes.get(name)
    if text is None:
        if absent is None:
            raise DesignError(f"<{element.tag}> has no {name}")
        return absent
    return _bounded(f"{name} of <{element.tag}>", text, low, high)


def _bounded(what: str, text: str, low: int, high: int) -> int:
    match = _INTEGER.fullmatch(text)
    if match is None:
        raise DesignError(f"{what} is {_shown(text)}, not a whole number")
    if not low <= int(match[1]) <= high:
        allowed = f"{low:,} to {high:,}" if low <= high else "there is none"
        raise DesignError(f"{what} can't be {match[1]}: {allowed}")
    return int(match[1])


@contextmanager
def _within(where: str) -> Iterator[None]:
    """Makes errors say where they arose."""
    try:
        yield
    except DesignError as error:
        raise DesignError(f"{where}: {error}") from error


def _shown(text: str) -> str:
    return repr(text if len(text) <= 40 else text[:40] + "...")


def write_xmpuzzle(design: Design, *, compressed: bool = True) -> bytes:
    """The content of an ``.xmpuzzle`` file from which :func:`read_xmpuzzle` makes ``design`` again.

    Equal designs give equal bytes (packed ones: with the same zlib). Unpacked, it is utf-8.

    Raises:
        DesignError: the format can't hold the design, or the reader would refuse it.
    """
    text = "".join(f"{line}\n" for line in _lines(design))
    data = check_text(text).encode()
    if read_xmpuzzle(data) != design:
        raise DesignError("the design contradicts itself: read back it would be another one")
    return _packed(data) if compressed else data


def _packed(data: bytes) -> bytes:
    buffer = io.BytesIO()
    with gzip.GzipFile(filename="", mode="wb", fileobj=buffer, mtime=0) as file:
        file.write(data)
    return buffer.getvalue()


def _lines(design: Design) -> Iterator[str]:
    yield '<?xml version="1.0"?>\n<puzzle version="2">\n<gridType type="0"/>\n<colors>'
    for red, green, blue in design.palette:
        yield _tag("color", {"red": red, "green": green, "blue": blue}) + "/>"
    yield "</colors>\n<shapes>"
    for i, shape in enumerate(design.shapes, start=1):
        with _within(f"shape S{i}"):
            yield _shape_line(shape)
    yield "</shapes>\n<problems>"
    for problem in design.problems:
        yield from _problem_lines(problem)
    yield "</problems>"
    popup = {"popup": "" if design.popup else None}
    yield f"{_tag('comment', popup)}>{design.comment.translate(_ESCAPES)}</comment>"
    yield "</puzzle>"


def _shape_line(shape: DrawnShape) -> str:
    attributes: dict[str, object] = dict(zip(_AXES, shape.size, strict=True))
    attributes |= {f"h{a}": h or None for a, h in zip(_AXES, shape.hotspot, strict=True)}
    attributes |= {
        "weight": None if shape.weight == 1 else shape.weight,
        "name": shape.name or None,
        "type": 0,
    }
    return f"{_tag('voxel', attributes)}>{_drawing(shape)}</voxel>"


def _drawing(shape: DrawnShape) -> str:
    if min(shape.size) < 1 or prod(shape.size) > MAX_VOLUME:
        raise DesignError(f"a drawing can't be {shape.size} cells large")
    sx, sy, sz = shape.size
    drawing = ["_"] * prod(shape.size)
    for cells, sign in ((shape.filled, "#"), (shape.variable, "+")):
        for x, y, z in cells:
            if not (0 <= x < sx and 0 <= y < sy and 0 <= z < sz):
                raise DesignError(f"cell {(x, y, z)} lies outside of the drawing")
            colour = shape.colours.get((x, y, z), ANY)
            drawing[x + sx * (y + sy * z)] = sign if colour == ANY else f"{sign}{colour}"
    return "".join(drawing)


def _problem_lines(problem: Problem) -> Iterator[str]:
    yield _tag("problem", _problem_attributes(problem)) + ">"
    yield "<shapes>"
    for part in problem.parts:
        yield from _part_lines(part)
    yield "</shapes>"
    yield _tag("result", {"id": problem.goal}) + "/>"
    yield "<bitmap>"
    for piece, result in sorted(problem.allowed):
        yield _tag("pair", {"piece": piece - 1, "result": result - 1}) + "/>"
    yield "</bitmap>"
    yield "<solutions>"
    for assembly in problem.assemblies:
        yield from _assembly_lines(assembly)
    yield "</solutions>"
    yield "</problem>"


def _problem_attributes(problem: Problem) -> dict[str, object]:
    attributes: dict[str, object] = {"name": problem.name or None, "state": _UNSOLVED}
    if (search := problem.search) is not None:
        attributes |= {
            "state": _SOLVED if search.finished else _SOLVING,
            "assemblies": search.assemblies,
            "solutions": search.solutions,
            "time": search.seconds,
        }
    return attributes | {"maxHoles": problem.max_holes}


def _part_lines(part: PartUse) -> Iterator[str]:
    attributes: dict[str, object] = {"id": part.shape}
    if part.minimum == part.maximum:
        attributes["count"] = part.minimum
    else:
        attributes |= {"min": part.minimum, "max": part.maximum}
    yield _tag("shape", attributes | {"group": part.group or None}) + ">"
    for group, count in part.groups:
        yield _tag("group", {"group": group, "count": count}) + "/>"
    yield "</shape>"


def _assembly_lines(assembly: StoredAssembly) -> Iterator[str]:
    numbers = {
        "asmNum": assembly.assembly_number or None,
        "solNum": assembly.solution_number or None,
    }
    yield _tag("solution", numbers) + ">"
    words = ("x" if p is None else " ".join(map(str, p)) for p in assembly.placements)
    yield f"<assembly>{' '.join(words)}</assembly>"
    yield assembly.separation
    yield "</solution>"


def _tag(name: str, attributes: Mapping[str, object]) -> str:
    """Return a start tag without its end; attributes that are None are left out."""
    pairs = (f' {n}="{str(v).translate(_ESCAPES)}"' for n, v in attributes.items() if v is not None)
    return f"<{name}{''.join(pairs)}"
