"""Reflection-guided reasoning: draft, reflection, answer again (4.3.4, A.4)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from bridge.benches.cube_bench.condition import Reading, Reflection
from bridge.benches.cube_bench.forms import Accepts, ChoiceForm, OptionLetter, ProseForm
from bridge.benches.cube_bench.prompts import (
    write_reanswer_question,
    write_reflection_question,
    write_reflection_system,
)
from bridge.benches.cube_bench.questions import MoveQuestion
from bridge.benches.cube_bench.readings import LastLetter
from pysim.items import Item

__all__ = ["ReflectionPhase", "ReflectionTrial"]


class ReflectionPhase(StrEnum):
    """The three questions of a trial, by the ends of their items' names."""

    DRAFT = "draft"
    REFLECTION = "reflection"
    ANSWER = "re-answer"


_STRICT = ChoiceForm(Accepts.STRICT)
_THOUGHT = "I will try each move on the state before I choose."
"""What an agent that needs no reflection says."""


@dataclass(frozen=True, slots=True)
class ReflectionTrial:
    """One question, asked before and after a reflection. Its state is the answers so far.

    Every draft is reflected on as if it had been wrong, right ones too: that shows overthinking.
    """

    question: MoveQuestion

    @property
    def id(self) -> str:
        """The condition's, with depth and seed."""
        return self.question.condition.make_item_id(self.question.seed)

    def start(self) -> tuple[str, ...]:
        """No answer."""
        return ()

    def ask(self, state: Sequence[str]) -> Item[Any] | None:
        """Draft, reflection, and the question again; the draft is the same in both conditions."""
        match len(state):
            case 0:
                plain = replace(self.question.condition, reflection=Reflection.REDACTED)
                return replace(
                    self.question.make_item(),
                    id=f"{plain.make_item_id(self.question.seed)}/{ReflectionPhase.DRAFT}",
                )
            case 1:
                return replace(
                    self._reflection(state[0]), id=f"{self.id}/{ReflectionPhase.REFLECTION}"
                )
            case 2:
                return replace(self._again(state[1]), id=f"{self.id}/{ReflectionPhase.ANSWER}")
        return None

    def after(self, state: Sequence[str], text: str) -> tuple[str, ...]:
        """Return one answer more."""
        return (*state, text)

    def read_draft(self, state: Sequence[str]) -> OptionLetter | None:
        """Return the first choice."""
        return self.question.form.parse(state[0])

    def read_final(self, state: Sequence[str]) -> OptionLetter | None:
        """Return the choice after reflection."""
        return self._final_form.parse(state[2])

    @property
    def _final_form(self) -> ChoiceForm:
        """It has to be kept to strictly, but by the reading of the authors' program."""
        program = self.question.condition.answers is Reading.PROGRAM
        return LastLetter(Accepts.TAG) if program else _STRICT

    def _reflection(self, draft: str) -> Item[str]:
        question, condition = self.question, self.question.condition
        told = question.gold if condition.reflection is Reflection.UNREDACTED else None
        chosen = question.form.parse(draft)
        text = write_reflection_question(question.cube, question.options, condition, chosen, told)
        pictures = question.make_item().pictures
        system = write_reflection_system(condition)
        return Item("", system, text, pictures, ProseForm(), _THOUGHT, counts=False)

    def _again(self, reflection: str) -> Item[OptionLetter]:
        item = self.question.make_item()
        text = write_reanswer_question(item.text, reflection)
        return Item("", item.system, text, item.pictures, self._final_form, item.gold)
