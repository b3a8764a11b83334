"""Level documents without what was measured of them after they were made."""

from collections.abc import Mapping
from typing import Any

from bridge.report.floors import ATTEMPTS, PASSES

__all__ = ["without_floor"]


def without_floor(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return a level document without the facts of its noise floor."""
    facts = {
        name: fact for name, fact in document["facts"].items() if name not in (PASSES, ATTEMPTS)
    }
    return {**document, "facts": facts}
