"""Contract of servers of the protocol, of any author; see ``proto/luban/v1``.

It is asked over the wire only. What it says of states is compared with the rules, for its levels
that are here too: a level is the same if its hash is.
"""

import json
import random
import re
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from bridge.agents.random_calls import random_call
from bridge.episode.episode import Episode
from bridge.episode.records import Obs, Options
from bridge.recording.log import read_log
from bridge.recording.replay import replay
from bridge.rpc._pb.luban.v1 import episode_service_pb2 as pb
from luban.testing.calls import STATE, Calls, Refused, Started
from luban.testing.contract import check
from luban.testing.requests import (
    BEGINNINGS,
    MEANINGLESS,
    every_call,
    hashes_of,
    in_a_stream,
    one_by_one,
    operators_calls,
    tool_call,
    wrong_starts,
)
from luban.testing.served import Served
from pysim.catalog import AnyLevel, encode_level
from pysim.puzzle import ActionError

__all__ = ["ServerContract", "check_server"]

OVER = ("FAILED_PRECONDITION", "EPISODE_OVER")
MISSING = ("NOT_FOUND", "EPISODE_NOT_FOUND")
FOREIGN = ("PERMISSION_DENIED", "WRONG_LEASE")
GUARDED = ("PERMISSION_DENIED", "OPERATORS_ONLY")
SOLVED, OUT_OF_BUDGET, GAVE_UP = 1, 2, 3
LONGEST = 1000
"""Bytes of the words of a refusal."""
MOVES = 40
SHORT_IDLE = 15.0
"""Seconds of idle time that a test waits for."""


class ServerContract(Served):
    """The tests of a server; see :class:`~luban.testing.served.Served` for how one is named."""

    def test_a_server_says_what_it_is(self) -> None:
        with self._calls() as calls:
            info = calls.info()
        assert not isinstance(info, Refused), info
        assert info.version and info.worlds and info.families and info.renderer
        assert "lattice" in info.worlds
        assert info.idle_timeout_s > 0 and info.max_message_bytes >= 2**20

    def test_levels_are_listed_once_each_with_what_operators_are_told(self) -> None:
        with self._calls() as calls:
            listed = calls.ask("ListLevels", pb.ListLevelsRequest()).levels
            families = set(calls.info().families)
        assert listed and len({level.id for level in listed}) == len(listed)
        for level in listed:
            assert re.fullmatch("sha256:[0-9a-f]{64}", level.hash) and level.family in families
            assert level.name and level.pieces > 0 and level.budget > 0
            assert level.HasField("plan_length") == (level.plan_proof != 0)

    def test_lists_can_be_asked_for_by_family_and_by_id(self) -> None:
        with self._calls() as calls:
            every = list(calls.ask("ListLevels", pb.ListLevelsRequest()).levels)
            for level in every[:: max(1, len(every) // 5)]:
                for request in (
                    pb.ListLevelsRequest(family=level.family),
                    pb.ListLevelsRequest(suite=level.id),
                ):
                    found = list(calls.ask("ListLevels", request).levels)
                    assert level in found, f"{request} does not find {level.id}"
                    assert not request.family or {it.family for it in found} == {level.family}
            for request, kind in (
                (pb.ListLevelsRequest(family="no-family"), ("INVALID_ARGUMENT", "BAD_OPTION")),
                (pb.ListLevelsRequest(suite="no-suite"), ("NOT_FOUND", "SUITE_NOT_FOUND")),
            ):
                _require_refused(calls.ask("ListLevels", request), kind)

    def test_an_episode_begins_with_all_that_an_agent_needs(self) -> None:
        with self._calls() as calls:
            for level in self._known(calls):
                with Episode(level, options=Options(obs=Obs.STATE)) as here:
                    first, second = (calls.start(level.id) for _ in "ab")
                    answer = first.answer
                    assert answer.state_hash == here.state_hash, level.id
                    assert json.loads(answer.tools_json) == here.tools
                    assert list(answer.colours) == [str(colour) for colour in here.colours]
                    assert answer.budget == here.budget and answer.instruction == here.instruction
                    assert answer.level.id == level.id and answer.level.hash == level.hash
                assert len(answer.lease) >= 16, "a lease that short can be guessed"
                assert first.lease != second.lease and answer.run_name != second.answer.run_name
                for started in (first, second):
                    calls.end(started)

    def test_a_level_that_is_sent_as_a_document_is_the_same_level(self) -> None:
        with self._calls() as calls:
            for level in self._known(calls):
                document = encode_level(level) | {"id": "sent-by-a-test"}
                sent = calls.start(document=json.dumps(document))
                assert sent.answer.level.hash == level.hash
                assert sent.answer.level.id == "sent-by-a-test"
                named = calls.start(level.id)
                assert sent.answer.state_hash == named.answer.state_hash
                for started in (sent, named):
                    calls.end(started)

    def test_what_can_not_be_begun_is_refused_alike_alone_and_in_a_stream(self) -> None:
        with self._calls() as calls:
            level = self._known(calls)[0]
            for request, kinds in wrong_starts(level):
                alone = calls.ask("StartEpisode", request)
                assert isinstance(alone, Refused), f"{str(request)[:200]} is accepted"
                assert alone.kind in kinds, f"{str(request)[:200]} is refused as {alone.kind}"
                assert alone.message and len(alone.message.encode()) <= LONGEST
                (streamed,) = calls.play(pb.PlayRequest(start_episode=request))
                assert isinstance(streamed, Refused) and streamed.kind == alone.kind

    def test_plans_lead_alone_and_in_a_stream_to_the_states_of_the_rules(self) -> None:
        with self._calls() as calls:
            for level in self._known(calls):
                expected = hashes_of(level)
                for played in (one_by_one, in_a_stream):
                    results, ending = played(calls, level)
                    assert [result.state_hash for result in results] == expected, level.id
                    assert [result.step for result in results] == [*range(1, len(expected) + 1)]
                    assert not any(result.outcome for result in results[:-1])
                    assert results[-1].outcome == ending.outcome == SOLVED
                    assert ending.steps == len(expected) and ending.state_hash == expected[-1]

    def test_any_actions_are_answered_as_the_rules_answer_them(self) -> None:
        with self._calls() as calls:
            for level in self._known(calls):
                self._compare(calls, level, random.Random(level.id))

    def test_an_action_that_means_nothing_costs_a_step_and_changes_nothing(self) -> None:
        with self._calls() as calls:
            started = calls.start(self._known(calls)[0].id)
            before = calls.observe(started)
            for number, (name, arguments, reason) in enumerate(MEANINGLESS, 1):
                refused = calls.step(started, name, arguments)
                assert isinstance(refused, Refused), f"{name} {arguments[:60]} is accepted"
                assert refused.kind == ("INVALID_ARGUMENT", reason), f"{name} {arguments[:60]}"
                assert refused.metadata["error"] == "InvalidAction"
                assert refused.metadata["step"] == str(number)
                assert refused.metadata["state_hash"] == started.answer.state_hash
                assert isinstance(json.loads(refused.metadata["culprits"]), list)
                assert len(refused.message.encode()) <= LONGEST
            after = calls.observe(started)
            assert (after.step, after.state) == (len(MEANINGLESS), before.state)
            assert after.budget_left == before.budget_left - len(MEANINGLESS)
            calls.end(started)

    def test_steps_end_with_the_budget(self) -> None:
        with self._calls() as calls:
            started = calls.start(self._known(calls)[0].id, budget=2)
            assert started.answer.budget == 2
            left = [calls.step(started, "", "").metadata["budget_left"] for _ in "ab"]
            assert left == ["1", "0"]
            _require_refused(calls.step(started, "", ""), OVER)
            ending = calls.end(started)
            assert (ending.outcome, ending.steps) == (OUT_OF_BUDGET, 2)

    def test_looking_is_free_and_shows_what_was_asked_for(self) -> None:
        with self._calls() as calls:
            level = self._known(calls)[0]
            with Episode(level, options=Options(obs=Obs.STATE)) as here:
                wanted = here.observe()
            started = calls.start(level.id)
            seen = [calls.observe(started) for _ in range(3)]
            assert seen[0] == seen[1] == seen[2]
            assert (seen[0].step, seen[0].budget_left) == (0, started.answer.budget)
            assert seen[0].state == wanted.state and seen[0].instruction == wanted.instruction
            assert not seen[0].views and not seen[0].outcome
            calls.end(started)

    def test_pictures_have_the_size_that_was_asked_for(self) -> None:
        with self._calls() as calls:
            level = self._known(calls)[0]
            for picture_format, begin in BEGINNINGS.items():
                options = {"mode": 1, "picture_size": 32, "picture_format": picture_format}
                request = pb.StartEpisodeRequest(level_id=level.id, options=options)
                answer = calls.ask("StartEpisode", request)
                if isinstance(answer, Refused):
                    assert answer.reason == "RENDERER_UNAVAILABLE"
                    pytest.skip(f"NOT TESTED: {answer.message}")
                seen = calls.observe(Started(answer))
                assert seen.views and not seen.HasField("state")
                for view in seen.views:
                    assert (view.width, view.height, view.format) == (32, 32, picture_format)
                    assert view.data.startswith(begin)
                    assert picture_format != 3 or len(view.data) == 32 * 32 * 3
                bare = calls.observe(Started(answer), without_images=True)
                assert not bare.views
                calls.end(Started(answer))

    def test_an_episode_belongs_to_whoever_has_its_lease(self) -> None:
        with self._calls() as calls:
            started = calls.start(self._known(calls)[0].id)
            lease = started.answer.lease
            for wrong in ("", "guess", "é", lease[:-1], lease + "0"):
                named = {"episode_id": started.answer.episode_id, "lease": wrong}
                for answer in every_call(calls, named):
                    _require_refused(answer, FOREIGN)
            for answer in every_call(calls, {"episode_id": "nobody", "lease": lease}):
                _require_refused(answer, MISSING)
            assert calls.end(started).steps == 0

    def test_an_ended_episode_stays_ended(self) -> None:
        with self._calls() as calls:
            started = calls.start(self._known(calls)[0].id)
            endings = [calls.end(started) for _ in "ab"]
            assert endings[0] == endings[1] and endings[0].outcome == GAVE_UP
            _require_refused(calls.observe(started), OVER)
            _require_refused(calls.step(started, "", ""), OVER)

    def test_an_episode_that_nobody_touches_is_closed_and_one_that_is_played_is_not(self) -> None:
        with self._calls() as calls:
            idle = calls.info().idle_timeout_s
            if idle > SHORT_IDLE:
                pytest.skip(f"NOT TESTED: the server waits {idle:g} s")
            level = self._known(calls)[0]
            left, played = calls.start(level.id), calls.start(level.id)
            limit = time.monotonic() + 20 * idle + 60
            request = pb.DownloadLogRequest(episode_id=left.answer.episode_id, lease="not it")
            while calls.download("DownloadLog", request).kind != MISSING:
                assert time.monotonic() < limit, "an episode stays open that nobody touches"
                assert not isinstance(calls.observe(played), Refused), "one in play is closed"
                time.sleep(min(0.2, idle / 10))
            _require_refused(calls.step(left, "", ""), MISSING)
            calls.end(played)

    def test_a_step_that_is_sent_again_is_made_once(self) -> None:
        with self._calls() as calls:
            level = self._known(calls)[0]
            started = self._knowing(calls, level)
            assert level.plan is not None
            first, second = map(tool_call, level.plan.actions[:2])
            once = calls.step(started, *first, expected_step=1)
            again = calls.step(started, *first, expected_step=1)
            assert once == again and once.result.step == 1
            refusals = [calls.step(started, "", "", expected_step=2) for _ in "ab"]
            assert refusals[0] == refusals[1] and refusals[0].metadata["step"] == "2"
            for step, action in ((1, first), (2, second), (4, second), (0, second), (-1, second)):
                refused = calls.step(started, *action, expected_step=step)
                _require_refused(refused, ("FAILED_PRECONDITION", "WRONG_STEP"))
                assert refused.metadata["step"] == "2", "a wrong number costs nothing"
            assert calls.step(started, *second, expected_step=3).result.step == 3
            assert calls.end(started).steps == 3

    def test_a_stream_answers_in_order_and_outlives_what_is_refused(self) -> None:
        with self._calls() as calls:
            level = self._known(calls)[0]
            begin = pb.StartEpisodeRequest(level_id=level.id, options={"mode": STATE})
            answers = calls.play(
                pb.PlayRequest(),
                pb.PlayRequest(step=pb.StepRequest()),
                pb.PlayRequest(observe=pb.ObserveRequest(episode_id="nobody")),
                pb.PlayRequest(start_episode=begin),
                pb.PlayRequest(step=pb.StepRequest()),
                pb.PlayRequest(observe=pb.ObserveRequest()),
                pb.PlayRequest(end_episode=pb.EndEpisodeRequest()),
                pb.PlayRequest(observe=pb.ObserveRequest()),
                pb.PlayRequest(start_episode=begin),
                pb.PlayRequest(observe=pb.ObserveRequest()),
                pb.PlayRequest(end_episode=pb.EndEpisodeRequest()),
            )
        told = [a.reason if isinstance(a, Refused) else type(a).__name__ for a in answers]
        assert told == [
            "EMPTY_REQUEST",
            "NO_EPISODE",
            "EPISODE_NOT_FOUND",
            "StartEpisodeResponse",
            "UNKNOWN_ACTION",
            "ObserveResponse",
            "EndEpisodeResponse",
            "EPISODE_OVER",
            "StartEpisodeResponse",
            "ObserveResponse",
            "EndEpisodeResponse",
        ]
        assert answers[5].observation.step == 1 and answers[9].observation.step == 0

    def test_a_log_can_be_had_at_the_end_and_played_again(self) -> None:
        with self._calls() as calls:
            level = self._known(calls)[0]
            started = calls.start(level.id)
            assert level.plan is not None
            calls.step(started, *tool_call(level.plan.actions[0]))
            calls.step(started, "", "")
            request = pb.DownloadLogRequest(**started.lease)
            running = ("FAILED_PRECONDITION", "EPISODE_RUNNING")
            _require_refused(calls.download("DownloadLog", request), running)
            ending = calls.end(started)
            parts = calls.download("DownloadLog", request)
        assert not isinstance(parts, Refused), parts
        with TemporaryDirectory(prefix="luban-") as folder:
            path = Path(folder) / "episode.jsonl"
            path.write_bytes(b"".join(part.chunk for part in parts))
            log = read_log(path)
            again = replay(log)
        assert len(log.steps) == ending.steps == 2
        assert again.state_hash == ending.state_hash

    def test_a_video_can_be_had_at_the_end(self) -> None:
        with self._calls() as calls:
            started = calls.start(self._known(calls)[0].id)
            lease = started.lease
            running = calls.download("DownloadVideo", pb.DownloadVideoRequest(**lease))
            _require_refused(running, ("FAILED_PRECONDITION", "EPISODE_RUNNING"))
            calls.end(started)
            for size in (0, 127, 129, 1082, -2):
                request = pb.DownloadVideoRequest(size=size, **lease)
                wrong = ("INVALID_ARGUMENT", "BAD_OPTION")
                _require_refused(calls.download("DownloadVideo", request), wrong)
            parts = calls.download("DownloadVideo", pb.DownloadVideoRequest(size=128, **lease))
            if isinstance(parts, Refused):
                assert parts.reason == "RENDERER_UNAVAILABLE", parts
                pytest.skip(f"NOT TESTED: {parts.message}")
        kinds = [part.WhichOneof("part") for part in parts]
        assert kinds == sorted(kinds, reverse=True), "progress comes before the film"
        assert b"".join(part.chunk for part in parts)[4:8] == b"ftyp"

    def test_without_the_key_an_episode_can_be_played_and_no_more(self) -> None:
        if not self.key:
            pytest.skip("NOT TESTED: the server has no key")
        with self._calls() as calls:
            level = self._known(calls)[0]
            started = calls.start(level.id)
            for key in ("", "not the key"):
                stranger = calls.of(key)
                for answer in operators_calls(stranger, level, started):
                    _require_refused(answer, GUARDED)
                refused = stranger.step(started, "", "")
                assert "state_hash" not in refused.metadata
                assert not isinstance(stranger.observe(started), Refused)
                assert not isinstance(stranger.info(), Refused)
            assert level.plan is not None
            result = stranger.step(started, *tool_call(level.plan.actions[0])).result
            assert result.step == 3 and not result.state_hash
            ending = stranger.end(started)
            assert ending.steps == 3 and not ending.state_hash

    def test_a_request_that_is_too_large_is_refused_and_the_server_lives_on(self) -> None:
        with self._calls() as calls:
            info = calls.info()
            most = max(getattr(info, "max_request_bytes", 0), 0) or info.max_message_bytes
            request = pb.StartEpisodeRequest(level_json="x" * (most + 1))
            answer = calls.ask("StartEpisode", request)
            assert isinstance(answer, Refused) and answer.code == "RESOURCE_EXHAUSTED"
            calls.end(calls.start(self._known(calls)[0].id))

    def _compare(self, calls: Calls, level: AnyLevel, rng: random.Random) -> None:
        started = calls.start(level.id)
        with Episode(level, options=Options(obs=Obs.STATE)) as here:
            while here.outcome is None and here.steps < MOVES:
                call = random_call(rng, here.actions.schemas())
                text = call.arguments_json()
                answer = calls.step(started, call.name, text)
                try:
                    result = here.step_json(call.name, text)
                except ActionError as error:
                    assert isinstance(answer, Refused), f"{level.id}: {text} is accepted"
                    told = (answer.reason, answer.metadata["error"], answer.message)
                    assert told == (str(error.reason), type(error).__name__, error.message)
                    assert answer.metadata["state_hash"] == here.state_hash
                else:
                    assert not isinstance(answer, Refused), f"{level.id}: {text}: {answer}"
                    told_ = (answer.result.state_hash, answer.result.message)
                    assert told_ == (result.state_hash, result.message)
            assert calls.end(started).state_hash == here.state_hash


def check_server(address: str, key: str = "") -> None:
    """Run the tests of :class:`ServerContract` for the server at ``host:port``.

    Args:
        key: the operator's; empty if the server has none.

    Raises:
        AssertionError: something does not hold; the message says what.
    """
    check(type("Chosen", (ServerContract,), {"address": address, "key": key})())


def _require_refused(answer: Any, kind: tuple[str, str]) -> None:
    assert isinstance(answer, Refused), f"what should be refused as {kind} is answered"
    assert answer.kind == kind, f"what should be refused as {kind} is refused as {answer.kind}"
