"""The faults with which :mod:`tools.mutations` tries the tests: sixty lines, each broken by hand.

They are such as people make: off by one, a direction that is dropped, a negative rest, swapped
axes, a wrong sign, a lost piece. The text of each must be in its file exactly once.
"""

from dataclasses import dataclass

__all__ = ["MUTATIONS", "Edit", "Mutation"]


@dataclass(frozen=True, slots=True)
class Edit:
    """Text that is there exactly once, and what stands in its place."""

    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Mutation:
    """A fault.

    Attributes:
        name: unique, made of ``a-z 0-9 -``.
        file: the file that is broken, from the root of the repository.
        breaks: what is wrong then, in words.
        tests: what is run first, as arguments of pytest.
        edits: what is changed.
    """

    name: str
    file: str
    breaks: str
    tests: tuple[str, ...]
    edits: tuple[Edit, ...]


_SOLVER = "pysim/families/burr/solver"
_SEARCH = ("tests/families/burr/test_planner.py", "tests/families/burr/test_shortest.py")
_LEVELS = ("tests/families/burr/test_levels.py",)
_SLIDES = ("tests/families/burr/test_slides.py",)
_GOALS = ("tests/families/burr/test_goals.py",)
_PLACING = ("tests/families/packing/test_placing.py",)
_SUPPORT = ("tests/families/packing/test_support.py",)
_ASSEMBLY = ("tests/families/packing/test_assembly.py",)
_COVERS = ("tests/search/test_multicover.py",)
_CUBE = ("tests/families/rubik/test_cube.py",)
_STRINGS = (
    "tests/families/rubik/test_strings.py",
    "tests/referee/test_cubes.py::test_both_refuse_the_same_cubes",
)
_NEAR = ("tests/families/rubik/test_near.py",)
_WORLDS = ("tests/physics/test_worlds.py",)
_TRAJECTORIES = ("tests/physics/test_trajectories.py",)
_CARRYING = ("tests/test_carrying.py",)
_EPISODE = ("tests/episode/test_episode.py",)
_METRICS = ("tests/scoring/test_metrics.py",)
_STATISTICS = ("tests/scoring/test_statistics.py",)
_STATICS = ("tests/referee/test_statics.py",)
_FILMS = ("tests/referee/test_films.py",)
_ROTATIONS = ("tests/geometry/test_rotations.py",)
_CHAMBERS = (
    "tests/families/portal/test_rules.py",
    "tests/referee/test_chamber_motion.py",
)
_CHAMBER_PROOFS = ("tests/families/portal/test_proofs.py",)
_NETS = ("tests/families/nets/test_playing.py",)
_TABLE = ("tests/families/nets/test_table.py",)
_NET_CLAIMS = ("tests/referee/test_nets.py",)
_JIGSAWS = ("tests/families/jigsaw/test_solving.py",)
_FITTING = ("tests/families/jigsaw/test_fitting.py",)
_JIGSAW_RULES = ("tests/families/jigsaw/test_rules.py",)
_BOUNDS = ("tests/referee/test_bounds.py",)
_JUDGING = "tests/video/verdict/test_track_judging.py"
_TRACKS = (
    f"{_JUDGING}::test_picked_tracks_have_the_colors_of_the_same_pieces",
    f"{_JUDGING}::test_piece_in_two_of_which_nothing_is_known_is_not_split",
    f"{_JUDGING}::test_stretches_are_the_runs_that_last",
)
_AGREEMENT = ("tests/video/report/test_measures.py",)
_BOARD = ("tests/video/report/test_leaderboard.py",)
_CLIPS = ("tests/video/report/test_clip_metrics.py",)
_ACCESS = ("tests/web/test_security.py::test_name_that_leads_here_from_elsewhere_is_refused",)
_GAMES = ("tests/web/test_playing.py::test_key_of_another_secret_opens_nothing",)
_STUDIES = (
    "tests/web/test_studies.py::test_orders_are_a_latin_square_balanced_for_what_comes_before",
)
_REPLAYS = ("tests/web/test_documents.py",)

MUTATIONS: tuple[Mutation, ...] = (
    Mutation(
        "negative-rest",
        f"{_SOLVER}/shortest.py",
        "a separation counts though fewer moves than none are left after it, "
        "and a finished part fits any budget: plans called OPTIMAL are not shortest",
        _SEARCH,
        (
            Edit("        if left < 0:\n            return False\n", ""),
            Edit("return 0 if budget >= 0 else None", "return 0"),
        ),
    ),
    Mutation(
        "missing-layer",
        f"{_SOLVER}/shortest.py",
        "a cost is refuted one layer of configurations too early",
        _SEARCH,
        (Edit("record.layers + 1 + after <= total", "record.layers + 1 + after < total"),),
    ),
    Mutation(
        "lost-axis",
        f"{_SOLVER}/exploration.py",
        "separations along z are not found",
        _SEARCH,
        (
            Edit(
                "for axis in range(3):\n            known = 0",
                "for axis in range(2):\n            known = 0",
            ),
        ),
    ),
    Mutation(
        "taken-along",
        f"{_SOLVER}/movement.py",
        "a piece takes along what it would just touch",
        _SEARCH,
        (Edit("reach[d, i, j] < distance", "reach[d, i, j] <= distance"),),
    ),
    Mutation(
        "same-way-back",
        f"{_SOLVER}/gaps.py",
        "the second of two pieces is held up in the direction in which the first one is",
        _LEVELS,
        (Edit("reach[d ^ 1, j, i]", "reach[d, j, i]"),),
    ),
    Mutation(
        "heavier-side",
        f"{_SOLVER}/separation.py",
        "of two parts the heavier one counts as taken away",
        _LEVELS,
        (Edit("< _heaviest(weights, bits)", "> _heaviest(weights, bits)"),),
    ),
    Mutation(
        "out-by-one",
        "pysim/families/burr/moves.py",
        "a slide out ends one unit before it has left the others behind",
        _SLIDES,
        (
            Edit(
                "max(1, staying.high[axis] - moving.low[axis] + 1)",
                "max(1, staying.high[axis] - moving.low[axis])",
            ),
        ),
    ),
    Mutation(
        "lost-piece",
        "pysim/families/burr/moves.py",
        "a single piece that is left behind does not come to the table",
        _SLIDES,
        (Edit("for part in (moving, staying):", "for part in (moving,):"),),
    ),
    Mutation(
        "last-corner",
        "pysim/families/burr/legal.py",
        "no legal action brings a piece to the far sides of the target",
        _GOALS,
        (Edit("max(0, n - m + 1) for n, m", "max(0, n - m) for n, m"),),
    ),
    Mutation(
        "wrong-way-in",
        "pysim/families/burr/planner.py",
        "plans that assemble bring pieces in the way they came out",
        _SEARCH,
        (Edit("back = action.direction.opposite", "back = action.direction"),),
    ),
    Mutation(
        "wrapped-around",
        "pysim/families/burr/lock.py",
        "what leaves a long room comes in again at the other side",
        _SLIDES,
        (Edit("max(self.extent, ceil(size / 2))", "self.extent"),),
    ),
    Mutation(
        "unmet-kind",
        "pysim/search/multicover.py",
        "a cover is complete though a piece that is needed is not in it",
        _COVERS,
        (Edit("if missing > 0 and", "if missing > 1 and"),),
    ),
    Mutation(
        "torque-sign",
        "pysim/families/packing/support.py",
        "the torque of what lies on a piece has the wrong sign",
        _SUPPORT,
        (Edit("3 * lower + 1: -x, 3 * lower + 2: -y}", "3 * lower + 1: -x, 3 * lower + 2: y}"),),
    ),
    Mutation(
        "wall-by-one",
        "pysim/families/packing/moves.py",
        "a piece that leaves towards a low side stays in the box by one unit",
        _PLACING,
        (Edit("return bounds.high[axis] + 1", "return bounds.high[axis]"),),
    ),
    Mutation(
        "lost-side",
        "pysim/families/packing/assembly.py",
        "no piece is taken out downwards",
        _ASSEMBLY,
        (
            Edit(
                "sides: Collection[Direction] = tuple(Direction),",
                "sides: Collection[Direction] = tuple(Direction)[:5],",
            ),
        ),
    ),
    Mutation(
        "twist-sign",
        "pysim/families/rubik/cube.py",
        "twists of corners are subtracted where they add up",
        _CUBE,
        (Edit("(self.twists[i] + twist) % 3", "(self.twists[i] - twist) % 3"),),
    ),
    Mutation(
        "half-parity",
        "pysim/families/rubik/validity.py",
        "whether the edges are in an even order is not looked at, only the corners are",
        _STRINGS,
        (
            Edit(
                "compute_parity(cube.corners) != compute_parity(cube.edges)",
                "compute_parity(cube.corners)",
            ),
        ),
    ),
    Mutation(
        "turn-too-few",
        "pysim/families/rubik/solver/distance_table.py",
        "the search beyond the table ends one turn early",
        _NEAR,
        (Edit("range(beyond, most + 1)", "range(beyond, most)"),),
    ),
    Mutation(
        "rear-first",
        "pysim/physics/lattice.py",
        "of what moves in the lattice only the rear is looked at",
        _WORLDS,
        (Edit("if code + step not in own", "if code - step not in own"),),
    ),
    Mutation(
        "ring-border",
        "pysim/physics/swept_volume.py",
        "a body that only touches the ring of a turning layer stops it",
        _WORLDS,
        (Edit("low < outer and inner < high", "low <= outer and inner <= high"),),
    ),
    Mutation(
        "unswept-carry",
        "pysim/physics/bullet.py",
        "what is carried in PyBullet goes through everything on its straight legs",
        _WORLDS,
        (
            Edit(
                "travel, _, contacts = self._go(Line(bodies, leg.direction, leg.distance))",
                "travel, contacts = leg.distance, frozenset[str]()",
            ),
        ),
    ),
    Mutation(
        "legs-out-of-order",
        "pysim/trajectory.py",
        "the legs of a carry are shown in the wrong order of products",
        _TRAJECTORIES,
        (Edit("motion(_ramp(k / count)) @ before", "before @ motion(_ramp(k / count))"),),
    ),
    Mutation(
        "top-layer",
        "pysim/carrying.py",
        "what is carried goes through the top layer of everything",
        _CARRYING,
        (
            Edit(
                "b <= y1 and y0 <= e and c <= z1 and z0 <= f",
                "b <= y1 and y0 <= e and c <= z1 and z0 < f",
            ),
        ),
    ),
    Mutation(
        "one-step-more",
        "bridge/episode/episode.py",
        "an episode goes on for a step after its budget is used up",
        _EPISODE,
        (Edit("self.budget_left <= 1", "self.budget_left <= 0"),),
    ),
    Mutation(
        "any-culprit",
        "bridge/episode/records.py",
        "a refusal is confirmed with any culprit",
        _EPISODE,
        (Edit("report.contacts == frozenset(refusal.culprits)", "bool(report.contacts)"),),
    ),
    Mutation(
        "attempts-weighed",
        "bridge/scoring/metrics.py",
        "pass@1 weighs attempts alike instead of levels",
        _METRICS,
        (
            Edit(
                "_share_solved(group) for group in group_by_level(results).values()",
                "result.solved for result in results",
            ),
        ),
    ),
    Mutation(
        "strict-tail",
        "bridge/scoring/statistics.py",
        "the p-value leaves out outcomes as extreme as the one found",
        _STATISTICS,
        (Edit("abs(total - 2 * i) >= found", "abs(total - 2 * i) > found"),),
    ),
    Mutation(
        "referee-torque",
        "bridge/referee/packing/statics.py",
        "the referee takes a torque with the wrong sign",
        _STATICS,
        (Edit("3 * lower + 1: -x, 3 * lower + 2: -y}", "3 * lower + 1: x, 3 * lower + 2: -y}"),),
    ),
    Mutation(
        "still-pairs",
        "bridge/referee/films.py",
        "the judge of films looks at two bodies only where both move",
        _FILMS,
        (Edit("moved[:, one] | moved[:, other]", "moved[:, one] & moved[:, other]"),),
    ),
    Mutation(
        "swapped-product",
        "pysim/geometry/rotations.py",
        "two rotations are done in the wrong order",
        _ROTATIONS,
        (
            Edit(
                "_composition()[self.index][first.index]", "_composition()[first.index][self.index]"
            ),
        ),
    ),
    Mutation(
        "gate-hand",
        "pysim/families/portal/gates.py",
        "the sideways part of a speed is mirrored at a gate",
        _CHAMBERS,
        (Edit("scale(_cross(out, there), c)", "scale(_cross(there, out), c)"),),
    ),
    Mutation(
        "halves-down",
        "pysim/families/portal/flight.py",
        "half a cell of a flight is rounded down",
        _CHAMBERS,
        (
            Edit(
                "(2 * abs(speed) * step + steps) // (2 * steps)",
                "(2 * abs(speed) * step + steps - 1) // (2 * steps)",
            ),
        ),
    ),
    Mutation(
        "kept-gates",
        "pysim/families/portal/flight.py",
        "gates stay open behind an agent in a field",
        _CHAMBERS,
        (
            Edit(
                "return state.close_gates() if cell in chamber.field_cells else state",
                "return state",
            ),
        ),
    ),
    Mutation(
        "wet-step",
        "pysim/families/portal/walking.py",
        "the agent steps down into a cell through liquid",
        _CHAMBERS,
        (Edit("if cell in self.beam or cell in self.liquid:", "if cell in self.beam:"),),
    ),
    Mutation(
        "hit-through-gate",
        "pysim/families/portal/circuits.py",
        "a laser hits the receiver behind a gate that it goes into",
        _CHAMBERS,
        (
            Edit(
                "if ahead in receivers and find_other_gate(pair, cell, way) is None:",
                "if ahead in receivers:",
            ),
        ),
    ),
    Mutation(
        "referee-fall",
        "bridge/referee/portal/motion.py",
        "bodies fall one cell a tick too slowly in the referee",
        _CHAMBERS,
        (Edit("_FASTEST_FALL = -8", "_FASTEST_FALL = -7"),),
    ),
    Mutation(
        "optimal-early",
        "pysim/families/portal/planner.py",
        "OPTIMAL is claimed of a plan with one action more than is proven",
        _CHAMBER_PROOFS,
        (Edit("least = min(found.least, len(best))", "least = min(found.least + 1, len(best))"),),
    ),
    Mutation(
        "bound-low",
        "bridge/referee/portal/judging.py",
        "the referee confirms a bound that it has proven one too low",
        _BOUNDS,
        (Edit("elif lower_bound >= bound:", "elif lower_bound + 1 >= bound:"),),
    ),
    Mutation(
        "mirrored-fold",
        "pysim/families/nets/joints.py",
        "hinges above and below a plate bend the wrong way",
        _NETS,
        (
            Edit(
                "in (Heading.RIGHT, Heading.DOWN) else -1", "in (Heading.RIGHT, Heading.UP) else -1"
            ),
        ),
    ),
    Mutation(
        "low-lift",
        "pysim/families/nets/lifting.py",
        "a net is lifted one unit too low to be turned",
        _TABLE,
        (
            Edit(
                "return max(0, -((lowest - (2 * TABLE - 1)) // 2))",
                "return max(0, -((lowest - (2 * TABLE - 1)) // 2) - 1)",
            ),
        ),
    ),
    Mutation(
        "inside-out",
        "pysim/families/nets/state.py",
        "a cube with its arrows inside counts as one",
        _NETS,
        (Edit("if state.bends[1:] != (MOUNTAIN,) * 5:", "if FLAT in state.bends[1:]:"),),
    ),
    Mutation(
        "turns-swapped",
        "pysim/families/nets/planner.py",
        "two turns of a plan come in the wrong order",
        _NETS,
        (
            Edit(
                "if make_quarter_turn(*two).compose(make_quarter_turn(*one)) == rotation",
                "if make_quarter_turn(*one).compose(make_quarter_turn(*two)) == rotation",
            ),
        ),
    ),
    Mutation(
        "plates-through",
        "bridge/referee/nets/collision.py",
        "the referee lets plates go through each other",
        _NET_CLAIMS,
        (Edit("_DEPTH = 0.2", "_DEPTH = 1.2"),),
    ),
    Mutation(
        "mirror-copies",
        "pysim/families/jigsaw/solving.py",
        "mirror images are counted where no piece is turned over",
        _JIGSAWS,
        (Edit("copies = 48 if question.flips else 24", "copies = 48"),),
    ),
    Mutation(
        "any-solution",
        "pysim/families/jigsaw/planner.py",
        "pieces are taken off for any solution, not for the nearest one",
        _JIGSAW_RULES,
        (Edit("best = min(plans, key=len, default=None)", "best = next(plans, None)"),),
    ),
    Mutation(
        "other-edge",
        "pysim/families/jigsaw/fitting.py",
        "the edges that do not fit are those on the far sides",
        _FITTING,
        (
            Edit(
                "on_face[face].find_edge(find_side(face, other))",
                "on_face[face].find_edge(find_side(face, other).opposite)",
            ),
        ),
    ),
    Mutation(
        "gap-to-come",
        "pysim/families/jigsaw/fitting.py",
        "a cell counts as a gap though a piece may still fill it",
        _FITTING,
        (
            Edit(
                "elif not owners and taken.issuperset(faces):",
                "elif not owners and not taken.isdisjoint(faces):",
            ),
        ),
    ),
    Mutation(
        "bound-by-one",
        "bridge/referee/jigsaw/judging.py",
        "the referee confirms a bound of one action more than pieces are missing",
        _BOUNDS,
        (Edit("elif length <= fewest:", "elif length <= fewest + 1:"),),
    ),
    Mutation(
        "short-stretch",
        "bridge/video/verdict/violations.py",
        "a violation of the shortest length that counts is not seen",
        _TRACKS,
        (Edit("if end - first >= least:", "if end - first > least:"),),
    ),
    Mutation(
        "split-unseen",
        "bridge/video/verdict/ruling.py",
        "pieces of which nothing is known count as split",
        _TRACKS,
        (
            Edit(
                "(apart >= LIMITS.split) & tracks.decided[:, piece], LIMITS.lasting_frames",
                "apart >= LIMITS.split, LIMITS.lasting_frames",
            ),
        ),
    ),
    Mutation(
        "worn-places",
        "bridge/video/verdict/tracks.py",
        "colours of pieces are by their old places where some pieces are picked",
        _TRACKS,
        (Edit("places[pick] = np.arange(len(pick))", "places[pick] = pick"),),
    ),
    Mutation(
        "tied-marks",
        "bridge/video/report/agreement.py",
        "frames that half of the people mark count as broken",
        _AGREEMENT,
        (Edit("np.mean(masks, axis=0) > 0.5", "np.mean(masks, axis=0) >= 0.5"),),
    ),
    Mutation(
        "frame-early",
        "bridge/video/report/measures.py",
        "frames correspond by their beginnings, not by their middles",
        _CLIPS,
        (Edit("times = (np.arange(frames) + 0.5) / fps", "times = np.arange(frames) / fps"),),
    ),
    Mutation(
        "last-of-equals",
        "bridge/video/report/leaderboard.py",
        "equal models share the rank of the last of them",
        _BOARD,
        (
            Edit(
                "for place, row in reversed([*enumerate(rows, 1)])",
                "for place, row in enumerate(rows, 1)",
            ),
        ),
    ),
    Mutation(
        "broken-before",
        "bridge/video/report/clip_metrics.py",
        "what a piece breaks right before its step does not matter",
        _CLIPS,
        (
            Edit(
                "and violation.last >= move.first - _AROUND",
                "and violation.last >= move.first + _AROUND",
            ),
        ),
    ),
    Mutation(
        "any-host",
        "bridge/web/guarding.py",
        "a page of another site gets in by a name that leads here",
        _ACCESS,
        (
            Edit(
                "return bool(name) and (not self.only_loopback or is_loopback(name))",
                "return bool(name)",
            ),
        ),
    ),
    Mutation(
        "any-secret",
        "bridge/web/store.py",
        "an open episode is given to a page with another secret",
        _GAMES,
        (Edit("if not secrets.compare_digest(known.lease, lease):", "if not known.lease:"),),
    ),
    Mutation(
        "same-rows",
        "bridge/web/study.py",
        "the orders of an odd number of levels are not balanced",
        _STUDIES,
        (Edit("rows + [row[::-1] for row in rows]", "rows + rows"),),
    ),
    Mutation(
        "first-scene",
        "bridge/web/replays.py",
        "each step of a plan is shown as a change of the first scene",
        _REPLAYS,
        (Edit("state, scene = transition.state, after", "state = transition.state"),),
    ),
    Mutation(
        "lock-bound-low",
        "bridge/referee/burr/judging.py",
        "the referee of locks confirms a bound that it has proven one too low",
        _BOUNDS,
        (Edit("elif known >= bound:", "elif known + 1 >= bound:"),),
    ),
)
