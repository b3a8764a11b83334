"""Findings of a referee about a level: claims that hold, are false, or can't be decided."""

from dataclasses import dataclass, field

__all__ = ["Finding", "Judgement", "JudgementBuilder"]


@dataclass(frozen=True, slots=True)
class Finding:
    """A claim that does not hold, or that can't be decided.

    Attributes:
        claim: its name: ``plan``, ``proof``, ``lower_bound``, ``tier``, ``budget``, or
            ``facts.solutions`` for a fact.
        found: in words what is true instead, or why it can't be decided.
    """

    claim: str
    found: str


@dataclass(frozen=True, slots=True)
class Judgement:
    """Judgement of a level's claims.

    Attributes:
        confirmed: claims that were derived anew and hold.
        false: claims that do not hold.
        undecided: claims that could be true.
    """

    confirmed: tuple[str, ...]
    false: tuple[Finding, ...]
    undecided: tuple[Finding, ...]


@dataclass(slots=True)
class JudgementBuilder:
    """Collects what is found while a level is judged."""

    confirmed: list[str] = field(default_factory=list)
    false: list[Finding] = field(default_factory=list)
    undecided: list[Finding] = field(default_factory=list)

    def confirm(self, claim: str) -> None:
        self.confirmed.append(claim)

    def refute(self, claim: str, found: str) -> None:
        self.false.append(Finding(claim, found))

    def mark_undecided(self, claim: str, why: str) -> None:
        self.undecided.append(Finding(claim, why))

    def decide(self, claim: str, holds: bool, found: str) -> None:
        """Confirm a claim, or refute it with what was found instead."""
        if holds:
            self.confirm(claim)
        else:
            self.refute(claim, found)

    def build(self) -> Judgement:
        return Judgement(tuple(self.confirmed), tuple(self.false), tuple(self.undecided))
