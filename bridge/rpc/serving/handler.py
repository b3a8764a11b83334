"""Requests that a server handles, whether by a single call or in a stream."""

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from importlib.metadata import version
from typing import Any, TypeVar

import grpc

from bridge.episode.engines import Engines
from bridge.episode.observation import Observation
from bridge.episode.rendering import SharedRenderer
from bridge.rpc import codec
from bridge.rpc._pb.luban.v1 import episode_service_pb2 as pb
from bridge.rpc.access import Access, redact_fault, redact_secrets
from bridge.rpc.errors import RequestError, WireError, encode_error, make_limit_error
from bridge.rpc.serving.episode_factory import EpisodeSetup, parse_setup, resolve_level
from bridge.rpc.serving.event_loop import WorkerPool, WorkerPools
from bridge.rpc.serving.limits import MAX_REQUEST_BYTES
from bridge.rpc.serving.sessions import Session
from bridge.rpc.serving.store import LATTICE, EpisodeStore
from bridge.rpc.serving.ticks import Ticks
from pysim.catalog import check_family, discover_families, list_shipped_levels
from pysim.errors import InputError, LubanError
from pysim.level_selection import select_levels
from pysim.puzzle import Level
from pysim.suites import SuiteError
from pysim.tasks.splits import TaskError

__all__ = ["RefusedAction", "RequestHandler", "report_error"]

T = TypeVar("T")

ENVELOPE = 64
"""Bytes that a Play stream may add to a response."""


class RefusedAction(LubanError):
    """An action was refused, which has cost a step.

    Attributes:
        fault: as it is told, to operators.
    """

    def __init__(self, fault: WireError) -> None:
        super().__init__(fault.message)
        self.fault = fault


class InlineSteps:
    """Steps that run in the loop's thread, since a worker pool would take longer for them.

    In the lattice world steps of levels that ship take a tenth of a millisecond, and beginning
    one that was begun before takes one. In a thread beside the loop's they would take turns with
    it at every file, five milliseconds each. Should one take long after all, perhaps because the
    disk does, all are made in pools for a while, so that health checks wait for no more than the
    first.
    """

    def __init__(self) -> None:
        self._not_before = 0.0
        self._begun: set[str] = set()

    def may_start(self, level_id: str, order: EpisodeSetup) -> bool:
        """Return whether an episode of a level may be begun at once.

        The first one may not: it has to load what is loaded once.
        """
        known = not order.brought and level_id in self._begun
        return known and order.world == LATTICE and time.monotonic() >= self._not_before

    def record_start(self, level: Level[Any]) -> None:
        """An episode of a level was begun."""
        self._begun.add(level.id)

    def may_step(self, session: Session) -> bool:
        """Return whether a step of this episode may be made at once.

        The first one is not: it may have to load what is loaded once.
        """
        episode = session.episode
        return (
            episode is not None
            and episode.steps > 0
            and session.world == LATTICE
            and not session.brought
            and not session.lock.locked()
            and time.monotonic() >= self._not_before
        )

    def make(self, work: Callable[[], T]) -> T:
        """Do it, and see how long it takes."""
        began = time.monotonic()
        try:
            return work()
        finally:
            ended = time.monotonic()
            if ended - began > _LONG:
                self._not_before = ended + _A_WHILE


_LONG = 0.1
"""Seconds that may be taken by what is done at once."""
_A_WHILE = 10.0
"""Seconds for which all is done in worker pools after something that took longer."""


@dataclass(frozen=True, slots=True)
class RequestHandler:
    """Answers requests; its methods are called in the loop's thread and raise what is wrong.

    Attributes:
        store: the episodes.
        pools: where the work is done.
        renderer: makes everybody's pictures.
        engines: the worlds that there are.
        access: who may do what.
        idle_timeout: seconds after which an episode that nobody touches is closed.
        inline: what is done at once.
        ticks: when agents are answered that are not told why an action was refused.
    """

    store: EpisodeStore
    pools: WorkerPools
    renderer: SharedRenderer
    engines: Engines
    access: Access
    idle_timeout: float
    inline: InlineSteps = field(default_factory=InlineSteps)
    ticks: Ticks = field(default_factory=Ticks)

    async def get_info(self) -> pb.GetServerInfoResponse:
        """Return the server's properties."""
        return await self.pools.pictures.run(self._info)

    async def list_levels(self, request: pb.ListLevelsRequest) -> pb.ListLevelsResponse:
        """Return the levels that can be played by id."""
        return await self.pools.starts.run(_listed, request)

    async def start(
        self, request: pb.StartEpisodeRequest, holder: object | None = None
    ) -> tuple[Session, pb.StartEpisodeResponse]:
        """Begin an episode."""
        order = parse_setup(request)
        if self.inline.may_start(request.level_id, order):
            begin = partial(self._begin_at_once, request, order)
            session, response = self.inline.make(begin)
        else:
            pool = self.pools.documents if order.brought else self.pools.starts
            level = await pool.run(resolve_level, request)
            session, response = await self.store.start(level, order)
            if not order.brought:
                self.inline.record_start(level)
        session.touch(holder)
        return session, response

    async def step(
        self, session: Session, request: pb.StepRequest, operator: bool
    ) -> pb.StepResponse:
        """Try an action.

        Raises:
            RefusedAction: it was refused.
        """
        if operator or session.tells_reasons:
            return await self._step(session, request, operator)
        async with self.ticks.hold():  # Or the time would tell.
            return await self._step(session, request, operator)

    async def _step(
        self, session: Session, request: pb.StepRequest, operator: bool
    ) -> pb.StepResponse:
        expected = request.expected_step if request.HasField("expected_step") else None
        make = partial(session.make_step, request.action, expected)
        if self.inline.may_step(session):
            answer = self.inline.make(make)
        else:
            answer = await self.store.run(session, self._pool(session), make)
        if session.storing.is_due:
            await self.store.run(session, self.pools.files, session.storing.store)
        if isinstance(answer, WireError):
            raise RefusedAction(answer)
        message = codec.encode_result(answer)
        return pb.StepResponse(result=message if operator else redact_secrets(message))

    async def observe(self, session: Session, request: pb.ObserveRequest) -> pb.ObserveResponse:
        """Look without acting."""
        episode = session.get_episode()
        if request.without_images or not episode.options.obs.has_images:
            look = partial(_look, session, images=False)
            seen = await self.store.run(session, self._pool(session), look)
        else:
            look = partial(_look, session, images=True)
            raw = await self.store.run(session, self.pools.pictures, look)
            # Encoding takes longer than looking and keeps nobody from the episode.
            seen = await self.pools.pictures.run(raw.encoded, session.picture_format, self._made_by)
        response = pb.ObserveResponse(
            observation=codec.encode_observation(seen), knows_expected_step=True
        )
        _require_sendable(response)
        return response

    async def end(self, session: Session, operator: bool) -> pb.EndEpisodeResponse:
        """End an episode; gives up if it goes on."""
        if session.episode is not None:
            await self.store.end(session)
        assert session.ending is not None
        message = codec.encode_ending(session.ending)
        return pb.EndEpisodeResponse(ending=message if operator else redact_secrets(message))

    def _begin_at_once(
        self, request: pb.StartEpisodeRequest, order: EpisodeSetup
    ) -> tuple[Session, pb.StartEpisodeResponse]:
        return self.store.start_at_once(resolve_level(request), order)

    def _pool(self, session: Session) -> WorkerPool:
        return self.pools.steps if session.world == LATTICE else self.pools.engines

    def _made_by(self) -> str:
        return f"{self.renderer.name}: {self.renderer.version}"

    def _info(self) -> pb.GetServerInfoResponse:
        return pb.GetServerInfoResponse(
            version=version("luban"),
            families=list(discover_families()),
            worlds=self.engines.list_worlds(),
            renderer=self._made_by(),
            renderer_note=self.renderer.note,
            idle_timeout_s=self.idle_timeout,
            max_message_bytes=codec.MAX_MESSAGE_BYTES,
            max_request_bytes=MAX_REQUEST_BYTES,
        )


def report_error(error: Exception, operator: bool) -> WireError:
    """Report an error to a caller."""
    told = error.fault if isinstance(error, RefusedAction) else encode_error(error)
    if told.code is grpc.StatusCode.INTERNAL:
        logging.getLogger(__name__).error("a call failed", exc_info=error)
    if operator:
        return told
    logging.getLogger(__name__).info("an agent was refused: %s", told.message)
    return redact_fault(told)


def _look(session: Session, *, images: bool) -> Observation:
    return session.get_episode().observe(images=images)


def _listed(request: pb.ListLevelsRequest) -> pb.ListLevelsResponse:
    if request.family:
        check_family(request.family)
    if len(request.suite) > _MAX_SUITE:
        raise InputError(f"a selection of levels has at most {_MAX_SUITE} characters")
    try:
        named = (
            select_levels(request.suite, files=False)  # A file would be one of the server's.
            if request.suite.strip()
            else list_shipped_levels(request.family)
        )
    except (SuiteError, TaskError) as error:
        code = grpc.StatusCode.NOT_FOUND
        raise RequestError(code, "SUITE_NOT_FOUND", str(error)) from None
    chosen = [level for level in named if request.family in ("", level.family)]
    return pb.ListLevelsResponse(levels=map(codec.encode_level, chosen))


_MAX_SUITE = 10_000
"""Characters of a list of suites, levels and patterns: a hundred of the longest ids."""


def _require_sendable(response: pb.ObserveResponse) -> None:
    """Refuse pictures that make too large a message: sending it would break off a whole stream."""
    size = response.ByteSize()
    if size > codec.MAX_MESSAGE_BYTES - ENVELOPE:
        raise make_limit_error(
            "OBSERVATION_TOO_LARGE",
            f"the pictures make a message of {size:,} bytes, more than "
            f"{codec.MAX_MESSAGE_BYTES:,}; start with smaller ones, or as png or jpeg",
        )
