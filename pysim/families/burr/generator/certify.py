"""From pieces to a draft: the lock, its level, its plan, and how many ways there are to build it.

Nothing that a search said is taken over: the solver measures the level anew, the rules replay the
plan, and the ways to build are counted from the shapes alone.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import factorial, prod

from pysim.families.burr.actions import Slide
from pysim.families.burr.canonical import compute_canonical_key
from pysim.families.burr.files.design import Design
from pysim.families.burr.files.importing import lock_of, place_found_parts
from pysim.families.burr.grading import add_grade, compute_budget
from pysim.families.burr.lock import Goal, Lock, list_colours
from pysim.families.burr.moves import apply_slide
from pysim.families.burr.planner import Limits, plan_lock
from pysim.families.burr.solver import AssemblyTally, format_level, solve
from pysim.families.burr.solver.assembled import compute_level
from pysim.families.burr.solver.board import Board
from pysim.families.burr.solver.limits import SearchTooLarge
from pysim.families.burr.state import Loose, make_initial_state
from pysim.field_types import OUT
from pysim.generation import Draft, Rejected
from pysim.geometry import Direction, Voxels
from pysim.puzzle import Fact, Level, Plan, Proof, Source, Tier
from pysim.scene import Colour
from pysim.search.exact_cover import CoverMatrix
from pysim.search.exact_cover import solve as solve_cover

__all__ = ["MAX_ASSEMBLIES", "MOST_DECIDED", "Wanted", "make_certified_draft"]

MAX_ASSEMBLIES = 2000
"""Ways to build a lock that are counted and taken apart."""
MAX_NODES = 1_000_000
"""Pieces that are laid, in all, to find them."""
MAX_LOOKS = 2_000_000_000
"""Places of pieces that are looked at, if each is at every piece that is laid."""
MOST_DECIDED = 12
"""Pieces up to which a lock that must have one solution is refused if that can't be decided."""
MAX_CONFIGURATIONS = 200_000
"""Configurations that the search for a plan looks at, unless fewer are wanted."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Requirements of a lock.

    Attributes:
        title: what people call it.
        level: least number of moves to the first separation.
        unique: whether there may be one solution only.
        reflections: whether mirror images count as the same lock.
        colours: names for the pieces.
        configurations: most configurations that the search for a plan looks at.
    """

    title: str
    level: int
    unique: bool
    reflections: bool
    colours: tuple[Colour, ...]
    configurations: int = MAX_CONFIGURATIONS


@dataclass(frozen=True, slots=True)
class _Count:
    """Ways to build a lock.

    Attributes:
        assemblies: turned copies left out; a lower bound where ``solutions`` is None.
        solutions: how many of them come apart; None if not all could be looked at.
    """

    assemblies: int
    solutions: int | None


def make_certified_draft(
    design: Design,
    parts: Sequence[int],
    pieces: Sequence[Voxels],
    wanted: Wanted,
    order: Sequence[tuple[int, Direction]] | None = None,
) -> Draft | Rejected:
    """A draft of the lock that the pieces of a design make when assembled so, if it is as wanted.

    Args:
        design: what :meth:`pysim.families.burr.generator.canvas.Canvas.make_design` gives.
        parts: for each piece the part that it is a copy of.
        pieces: each piece's cells in the assembly.
        wanted: what it must be like.
        order: which piece can be taken out after which, and where to, if that is known.
    """
    problem = design.problems[0]
    try:
        placed = place_found_parts(
            design, problem, [(p, cells.cells) for p, cells in zip(parts, pieces, strict=True)]
        )
        lock = lock_of(design, problem, placed, Goal.DISASSEMBLE, wanted.colours)
    except ValueError:
        return Rejected("a piece can't be laid on a table")
    try:
        level = compute_level(lock, MAX_CONFIGURATIONS)
    except SearchTooLarge:
        return Rejected("too loose to be measured")
    if not level or level[0] < wanted.level:
        return Rejected("level too low", level[0] if level else 0)
    count = _count(design)
    if wanted.unique and (doubt := _ambiguity(count, len(pieces))):
        return Rejected(doubt, level[0])
    limits = Limits(wanted.configurations)
    plan = plan_lock(lock, limits) if order is None else _in_order(lock, order)
    if plan is None or not _solves(lock, plan):
        return Rejected("no plan within the limits", level[0])
    title = f"{wanted.title}, level {format_level(level)}"
    measured = _measured(lock, plan, title)
    return Draft(
        puzzle=lock,
        title=title,
        tier=measured.tier,
        budget=measured.budget,
        plan=plan,
        key=compute_canonical_key(pieces, reflections=wanted.reflections),
        score=level[0],
        facts={**measured.facts, **_counted(count), **_sizes(lock)},
    )


def _ambiguity(count: _Count, pieces: int) -> str:
    """Why a lock may not have just one solution; empty if it has."""
    if count.solutions is None:
        return "too many ways to build" if pieces <= MOST_DECIDED else ""
    return "several solutions" if count.solutions > 1 else ""


def _count(design: Design) -> _Count:
    """Return ways to build a lock, as far as they can be counted within the limits."""
    problem = design.problems[0]
    board = Board.from_problem(design, problem)
    # Each assembly is seen once for each symmetry of the goal, or less often, and for each way to
    # swap alike pieces.
    times = len(board.symmetries) * prod(map(factorial, board.most))
    matrix = _matrix(board)
    nodes = min(MAX_NODES, MAX_LOOKS // (1 + len(matrix.masks)))
    seen = solve_cover(matrix, keep=False, max_covers=MAX_ASSEMBLIES * times, max_nodes=nodes)
    if not seen.exhausted:
        return _Count(max(1, seen.count // times), None)
    tally = AssemblyTally()
    try:
        for assembly in solve(design, problem, board):
            tally.add(assembly)
    except SearchTooLarge:
        return _Count(max(1, tally.assemblies), None)
    return _Count(tally.assemblies, tally.solutions)


def _matrix(board: Board) -> CoverMatrix:
    """Cover every piece and every filled cell once, and every variable cell at most once.

    Of alike pieces, each has a column and rows of its own; so many ways are seen several times.
    """
    copies: list[list[int]] = []
    piece = 0
    for most in board.most:
        copies.append(list(range(piece, piece + most)))
        piece += most
    rows = [
        [column, *(piece + cell for cell in row)]
        for row, kind in zip(board.rows, board.kinds, strict=True)
        for column in copies[kind]
    ]
    return CoverMatrix.from_rows(rows, piece + board.primary, len(board.cells) - board.primary)


def _in_order(lock: Lock, order: Sequence[tuple[int, Direction]]) -> Plan:
    """Taking out one piece after another: no plan can be shorter, as each move frees one piece."""
    slides = tuple(Slide((lock.pieces[i].colour,), direction, OUT) for i, direction in order)
    return Plan(slides, Proof.OPTIMAL, len(slides))


def _solves(lock: Lock, plan: Plan) -> bool:
    """Return whether the rules replay a plan to the end."""
    state = make_initial_state(lock)
    for action in plan.actions:
        assert isinstance(action, Slide)
        state = apply_slide(lock, state, action).state
    return all(isinstance(place, Loose) for place in state.places)


def _measured(lock: Lock, plan: Plan, title: str) -> Level[Lock]:
    """Return the lock as a level that is not named yet, with its facts and its tier."""
    return add_grade(
        Level(
            id="draft",
            family="burr",
            name=title,
            tier=Tier.HARD,
            budget=compute_budget(plan),
            puzzle=lock,
            colours=list_colours(lock),
            plan=plan,
            source=Source("luban", title),
            hash="",
        )
    )


def _counted(count: _Count) -> dict[str, Fact]:
    if count.solutions is None:
        return {"assemblies_at_least": count.assemblies}
    return {"assemblies": count.assemblies, "solutions": count.solutions}


def _sizes(lock: Lock) -> dict[str, Fact]:
    return {
        "cells": sum(len(piece.shape.cells) for piece in lock.pieces),
        "size": "x".join(map(str, lock.bounds.size)),
    }
