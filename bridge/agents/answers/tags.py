"""Parsing of tool-call and reasoning tags of chat templates in the text of answers."""

import re
from collections.abc import Sequence
from functools import lru_cache

from bridge.agents.answers.literals import LiteralError, WorkLimit

__all__ = [
    "MAX_NAME_DISTANCE",
    "compile_start_pattern",
    "find_name_before",
    "read_tagged_arguments",
    "strip_thoughts",
]

MAX_NAME_DISTANCE = 160
"""Characters before an object that are searched for the name of its action."""
_THOUGHT_TAGS = re.compile(
    r"<(?P<open>think|thinking|thought|reasoning)>|</(?:think|thinking|thought|reasoning)>"
    r"|(?P<mark>\[THINK\]|◁think▷|<\|channel\|>analysis<\|message\|>)"
    r"|\[/THINK\]|◁/think▷|<\|end\|>",
    re.IGNORECASE,
)


def strip_thoughts(text: str) -> str | None:
    """Return an answer without its reasoning, or the reasoning if there is nothing else.

    A closing tag without an opening one ends a thought that begins with the text. The result is
    None if the text ends inside a thought and not at the end of a value.
    """
    answers: list[str] = []
    thoughts: list[str] = []
    is_thought, position = False, 0
    for tag in _THOUGHT_TAGS.finditer(text):
        part, is_opening = text[position : tag.start()], bool(tag["open"] or tag["mark"])
        if not is_opening and not is_thought and tag[0] != "<|end|>":
            thoughts += [*answers, part]
            answers = []
        else:
            (thoughts if is_thought else answers).append(part)
        is_thought, position = is_opening, tag.end()
    (thoughts if is_thought else answers).append(text[position:])
    answer = "".join(answers)
    if answer.strip() or not thoughts:
        return answer
    thought = "\n".join(thoughts).rstrip()
    return None if is_thought and not thought.endswith(("}", "]", ")", "`", ">")) else thought


@lru_cache(maxsize=64)
def compile_start_pattern(names: Sequence[str]) -> re.Pattern[str]:
    """Return a pattern of starts of values: brackets, calls by name, and tags with a name."""
    any_name = "|".join(map(re.escape, names))
    return re.compile(
        rf"(?P<bracket>[{{\[])"
        rf"|(?P<call>(?<![\w.])(?:[A-Za-z_]\w{{0,40}}\.){{0,3}}(?:{any_name})\()"
        rf"|<(?:function=|(?:\w+:)?invoke\s+name=)[\"']?(?P<tag>{any_name})[\"']?\s*>"
        r"(?=\s*<(?:\w+:)?(?:parameter|/))"
        rf"|<tool_call>\s*(?P<keyed>{any_name})\s*(?=<arg_key>|</tool_call>)"
    )


_ARGUMENT = re.compile(
    r"\s*<(?:\w+:)?parameter(?:=|\s+name=)[\"']?(?P<name>\w+)[\"']?[^<>]{0,60}>"
    r"|\s*<arg_key>\s*(?P<key>\w+)\s*</arg_key>\s*<arg_value>"
)
_ARGUMENT_END = re.compile(r"</(?:\w{1,20}:)?(?:parameter|arg_value)>")
_CALL_END = re.compile(r"\s*</(?:\w+:)?(?:function|invoke|tool_call)>")


def read_tagged_arguments(text: str, at: int, limit: WorkLimit) -> tuple[dict[str, str], int]:
    """Return the tagged arguments that begin at an index, and the index after them.

    Raises:
        LiteralError: the text ends inside a call, or other text stands between arguments.
    """
    arguments: dict[str, str] = {}
    while start := _ARGUMENT.match(text, at):
        end = _ARGUMENT_END.search(text, start.end())
        limit.subtract((end.end() if end else len(text)) - at)
        if end is None:
            raise LiteralError("an argument isn't closed", len(text), at_end=True)
        arguments[start["name"] or start["key"]] = text[start.end() : end.start()].strip()
        at = end.end()
    call_end = _CALL_END.match(text, at)
    if call_end is None:
        raise LiteralError("a call isn't closed", at, at_end=not text[at:].strip())
    return arguments, call_end.end()


@lru_cache(maxsize=64)
def _compile_name_pattern(names: Sequence[str]) -> re.Pattern[str]:
    any_name = "|".join(map(re.escape, names))
    return re.compile(
        rf"(?<!\w)(?P<name>{any_name})(?::\d{{1,3}})?"
        r"(?:[\s=:>\"'`*_,]|<[^<>\n]{1,60}>|\[ARGS\]"
        r"|(?:action[ _]?input(?: \d{1,3})?|arguments|args|parameters|params|input|json|with"
        r"|commentary)\b)*+\Z",
        re.IGNORECASE,
    )


def find_name_before(text: str, start: int, names: Sequence[str]) -> str | None:
    """Return the action's name right before an index, with only tags and headings between."""
    before = text[max(0, start - MAX_NAME_DISTANCE) : start]
    match = _compile_name_pattern(tuple(names)).search(before)
    return match["name"] if match else None
