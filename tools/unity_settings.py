"""Compare keys of settings and scene with an Editor's: ``python -m tools.unity_settings``.

These files are written by hand. The Editor ignores an unknown key without a word, and upgrades
a part whose version is missing or old.
"""

import re
import sys
from pathlib import Path

__all__ = ["FILES", "KEYS", "defects"]

ROOT = Path(__file__).resolve().parent.parent
PROJECT = ROOT / "unity_project"
FILES = (
    *sorted((PROJECT / "ProjectSettings").glob("*.asset")),
    PROJECT / "Assets" / "Luban" / "Scenes" / "Bootstrap.unity",
)
NAMES = ROOT / "tests" / "golden" / "unity" / "settings_keys.txt"
_PART = re.compile(r"^(\w+):\n((?:  .*\n)*)", re.MULTILINE)
_KEY = re.compile(r"^  ([^\s:-][^:]*):", re.MULTILINE)
_VERSION = re.compile(r"^  serializedVersion: (\d+)$", re.MULTILINE)


def _read_keys(text: str) -> dict[str, tuple[str, frozenset[str]]]:
    keys = {}
    for block in re.split(r"^(?=\w)", text, flags=re.MULTILINE)[1:]:
        head, *names = block.splitlines()
        name, version = head.split()
        keys[name] = (version, frozenset(line.strip() for line in names))
    return keys


KEYS = _read_keys(NAMES.read_text(encoding="utf-8"))
"""Version and top-level keys by part. The version is ``-`` where the Editor writes none."""


def main() -> int:
    """Print the defects of all files. Return 1 if there are any."""
    found = [
        f"{path.relative_to(ROOT)}: {defect}"
        for path in FILES
        for defect in defects(path.read_text(encoding="utf-8"))
    ]
    for line in found:
        print(line)
    return 1 if found else 0


def defects(text: str) -> list[str]:
    """Return a sentence for each unknown part or key, and for each wrong version."""
    found = []
    for part, body in _PART.findall(text):
        if part not in KEYS:
            found.append(f"{part} is not in {NAMES.name}: add the keys that an Editor writes")
            continue
        version, known = KEYS[part]
        unknown = sorted(set(_KEY.findall(body)) - known - {"serializedVersion"})
        found += [f"{part} has no key {key}: remove it" for key in unknown]
        written = _VERSION.search(body)
        if (written[1] if written else "-") != version:
            found.append(f"{part} needs serializedVersion {version}")
    return found


if __name__ == "__main__":
    sys.exit(main())
