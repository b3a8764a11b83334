"""Whether all that Luban needs comes ready-made: ``python tools/check_wheels.py [--dev]``.

For each Python that the classifiers name, pip resolves what ``make demo`` installs (with ``--dev``
what ``make test`` does) as bootstrap.sh has it installed: by the constraints, and no sources. It is
told the first release of each, for distributions stay with early ones. Nothing is installed.

Markers on Luban's own requirements count for the Python that is asked about; those on the
requirements of others, as pip has it, for the Python that runs this.
"""

import argparse
import re
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parent.parent
OPTIONS = ("--dry-run", "--quiet", "--no-input", "--disable-pip-version-check", "--retries=1")
DEMO_EXTRAS = ("bullet", "solve", "video")
"""Extras that `make demo` installs."""
_VERSION = re.compile(r"Programming Language :: Python :: (3\.\d+)")


def pythons(document: dict[str, Any]) -> list[str]:
    """Return the versions that the classifiers name, as ``3.11``."""
    found = (_VERSION.fullmatch(line) for line in document["project"]["classifiers"])
    return [match[1] for match in found if match]


def requirements(document: dict[str, Any], python: str, dev: bool) -> list[str]:
    """List the requirements of a version of Python and of the build, without markers."""
    project = document["project"]
    lines = [*document["build-system"]["requires"], *project["dependencies"]]
    lines += expand_extras(project, [*DEMO_EXTRAS, *(["dev"] if dev else [])])
    return [line for line in (_with(Requirement(text), python) for text in lines) if line]


def expand_extras(project: dict[str, Any], extras: Sequence[str]) -> list[str]:
    """List the requirements of extras, with those of the extras that these name in turn."""
    lines: dict[str, None] = {}
    for extra in extras:
        for line in project["optional-dependencies"].get(extra, ()):
            own = Requirement(line)
            is_self = own.name == project.get("name")
            nested = expand_extras(project, sorted(own.extras)) if is_self else [line]
            lines.update(dict.fromkeys(nested))
    return list(lines)


def _with(requirement: Requirement, python: str) -> str:
    wanted = {"python_version": python, "python_full_version": f"{python}.0"}
    if requirement.marker is not None and not requirement.marker.evaluate(wanted):
        return ""
    requirement.marker = None
    return str(requirement)


def resolve(lines: list[str], python: str) -> str:
    """Return pip's complaint about ``lines``; empty if there is a wheel of everything."""
    with tempfile.TemporaryDirectory() as folder:
        wanted = Path(folder) / "requirements.txt"
        wanted.write_text("\n".join(lines), encoding="utf-8")
        command = [sys.executable, "-m", "pip", "install", *OPTIONS, "--only-binary=:all:"]
        command += [f"--python-version={python}.0", f"--target={folder}/target"]
        command += ["--constraint", "constraints.txt", "--requirement", str(wanted)]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode == 0:
        return ""
    errors = [line for line in done.stderr.splitlines() if line.startswith("ERROR: ")]
    lost = "(could not reach the registry) " if "Retrying (" in done.stderr else ""
    return lost + "; ".join(line[7:][:300] for line in errors or done.stderr.splitlines()[-1:])


def main() -> None:
    """Look at all versions at once; the exit status is 1 if one of them lacks something."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dev", action="store_true", help="also what tests need; takes minutes")
    options = parser.parse_args()
    document = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    versions = pythons(document)
    wanted = [requirements(document, python, options.dev) for python in versions]
    with ThreadPoolExecutor() as pool:
        problems = list(pool.map(resolve, wanted, versions))
    for python, problem in zip(versions, problems, strict=True):
        print(f"Python {python}: {problem or 'everything comes ready-made'}")
    sys.exit(any(problems))


if __name__ == "__main__":
    main()
