"""What an agent may say to break whoever listens."""

from pysim.field_types import Json

__all__ = ["DEEP", "TEXTS", "VALUES"]

TEXTS = {
    "half a pair": "\ud800",
    "the other half": "a\udfffb",
    "halves the wrong way round": "\udc00\ud800",
    "a byte that was no text": b"\xff".decode("utf-8", "surrogateescape"),
    "nothing": "\x00",
    "control characters": "a\x07b\x08c\x7fd\x9b",
    "an escape sequence": "\x1b[2J\x1b]0;owned\x07",
    "reading backwards": "\u202egnp.exe\u2066x\u2069",
    "new lines": "a\nb\r\nc\x85d\u2028e",
    "markup": "[/red][link=http://example.org]x[/link]",
    "a page": "</td><script>alert(1)</script>",
    "forms": "{0} %s %(x)s {x!r}",
    "emoji": "\U0001f600" * 90,
    "ten megabytes": "x" * 10**7,
}

DEEP: Json = 1
for _ in range(5000):
    DEEP = [DEEP]

VALUES: dict[str, Json] = {
    "nested deep": DEEP,
    "half a pair, nested": [[{"\ud800": ["\udfff"]}]],
    "a huge number": 10**5000,
    "no number": float("nan"),
    "infinity": float("inf"),
    "less than that": -float("inf"),
    **TEXTS,
}
