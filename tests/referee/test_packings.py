"""Counts of packings, three ways: cutting boxes up, Luban's search, and the referee."""

import random
from collections import defaultdict
from collections.abc import Mapping
from itertools import permutations

import pytest

from bridge.episode.episode import Episode
from bridge.episode.records import Obs, Options
from bridge.referee.documents import plan_of
from bridge.referee.findings import Judgement, JudgementBuilder
from bridge.referee.packing.fillings import Filling, Fillings, find_building_order, is_separable
from bridge.referee.packing.generator_claims import judge_making
from bridge.referee.packing.judging import judge, read_box, replay
from bridge.referee.packing.rules import Box, free_way
from bridge.referee.packing.search_effort import measure_effort
from bridge.referee.polycubes import Cell
from pysim.catalog import complete_document, decode_level
from pysim.families.packing.figures import measure_figures
from pysim.physics.factory import create_world
from pysim.puzzle import Outcome
from tests.referee.partitions import SIDES, Cut, cuts, document_of, kinds, like, random_cut
from tests.sampling import more

Sorts = tuple[tuple[Cell, ...], ...]
NUMBERS = {((2, 2, 3), 1): 2146, ((2, 2, 3), 3): 172, ((2, 3, 3), 4): 18337}
"""Sets of pieces of at least so many cells that fill a box."""
MOST = 3000
"""Sets of a box that are tried at most, drawn with a fixed seed."""


def counted(size: Cell, least: int) -> dict[Sorts, int]:
    """For every set of pieces that can fill a box, in how many ways up to turns of the box."""
    left = {frozenset(cut): cut for cut in cuts(size, least) if len(cut) > 1}
    found: dict[Sorts, int] = defaultdict(int)
    while left:
        _, cut = left.popitem()
        for image in like(cut, size):
            left.pop(image, None)
        found[kinds(cut)] += 1
    return found


def agreed(size: Cell, sorts: Sorts | Cut) -> int:
    """Packings of some pieces, after Luban and the referee were found to agree on all there is."""
    document = complete_document(document_of(size, sorts))
    box, level = read_box(document), decode_level(document)
    found = list(Fillings(box))
    figures = measure_figures(size, [piece.shape for piece in level.puzzle.pieces], cap=10**6)
    assert figures.complete and figures.solutions == len(found)
    assert figures.linear_solutions == sum(is_separable(box, packing) for packing in found)
    effort = measure_effort(box, 10**6)
    assert (effort.rows, effort.share) == (figures.search_nodes, figures.nodes_per_solution)
    built = any(
        find_building_order(box, packing) is not None
        for packing in Fillings(box).enumerate_oriented()
    )
    assert built == (level.plan is not None)
    if level.plan is not None:
        judgement = judge(document)
        assert {"plan", "proof", "lower_bound"} <= set(judgement.confirmed) and not judgement.false
        played_in_the_lattice_world(document)
    return len(found)


def played_in_the_lattice_world(document: Mapping[str, object]) -> None:
    level, plan = decode_level(document), plan_of(document)
    assert plan is not None and level.plan is not None
    episode = Episode(level, create_world("lattice"), None, Options(obs=Obs.STATE))
    for action in level.plan.actions:
        assert episode.step(action).disagreement is None
    assert episode.ending is not None and episode.ending.outcome is Outcome.SOLVED
    episode.close()
    assert replay(document, plan.steps).solved_after == len(plan.steps)


def test_sets_of_pieces_of_three_cells_and_more_fill_2x2x3_in_as_many_ways() -> None:
    sets = counted((2, 2, 3), 3)
    assert len(sets) == NUMBERS[(2, 2, 3), 3]
    for sorts, count in sorted(sets.items())[:: more(20, night=1)]:
        assert agreed((2, 2, 3), sorts) == count


@pytest.mark.slow
@pytest.mark.parametrize(("size", "least"), [((2, 2, 3), 1), ((2, 3, 3), 4)])
def test_sets_of_pieces_fill_a_small_box_in_as_many_ways(size: Cell, least: int) -> None:
    sets = counted(size, least)
    assert len(sets) == NUMBERS[size, least]
    some = random.Random(7).sample(sorted(sets), min(len(sets), MOST))
    for sorts in some:
        assert agreed(size, sorts) == sets[sorts]


@pytest.mark.slow
def test_forty_cuts_of_2x3x3_are_counted_alike() -> None:
    rng = random.Random(13)
    for _ in range(40):
        assert agreed((2, 3, 3), random_cut(rng, (2, 3, 3), rng.randint(3, 6))) >= 1


def test_soma_has_240_packings_and_their_mirror_images() -> None:
    soma = (["##/#."], ["###/#.."], ["###/.#."], ["##./.##"], ["##/#.", "../#."])
    others = (["##/#.", ".#/.."], ["##/#.", "#./.."])
    pieces = [{"colour": f"c{k}", "layers": own} for k, own in enumerate((*soma, *others))]
    puzzle = {"size": [3, 3, 3], "gravity": True, "open": ["+z"], "pieces": pieces}
    box = read_box({"family": "packing", "puzzle": puzzle})
    assert sum(1 for _ in Fillings(box)) == 480


def judge_easy_piece(layers: list[str]) -> Judgement:
    """Judge whether the generator of easy boxes makes a piece; the box has as many cells."""
    cells = "".join(layers).count("#")
    pieces = [{"colour": "red", "layers": layers}]
    puzzle = {"size": [cells, 1, 1], "gravity": True, "open": ["+z"], "pieces": pieces}
    document = {"puzzle": puzzle, "source": {"generator": "packing/easy 1"}}
    builder = JudgementBuilder()
    judge_making(document, read_box(document), builder)
    return builder.build()


@pytest.mark.parametrize(
    "layers", [["##"], ["#/#"], ["#", "#"], ["##/##"], ["##", "##"], ["#/#", "#/#"]], ids=str
)
def test_cuboid_with_two_equal_sides_is_an_easy_piece_whichever_way_it_is_drawn(
    layers: list[str],
) -> None:
    assert judge_easy_piece(layers).confirmed == ("source.generator",)


@pytest.mark.parametrize("layers", [["##/#."], ["##", "#."], ["#/#", "#/."]], ids=str)
def test_corner_of_three_cells_is_no_easy_piece_whichever_way_it_is_drawn(
    layers: list[str],
) -> None:
    (finding,) = judge_easy_piece(layers).false
    assert finding.claim == "source.generator" and "is no cuboid" in str(finding)


@pytest.mark.parametrize("seed", range(6))
def test_taking_out_what_can_leave_is_as_good_as_any_order(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(20):
        size = (rng.randint(2, 3), rng.randint(2, 3), 3)
        packing = random_cut(rng, size, rng.randint(3, 5))
        box = read_box(document_of(size, packing, gravity=False, sides=SIDES))
        some_order = any(leaves_in(box, order) for order in permutations(packing))
        assert is_separable(box, packing) == some_order
        assert (find_building_order(box, packing) is not None) == some_order


def leaves_in(box: Box, order: Filling) -> bool:
    for k, piece in enumerate(order):
        others = frozenset[Cell]().union(*order[k + 1 :])
        if not any(free_way(box, piece, others, side) for side in SIDES):
            return False
    return True
