"""Write what is installed, with hashes: ``python -m tools.lock [--check]``.

``locks/runtime.txt`` holds what Luban needs, ``locks/dev.txt`` what its tests need besides: each
package in the version that ``constraints.txt`` pins, with the SHA-256 of the wheel that pip takes
for each Python that the classifiers name. Where these lie is not written down. With them nothing is
installed that was not there when they were written::

    pip install --require-hashes --no-deps --only-binary :all: -r locks/runtime.txt
    pip install --no-deps luban

pip asks the index that it is set up with; nothing is installed. ``--check`` only looks whether the
files hold what ``constraints.txt`` pins.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tools.check_wheels import OPTIONS, ROOT, pythons, requirements

__all__ = ["FOLDER", "Locked", "disagreements", "locked", "written"]

FOLDER = ROOT / "locks"
HEAD = "# Written by `make lock`; hashes are those of wheels for Linux on x86-64.\n"


@dataclass
class Locked:
    """A package: its version, the hashes of its wheels, and the Pythons that need it."""

    version: str
    hashes: set[str] = field(default_factory=set)
    pythons: set[str] = field(default_factory=set)


class LockError(Exception):
    """pip can't resolve what is asked; the message is its own."""


def report(lines: Sequence[str], python: str, constraints: Path) -> dict[str, Any]:
    """Ask pip for a report on an installation of some requirements with a Python.

    Raises:
        LockError: it can't.
    """
    with tempfile.TemporaryDirectory() as folder:
        wanted, told = Path(folder, "wanted.txt"), Path(folder, "report.json")
        wanted.write_text("\n".join(lines), encoding="utf-8")
        command = [sys.executable, "-m", "pip", "install", *OPTIONS, "--only-binary=:all:"]
        command += ["--ignore-installed", f"--python-version={python}.0", f"--target={folder}/x"]
        command += ["--constraint", str(constraints), "--requirement", str(wanted)]
        done = subprocess.run(
            [*command, "--report", str(told)], capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise LockError(f"Python {python}: {done.stderr.strip().splitlines()[-1][:300]}")
        document: dict[str, Any] = json.loads(told.read_text(encoding="utf-8"))
        return document


def locked(reports: Mapping[str, Mapping[str, Any]]) -> dict[str, Locked]:
    """Combine pip's reports, by Python, into packages, by name.

    Raises:
        LockError: a version differs from Python to Python, or a file has no hash.
    """
    found: dict[str, Locked] = {}
    for python, told in reports.items():
        for item in told["install"]:
            name, version = canonicalize_name(item["metadata"]["name"]), item["metadata"]["version"]
            if name == "pip":
                continue  # Installs all this, and is pinned by nobody.
            one = found.setdefault(name, Locked(version))
            hashes = item["download_info"].get("archive_info", {}).get("hashes", {})
            if one.version != version or "sha256" not in hashes:
                raise LockError(f"{name}: {version} and {one.version}, or no hash; is it pinned?")
            one.hashes.add(hashes["sha256"])
            one.pythons.add(python)
    return found


def written(packages: Mapping[str, Locked], every: Sequence[str]) -> str:
    """Return the file for some packages; a marker where not every Python needs one."""
    lines = [HEAD]
    for name, one in sorted(packages.items()):
        some = [f'python_version == "{python}"' for python in every if python in one.pythons]
        marker = "" if len(some) == len(every) else f" ; {' or '.join(some)}"
        hashes = "".join(f" \\\n    --hash=sha256:{value}" for value in sorted(one.hashes))
        lines.append(f"{name}=={one.version}{marker}{hashes}\n")
    return "".join(lines)


def pins(text: str) -> dict[str, str]:
    """Return the versions in a file of requirements, by name."""
    lines = [line.partition(" \\")[0].strip() for line in text.splitlines()]
    found = [Requirement(line) for line in lines if line and line[0] not in "#-"]
    return {
        canonicalize_name(one.name): next(iter(one.specifier)).version
        for one in found
        if len(one.specifier)
    }


def disagreements(constraints: str, lock: str) -> list[str]:
    """Describe packages that a lock has in another version than constraints pin, or unpinned."""
    wanted = pins(constraints)
    return [
        f"{name} {version}, and constraints.txt has {wanted.get(name, 'none')}"
        for name, version in pins(lock).items()
        if wanted.get(name) != version
    ]


def _write(dev: bool) -> None:
    document = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    document["build-system"] = {"requires": []}  # Builds Luban, and is gone then.
    every, path = pythons(document), FOLDER / ("dev.txt" if dev else "runtime.txt")
    constraints = ROOT / "constraints.txt"
    reports = {p: report(requirements(document, p, dev), p, constraints) for p in every}
    FOLDER.mkdir(exist_ok=True)
    packages = locked(reports)
    path.write_text(written(packages, every), encoding="utf-8")
    print(f"{path.relative_to(ROOT)}: {len(packages)} packages")


def main() -> None:
    """Write both files, or check them; the exit status is 1 if something is wrong."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="write nothing; ask no index")
    if not parser.parse_args().check:
        try:
            for dev in (False, True):
                _write(dev)
        except LockError as error:
            sys.exit(f"{error}")
    constraints = (ROOT / "constraints.txt").read_text(encoding="utf-8")
    wrong = [
        f"{path.name}: {words}"
        for path in sorted(FOLDER.glob("*.txt"))
        for words in disagreements(constraints, path.read_text(encoding="utf-8"))
    ]
    print("\n".join(wrong) or "the locks hold what constraints.txt pins")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
