"""Shared parts of all contract suites: the levels of their tests, with pytest or without."""

import inspect
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from itertools import islice
from typing import Any, ClassVar, TypeVar

import pytest

from pysim.catalog import AnyFamily, AnyLevel, discover_families, find_family, list_shipped_levels
from pysim.puzzle import Tier

__all__ = ["Contract", "check", "few_levels", "is_frozen", "over"]

T = TypeVar("T", bound=Callable[..., None])
Case = tuple[str, Any, bool]
"""What a test is run with: its name, the thing, and whether it is one of the few."""


def over(what: str) -> Callable[[T], T]:
    """Run a test with ``families``, a level of each (``one_level``), ``levels``, or a ``few``.

    The test's first parameter takes it.
    """

    def marked(test: T) -> T:
        vars(test)["over"] = what
        return test

    return marked


def is_frozen(made: type) -> bool:
    """Return whether a dataclass is frozen."""
    return bool(vars(made)["__dataclass_params__"].frozen)


class Contract:
    """Tests of one sort of thing; each is named as the sentence that is to hold.

    Attributes:
        rest: put on tests of levels beyond the few that are played of each kind; None leaves those
            levels out.
        few: levels of each tier of each family that are played, no two of a kind.
    """

    rest: ClassVar[pytest.MarkDecorator | None] = None
    few: ClassVar[int] = 2

    def families(self) -> list[AnyFamily]:
        """Return the families over which the tests run."""
        return list(discover_families().values())

    def suits(self, level: AnyLevel) -> str:
        """Why tests leave a level out; empty if they don't."""
        return ""

    def cases(self, what: str) -> Iterator[Case]:
        """Yield the cases of a test; see :func:`over`."""
        names = [family.name for family in self.families()]
        if what == "families":
            yield from ((family.name, family, True) for family in self.families())
            return
        chosen = [level for level in list_shipped_levels() if level.family in names]
        if what == "one_level":
            chosen = list({level.family: level for level in reversed(chosen)}.values())[::-1]
        few = few_levels(self.few) if what == "few" else frozenset()
        for level in chosen:
            yield level.id, level, what != "few" or level.id in few

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """Called by pytest: a test for each case."""
        what = vars(metafunc.function).get("over", "")
        if not what:
            return
        parameter = list(inspect.signature(metafunc.function).parameters)[1]
        cases = [
            pytest.param(thing, id=name, marks=[] if few or self.rest is None else [self.rest])
            for name, thing, few in self.cases(what)
            if few or self.rest is not None
        ]
        metafunc.parametrize(parameter, cases)


def check(contract: Contract) -> None:
    """Run all tests of a contract without pytest's runner.

    Raises:
        AssertionError: one of them does not hold; the message says which, for what, and why.
    """
    for name, test in inspect.getmembers(contract, inspect.ismethod):
        if name.startswith("test_"):
            what = vars(test.__func__).get("over", "")
            for case, thing, few in contract.cases(what) if what else [("", None, True)]:
                if few:
                    _run(test, [thing] if what else [], case)


def _run(test: Callable[..., None], arguments: list[Any], case: str) -> None:
    try:
        test(*arguments)
    except pytest.skip.Exception:
        return
    except (Exception, pytest.fail.Exception) as error:
        sentence = test.__name__.removeprefix("test_").replace("_", " ")
        where = f" (for {case})" if case else ""
        line = traceback.extract_tb(error.__traceback__)[-1].line
        why = str(error).partition("\n")[0] or line or type(error).__name__
        kind = "" if isinstance(error, AssertionError) else f"{type(error).__name__}: "
        raise AssertionError(f"does not hold: {sentence}{where}: {kind}{why}") from error


@cache
def few_levels(each: int) -> frozenset[str]:
    """Return the ids of so many levels of each tier of each family, no two of a kind."""
    seen: Counter[tuple[str, Tier]] = Counter()
    kinds: set[object] = set()
    few = set()
    for level in list_shipped_levels():
        if seen[level.family, level.tier] < each and (kind := _kind(level)) not in kinds:
            seen[level.family, level.tier] += 1
            kinds.add(kind)
            few.add(level.id)
    return frozenset(few)


def _kind(level: AnyLevel) -> object:
    """Equal for levels of a tier that differ in their start only, such as two scrambled cubes."""
    rules = find_family(level).rules
    start = rules.initial(level)
    shapes = tuple(body.shape for body in rules.scene(level, start).bodies)
    return level.family, level.tier, shapes, len(list(islice(rules.legal(level, start), 20)))
