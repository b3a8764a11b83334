"""Pictures inside a terminal, where it can draw them: kitty's protocol, or iTerm2's."""

import base64
from collections.abc import Iterator, Mapping

__all__ = ["encode_inline_picture"]

_PIECE = 4096
"""Characters that kitty takes at once."""


def encode_inline_picture(png: bytes, environment: Mapping[str, str]) -> str:
    """Return the escape sequence that draws a picture in the terminal; empty where it can't draw.

    Args:
        png: the file's bytes.
        environment: by which terminals say who they are.
    """
    program, kind = environment.get("TERM_PROGRAM", ""), environment.get("TERM", "")
    if environment.get("TMUX") or kind.startswith("screen"):
        return ""  # These pass nothing on unless they are told to.
    data = base64.b64encode(png).decode("ascii")
    if "kitty" in kind or environment.get("KITTY_WINDOW_ID") or program in ("ghostty", "WezTerm"):
        return "".join(_kitty(data)) + "\n"
    if program == "iTerm.app":
        return f"\x1b]1337;File=inline=1;size={len(png)}:{data}\a\n"
    return ""


def _kitty(data: str) -> Iterator[str]:
    for start in range(0, len(data), _PIECE):
        head = "a=T,f=100," if start == 0 else ""
        more = int(start + _PIECE < len(data))
        yield f"\x1b_G{head}m={more};{data[start : start + _PIECE]}\x1b\\"
