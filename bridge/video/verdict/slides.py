"""Reading slides: unit steps of the lattice, executed by the family's own rules.

As long as all was legal the rules say what may be done, and who is free after it. After the first
move that they refuse they can't follow; from there on cells alone are asked.
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bridge.video.verdict.depths import centres_of
from bridge.video.verdict.reading import ReadMove, ReadPlan
from bridge.video.verdict.stepping import Stepper, UnitStep, Wrong
from bridge.video.verdict.subject import SlideMaker, Subject
from bridge.video.verdict.tracks import Tracks
from bridge.video.verdict.violations import Thresholds, Violation, ViolationKind
from pysim.catalog import find_family
from pysim.field_types import encode_arguments
from pysim.geometry import Direction
from pysim.motion import Carry
from pysim.puzzle import IllegalMove, Outcome, Reason, Transition, format_reason

__all__ = ["read_slides"]

_Array = NDArray[np.float64]

_CARRIED = (Reason.ALREADY_FREE, Reason.NOT_TOGETHER, Reason.NO_EFFECT)
"""Reasons that say: this is not a slide out of a lock, but somebody who carries something."""
_GAP = 5
"""Frames between which something wrong is still the same thing."""
_LEAST = {ViolationKind.DIAGONAL: 2, ViolationKind.ROTATION: 2}
"""Frames in which it has to be seen."""


def read_slides(subject: Subject, maker: SlideMaker, tracks: Tracks, least: Thresholds) -> ReadPlan:
    """Read all slides of a video."""
    return _Slides(subject, maker, tracks, least).read()


@dataclass(slots=True)
class _Move:
    """Steps of the same pieces in the same direction, one after the other."""

    pieces: frozenset[str]
    direction: Direction
    units: int
    first: int
    last: int
    legal: bool | None
    reason: str = ""
    culprits: tuple[str, ...] = ()
    out: bool = False


class _Slides:
    def __init__(
        self, subject: Subject, maker: SlideMaker, tracks: Tracks, least: Thresholds
    ) -> None:
        self._subject, self._maker, self._tracks, self._least = subject, maker, tracks, least
        self._rules = find_family(subject.level).rules
        self._state: Any = self._rules.initial(subject.level)
        self._stepper = Stepper(subject, tracks, least)
        self._moves: list[_Move] = []
        self._wrong: dict[tuple[ViolationKind, str], list[tuple[int, float]]] = defaultdict(list)
        self._early: list[Violation] = []
        self._lawful = True
        self._solved = False

    def read(self) -> ReadPlan:
        for frame in range(len(self._tracks)):
            for found in self._stepper.look(frame):
                if isinstance(found, Wrong):
                    self._note(found)
                else:
                    self._make(found)
        wrong = list(self._wrongs())
        first = min((v.first for v in wrong), default=len(self._tracks))
        lawful = [m for m in self._moves if m.legal is True and m.first <= first]
        prefix = next((i for i, m in enumerate(self._moves) if m not in lawful), len(self._moves))
        return ReadPlan(
            tuple(map(self._read_move, self._moves)),
            (*self._illegal(), *wrong, *self._early),
            prefix,
            self._solved and prefix == sum(m.legal is True for m in self._moves),
        )

    def _make(self, step: UnitStep) -> None:
        if not step.pieces or step.pieces == self._stepper.group_of(next(iter(step.pieces))):
            return
        move = self._by_rules(step) if self._lawful else self._by_cells(step)
        if move is None:
            return
        last = self._moves[-1] if self._moves else None
        if last is not None and _continues(last, move):
            last.units, last.last, last.out = last.units + 1, move.last, move.out
        else:
            self._moves.append(move)
        self._lawful = self._lawful and move.legal is True

    def _by_rules(self, step: UnitStep) -> _Move | None:
        names = tuple(n for n in self._tracks.names if n in step.pieces)
        move = _Move(step.pieces, step.direction, 1, step.frame, step.frame, True)
        try:
            done, move.out = self._applied(names, step.direction)
        except IllegalMove as error:
            if error.reason in _CARRIED:
                return None
            culprits = tuple(map(str, error.culprits))
            sure = step.sure and error.reason is Reason.BLOCKED and self._known(culprits, step)
            legal = False if sure else None
            self._part(step)
            return replace(move, legal=legal, reason=error.brief, culprits=culprits)
        self._state = done.state
        self._solved = self._rules.outcome(self._subject.level, done.state) is Outcome.SOLVED
        for motion in done.motions:
            if isinstance(motion, Carry) and motion.loose:
                self._stepper.free(motion.bodies)
            elif isinstance(motion, Carry):
                self._stepper.part(motion.bodies)
        return move

    def _applied(
        self, names: tuple[str, ...], direction: Direction
    ) -> tuple[Transition[Any], bool]:
        level = self._subject.level
        try:
            action = self._maker.slide(names, direction, 1)
            done = self._rules.apply(level, self._state, action)
            return done, any(isinstance(motion, Carry) for motion in done.motions)
        except IllegalMove as error:
            if error.reason is not Reason.OUT_OF_BOUNDS:
                raise
        return self._rules.apply(level, self._state, self._maker.slide(names, direction, 0)), True

    def _known(self, culprits: tuple[str, ...], step: UnitStep) -> bool:
        """Whether all who are in the way are seen when it happens."""
        seen = self._tracks.decided[step.frame]
        return all(seen[self._tracks.names.index(name)] for name in culprits)

    def _by_cells(self, step: UnitStep) -> _Move | None:
        if not step.pieces:
            return None
        before = np.array(step.direction.vector, np.float64)
        others = self._stepper.group_of(next(iter(step.pieces))) - step.pieces
        mine = self._cells(step.pieces)
        inside = {o: mine & cells for o in sorted(others) if (cells := self._cells({o}))}
        was = _moved(mine, -before)
        culprits = tuple(
            o for o, shared in inside.items() if len(shared) > len(was & self._cells({o}))
        )
        legal = None if not step.sure or not self._known(culprits, step) else not culprits
        reason = format_reason(Reason.BLOCKED, culprits) if culprits else ""
        self._part(step)
        return _Move(
            step.pieces, step.direction, 1, step.frame, step.frame, legal, reason, culprits
        )

    def _cells(self, names: frozenset[str] | set[str]) -> set[tuple[int, int, int]]:
        return {
            (round(x), round(y), round(z))
            for n in names
            for x, y, z in centres_of(
                self._subject.cells[n], self._stepper.pose_on_lattice(n)
            ).tolist()
        }

    def _part(self, step: UnitStep) -> None:
        """Find the pieces that are free by boxes that are apart, where the rules can't follow."""
        group = self._stepper.group_of(next(iter(step.pieces)))
        rest = group - step.pieces
        boxes = self._stepper.boxes()
        if not rest or _meet(*(_box(boxes, part) for part in (step.pieces, rest))):
            return
        for part in (step.pieces, rest):
            if len(part) == 1:
                self._released(step, next(iter(part)))
                self._stepper.free(part)
            elif part is step.pieces:
                self._stepper.part(part)

    def _released(self, step: UnitStep, piece: str) -> None:
        """A piece is out; if by a way that is none, those who should have gone before are told."""
        guilty = any(piece in move.pieces and move.legal is False for move in self._moves)
        order = _free_order(self._subject)
        if piece not in order or not guilty:
            return
        held = self._stepper.held - {piece}
        before = tuple(name for name in order[: order.index(piece)] if name in held)
        if before:
            kind = ViolationKind.ORDER
            names = (piece, *before)
            self._early.append(Violation(kind, step.frame, step.frame, names, len(before)))

    def _note(self, wrong: Wrong) -> None:
        if not self._is_held(wrong):
            return
        turned = wrong.degrees > 0.0
        kind = ViolationKind.ROTATION if turned else ViolationKind.DIAGONAL
        size = wrong.degrees if turned else wrong.aside
        self._wrong[kind, wrong.piece].append((wrong.frame, size))

    def _is_held(self, wrong: Wrong) -> bool:
        """Whether a piece still reaches into the box around the others of its group."""
        others = self._stepper.group_of(wrong.piece) - {wrong.piece}
        seen = {n: self._seen_box(n, wrong.frame) for n in (*others, wrong.piece)}
        return bool(others) and _meet(_box(seen, others), seen[wrong.piece])

    def _seen_box(self, name: str, frame: int) -> tuple[_Array, _Array]:
        pose = self._tracks.poses[frame, self._tracks.names.index(name)]
        centres = centres_of(self._subject.cells[name], pose)
        # A quarter less on each side: doubt and touch are no hold.
        return centres.min(axis=0) - 0.25, centres.max(axis=0) + 0.25

    def _wrongs(self) -> Iterator[Violation]:
        for (kind, piece), marks in self._wrong.items():
            for run in _runs(sorted(set(marks))):
                if len({frame for frame, _ in run}) >= _LEAST[kind]:
                    most = max(size for _, size in run)
                    yield Violation(kind, run[0][0], run[-1][0], (piece,), most)

    def _illegal(self) -> Iterator[Violation]:
        for move in self._moves:
            if move.legal is False:
                names = tuple(n for n in self._tracks.names if n in move.pieces)
                yield Violation(
                    ViolationKind.ILLEGAL,
                    move.first,
                    move.last,
                    (*names, *(c for c in move.culprits if c not in names)),
                    move.units,
                    f"{', '.join(names)} to {move.direction}: {move.reason}",
                )

    def _read_move(self, move: _Move) -> ReadMove:
        names = tuple(n for n in self._tracks.names if n in move.pieces)
        action = self._maker.slide(names, move.direction, 0 if move.out else move.units)
        return ReadMove(
            self._maker.action.tool,
            encode_arguments(action),
            move.first,
            move.last,
            move.legal,
            move.reason,
        )


def _continues(last: _Move, move: _Move) -> bool:
    same = (last.pieces, last.direction, last.legal) == (move.pieces, move.direction, move.legal)
    return same and not last.out


def _moved(cells: set[tuple[int, int, int]], by: _Array) -> set[tuple[int, int, int]]:
    x, y, z = (round(float(v)) for v in by)
    return {(a + x, b + y, c + z) for a, b, c in cells}


def _box(
    boxes: dict[str, tuple[_Array, _Array]] | Any, names: frozenset[str]
) -> tuple[_Array, _Array]:
    low = np.min([boxes[name][0] for name in names], axis=0)
    return low, np.max([boxes[name][1] for name in names], axis=0)


def _meet(one: tuple[_Array, _Array], other: tuple[_Array, _Array]) -> bool:
    return bool(((one[0] < other[1] - 1e-6) & (other[0] < one[1] - 1e-6)).all())


def _runs(marks: list[tuple[int, float]]) -> list[list[tuple[int, float]]]:
    runs: list[list[tuple[int, float]]] = []
    for mark in marks:
        if runs and mark[0] - runs[-1][-1][0] <= _GAP:
            runs[-1].append(mark)
        else:
            runs.append([mark])
    return runs


def _free_order(subject: Subject) -> list[str]:
    """The pieces in the order in which the level's own plan frees them."""
    level, rules = subject.level, find_family(subject.level).rules
    state: Any = rules.initial(level)
    order: list[str] = []
    for action in level.plan.actions if level.plan is not None else ():
        done = rules.apply(level, state, action)
        state = done.state
        for motion in done.motions:
            if isinstance(motion, Carry) and motion.loose:
                order += sorted(str(name) for name in motion.bodies if str(name) not in order)
    return order
