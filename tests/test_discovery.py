"""What is found in folders and in other packages' entry points, and what is said if it can't be."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pysim.discovery import DiscoveryError, EntryPoints, discover
from tests.toys import add_entry

GROUP = "luban.test_things"


def as_word(name: str, offered: object) -> str:
    if not isinstance(offered, str):
        raise DiscoveryError(f"{name} is no word")
    return offered


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder on the module path in which Luban's own things are the package ``own_things``."""
    before = set(sys.modules)
    (tmp_path / "own_things").mkdir()
    monkeypatch.syspath_prepend(str(tmp_path))
    module(tmp_path, "own_things.__init__", "")
    for name in ("pear", "apple", "_core"):
        module(tmp_path, f"own_things.{name}", f"THING = 'own {name}'")
    yield tmp_path
    for name in set(sys.modules) - before:
        if name.split(".")[0] in {path.stem for path in tmp_path.iterdir()}:
            del sys.modules[name]


def module(site: Path, name: str, source: str) -> None:
    path = site / (name.replace(".", "/") + ".py")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(source)


def things() -> EntryPoints[str]:
    return discover(GROUP, as_word, package="own_things", attribute="THING")


def test_own_things_come_first_then_those_of_other_packages_in_alphabetical_order(
    site: Path,
) -> None:
    module(site, "fruit", "BANANA = 'yellow'\nclass Basket:\n    CHERRY = 'red'")
    entries = ("cherry = fruit:Basket.CHERRY", "a-banana = fruit:BANANA")
    add_entry(site, "fruit", GROUP, *entries)
    assert list(things()) == ["apple", "pear", "a-banana", "cherry"]
    assert dict(things()) == {
        "apple": "own apple",
        "pear": "own pear",
        "a-banana": "yellow",
        "cherry": "red",
    }
    assert dict(discover(GROUP, as_word)) == {"a-banana": "yellow", "cherry": "red"}


def test_nothing_is_loaded_before_it_is_asked_for_and_then_once(site: Path) -> None:
    module(site, "late", "THING = 'late'\nopen(__file__ + '.loaded', 'x').close()")
    add_entry(site, "late", GROUP, "late = late:THING")
    offered = things()
    assert "late" in offered and len(offered) == 3 and list(offered)[-1] == "late"
    assert "late" not in sys.modules and "own_things.apple" not in sys.modules
    assert offered["late"] == offered["late"] == "late"
    assert "own_things.apple" not in sys.modules


def test_what_nobody_offers_is_not_there(site: Path) -> None:
    assert "plum" not in things() and things().get("plum") is None and 3 not in things()
    with pytest.raises(KeyError):
        things()["plum"]


@pytest.mark.parametrize(
    ("entry", "why"),
    [
        ("it = missing_package:THING", "No module named 'missing_package'"),
        ("it = broken:THING", "RuntimeError: no licence"),
        ("it = empty:THING", "no attribute 'THING'"),
        ("it = empty", "no attribute"),
        ("it = mistyped:THING", "SyntaxError"),
    ],
)
def test_what_can_not_be_loaded_is_named_with_its_package(site: Path, entry: str, why: str) -> None:
    module(site, "broken", "raise RuntimeError('no licence')")
    module(site, "empty", "")
    module(site, "mistyped", "THING = (")
    add_entry(site, "acme-things", GROUP, entry)
    assert things()["apple"] == "own apple"
    with pytest.raises(DiscoveryError, match=r"'it' of acme-things \(.*\) can't be loaded: ") as no:
        things()["it"]
    assert why in str(no.value)


def test_what_is_of_another_sort_is_refused_by_the_check(site: Path) -> None:
    module(site, "number", "THING = 3")
    add_entry(site, "number", GROUP, "three = number:THING")
    with pytest.raises(DiscoveryError, match="three is no word"):
        things()["three"]


def test_a_name_that_two_packages_offer_is_refused_with_both(site: Path) -> None:
    add_entry(site, "acme", GROUP, "apple = acme:APPLE")
    with pytest.raises(DiscoveryError, match="two packages offer 'apple'") as own:
        things()
    assert "luban (own_things.apple:THING)" in str(own.value)
    assert "acme (acme:APPLE)" in str(own.value)
    add_entry(site, "rival", GROUP, "apple = rival:APPLE")
    with pytest.raises(DiscoveryError, match=r"acme \(acme:APPLE\) and rival \(rival:APPLE\)"):
        discover(GROUP, as_word)


def test_a_folder_is_that_of_the_innermost_package_that_has_one(site: Path) -> None:
    module(site, "acme.__init__", "")
    module(site, "acme.inner.__init__", "raise RuntimeError('not needed')")
    module(site, "acme.other.deep", "THING = ''")
    module(site, "alone", "THING = ''")
    (site / "assets").mkdir()
    (site / "acme" / "assets").mkdir()
    (site / "acme" / "inner" / "assets").mkdir()
    entries = {"a": "acme", "b": "acme.inner", "c": "acme.other.deep", "d": "alone", "e": "gone"}
    add_entry(site, "acme", GROUP, *(f"{k} = {v}:THING" for k, v in entries.items()))
    offers = discover(GROUP, as_word).entry_points
    folders = {name: offer.find_folder("assets") for name, offer in offers.items()}
    outer, inner = site / "acme" / "assets", site / "acme" / "inner" / "assets"
    assert folders == {"a": outer, "b": inner, "c": outer, "d": None, "e": None}
