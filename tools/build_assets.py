"""Writes the level files under ``assets/burr``: ``python tools/build_assets.py``.

Designs are given by their piece numbers, designer and the page that names them. Each is assembled,
the assembly that comes apart is taken (the one with the longest way to the first free piece), and
its plan is searched for.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from pysim.catalog import content_hash, families, level_to_document
from pysim.families.burr import Goal, Lock, Piece
from pysim.families.burr.grading import budget_for, tier_of
from pysim.families.burr.notches import burr_stick
from pysim.families.burr.planner import plan_lock
from pysim.families.burr.sixpiece import six_piece_assemblies
from pysim.puzzle import Level, Source
from pysim.scene import Colour

ROOT = Path(__file__).resolve().parent.parent
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


def main() -> None:
    """Write every level."""
    folder = ROOT / "assets" / "burr"
    folder.mkdir(parents=True, exist_ok=True)
    for design in DESIGNS:
        lock = _hardest_assembly(design)
        for goal in design.goals:
            level = _level(design, Lock(lock.pieces, goal))
            text = json.dumps(level_to_document(level), indent=1, ensure_ascii=False)
            (folder / f"{level.id}.json").write_text(text + "\n", encoding="utf-8")
            plan = level.plan
            print(f"{level.id}: {plan and len(plan)} {plan and plan.proof} budget {level.budget}")


def _locks(design: Design, goal: Goal) -> Iterator[Lock]:
    for poses in six_piece_assemblies(design.numbers, design.length):
        yield Lock(
            tuple(
                Piece(colour, burr_stick(number, design.length), pose, number)
                for colour, number, pose in zip(COLOURS, design.numbers, poses, strict=True)
            ),
            goal,
        )


def _hardest_assembly(design: Design) -> Lock:
    """The assembly whose first piece takes the most moves to free."""
    best: tuple[int, Lock] | None = None
    for lock in _locks(design, Goal.KEY):
        plan = plan_lock(lock)
        if plan is not None and (best is None or len(plan) > best[0]):
            best = (len(plan), lock)
    if best is None:
        raise SystemExit(f"{design.name} does not come apart")
    return best[1]


def _level(design: Design, lock: Lock) -> Level[Lock]:
    plan = plan_lock(lock)
    if plan is None:
        raise SystemExit(f"{design.name} has no plan for {lock.goal}")
    suffix = "" if lock.goal is Goal.DISASSEMBLE else f"-{lock.goal}"
    budget = budget_for(plan)
    draft = Level(
        id=f"burr-{design.id}{suffix}",
        family="burr",
        name=TITLES[lock.goal].format(design.name),
        tier=tier_of(lock, plan),
        budget=budget,
        puzzle=lock,
        colours=tuple(piece.colour for piece in lock.pieces),
        plan=plan,
        source=Source(design.designer, REFERENCE),
        hash="",
    )
    return replace(draft, hash=content_hash(families()["burr"], lock, budget))


if __name__ == "__main__":
    main()
