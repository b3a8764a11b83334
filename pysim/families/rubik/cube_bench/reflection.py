"""Reflection-guided reasoning: draft, reflection, answer again (4.3.4, A.4)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from pysim.families.rubik.cube_bench.condition import Reflection
from pysim.families.rubik.cube_bench.forms import Accepts, ChoiceForm, OptionLetter, ProseForm
from pysim.families.rubik.cube_bench.prompts import (
    reanswer_text,
    reflection_system,
    reflection_text,
)
from pysim.families.rubik.cube_bench.questions import MOVE_FORM, MoveQuestion
from pysim.items import Item

__all__ = ["ReflectionTrial"]

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
        return self.question.condition.item_id(self.question.seed)

    def start(self) -> tuple[str, ...]:
        """No answer."""
        return ()

    def ask(self, state: Sequence[str]) -> Item[Any] | None:
        """Draft, reflection, and the question again; the draft is the same in both conditions."""
        match len(state):
            case 0:
                plain = replace(self.question.condition, reflection=Reflection.REDACTED)
                return replace(
                    self.question.item(), id=f"{plain.item_id(self.question.seed)}/draft"
                )
            case 1:
                return replace(self._reflection(state[0]), id=f"{self.id}/reflection")
            case 2:
                return replace(self._again(state[1]), id=f"{self.id}/re-answer")
        return None

    def after(self, state: Sequence[str], text: str) -> tuple[str, ...]:
        """One answer more."""
        return (*state, text)

    def draft(self, state: Sequence[str]) -> OptionLetter | None:
        """The first choice."""
        return MOVE_FORM.parse(state[0])

    def final(self, state: Sequence[str]) -> OptionLetter | None:
        """The choice after reflection; it has to keep strictly to the form."""
        return _STRICT.parse(state[2])

    def _reflection(self, draft: str) -> Item[str]:
        question, condition = self.question, self.question.condition
        told = question.gold if condition.reflection is Reflection.UNREDACTED else None
        chosen = MOVE_FORM.parse(draft)
        text = reflection_text(question.cube, question.options, condition, chosen, told)
        pictures = question.item().pictures
        system = reflection_system(condition)
        return Item("", system, text, pictures, ProseForm(), _THOUGHT, counts=False)

    def _again(self, reflection: str) -> Item[OptionLetter]:
        item = self.question.item()
        text = reanswer_text(item.text, reflection)
        return Item("", item.system, text, item.pictures, _STRICT, item.gold)
