"""``luban.testing``: what is whole passes, and what is broken is named in a sentence."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

import luban.testing
from luban.testing import Contract, FamilyContract, WorldContract, check
from luban.testing.contract import over
from pysim.catalog import AnyFamily, AnyLevel, discover_families
from pysim.physics.lattice import LatticeWorld
from pysim.physics.world import Report, World
from pysim.puzzle import Transition

NAME = sorted(discover_families())[0]


def broken(family: AnyFamily, **changes: Any) -> FamilyContract:
    """The contract of a family that is like another one, but for some of its functions."""
    rules = type("Broken", (type(family.rules),), changes)
    made = replace(family, rules=rules())

    class Chosen(FamilyContract):
        def families(self) -> list[AnyFamily]:
            return [made]

    return Chosen()


def test_what_does_not_exist_is_named_with_what_does() -> None:
    for call, known in (
        (luban.testing.check_family, NAME),
        (luban.testing.check_world, "lattice"),
        (luban.testing.check_renderer, "egl"),
        (luban.testing.check_bench, "chain"),
    ):
        with pytest.raises(AssertionError, match=f"there is no .* 'sudoku'.*{known}"):
            call("sudoku")


@pytest.mark.slow
def test_a_whole_renderer_passes() -> None:
    pytest.importorskip("moderngl")
    luban.testing.check_renderer("egl")


class Small(Contract):
    """One test of each sort."""

    def families(self) -> list[AnyFamily]:
        return [discover_families()[NAME]]

    @over("families")
    def test_all_families_have_names_of_an_odd_length(self, family: AnyFamily) -> None:
        assert len(family.name) % 2, f"{family.name} has {len(family.name)} letters"


def test_a_sentence_says_what_does_not_hold_for_what_and_why() -> None:
    with pytest.raises(AssertionError) as caught:
        check(Small())
    assert str(caught.value) == (
        f"does not hold: all families have names of an odd length (for {NAME}): "
        f"{NAME} has {len(NAME)} letters"
    )


class Faulty(Contract):
    """Raises what is no AssertionError, and skips."""

    def test_nothing_is_divided_by_zero(self) -> None:
        _ = 1 // 0

    def test_an_engine_is_there(self) -> None:
        pytest.skip("it is not")

    def test_bad_values_are_refused(self) -> None:
        with pytest.raises(ValueError, match="bad"):
            pass


def test_other_errors_and_errors_that_were_missed_are_told_alike() -> None:
    with pytest.raises(AssertionError, match=r"bad values are refused.*DID NOT RAISE"):
        check(Faulty())
    del Faulty.test_bad_values_are_refused
    with pytest.raises(AssertionError, match="ZeroDivisionError: integer division"):
        check(Faulty())
    del Faulty.test_nothing_is_divided_by_zero
    check(Faulty())


def test_each_test_runs_over_what_it_says() -> None:
    contract = FamilyContract()
    names = {what: [n for n, _, _ in contract.cases(what)] for what in ("families", "one_level")}
    assert names["families"] == list(discover_families())
    assert len(names["one_level"]) == len(discover_families())
    every = list(contract.cases("levels"))
    few = [name for name, _, now in contract.cases("few") if now]
    assert all(now for _, _, now in every) and 10 < len(few) < len(every) / 2


class Lying(LatticeWorld):
    """Says that it went one unit farther than it did."""

    def execute(self, motions: Any) -> Report:
        report = super().execute(motions)
        return replace(report, travel=report.travel + 1)


def test_a_world_that_reports_what_did_not_happen_is_found_out() -> None:
    class Chosen(WorldContract):
        def make(self) -> World:
            return Lying()

        def families(self) -> list[AnyFamily]:
            return [discover_families()[NAME]]

    with pytest.raises(AssertionError, match="does not hold: a world confirms the"):
        check(Chosen())


# -- families that are broken in one place --------------------------------------------------------


def test_a_family_whose_list_holds_what_is_refused_is_found_out() -> None:
    family = discover_families()[NAME]

    def legal(self: Any, level: AnyLevel, state: Any) -> Iterator[Any]:
        actions = list(family.rules.legal(level, state))
        return iter([*actions, *actions[:1]])

    with pytest.raises(AssertionError, match="every listed action is accepted and listed once"):
        contract = broken(family, legal=legal)
        contract_test(contract, "test_every_listed_action_is_accepted_and_listed_once", family)


def contract_test(contract: FamilyContract, name: str, family: AnyFamily) -> None:
    """Run one test of a contract only."""
    made = contract.families()[0]
    kept = {n: None for n in dir(FamilyContract) if n.startswith("test_") and n != name}
    alone = type("Alone", (type(contract),), kept)()
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(discover_families()._loaded, family.name, made)
        check(alone)


def test_a_family_whose_texts_do_not_tell_states_apart_is_found_out() -> None:
    family = discover_families()[NAME]
    with pytest.raises(AssertionError, match="texts are equal exactly if states are"):
        contract = broken(family, encode=lambda self, state: "a state")
        contract_test(contract, "test_texts_are_equal_exactly_if_states_are", family)


def test_a_family_whose_motions_lead_elsewhere_is_found_out() -> None:
    family = discover_families()[NAME]

    def apply(self: Any, level: AnyLevel, state: Any, action: Any) -> Transition[Any]:
        return replace(family.rules.apply(level, state, action), motions=())

    with pytest.raises(AssertionError, match="motions lead from scene to scene"):
        contract = broken(family, apply=apply)
        contract_test(contract, "test_motions_lead_from_scene_to_scene", family)
