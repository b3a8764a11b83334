"""Checking one level: the document, the referee's judgement, every world and its films."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bridge.episode.engines import Engines
from bridge.referee.findings import JudgementBuilder
from bridge.referee.progress import report
from bridge.verifying.certificate import Certificate, hash_content
from bridge.verifying.plan_player import judge_worlds
from bridge.verifying.referees import find_referee
from pysim.catalog import AnyLevel, decode_level
from pysim.catalog.documents import LevelError, check_id, parse_document, read_text
from pysim.errors import InputError

__all__ = ["Depth", "check_content"]


@dataclass(frozen=True, slots=True)
class Depth:
    """The thoroughness of a check.

    Attributes:
        deep: ten times as much as usual, and films four times as often.
        worlds: names of the worlds in which plans are played.
        films: whether films are looked at.
    """

    deep: bool = False
    worlds: tuple[str, ...] = ("lattice",)
    films: bool = True


def check_content(
    name: str, content: bytes | InputError, depth: Depth, engines: Engines
) -> Certificate:
    """Return the certificate of a level; a file that can't be read is false, too.

    Args:
        name: the path of the level's file.
        content: the bytes of the file, or the error of reading them.
    """
    docket = JudgementBuilder()
    try:
        if isinstance(content, InputError):
            raise content
        document = parse_document(content)
        if not isinstance(document, dict):
            raise InputError("a level is a JSON object")
    except (OSError, ValueError, RecursionError) as error:
        docket.refute("document", f"it can't be read: {error}")
        return _certificate(name, "", depth, docket)
    level = _loaded(document, docket)
    if level is None:
        return _certificate(_name_of(document, name), "", depth, docket)
    _judge(document, depth, docket)
    judge_worlds(level, depth.worlds, engines, docket, films=depth.films, deep=depth.deep)
    return _certificate(level.id, level.hash, depth, docket)


def _name_of(document: Mapping[str, object], name: str) -> str:
    """Return a document's own id, if it is a valid one; else its file."""
    try:
        return check_id(read_text(document, "id"))
    except LevelError:
        return name


def _loaded(document: Mapping[str, object], docket: JudgementBuilder) -> AnyLevel | None:
    try:
        level = decode_level(document)
    except LevelError as error:
        docket.refute("document", str(error))
        return None
    docket.confirm("document")
    found = hash_content(document)
    if found == level.hash:
        docket.confirm("hash")
    else:
        docket.mark_undecided("hash", "the document is not written as Luban writes it")
    return level


def _judge(document: Mapping[str, object], depth: Depth, docket: JudgementBuilder) -> None:
    """Enter the judgement of the family's referee."""
    family = str(document.get("family"))
    judge = find_referee(family)
    if judge is None:
        docket.mark_undecided("referee", f"there is no referee for the family {family}")
        return
    report("claims")
    try:
        judgement = judge(document, deep=depth.deep)
    except ValueError as error:
        docket.refute("document", f"the referee can't read it: {error}")
        return
    docket.confirmed.extend(judgement.confirmed)
    docket.false.extend(judgement.false)
    docket.undecided.extend(judgement.undecided)


def _certificate(name: str, content: str, depth: Depth, docket: JudgementBuilder) -> Certificate:
    found = docket.build()
    return Certificate(
        name, content, depth.deep, _once(found.confirmed), found.false, found.undecided
    )


def _once(claims: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(claims))
