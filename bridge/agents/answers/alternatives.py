"""Choice among the plans of one answer.

The last plan counts, unless the answer itself presents it as one of several alternatives: by
labels of one kind (``Option A``, ``Option B``; ``1.``, ``2.``) or by joining them with "or". Then
the one counts that the answer prefers by its label, and without a preference there is none.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass

from bridge.agents.answers.calls import PlanError
from bridge.agents.protocol import RawCall

__all__ = ["PlanPassage", "choose_plan", "join_actions"]

AMBIGUOUS = "it offers several different plans and doesn't say which of them counts"


@dataclass(frozen=True, slots=True)
class PlanPassage:
    """The part of a text that holds a plan, or an action of one.

    Attributes:
        start, end: its place in the text.
        calls: what it holds.
        before: the text between it and the passage before.
    """

    start: int
    end: int
    calls: Sequence[RawCall]
    before: str


_KINDS = (
    "option|alternative|variant|plan|solution|approach|candidate|possibility|choice|strategy|"
    "method|way"
)
_LINE = r"^[ \t#>*_\u2022-]*"
_OPTION = re.compile(
    rf"{_LINE}(?:(?:{_KINDS})\s{{0,3}}#?\(?(?P<mark>[a-h]|\d{{1,2}}|one|two|three|four|i{{1,3}}|iv)\b"
    rf"|(?P<place>first|second|third|fourth)\s+(?:{_KINDS})\b)",
    re.IGNORECASE | re.MULTILINE,
)
_BULLET = re.compile(
    r"(?:\A|\n)[ \t>*_-]*\(?(\d{1,2}|[A-Ha-h])[.)](?=[ \t\n*])[^\n]*\n?[ \t]*(?:```\w*\s*)?\Z"
)
_STAGE = re.compile(
    rf"{_LINE}(?:step|part|phase|stage)\s*#?\s*(\d{{1,2}})\b", re.IGNORECASE | re.MULTILINE
)
_OR = re.compile(
    r"\A\W*(?:or|alternatively|either)\b|\bor\W*(?:json\W*)?\Z"
    r"|\b(?:alternatively|another (?:option|solution|possibility|plan|way|approach))\b",
    re.IGNORECASE,
)
_CORRECTION = re.compile(
    r"\b(?:wait\s*[,.!:—-]|actually|instead|on reflection|scratch that|correction|never ?mind"
    r"|let me (?:redo|retry|rethink|start over|try again))",
    re.IGNORECASE,
)
_OMISSION = re.compile(r"^[ \t]*(?:\.\.\.+|\u2026)[ \t]*$", re.MULTILINE)
_FINAL = re.compile(
    rf"{_LINE}(?:so |my |the |here is (?:my |the )?){{0,2}}(?:final|revised|corrected)\b"
    r"(?! (?:step|move|action|call))",
    re.IGNORECASE | re.MULTILINE,
)
_LABEL = (
    rf"(?:(?:{_KINDS})\s{{0,3}}#?(?P<id>[a-h]|\d{{1,2}})\b|the (?P<nth>first|second|third|last)\b)"
)
_PREFERENCES = (
    re.compile(
        r"\b(?P<no>not |n't |never )?(?:go(?:ing)? with|choose|chose|pick|prefer|recommend|select"
        r"|submit|use|best(?: one)? is|better(?: one)? is|final (?:answer|choice|plan)(?: is)?:?"
        rf"|answer is:?)\s(?:[^.\n]{{0,25}}?\W)??{_LABEL}",
        re.IGNORECASE,
    ),
    re.compile(
        rf"{_LABEL}[^.\n]{{0,20}}?\b(?P<no>not )?"
        r"(?:better|best|shorter|safer|preferred|recommended|chosen|works|succeeds"
        r"|my (?:final )?(?:answer|choice))\b",
        re.IGNORECASE,
    ),
)
_ORDINALS = {
    name: str(number)
    for number, names in enumerate(("first one i a", "second two ii b", "third three iii c"), 1)
    for name in names.split()
}
"""Names of places as numbers."""


def choose_plan(text: str, plans: Sequence[PlanPassage]) -> list[RawCall]:
    """Return the calls of the plan that counts among whole plans; there is at least one.

    Raises:
        PlanError: they are alternatives without a preference.
    """
    if _are_stages(plans):
        return [call for plan in plans for call in plan.calls]
    last = plans[-1]
    rivals = [plan for plan in _alternatives(plans) if _meaning(plan) != _meaning(last)]
    if not rivals:
        return list(last.calls)
    preferred = _preferred(text, plans)
    if preferred is None:
        raise PlanError(AMBIGUOUS)
    return list(preferred.calls)


def join_actions(actions: Sequence[PlanPassage]) -> list[RawCall]:
    """Return the calls of single actions, in order; there is at least one.

    Raises:
        PlanError: some are alternatives to others, or corrections of them.
    """
    final = max((n for n, one in enumerate(actions) if _FINAL.search(one.before)), default=0)
    kept = actions[final:]
    labels = {label for one in kept if (label := _option(one.before))}
    joints = [one.before for one in kept[1:]]
    if len(labels) > 1 or any(_OR.search(text) for text in joints):
        raise PlanError(AMBIGUOUS)
    if any(_OMISSION.search(text) for text in joints):
        raise PlanError("it leaves actions out with an ellipsis")
    if any(_CORRECTION.search(text) for text in joints):
        raise PlanError("it takes actions back without saying where the final ones begin")
    return [call for one in kept for call in one.calls]


def _meaning(plan: PlanPassage) -> list[tuple[str, object]]:
    """Return the calls in a form that doesn't depend on how their arguments are written."""
    return [(call.name, _read(call.arguments)) for call in plan.calls]


def _read(arguments: str) -> object:
    try:
        return json.loads(arguments)
    except (ValueError, RecursionError):
        return arguments


def _option(before: str) -> str | None:
    """Return the normal form of the last label of an alternative in a text."""
    found = list(_OPTION.finditer(before))[-1:]
    marks = [(one["mark"] or one["place"]).lower() for one in found]
    return _ORDINALS.get(marks[0], marks[0]) if marks else None


def _bullet(before: str) -> str | None:
    found = _BULLET.search(before[-400:])
    return _ORDINALS.get(found[1].lower(), found[1].lower()) if found else None


def _alternatives(plans: Sequence[PlanPassage]) -> list[PlanPassage]:
    """Return the earlier plans that are presented as of the same rank as the last one."""
    last = plans[-1]
    rivals = []
    for label in (_option, _bullet):
        own = label(last.before)
        if own is not None:
            others = [(plan, label(plan.before)) for plan in plans[:-1]]
            rivals += [plan for plan, mark in others if mark not in (None, own)]
    if len(plans) > 1 and _OR.search(last.before):
        rivals.append(plans[-2])
    return rivals


def _are_stages(plans: Sequence[PlanPassage]) -> bool:
    """Return whether the plans are the parts of one, numbered from 1 without a gap."""
    marks = [_STAGE.findall(plan.before)[-1:] for plan in plans]
    return len(plans) > 1 and marks == [[str(number)] for number in range(1, len(plans) + 1)]


def _preferred(text: str, plans: Sequence[PlanPassage]) -> PlanPassage | None:
    """Return the one plan that the words outside of plans prefer by its label or place."""
    words = " ".join([*(plan.before for plan in plans), text[plans[-1].end :]])
    marks = set()
    for pattern in _PREFERENCES:
        for found in pattern.finditer(words):
            if found["no"] is None:
                mark = (found["id"] or found["nth"]).lower()
                marks.add(str(len(plans)) if mark == "last" else _ORDINALS.get(mark, mark))
    labels = [_option(p.before) or _bullet(p.before) or str(n) for n, p in enumerate(plans, 1)]
    chosen = [plan for plan, label in zip(plans, labels, strict=True) if label in marks]
    return chosen[0] if len(chosen) == 1 and len(marks) == 1 else None
