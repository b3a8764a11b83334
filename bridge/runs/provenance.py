"""With what, where and when a run was made: ``about.jsonl`` in its folder.

It has a line for each day on which somebody worked on the run, or more if something else has
changed since. Nothing depends on it, and of two runs that are equal byte for byte it is what
differs. It names no host and no user.
"""

import json
import os
import platform
import re
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path

from bridge.recording.files import append_line, whole_lines
from pysim.field_types import Json
from pysim.untrusted import MIB, FileKind, FileRefused, parse_json

__all__ = ["PROVENANCE_NAME", "describe_provenance", "read_sessions", "record_session"]

PROVENANCE_NAME = "about.jsonl"
PROVENANCE_FILE = FileKind("a file of sessions", 256 * MIB)
_ROOT = Path(__file__).resolve().parents[2]


def record_session(folder: Path) -> None:
    """Write down that somebody works on a run now.

    Raises:
        OSError: it can't be written.
    """
    began = datetime.now(UTC).isoformat(timespec="seconds")
    now: dict[str, Json] = {"began": began, **describe_provenance()}
    if not any(_is_same(told, now) for told in read_sessions(folder)[-1:]):
        line = json.dumps(now, separators=(",", ":"))
        append_line(folder / PROVENANCE_NAME, line.encode("ascii") + b"\n")


def _is_same(one: Mapping[str, Json], other: Mapping[str, Json]) -> bool:
    """Return whether two sessions were on one day, with the same and at the same place."""
    days = {str(told.get("began"))[:10] for told in (one, other)}
    return len(days) == 1 and {**one, "began": ""} == {**other, "began": ""}


def read_sessions(folder: Path) -> list[Mapping[str, Json]]:
    """Read the sessions in order; those that can't be read are left out."""
    try:
        lines = whole_lines(folder / PROVENANCE_NAME, PROVENANCE_FILE)
    except FileRefused:
        raise
    except OSError:
        return []
    found: list[Mapping[str, Json]] = []
    for line in lines:
        try:
            told = parse_json(line)
        except ValueError:
            continue
        found += [told] if isinstance(told, dict) else []
    return found


@cache
def describe_provenance() -> Mapping[str, Json]:
    """This program and this machine.

    ``commit`` is null outside of a checkout, and ends with ``+`` if files differ from it.
    """
    return {
        "luban": version("luban"),
        "commit": _commit(),
        "python": platform.python_version(),
        "system": platform.platform(),
        "processor": _processor(),
        "cores": os.cpu_count(),
        "packages": dict(_packages()),
    }


def _packages() -> Iterator[tuple[str, str]]:
    """Yield the packages that Luban requires or can use, as far as they are installed."""
    found = (re.match(r"[\w.-]+", line) for line in requires("luban") or ())
    for name in sorted({name[0] for name in found if name}):
        with suppress(PackageNotFoundError):
            yield name, version(name)


def _commit() -> str | None:
    if not (_ROOT / ".git").exists():
        return None
    try:
        head = _git("rev-parse", "HEAD")
        return head + ("+" if _git("status", "--porcelain", "--untracked-files=no") else "")
    except (OSError, subprocess.SubprocessError):
        return None


def _git(*arguments: str) -> str:
    done = subprocess.run(
        ["git", "-C", str(_ROOT), *arguments],
        capture_output=True,
        text=True,
        timeout=30,
        check=True,
        stdin=subprocess.DEVNULL,
    )
    return done.stdout.strip()


def _processor() -> str:
    """Return Linux's name of the processor, with its family, model and stepping.

    Different processors may share a name.
    """
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return platform.machine()
    told: dict[str, str] = {}
    for line in text.splitlines():
        name, _, value = line.partition(":")
        told.setdefault(name.strip(), value.strip())
    numbers = [f"{name} {told[name]}" for name in _NUMBERS if name in told]
    return ", ".join([told.get("model name", platform.machine()), *numbers])


_NUMBERS = ("cpu family", "model", "stepping")
