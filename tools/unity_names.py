"""Looks for types of ours called like one of ``UnityEngine``: ``python -m tools.unity_names``.

A file that uses both namespaces can't say which of the two it means, and does not compile in Unity.
Hand-written stubs of the engine hide that where they lack the type.
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

__all__ = ["ENGINE_TYPES", "collisions", "declared", "strip_text"]

ROOT = Path(__file__).resolve().parent.parent
SOURCES = (
    ROOT / "unity_project" / "Assets",
    ROOT / "tests" / "csharp" / "headless",
    ROOT / "tests" / "csharp" / "drawing",
    ROOT / "tests" / "csharp" / "engine",
)
NAMES = ROOT / "tests" / "golden" / "unity" / "unityengine_types.txt"
ENGINE_TYPES = frozenset(NAMES.read_text(encoding="utf-8").split())
"""Names of the public types of ``UnityEngine``; the README beside them says of which release."""

_NOT_CODE = re.compile(r'//[^\n]*|/\*.*?\*/|@?"(?:\\.|[^"\\\n])*"', re.DOTALL)
_DECLARED = re.compile(
    r"\b(?:class|struct|enum|interface|delegate\s+[\w<>\[\].]+)\s+([A-Za-z_]\w*)"
)


def main() -> int:
    """Say which types collide; 1 if any does."""
    found = [f"{path.relative_to(ROOT)}: {name}" for path, name in collisions()]
    for line in found:
        print(f"{line} is a type of UnityEngine as well: call it otherwise")
    return 1 if found else 0


def collisions() -> Iterator[tuple[Path, str]]:
    """Our files and types that are called like one of the engine's, in order."""
    for folder in SOURCES:
        for path in sorted(folder.rglob("*.cs")):
            names = declared(path.read_text(encoding="utf-8"))
            yield from ((path, name) for name in names if name in ENGINE_TYPES)


def declared(code: str) -> list[str]:
    """Return the types that C# code declares, nested ones and delegates too, in order."""
    return _DECLARED.findall(strip_text(code))


def strip_text(code: str) -> str:
    """Return C# code with each comment and string replaced by a space."""
    return _NOT_CODE.sub(" ", code)


if __name__ == "__main__":
    sys.exit(main())
