"""Texts of the papers, where they lie beside the checkout."""

from functools import cache
from pathlib import Path

import pytest

__all__ = ["paper"]

ROOT = Path(__file__).resolve().parent.parent


@cache
def _text(name: str) -> str | None:
    for folder in ROOT.parents:
        path = folder / "shared" / "papers" / f"{name}.txt"
        if path.exists():
            return path.read_text(encoding="utf-8")
    return None


def paper(name: str) -> str:
    """Return the text of a paper; skip the test where it isn't at hand."""
    text = _text(name)
    if text is None:
        pytest.skip(f"NOT TESTED: no text of the paper {name} lies in ../shared/papers")
    return text
