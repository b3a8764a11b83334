"""What can't be made is refused, with a reason."""

import pytest

from pysim.families.burr.generator import LockKind, Settings


@pytest.mark.parametrize(
    ("wanted", "reason"),
    [
        ({"kind": LockKind.SIX_PIECE, "pieces": 5}, "six-piece burr has 6 pieces, not 5"),
        ({"kind": LockKind.RODS, "pieces": 2}, "3 to 30 pieces, not 2"),
        ({"kind": LockKind.RODS, "pieces": 31}, "3 to 30 pieces, not 31"),
        ({"kind": LockKind.BOARD, "pieces": 7}, "3 to 6 pieces, not 7"),
        ({"kind": LockKind.CUBE, "pieces": 32}, "2 to 12 pieces, not 32; with --sequential"),
        ({"kind": LockKind.CUBE, "pieces": 49, "sequential": True}, "3 to 48 pieces, not 49"),
        ({"kind": LockKind.CUBE, "level": 0}, "1 to 1,000, not 0"),
        ({"kind": LockKind.CUBE, "level": 1001}, "1 to 1,000, not 1001"),
        ({"kind": LockKind.CUBE, "level": 2, "size": (2, 4, 4)}, "less than 3 thick"),
        ({"kind": LockKind.CUBE, "level": 2, "sequential": True}, "leave --level out"),
        ({"kind": LockKind.CUBE, "climb": -1}, "0 to 1,000,000 rounds, not -1"),
        ({"kind": LockKind.CUBE, "climb": 1, "sequential": True, "pieces": 13}, "2 to 12 pieces"),
        ({"kind": LockKind.RODS, "sequential": True}, "goes with the kind cube"),
        ({"kind": LockKind.CUBE, "seed": -1}, "0 or more, not -1"),
        ({"kind": LockKind.CUBE, "size": (4, 4)}, "4 or 4x4x5"),
        ({"kind": LockKind.CUBE, "size": (1, 4, 4)}, "edges of 2 to 21"),
        ({"kind": LockKind.CUBE, "size": (22,)}, "edges of 2 to 21"),
        ({"kind": LockKind.CUBE, "size": (3, 3, 3), "pieces": 12}, "too small for 12 pieces"),
        ({"kind": LockKind.SIX_PIECE, "size": (7,)}, "even length of 6 to 20, not 7"),
        ({"kind": LockKind.SIX_PIECE, "size": (22,)}, "even length of 6 to 20, not 22"),
        ({"kind": LockKind.SIX_PIECE, "size": (6, 6, 6)}, "one number, a length"),
        ({"kind": LockKind.RODS, "pieces": 18, "size": (10,)}, "even length of 12 to 20, not 10"),
        ({"kind": LockKind.BOARD, "size": (4,)}, "even length of 6 to 20, not 4"),
        ({"kind": LockKind.BOARD, "thickness": 3}, "1 or 2 thick, not 3"),
        ({"kind": LockKind.BOARD, "thickness": 2}, "make them 1 thick"),
        ({"kind": LockKind.RODS, "thickness": 2}, "goes with the kind board"),
        ({"kind": LockKind.CUBE, "stacked": True}, "--stacked goes with the kind rods, not with"),
        ({"kind": LockKind.RODS, "pieces": 20, "stacked": True}, "18 rods can be stacked, not 20"),
        ({"kind": LockKind.RODS, "size": (10,), "stacked": True}, "rods have the length 8"),
    ],
)
def test_what_can_not_be_made_is_refused(wanted: dict[str, object], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        Settings(**wanted)  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", LockKind)
def test_the_usual_pieces_and_size_can_be_made(kind: LockKind) -> None:
    usual = Settings(kind)
    assert Settings(kind, pieces=usual.pieces, size=usual.size) == usual


@pytest.mark.parametrize("pieces", range(3, 31))
def test_there_is_a_length_for_every_number_of_rods(pieces: int) -> None:
    assert Settings(LockKind.RODS, pieces=pieces).size[0] <= 20


def test_the_command_says_all_that_locks_depend_on() -> None:
    wanted = Settings(LockKind.BOARD, seed=7, level=3, reflections=True)
    assert wanted.command == (
        "luban generate burr --kind board --pieces 6 --level 3 --size 6 --seed 7 --thickness 1 "
        "--reflections"
    )


def test_climb_is_a_setting_only_where_there_is_one() -> None:
    assert "climb" not in Settings(LockKind.CUBE).options
    wanted = Settings(LockKind.CUBE, climb=7)
    assert wanted.options["climb"] == 7 and wanted.command.endswith(" --climb 7")


def test_climb_from_a_sequence_may_have_any_level() -> None:
    wanted = Settings(LockKind.CUBE, sequential=True, level=68, climb=3)
    assert wanted.options["sequential"] == 1
    assert wanted.command.endswith(" --level 68 --size 8x8x8 --seed 0 --sequential --climb 3")


def test_stacks_are_a_setting_only_where_there_are_some() -> None:
    assert "stacked" not in Settings(LockKind.RODS).options
    wanted = Settings(LockKind.RODS, stacked=True, climb=2)
    assert wanted.options["stacked"] == 1 and (wanted.pieces, wanted.size) == (18, (8,))
    assert wanted.command.endswith(" --size 8 --seed 0 --stacked --climb 2")
