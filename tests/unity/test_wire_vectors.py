"""The bytes that the C# codec is held to are what Python writes today."""

import json
from pathlib import Path

from tools.gen_wire_vectors import documents

FOLDER = Path(__file__).parent.parent / "golden" / "wire"


def test_the_wire_vectors_are_what_the_tool_writes_today() -> None:
    written = {
        path.name: json.loads(path.read_text(encoding="utf-8")) for path in FOLDER.glob("*.json")
    }
    today = json.loads(json.dumps(documents()))
    assert written == today, "run tools/gen_wire_vectors.py"
