"""Requests of the contract of servers: wrong ones, every one, and plans as they are played."""

import json
from collections.abc import Iterator
from typing import Any

from bridge.episode.episode import Episode
from bridge.episode.records import Obs, Options
from bridge.rpc._pb.luban.v1 import episode_service_pb2 as pb
from luban.testing.calls import STATE, Calls, Refused, Started
from pysim.catalog import AnyLevel, encode_level
from pysim.field_types import encode_arguments
from pysim.puzzle import Action

__all__ = [
    "BEGINNINGS",
    "MEANINGLESS",
    "every_call",
    "hashes_of",
    "in_a_stream",
    "one_by_one",
    "operators_calls",
    "tool_call",
    "wrong_starts",
]

BEGINNINGS = {1: b"\x89PNG", 2: b"\xff\xd8", 3: b""}
"""How pictures of each format begin."""
MEANINGLESS = (
    ("", "{}", "UNKNOWN_ACTION"),
    ("no-such-action", "{}", "UNKNOWN_ACTION"),
    ("slide", "{", "MALFORMED"),
    ("slide", "[]", "MALFORMED"),
    ("slide", "[" * 100_000, "MALFORMED"),
)


def wrong_starts(level: AnyLevel) -> Iterator[tuple[Any, tuple[tuple[str, str], ...]]]:
    """Requests that begin nothing, and how they may be refused."""
    bad = ("INVALID_ARGUMENT", "BAD_LEVEL")
    option = ("INVALID_ARGUMENT", "BAD_OPTION")
    missing = ("NOT_FOUND", "LEVEL_NOT_FOUND")
    document = encode_level(level)
    yield pb.StartEpisodeRequest(), (("INVALID_ARGUMENT", "NO_LEVEL"),)
    for name in ("no-such-level", "../x", "/etc/passwd", f"{level.id}.json"):
        yield pb.StartEpisodeRequest(level_id=name), (missing, option)
    long = pb.StartEpisodeRequest(level_id="x" * 100_000)
    yield long, (missing, option, bad, ("INVALID_ARGUMENT", "TOO_LONG"))
    for text in (
        "",
        "{",
        "[]",
        "[" * 100_000,
        json.dumps(document | {"hash": "sha256:0"}),
        json.dumps(document | {"budget": 0}),
        json.dumps(document | {"family": "no-family"}),
        json.dumps(document | {"puzzle": {}}),
    ):
        yield pb.StartEpisodeRequest(level_json=text), (bad,)
    for options in (
        {"world": "no-world"},
        {"mode": 99},
        {"picture_format": 99},
        {"picture_size": 8},
        {"picture_size": 100_000},
        {"history_window": -1},
        {"budget": 0},
        {"run_name": "../elsewhere"},
    ):
        named: dict[str, Any] = {"mode": STATE} | options
        yield pb.StartEpisodeRequest(level_id=level.id, options=named), (option,)


def every_call(calls: Calls, named: dict[str, Any]) -> Iterator[Any]:
    """Yield the answers to all calls that name an episode."""
    yield calls.ask("Step", pb.StepRequest(**named))
    yield calls.ask("Observe", pb.ObserveRequest(**named))
    yield calls.ask("EndEpisode", pb.EndEpisodeRequest(**named))
    yield calls.download("DownloadLog", pb.DownloadLogRequest(**named))
    yield calls.download("DownloadVideo", pb.DownloadVideoRequest(**named))
    yield from calls.play(
        pb.PlayRequest(step=pb.StepRequest(**named)),
        pb.PlayRequest(observe=pb.ObserveRequest(**named)),
        pb.PlayRequest(end_episode=pb.EndEpisodeRequest(**named)),
    )


def operators_calls(calls: Calls, level: AnyLevel, started: Started) -> Iterator[Any]:
    """Yield the answers to all calls that only operators may make."""
    begin = pb.StartEpisodeRequest(level_id=level.id, options={"mode": STATE})
    yield calls.ask("ListLevels", pb.ListLevelsRequest())
    yield calls.ask("StartEpisode", begin)
    yield calls.download("DownloadLog", pb.DownloadLogRequest(**started.lease))
    yield calls.download("DownloadVideo", pb.DownloadVideoRequest(**started.lease))
    yield from calls.play(pb.PlayRequest(start_episode=begin))


def tool_call(action: Action) -> tuple[str, str]:
    """Return the name and the arguments of an action, as they go over the wire."""
    return action.tool, json.dumps(encode_arguments(action))


def hashes_of(level: AnyLevel) -> list[str]:
    """Return the states that the plan leads through, by the rules."""
    assert level.plan is not None
    with Episode(level, options=Options(obs=Obs.STATE)) as here:
        return [here.step(action).state_hash for action in level.plan.actions]


def one_by_one(calls: Calls, level: AnyLevel) -> tuple[list[Any], Any]:
    """Return the results of a plan, and the ending; a call for each step."""
    started = calls.start(level.id)
    assert level.plan is not None
    answers = [calls.step(started, *tool_call(action)) for action in level.plan.actions]
    for answer in answers:
        assert not isinstance(answer, Refused), answer
    return [answer.result for answer in answers], calls.end(started)


def in_a_stream(calls: Calls, level: AnyLevel) -> tuple[list[Any], Any]:
    """Return the same in one stream."""
    assert level.plan is not None
    begin = pb.StartEpisodeRequest(level_id=level.id, options={"mode": STATE})
    steps = [
        pb.PlayRequest(step=pb.StepRequest(action={"name": name, "arguments_json": text}))
        for name, text in map(tool_call, level.plan.actions)
    ]
    end = pb.PlayRequest(end_episode=pb.EndEpisodeRequest())
    first, *answers, last = calls.play(pb.PlayRequest(start_episode=begin), *steps, end)
    for answer in (first, *answers, last):
        assert not isinstance(answer, Refused), answer
    return [answer.result for answer in answers], last.ending
