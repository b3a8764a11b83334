"""Places of a server, and the strangers who lose theirs first.

A stranger is a connection that has shown neither the operator's key nor the lease of an episode.
Strangers share places and memory of their own. Beyond those the one that came first goes, because
whoever means it sends a whole call at once and needs its place for milliseconds.
"""

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Protocol

import grpc

from bridge.rpc.errors import RequestError, make_limit_error

__all__ = ["Admission", "Caller", "Peer", "Quotas"]


@dataclass(frozen=True, slots=True)
class Quotas:
    """Limits of a server's connections and calls.

    Attributes:
        connections: of clients.
        strange_connections, peer_connections: strangers' in all, and of one address.
        calls: of every kind.
        strange_calls, connection_calls: strangers' in all, and over one connection.
        unfinished, strange_unfinished: bytes of requests that have not been read.
        unsent: bytes of answers that clients have not taken.
        first_call: seconds until a stranger's first call is there.
        request: seconds that the request of a call with a key may take to come.
        idle, strange_idle: seconds after which a connection without a call is closed.
        keepalive: seconds after which a silent client is asked whether it still lives, and again
            until it is given up.
        slowest: seconds in which a client has to take something of its answers.
    """

    connections: int
    strange_connections: int
    peer_connections: int
    calls: int
    strange_calls: int
    connection_calls: int
    unfinished: int = 96 << 20
    strange_unfinished: int = 8 << 20
    unsent: int = 128 << 20
    first_call: float = 10.0
    request: float = 90.0
    idle: float = 300.0
    strange_idle: float = 30.0
    keepalive: float = 30.0
    slowest: float = 30.0


class Peer(Protocol):
    """A connection, as far as its place is concerned."""

    host: str
    is_known: bool

    @property
    def is_quiet(self) -> bool:
        """Whether it asks for nothing."""

    def shut(self) -> None:
        """Close it at once."""


class Caller(Protocol):
    """A call, as far as its place is concerned."""

    is_trusted: bool
    held: int
    unsent: int

    @property
    def peer(self) -> Peer:
        """The connection."""

    def refuse(self, error: RequestError) -> None:
        """End it with an error."""

    def abandon(self) -> None:
        """End it without a word: the client takes none."""


@dataclass(slots=True)
class Admission:
    """Everybody who has a place. Used in the loop's thread only.

    Attributes:
        quotas: the places.
        peers: all connections.
        strangers: those among them that have shown nothing, the oldest first.
        calls: how many are open.
        freed: bytes given up since memory was last given back to the system.
    """

    quotas: Quotas
    peers: dict[Peer, None] = field(default_factory=dict)
    strangers: dict[Peer, None] = field(default_factory=dict)
    calls: int = 0
    freed: int = 0
    _strange_calls: dict[Caller, None] = field(default_factory=dict)
    _per_host: Counter[str] = field(default_factory=Counter)
    _waiting: dict[Caller, float] = field(default_factory=dict)
    _strange_waiting: dict[Caller, float] = field(default_factory=dict)
    _sending: dict[Caller, float] = field(default_factory=dict)
    _unfinished: int = 0
    _strange_unfinished: int = 0
    _unsent: int = 0

    def enter(self, peer: Peer) -> None:
        """Give a new connection a place, at the cost of the stranger that came first."""
        self.peers[peer] = self.strangers[peer] = None
        self._per_host[peer.host] += 1
        if self._per_host[peer.host] > self.quotas.peer_connections:
            self._make_place(peer.host, peer)
        elif len(self.strangers) > self.quotas.strange_connections:
            self._make_place(max(self._per_host, key=self._per_host.__getitem__), peer)
        elif len(self.peers) > self.quotas.connections:
            self._make_place(next(iter(self.strangers)).host, peer)

    def prove(self, peer: Peer) -> None:
        """A connection has shown a key or a lease."""
        if not peer.is_known and peer in self.peers:
            peer.is_known = True
            self._forget(peer)

    def leave(self, peer: Peer) -> None:
        """A connection has ended."""
        if self.peers.pop(peer, peer) is None:
            self._forget(peer)

    def open_call(self, call: Caller, at_once: int) -> None:
        """Give a new call a place, at the cost of one whose request has not come, or a stranger's.

        Args:
            at_once: calls that its connection has.

        Raises:
            RequestError: there is none.
        """
        quotas = self.quotas
        strange = not call.is_trusted
        if strange and at_once >= quotas.connection_calls:
            self._make_room((self._strange_waiting, self._strange_calls), call.peer)
        elif strange and len(self._strange_calls) >= quotas.strange_calls:
            self._make_room((self._strange_waiting, self._strange_calls))
        elif self.calls >= quotas.calls:
            self._make_room((self._strange_waiting, self._strange_calls, self._waiting))
        self.calls += 1
        if strange:
            self._strange_calls[call] = None

    def trust(self, call: Caller) -> None:
        """A call has shown the lease of an episode; so has its connection."""
        self.prove(call.peer)
        if call.is_trusted:
            return
        call.is_trusted = True
        del self._strange_calls[call]
        self._strange_unfinished -= call.held
        if (since := self._strange_waiting.pop(call, None)) is not None:
            self._waiting[call] = since

    def close_call(self, call: Caller) -> None:
        """A call has ended."""
        self.calls -= 1
        self._strange_calls.pop(call, None)
        self.hold(call, 0, waits=False)
        self.send(call, 0)

    def hold(self, call: Caller, held: int, *, waits: bool) -> None:
        """Note how many bytes of a call are unread, and whether a request of it is awaited.

        Beyond the budget, calls of strangers are refused first, then the call itself.
        """
        change, call.held = held - call.held, held
        self._unfinished += change
        queue = self._waiting
        if not call.is_trusted:
            self._strange_unfinished += change
            queue = self._strange_waiting
        self.freed += max(0, -change)
        if not waits:
            queue.pop(call, None)
        elif call not in queue:
            queue[call] = time.monotonic()
        if change > 0:
            self._keep_to_budget(call)

    def send(self, call: Caller, unsent: int) -> None:
        """Note how many bytes of a call's answer its client has still to take."""
        change, call.unsent = unsent - call.unsent, unsent
        self._unsent += change
        self.freed += max(0, -change)
        self._sending.pop(call, None)
        if unsent:
            # Whoever has taken nothing for longest comes first.
            self._sending[call] = time.monotonic()
            if change > 0 and self._unsent > self.quotas.unsent and len(self._sending) > 1:
                next(iter(self._sending)).abandon()

    def look_after(self) -> None:
        """End the calls whose requests do not come, and whose answers nobody takes."""
        now = time.monotonic()
        for queue, seconds in (
            (self._strange_waiting, self.quotas.first_call),
            (self._waiting, self.quotas.request),
        ):
            for call in _overdue(queue, now - seconds):
                call.refuse(_make_late(seconds))
        for call in _overdue(self._sending, now - self.quotas.slowest):
            call.abandon()

    def _forget(self, peer: Peer) -> None:
        """Count a connection among the strangers no more."""
        if self.strangers.pop(peer, peer) is None:
            self._per_host[peer.host] -= 1
            if not self._per_host[peer.host]:
                del self._per_host[peer.host]

    def _make_place(self, host: str, newcomer: Peer) -> None:
        """Close the oldest connection of a stranger from an address, a quiet one if there is.

        The newcomer is quiet, for it has had no time to send anything. It goes if it is alone.
        """
        there = [other for other in self.strangers if other.host == host and other is not newcomer]
        quiet = (other for other in there if other.is_quiet)
        next(quiet, there[0] if there else newcomer).shut()

    def _make_room(
        self, queues: Sequence[Mapping[Caller, float | None]], peer: Peer | None = None
    ) -> None:
        """Refuse the call that came first, those whose requests have not come before others."""
        there = (call for queue in queues for call in queue if peer is None or call.peer is peer)
        victim = next(there, None)
        if victim is None:
            raise _make_full(self.quotas.calls)
        victim.refuse(_make_full(self.quotas.calls))

    def _keep_to_budget(self, call: Caller) -> None:
        """Refuse calls that hold the most, until what is held is within the budget."""
        quotas = self.quotas
        while (
            self._strange_unfinished > quotas.strange_unfinished
            or self._unfinished > quotas.unfinished
        ):
            strange = max(self._strange_waiting, key=lambda it: it.held, default=None)
            victim = strange if strange is not None and strange.held else call
            victim.refuse(
                make_limit_error(
                    "BUSY", "the server is busy: too much of requests waits; call again later"
                )
            )
            if victim is call:
                return


def _overdue(queue: dict[Caller, float], before: float) -> list[Caller]:
    return [call for call, since in takewhile(lambda it: it[1] < before, queue.items())]


def _make_full(most: int) -> RequestError:
    return make_limit_error(
        "TOO_MANY_CALLS",
        f"too many calls are open, {most} at most, and fewer without a key or a lease: end some, "
        "or send the request of each at once",
    )


def _make_late(seconds: float) -> RequestError:
    return RequestError(
        grpc.StatusCode.DEADLINE_EXCEEDED,
        "NO_REQUEST",
        f"the request of a call has to be there within {seconds:g} s",
    )
