"""Measured facts and proofs in the text of a level file: set, or carried over when built again."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bridge.report.floors import ATTEMPTS, PASSES
from pysim.puzzle import Fact

__all__ = ["carried", "with_facts", "with_proof"]


def with_facts(text: str, facts: Mapping[str, Fact]) -> str:
    """Return the text of a level with facts set; all else stays as it is written."""
    for name, value in facts.items():
        line = f'"{name}": {json.dumps(value)}'
        if f'\n  "{name}": ' in text:
            text = re.sub(rf'\n  "{name}": [^,\n]*', f"\n  {line}", text)
        elif '\n "facts": {\n' in text:
            text = re.sub(r'(\n "facts": \{\n.*?)\n \}', rf"\1,\n  {line}\n }}", text, flags=re.S)
        else:
            text = text.replace('\n "puzzle": ', f'\n "facts": {{\n  {line}\n }},\n "puzzle": ', 1)
    return text


def with_proof(text: str, length: int) -> str:
    """Return the text of a level whose plan, of this length, is proven to be a shortest one."""
    proven = f'"proof": "OPTIMAL",\n  "lower_bound": {length},'
    return re.sub(r'"proof": "UPPER_BOUND",\n  "lower_bound": \d+,', proven, text)


def carried(path: Path, text: str) -> str:
    """Return the text of a level with the measured facts and the proof that its file has."""
    if not path.exists():
        return text
    former, document = json.loads(path.read_text(encoding="utf-8")), json.loads(text)
    plan, facts = former.get("plan"), former.get("facts", {})
    if plan and plan["proof"] == "OPTIMAL" and _plan_of(former) == _plan_of(document):
        text = with_proof(text, len(plan["actions"]))
    return with_facts(text, {name: facts[name] for name in (PASSES, ATTEMPTS) if name in facts})


def _plan_of(document: Mapping[str, Any]) -> tuple[object, object]:
    """Return what a proof is about: the puzzle, and the actions."""
    return document.get("puzzle"), (document.get("plan") or {}).get("actions")
