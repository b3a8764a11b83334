"""Certificates: reports on levels whose claims were checked."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass

from bridge.referee.documents import read_mapping, read_sequence, read_text
from bridge.referee.findings import Finding

__all__ = ["Certificate", "hash_content"]


@dataclass(frozen=True, slots=True)
class Certificate:
    """A level's claims.

    Attributes:
        level: its id, or the file if it can't be read.
        hash: of its content; empty if it can't be read.
        deep: whether more was looked at than usual.
        confirmed: claims that hold.
        false: claims that do not hold, with what is true instead.
        undecided: claims that could not be derived anew, with the reason.
    """

    level: str
    hash: str
    deep: bool
    confirmed: tuple[str, ...]
    false: tuple[Finding, ...]
    undecided: tuple[Finding, ...]

    def to_document(self) -> dict[str, object]:
        """Return the document that :meth:`read` reads."""
        return asdict(self)

    @staticmethod
    def read(document: object) -> "Certificate":
        """Return the certificate that :meth:`to_document` wrote.

        Raises:
            InputError: it is none.
        """
        said = read_mapping(document, "a certificate")
        claims = read_sequence(said.get("confirmed"), "the confirmed claims")
        return Certificate(
            level=read_text(said.get("level"), "the level"),
            hash=read_text(said.get("hash"), "the hash"),
            deep=said.get("deep") is True,
            confirmed=tuple(read_text(claim, "a claim") for claim in claims),
            false=_findings(said.get("false")),
            undecided=_findings(said.get("undecided")),
        )


def _findings(value: object) -> tuple[Finding, ...]:
    found = [read_mapping(entry, "a finding") for entry in read_sequence(value, "findings")]
    return tuple(
        Finding(read_text(f.get("claim"), "a claim"), read_text(f.get("found"), "what was found"))
        for f in found
    )


def hash_content(document: Mapping[str, object]) -> str:
    """Compute the hash that a level document must have (docs/levels.md)."""
    content = {key: document.get(key) for key in ("family", "puzzle", "budget")}
    line = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return "sha256:" + hashlib.sha256(line.encode()).hexdigest()
