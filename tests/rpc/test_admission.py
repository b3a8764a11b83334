"""Places of connections: the one that leaves for another."""

from dataclasses import dataclass

import pytest

from bridge.rpc.http2.admission import Admission, Quotas

PLACES = 4


@dataclass(eq=False)
class Connection:
    """A connection that has nothing but its place."""

    admission: Admission
    host: str
    is_quiet: bool
    is_known: bool = False
    is_shut: bool = False

    def shut(self) -> None:
        self.is_shut = True
        self.admission.leave(self)


def enter(admission: Admission, host: str, *, is_quiet: bool) -> Connection:
    connection = Connection(admission, host, is_quiet)
    admission.enter(connection)
    return connection


@pytest.mark.parametrize("most", [(PLACES, 99), (99, PLACES)])
@pytest.mark.parametrize("quiet", [None, 1, 3])
def test_newcomer_takes_the_place_of_one_that_is_quiet_or_came_first(
    most: tuple[int, int], quiet: int | None
) -> None:
    """It is quiet itself, for it has had no time to send anything."""
    admission = Admission(Quotas(99, *most, 99, 99, 99))
    held = [enter(admission, "192.0.2.1", is_quiet=k == quiet) for k in range(PLACES)]
    newcomer = enter(admission, "192.0.2.1", is_quiet=True)
    assert [k for k, one in enumerate(held) if one.is_shut] == [quiet or 0]
    assert not newcomer.is_shut


def test_newcomer_leaves_where_all_places_belong_to_those_with_a_key() -> None:
    admission = Admission(Quotas(PLACES, 99, 99, 99, 99, 99))
    held = [enter(admission, "192.0.2.1", is_quiet=True) for _ in range(PLACES)]
    for one in held:
        admission.prove(one)
    newcomer = enter(admission, "192.0.2.2", is_quiet=True)
    assert newcomer.is_shut and not any(one.is_shut for one in held)
