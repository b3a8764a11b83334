"""Published six-piece burrs, by their piece numbers."""

from collections.abc import Iterator
from dataclasses import dataclass

from pysim.families.burr.lock import Goal, Lock, Piece
from pysim.families.burr.notches import make_stick
from pysim.families.burr.planner import plan_lock
from pysim.families.burr.sixpiece import enumerate_six_piece_assemblies
from pysim.puzzle import Source
from pysim.scene import Colour
from tools.locks.drafts import Draft

__all__ = ["DESIGNS", "Design", "drafts_of"]

COLOURS = tuple(map(Colour, ("red", "blue", "yellow", "green", "orange", "purple")))
REFERENCE = "piece numbers in W. Cutler's convention, as on the IBM Research burr pages"


@dataclass(frozen=True)
class Design:
    """A published six-piece burr."""

    id: str
    name: str
    designer: str
    numbers: tuple[int, ...]
    length: int = 6
    goals: tuple[Goal, ...] = (Goal.DISASSEMBLE,)


ALL_GOALS = (Goal.DISASSEMBLE, Goal.KEY, Goal.ASSEMBLE)
DESIGNS = (
    Design(
        "chinese-cross", "Chinese Cross", "traditional", (1, 256, 824, 928, 975, 1024), 6, ALL_GOALS
    ),
    Design(
        "diabolical-structure", "Diabolical Structure", "traditional", (1, 256, 256, 256, 928, 928)
    ),
    Design("six-way-set", "Six Way Set", "traditional", (52, 792, 824, 911, 975, 1024)),
    Design("yamato-block", "Yamato Block", "traditional", (1, 188, 824, 975, 1024, 1024)),
    Design("hoffmann-burr", "Hoffmann Burr", "Professor Hoffmann", (1, 188, 256, 960, 975, 1024)),
    Design("double-cross", "Double Cross", "traditional", (1, 154, 256, 256, 1024, 1024)),
    Design("tenyo-brother", "Tenyo Brother", "unattributed", (463, 564, 760, 909, 927, 1016)),
    Design("philippe-dubois", "Philippe Dubois", "Philippe Dubois", (120, 160, 256, 512, 880, 960)),
    Design("piston", "Piston", "Peter Marineau", (88, 512, 768, 922, 1008, 1008), 6, ALL_GOALS),
    Design(
        "loves-dozen",
        "Love's Dozen",
        "Bruce Love",
        (88, 512, 704, 960, 992, 1008),
        6,
        (Goal.DISASSEMBLE, Goal.KEY),
    ),
    Design(
        "computers-choice-unique-10",
        "Computer's Choice Unique-10",
        "Bill Cutler",
        (624, 702, 768, 883, 1015, 1024),
        8,
    ),
    Design("artifactory-5-4", "Artifactory 5/4", "unattributed", (412, 480, 512, 704, 704, 960)),
)

TITLES = {
    Goal.DISASSEMBLE: "{}",
    Goal.KEY: "{}: find the key",
    Goal.ASSEMBLE: "{}: put together",
}


def drafts_of(design: Design) -> Iterator[Draft]:
    """Yield a draft for each goal that the design is given.

    The assembly is the one whose first piece takes the most moves to free.
    """
    lock = _hardest_assembly(design)
    for goal in design.goals:
        suffix = "" if goal is Goal.DISASSEMBLE else f"-{goal}"
        yield Draft(
            id=f"burr-{design.id}{suffix}",
            name=TITLES[goal].format(design.name),
            source=Source(design.designer, REFERENCE),
            lock=Lock(lock.pieces, goal),
        )


def _hardest_assembly(design: Design) -> Lock:
    plans = [(lock, plan_lock(lock)) for lock in _locks(design)]
    apart = [(len(plan), lock) for lock, plan in plans if plan is not None]
    if not apart:
        raise ValueError(f"{design.name} does not come apart")
    return max(apart, key=lambda found: found[0])[1]


def _locks(design: Design) -> Iterator[Lock]:
    for poses in enumerate_six_piece_assemblies(design.numbers, design.length):
        yield Lock(
            tuple(
                Piece(colour, make_stick(number, design.length), pose, number)
                for colour, number, pose in zip(COLOURS, design.numbers, poses, strict=True)
            ),
            Goal.KEY,
        )
