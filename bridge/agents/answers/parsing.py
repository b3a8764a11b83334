"""Parser of the plan in a model's answer, read as a person would read it."""

import html
import re
from collections.abc import Iterator, Mapping, Sequence

from bridge.agents.answers.alternatives import PlanPassage, choose_plan, join_actions
from bridge.agents.answers.calls import CallReader, PlanError, read_signatures, to_json
from bridge.agents.answers.literals import (
    Invocation,
    Literal,
    LiteralError,
    LiteralReader,
    WorkLimit,
    WorkLimitReached,
)
from bridge.agents.answers.tags import (
    MAX_NAME_DISTANCE,
    compile_start_pattern,
    find_name_before,
    read_tagged_arguments,
    strip_thoughts,
)
from bridge.agents.protocol import RawCall
from pysim.field_types import Json

__all__ = ["parse_plan"]

MAX_ANSWER = 2**20
"""Characters of an answer, without its thoughts, that are read."""
CUT = "it was cut off before its plan was complete"


def parse_plan(
    text: str, tools: Sequence[Mapping[str, Json]], *, cut: bool = False
) -> tuple[RawCall, ...]:
    """Return the plan in an answer; an element of its list that is no action has no name.

    Args:
        text: the whole answer.
        tools: the actions as OpenAI function tools.
        cut: whether the answer ended at a token limit.

    Raises:
        PlanError: there is no plan, it is cut off or damaged, or one of several alternatives.
    """
    limit = WorkLimit()
    calls = CallReader(read_signatures(tools), limit)
    try:
        for version in _versions(text):
            plan = _Answer(version, calls, limit, cut).plan()
            if plan is not None:
                return tuple(plan)
    except WorkLimitReached:
        raise PlanError("its brackets are too tangled to be read") from None
    raise PlanError(CUT if cut else "it holds no JSON object with `actions`, and no call")


_ANSWER = re.compile(r"<(answer|final_answer|solution|output)>")
_QUOTED = re.compile(r"^[ \t]*>[ \t]?(?=[^\n]*[\[{}\]])", re.MULTILINE)


def _versions(text: str) -> Iterator[str]:
    """Yield the texts in which a plan is looked for, each only if there is none in those before.

    Raises:
        PlanError: the answer is too long, or ends within the model's thoughts.
    """
    spoken = strip_thoughts(text)
    if spoken is None:
        raise PlanError("it was cut off while the model was thinking")
    if len(spoken) > MAX_ANSWER:
        raise PlanError(f"it has more than {MAX_ANSWER:,} characters")
    spoken = _QUOTED.sub("", html.unescape(spoken) if "&quot;" in spoken else spoken)
    for tag in list(_ANSWER.finditer(spoken))[-1:]:
        yield spoken[tag.end() :].partition(f"</{tag[1]}>")[0]
    yield spoken
    if '\\"' in spoken:  # JSON that was written as a text.
        yield spoken.replace("\\n", "\n").replace('\\"', '"').replace('\\\\"', '\\"')


class _Answer:
    """One version of an answer.

    Args:
        text: the version.
        calls: recognises actions.
        limit: bounds the work.
        cut: whether the text ended at a token limit.
    """

    def __init__(self, text: str, calls: CallReader, limit: WorkLimit, cut: bool) -> None:
        self._text, self._calls, self._limit, self._cut = text, calls, limit, cut
        self._names = tuple(calls.signatures)
        self._plans: list[PlanPassage] = []
        self._actions: list[PlanPassage] = []
        self._mentions = 0
        self._fault = ""
        self._end = 0

    def plan(self) -> list[RawCall] | None:
        """Return the plan that counts, or None if the text holds none.

        Raises:
            PlanError: it can't be carried out.
        """
        pattern, at = compile_start_pattern(self._names), 0
        while found := pattern.search(self._text, at):
            self._limit.subtract(0)
            at = self._read(found)
        if self._fault:
            raise PlanError(self._fault)
        if self._plans:
            return choose_plan(self._text, self._plans)
        if self._actions:
            if self._cut and not self._text[self._actions[-1].end :].strip("`~ \n"):
                raise PlanError(CUT)
            return join_actions(self._actions)
        if self._mentions:
            raise PlanError("it mentions calls in running text, and lists none")
        return None

    def _read(self, opening: re.Match[str]) -> int:
        """Note what begins here, and return the index from which to look further."""
        start = opening.start()
        try:
            if name := opening["tag"] or opening["keyed"]:
                return self._tagged(name, start, opening.end())
            value, end = LiteralReader(self._text, self._limit).read(start)
        except LiteralError as error:
            return self._damaged(opening, error)
        if isinstance(value, Invocation):
            self._called(value, start, end)
        else:
            self._held(value, start, end)
        return end

    def _damaged(self, opening: re.Match[str], error: LiteralError) -> int:
        """Note a value that can't be read if it was to be a plan or an action."""
        stop = max(opening.end(), error.position)
        piece = self._text[opening.start() : stop]
        self._limit.subtract(len(piece))
        at_end = error.at_end and not self._text[stop:].strip()
        if not (_is_meant(piece, self._names) or (at_end and _CUT_EARLY.match(piece))):
            return opening.end()
        self._fault = CUT if at_end else f"its plan is damaged: {error}"
        self._end = stop
        return stop

    def _tagged(self, name: str, start: int, at: int) -> int:
        texts, end = read_tagged_arguments(self._text, at, self._limit)
        lists = self._calls.signatures[name].lists
        values: dict[str, Literal] = {
            key: self._calls.read_text(text, listed=key in lists) for key, text in texts.items()
        }
        self._act(RawCall(name, to_json(values)), start, end)
        return end

    def _called(self, value: Invocation, start: int, end: int) -> None:
        action = self._calls.read_action(value)
        line = self._text.rfind("\n", 0, start) + 1
        before = self._text[max(line, self._end) : start][-200:]
        if action is None:
            return
        if not _LEADING.fullmatch(before):
            self._mentions += 1
        elif _PROGRAM.search(self._text[max(self._end, start - 2000) : start]):
            self._fault, self._end = "it is a program and not a list of calls", end
        else:
            self._act(action, start, end)

    def _held(self, value: Literal, start: int, end: int) -> None:
        try:
            plans = self._calls.read_plans(value)
        except PlanError as error:
            self._fault, self._end = str(error), end
            return
        if len(plans) > 1:
            self._fault, self._end = "it holds several different plans in one value", end
        elif plans:
            before = self._text[self._end : start]
            self._plans.append(PlanPassage(start, end, plans[0], before))
            self._fault, self._end = "", end
        else:
            action = self._calls.read_action(value) or self._named_before(value, start)
            if action is not None:
                self._act(action, start, end)

    def _named_before(self, value: Literal, start: int) -> RawCall | None:
        if not isinstance(value, dict):
            return None
        self._limit.subtract(MAX_NAME_DISTANCE * 4)
        name = find_name_before(self._text, start, self._names)
        known = self._calls.find_name(name) if name else None
        return self._calls.bind(known, value) if known else None

    def _act(self, action: RawCall, start: int, end: int) -> None:
        self._actions.append(PlanPassage(start, end, (action,), self._text[self._end : start]))
        self._end = end


_LEADING = re.compile(
    r"(?:[ \t]*[^\W\d][\w *]{0,40}:)?[\s>*\u2022`\d.):(\[,;&|\u2192_-]*"
    r"(?:(?:step|action|move|call|tool)?\s*\d*\s*[:.)-]?\s*)"
    r"(?:(?:first|second|third|then|next|finally|lastly|after that|and|now)\b[\s,:]*)*"
    r"[`*\s]*(?:(?:print|await)[\s(]+|\w{1,30}\s*=\s*|->\s*|=>\s*)*[`*\s]*",
    re.IGNORECASE,
)
"""Text that may precede a call in its line if the call is meant."""
_CUT_EARLY = re.compile(r"[\[{]\s*\{?\s*[\"'\u201c](?:actions|name|tool|action|function)\b")
"""The beginning of a plan whose first name is not whole."""
_PROGRAM = re.compile(r"^[ \t]*(?:for|while|if|else|elif)\b[^\n]*:[ \t]*$", re.MULTILINE)


def _is_meant(piece: str, names: Sequence[str]) -> bool:
    """Return whether a damaged value was to be a plan or an action."""
    any_name = "|".join(map(re.escape, names))
    return bool(
        re.search(
            r"\bactions[\"'\u201d\u2019]?\s*[:=]"
            rf"|\b(?:name|tool|action|function|tool_name)[\"'\u201d\u2019]?\s*[:=]\s*[\"'\u201c\u2018]?(?:{any_name})\b"
            rf"|(?:{any_name})\(\s*(?:[\[\"'{{]|\w+\s*[=:]\s*[\"'\[{{\d(+-])",
            piece,
        )
    )
