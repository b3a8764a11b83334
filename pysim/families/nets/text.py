"""Nets in words: the task and the state, for agents."""

from pysim.families.nets.cube import CornerView
from pysim.families.nets.faces import VISIBLE, CubeFace, Frame, rotate_face
from pysim.families.nets.joints import FLAT, MOUNTAIN
from pysim.families.nets.puzzle import NetPuzzle, Plate
from pysim.families.nets.state import NetsState, compute_world_poses
from pysim.geometry import Pose
from pysim.scene import Colour

__all__ = ["describe_state", "write_instruction"]

_CREASES = {MOUNTAIN: "mountain", FLAT: "flat"}


def write_instruction(puzzle: NetPuzzle) -> str:
    """Return the task in words."""
    nets = [", ".join(map(_named, net.plates)) for net in puzzle.nets]
    held = " and ".join(net.plates[0].name for net in puzzle.nets)
    return (
        f"{_things(nets)} Each face bears an arrow on its printed side, which looks up at first; "
        "it is called after its arrow's colour, or after its paper where that is not white. Faces "
        f"hang on each other by hinges; a net is held by {held}. fold bends one hinge by 90 "
        "degrees, with all faces that hang on it: a mountain fold away from the printed side, so "
        "that arrows get outside, a valley fold towards it. unfold makes a hinge flat again. Faces "
        "can't pass through each other; the net lies on the table, and is lifted where a fold or "
        "turn needs room. turn turns a whole net, folded or not, right-handed about "
        "an axis: x points to the right, y to the back and z up; an observer stands in front and "
        f"sees top, front and right. {_goal(puzzle.target)}"
    )


def _things(nets: list[str]) -> str:
    if len(nets) == 1:
        return f"This is a net of a cube; its six faces are {nets[0]}."
    return (
        f"These are two nets of cubes. The faces of the first are {nets[0]}; those of the second, "
        f"right of it, are {nets[1]}."
    )


def _named(plate: Plate) -> str:
    """Return a face, and its arrow's colour where it is called after its paper."""
    colour = plate.arrow.colour.value
    return plate.name if plate.name == colour else f"{plate.name} (bears {colour})"


def _goal(target: CornerView | None) -> str:
    if target is None:
        return (
            "Show that both nets make the same cube: fold each into a cube with the arrows "
            "outside, and turn them so that they lie alike, each face with the same arrow in the "
            "same direction."
        )
    seen = "; ".join(
        f"on the {face} a {arrow.colour} arrow that points towards the {arrow.towards}"
        for face, arrow in zip(VISIBLE, target, strict=True)
    )
    return (
        "Fold it into a cube with the arrows outside, and turn it so that it looks as wanted: "
        f"{seen}."
    )


def describe_state(puzzle: NetPuzzle, state: NetsState) -> str:
    """One line per face: what it hangs on, how its hinge is folded, where its print looks."""
    lines = []
    for number, net in enumerate(puzzle.nets):
        places = compute_world_poses(puzzle, state, number)
        for plate, hinge, bend, pose in zip(
            net.plates, net.tree, state.nets[number].bends, places, strict=True
        ):
            parent = net.plates[hinge.parent].name
            held = "held" if plate.name == parent else _hung(parent, bend)
            frame = _frame(pose)
            lines.append(
                f"{plate.name}: {held}; print looks {_side(frame.outward)}, arrow points "
                f"{_side(frame.find_face(plate.arrow.way))}; middle at {_cell(pose)}"
            )
    return "\n".join(lines)


def _hung(parent: Colour, bend: int) -> str:
    return f"hangs on {parent}, {_CREASES.get(bend, 'valley')}"


def _frame(pose: Pose) -> Frame:
    return Frame(
        rotate_face(CubeFace.TOP, pose.rotation), rotate_face(CubeFace.BACK, pose.rotation)
    )


def _side(face: CubeFace) -> str:
    return f"{face.side.value} ({face})"


def _cell(pose: Pose) -> str:
    x, y, z = pose.offset
    return f"({x},{y},{z})"
