"""What C# is held to before it draws is what our own renderer works out today."""

import json
from pathlib import Path

import numpy as np

from tools.gen_look_vectors import documents

FILE = Path(__file__).parent.parent / "golden" / "looks" / "looks.json"


def test_the_look_vectors_are_what_the_tool_writes_today() -> None:
    written = json.loads(FILE.read_text(encoding="utf-8"))
    today = json.loads(json.dumps(documents()))["looks.json"]
    assert len(written) == len(today)
    for old, new in zip(written, today, strict=True):
        assert old["faces"] == new["faces"], "run tools/gen_look_vectors.py"
        assert np.allclose(old["light"], new["light"])  # Floats may differ in their last bits.
        for before, now in zip(old["cameras"], new["cameras"], strict=True):
            for key in ("rays", "ground", "lines"):
                assert np.allclose(before[key], now[key]), "run tools/gen_look_vectors.py"
