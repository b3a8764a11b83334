"""Look up known holes in what is pinned: ``python -m tools.audit``, part of ``make nightly``.

pip-audit asks the advisories of the Python Packaging Authority about each line of
``constraints.txt``. Without a network that is said, and nothing fails: the next night may have one.
"""

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

__all__ = ["AUDIT", "main", "verdict"]

ROOT = Path(__file__).resolve().parent.parent
AUDIT = ("-m", "pip_audit", "--no-deps", "--disable-pip", "--format", "json")
_UNREACHED = (
    "ConnectionError",
    "Max retries exceeded",
    "Failed to establish a new connection",
    "NameResolutionError",
    "ConnectTimeout",
    "ReadTimeout",
    "ProxyError",
    "SSLError",
)
"""What pip-audit says where there is no network."""


def verdict(status: int, out: str, err: str) -> tuple[int, str]:
    """Return the exit status and the words for what pip-audit printed."""
    try:
        asked = json.loads(out)["dependencies"]
    except ValueError:
        if any(sign in err for sign in _UNREACHED):
            return 0, "pip-audit: SKIPPED, the advisories can't be reached; nothing was looked up"
        return 1, f"pip-audit failed with {status}: {err.strip()[-1000:]}"
    holes = [_hole(one, hole) for one in asked for hole in one.get("vulns", ())]
    unknown = sum("skip_reason" in one for one in asked)
    if holes:
        return 1, "\n".join(("pip-audit: known holes", *holes))
    if unknown == len(asked):
        return 0, "pip-audit: SKIPPED, the index here knows no advisories; nothing was looked up"
    left_out = f"; {unknown} could not be looked up" if unknown else ""
    return 0, f"pip-audit: no known holes in {len(asked) - unknown} packages{left_out}"


def _hole(package: dict[str, Any], hole: dict[str, Any]) -> str:
    mended = ", ".join(hole["fix_versions"]) or "no version yet"
    return f"  {package['name']} {package['version']}: {hole['id']}, mended in {mended}"


def audited(file: Path, options: Sequence[str] = ()) -> tuple[int, str]:
    """Return the verdict on the pins in a file."""
    command = [sys.executable, *AUDIT, *options, "--requirement", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return verdict(done.returncode, done.stdout, done.stderr)


def main() -> None:
    """Say what is known; the exit status is 1 if there is a hole."""
    status, words = audited(ROOT / "constraints.txt", sys.argv[1:])
    print(words)
    sys.exit(status)


if __name__ == "__main__":
    main()
