"""Refuse a tag that is not the version of ``pyproject.toml``, or that ``CHANGELOG.md`` lacks."""

import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def find_fault(tag: str, root: Path = ROOT) -> str:
    """Describe the fault of a release; empty if there is none."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    version = project["version"]
    if tag != f"v{version}":
        return f"the tag {tag} is not v{version}, the version of pyproject.toml"
    if f"\n## [{version}]" not in (root / "CHANGELOG.md").read_text(encoding="utf-8"):
        return f"CHANGELOG.md has no section [{version}]: rename [Unreleased]"
    return ""


if __name__ == "__main__":
    sys.exit(find_fault(sys.argv[1]) or 0)
