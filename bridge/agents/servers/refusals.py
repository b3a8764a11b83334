"""Errors for refusals of a server: whom they concern, and what to do about them."""

import re

from bridge.agents.servers.dialects import Complaint
from bridge.agents.servers.errors import ContextFull, ModelError, ModelRefusal
from bridge.episode.sanitize import sanitize_text

__all__ = ["is_out_of_money", "make_excerpt", "make_refusal_error"]

_CONTEXT_FULL = re.compile(
    "context_length_exceeded|maximum context length|context window|available context size|"
    "prompt is too long|input token count",
    re.IGNORECASE,
)
"""Servers' words for a conversation that is too long."""
_OF_ONE_REQUEST = re.compile(
    r"content[_ ](policy|filter|management)|moderation|safety|flagged|usage polic|invalid_prompt|"
    r"image[_ ](too|size|parse|exceeds)|(invalid|large|corrupt|decode|process)\w* (the )?image|"
    r"string_above_max_length|(too|request) large|too (long|many (tokens|images))",
    re.IGNORECASE,
)
"""Words for a refusal that lies in what one request shows."""
_OF_A_SETTING = re.compile(r"max_\w*tokens|temperature|top_p|reasoning|tool_choice|parallel_tool")
"""Words for one that lies in what every request sets, even if they speak of size as well."""
_CERTAIN = frozenset({401, 402, 403, 404, 405, 410})
_UNCERTAIN = frozenset({400, 415, 422, 501})
_LONGEST_TEXT = 5_000
"""Characters of a complaint in which words are looked for."""
_MONEY = ("insufficient_quota", "billing_hard_limit", "billing_not_active")

_ADVICE: tuple[tuple[str, str], ...] = (
    (r"v1/responses", "give --set api=responses"),
    (r"max_completion_tokens", "give --set max_completion_tokens=N in place of max_tokens"),
    (r"max_tokens", "leave out --set max_tokens, or give --set max_completion_tokens=N"),
    (r"temperature", "leave out --set temperature"),
    (r"top_p", "leave out --set top_p"),
    (r"reasoning_effort|reasoning\.effort", "give another --set reasoning_effort"),
    (r"tool[_ ]choice", "give --set tool_choice=omit"),
    (r"parallel[_ ]tool", "give --set parallel_tool_calls=omit"),
    (r"support\w* tool|tools? \w*\s*(is|are) not support", "this model takes no tools: give "
     "--mode one-shot"),
    (r"image|vision|multimodal", "if this model takes no pictures, give --observation state"),
)  # fmt: skip
"""Words of a message, and what to do; the first that fits counts."""
_BY_STATUS = {
    401: "set the variable with the key (OPENAI_API_KEY, or --set api_key_env=NAME)",
    402: "add credit",
    403: "check the key and what it may use",
    404: "check the model's name and --base-url",
    405: "check --base-url",
}


def is_out_of_money(complaint: Complaint) -> bool:
    """Whether a server is not busy but waits for money, which some say with the same status."""
    return complaint.code in _MONEY or any(word in complaint.text[:2000] for word in _MONEY)


def make_refusal_error(complaint: Complaint) -> ModelError:
    """Return the error for a refusal, in the server's words."""
    status, text = complaint.status, complaint.text
    words = f"status {status}: {make_excerpt(complaint.message)}"
    if _CONTEXT_FULL.search(text[:_LONGEST_TEXT]):
        return ContextFull(words)
    if status == 413 or (status in (400, 403, 422) and _is_of_one(complaint)):
        return ModelError(words)
    if status in _CERTAIN or is_out_of_money(complaint):
        return ModelRefusal(_advised(words, complaint), certain=True)
    if status in _UNCERTAIN:
        return ModelRefusal(_advised(words, complaint), certain=False)
    return ModelError(words)


def _is_of_one(complaint: Complaint) -> bool:
    """Return whether a refusal lies in one request, and not in the settings of all."""
    if _OF_A_SETTING.search(complaint.param or complaint.message[:_LONGEST_TEXT]):
        return False
    return bool(_OF_ONE_REQUEST.search(complaint.text[:_LONGEST_TEXT]))


def _advised(words: str, complaint: Complaint) -> str:
    if is_out_of_money(complaint):
        return f"{words}; {_BY_STATUS[402]}"
    if complaint.status in _BY_STATUS and not re.search(r"v1/responses", complaint.message):
        return f"{words}; {_BY_STATUS[complaint.status]}"
    message = complaint.message[:2000]
    advice = next((do for sign, do in _ADVICE if re.search(sign, message)), "")
    return f"{words}; {advice}" if advice else words


def make_excerpt(text: str) -> str:
    """Return the beginning of a text from outside, as one harmless line."""
    words = " ".join(sanitize_text(text[:_LONGEST_TEXT]).split())
    return words if len(words) <= 200 else words[:197] + "..."
