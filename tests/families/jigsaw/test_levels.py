"""The 24 cubes that ship are made again by what their sources say, and malformed ones refused."""

import re
from dataclasses import replace
from typing import Any

import pytest

from bridge.generating import make_level
from pysim.catalog import encode_level, find_level
from pysim.errors import InputError
from pysim.families.jigsaw.generate import GIVEN, JigsawGenerator
from pysim.families.jigsaw.plugin import GENERATOR, JigsawOptions
from pysim.families.jigsaw.puzzle import Jigsaw, read_jigsaw, write_jigsaw
from pysim.families.jigsaw.solving import Placing, count_assemblies, solve
from pysim.generation import Draft, Rejected
from pysim.puzzle import Level, Tier
from pysim.render.palette import COLOURS
from pysim.suites import find_suite, load_levels
from tests.floors import without_floor

LEVELS: list[Level[Jigsaw]] = list(load_levels(find_suite("jigsaw-24")))


def test_there_are_eight_of_each_tier() -> None:
    assert [level.tier for level in LEVELS] == [t for t in list(Tier)[:3] for _ in range(8)]
    keys = {tuple(sorted(level.puzzle.rows)) for level in LEVELS}
    assert len(keys) == 24


@pytest.mark.parametrize("level", LEVELS, ids=[level.id for level in LEVELS])
def test_a_level_is_made_again_by_its_source(level: Level[Jigsaw]) -> None:
    found = re.fullmatch(
        r"luban generate jigsaw --tier (\w+) --seed (\d+), attempt (\d+)", level.source.reference
    )
    assert found is not None
    generator = JigsawGenerator(Tier(found[1]), int(found[2]), COLOURS)
    draft = generator.attempt(int(found[3]))
    assert isinstance(draft, Draft)
    made = replace(make_level(generator, draft, int(found[3])), id=level.id)
    assert without_floor(encode_level(made)) == without_floor(encode_level(level))


@pytest.mark.parametrize("level", LEVELS, ids=[level.id for level in LEVELS])
def test_pieces_are_whole_solutions_are_unique_and_tiers_are_what_they_are_said_to_be(
    level: Level[Jigsaw],
) -> None:
    jigsaw = level.puzzle
    assert all(shape.is_connected for shape in jigsaw.shapes)
    flips = level.tier is Tier.HARD
    found = solve(Placing(jigsaw.rows, {}, flips=flips)).found
    assert found and count_assemblies(jigsaw.rows, found) == 1
    given = [place for place in jigsaw.start if place is not None]
    assert len(given) == (GIVEN if level.tier is Tier.EASY else 0)
    assert not any(place.flipped for place in given)


def test_what_is_asked_of_the_generator_is_in_its_command() -> None:
    plain = GENERATOR.make(JigsawOptions(Tier.HARD), 5, COLOURS)
    assert plain.command == "luban generate jigsaw --tier hard --seed 5"
    loose = GENERATOR.make(JigsawOptions(Tier.EASY, unique=False, whole=False), 5, COLOURS)
    assert loose.command == "luban generate jigsaw --tier easy --seed 5 --no-unique --no-whole"
    assert isinstance(loose.attempt(0), Draft), "nothing is left to reject"
    with pytest.raises(InputError, match="6 pieces"):
        GENERATOR.make(JigsawOptions(Tier.HARD), 5, COLOURS[:5])


def test_attempts_are_rejected_for_what_they_are() -> None:
    generator = JigsawGenerator(Tier.HARD, 1, COLOURS)
    reasons = {a.reason for a in map(generator.attempt, range(60)) if isinstance(a, Rejected)}
    assert "a piece in two parts" in reasons <= {"a piece in two parts", "several solutions"}


DOCUMENT = write_jigsaw(find_level("jigsaw-easy-1").puzzle)


def changed(**changes: object) -> dict[str, object]:
    """The document of a puzzle whose first piece is another one."""
    pieces: Any = DOCUMENT["pieces"]
    return {"pieces": [{**pieces[0], **changes}, *pieces[1:]]}


@pytest.mark.parametrize(
    ("document", "word"),
    [
        (changed(rows=["#####"] * 5), "surface"),
        (changed(start=["Front"]), "start"),
        (changed(start=["Top", "left", "top"]), "overlaps"),
    ],
)
def test_what_is_no_cube_is_refused(document: dict[str, object], word: str) -> None:
    with pytest.raises(InputError, match=word):
        read_jigsaw(document)


def test_a_whole_cube_is_no_puzzle() -> None:
    jigsaw = find_level("jigsaw-hard-1").puzzle
    (places,) = solve(Placing(jigsaw.rows, {})).found[:1]
    with pytest.raises(InputError, match="whole"):
        replace(jigsaw, start=places)
