"""Measured facts in the text of a level file: set, or carried over when it is built again."""

import json
import re
from collections.abc import Mapping
from pathlib import Path

from bridge.report.floors import ATTEMPTS, PASSES
from pysim.puzzle import Fact

__all__ = ["carried", "with_facts"]


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


def carried(path: Path, text: str) -> str:
    """Return the text of a level with the measured facts that its file has."""
    if not path.exists():
        return text
    facts = json.loads(path.read_text(encoding="utf-8")).get("facts", {})
    return with_facts(text, {name: facts[name] for name in (PASSES, ATTEMPTS) if name in facts})
