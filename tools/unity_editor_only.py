"""Find the Editor's members in code for players: ``python -m tools.unity_editor_only``.

The Editor compiles such code, and a build of the player fails. Neither the stubs nor Unity's
published C# show it: both leave out the conditions under which a member exists.
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

from tools.unity_names import strip_text

__all__ = ["EDITOR_ONLY", "editor_only_uses", "uses"]

ROOT = Path(__file__).resolve().parent.parent
LUBAN = ROOT / "unity_project" / "Assets" / "Luban"
SOURCES = tuple(LUBAN / folder for folder in ("Core", "Wire", "Runtime", "Tests/PlayMode"))
"""Folders whose assemblies are part of a player."""
NAMES = ROOT / "tests" / "golden" / "unity" / "editor_only_members.txt"
EDITOR_ONLY = {line.rpartition(".")[2]: line for line in NAMES.read_text(encoding="utf-8").split()}
"""``Type.Member`` by the member. The README beside the list names its sources."""

_GUARDED = re.compile(
    r"^\s*#if\s+UNITY_EDITOR\b.*?^\s*#(?:else|elif|endif)", re.DOTALL | re.MULTILINE
)
_MEMBER = re.compile(r"\.\s*([A-Za-z_]\w*)|[{,]\s*([A-Za-z_]\w*)\s*=(?![=>])")
_EDITOR = re.compile(r"\bUnityEditor\b")


def main() -> int:
    """Print all uses. Return 1 if there are any."""
    found = [f"{path.relative_to(ROOT)}: {name}" for path, name in editor_only_uses()]
    for line in found:
        print(f"{line} exists in the Editor only: put it inside #if UNITY_EDITOR")
    return 1 if found else 0


def editor_only_uses() -> Iterator[tuple[Path, str]]:
    """Yield our files and the Editor's members that they use, in order."""
    for folder in SOURCES:
        for path in sorted(folder.rglob("*.cs")):
            yield from ((path, name) for name in uses(path.read_text(encoding="utf-8")))


def uses(code: str) -> list[str]:
    """Return the Editor's namespace and members that code uses outside ``#if UNITY_EDITOR``."""
    player = _GUARDED.sub(" ", strip_text(code))
    members = [first or second for first, second in _MEMBER.findall(player)]
    namespace = ["UnityEditor"] if _EDITOR.search(player) else []
    return namespace + [EDITOR_ONLY[name] for name in members if name in EDITOR_ONLY]


if __name__ == "__main__":
    sys.exit(main())
