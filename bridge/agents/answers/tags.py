"""Tool syntax in the text of answers: the tags and headings of chat templates."""

import re
from collections.abc import Sequence
from functools import lru_cache

from bridge.agents.answers.literals import LiteralError, WorkLimit

__all__ = [
    "NEIGHBOURHOOD",
    "compile_openings",
    "find_name_before",
    "read_tagged_arguments",
    "strip_thoughts",
]

NEIGHBOURHOOD = 160
"""Characters before an object in which its action's name is looked for."""
_TAGS = re.compile(
    r"<(?P<open>think|thinking|thought|reasoning)>|</(?:think|thinking|thought|reasoning)>"
    r"|(?P<mark>\[THINK\]|◁think▷|<\|channel\|>analysis<\|message\|>)"
    r"|\[/THINK\]|◁/think▷|<\|end\|>",
    re.IGNORECASE,
)


def strip_thoughts(text: str) -> str | None:
    """Return an answer without the model's thoughts; the thoughts if there is nothing else.

    A thought that was never opened begins with the text. None if the text ends in the middle of a
    thought, and no value ends there.
    """
    spoken: list[str] = []
    thoughts: list[str] = []
    thinking, at = False, 0
    for tag in _TAGS.finditer(text):
        part, opens = text[at : tag.start()], bool(tag["open"] or tag["mark"])
        if not opens and not thinking and tag[0] != "<|end|>":
            thoughts += [*spoken, part]
            spoken = []
        else:
            (thoughts if thinking else spoken).append(part)
        thinking, at = opens, tag.end()
    (thoughts if thinking else spoken).append(text[at:])
    said = "".join(spoken)
    if said.strip() or not thoughts:
        return said
    thought = "\n".join(thoughts).rstrip()
    return None if thinking and not thought.endswith(("}", "]", ")", "`", ">")) else thought


@lru_cache(maxsize=64)
def compile_openings(names: Sequence[str]) -> re.Pattern[str]:
    """Return a pattern of all beginnings of values: brackets, calls by name, and tags with one."""
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
    """Return the arguments in tags of their own that begin at an index, and the index behind them.

    Raises:
        LiteralError: the text ends inside, or something else stands between them.
    """
    arguments: dict[str, str] = {}
    while found := _ARGUMENT.match(text, at):
        end = _ARGUMENT_END.search(text, found.end())
        limit.subtract((end.end() if end else len(text)) - at)
        if end is None:
            raise LiteralError("an argument isn't closed", len(text), at_end=True)
        arguments[found["name"] or found["key"]] = text[found.end() : end.start()].strip()
        at = end.end()
    closed = _CALL_END.match(text, at)
    if closed is None:
        raise LiteralError("a call isn't closed", at, at_end=not text[at:].strip())
    return arguments, closed.end()


@lru_cache(maxsize=64)
def _name_pattern(names: Sequence[str]) -> re.Pattern[str]:
    any_name = "|".join(map(re.escape, names))
    return re.compile(
        rf"(?<!\w)(?P<name>{any_name})(?::\d{{1,3}})?"
        r"(?:[\s=:>\"'`*_,]|<[^<>\n]{1,60}>|\[ARGS\]"
        r"|(?:action[ _]?input(?: \d{1,3})?|arguments|args|parameters|params|input|json|with"
        r"|commentary)\b)*+\Z",
        re.IGNORECASE,
    )


def find_name_before(text: str, start: int, names: Sequence[str]) -> str | None:
    """Return the action's name that stands right before an index, apart from tags and headings."""
    found = _name_pattern(tuple(names)).search(text[max(0, start - NEIGHBOURHOOD) : start])
    return found["name"] if found else None
