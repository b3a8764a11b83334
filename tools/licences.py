"""Write ``docs/licences.md``: under which licences comes what Luban needs. ``make licences``.

What the packages say of themselves is written down, as they are installed here: the packages of
``dependencies`` and of the extras that users install, and what these need in turn.
"""

import re
import tomllib
from collections.abc import Iterator
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tools.check_wheels import DEMO_EXTRAS, expand_extras

__all__ = ["PAGE", "licence", "needed", "page"]

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "licences.md"
EXTRAS = ("gymnasium", "dataset", "mcp", "openai", "web")
"""Extras of which everything is listed; the others bring hundreds of packages of their own."""
HEAD = (
    "# Licences\n\nSee under which licences the packages come that Luban needs.\n\n"
    "Luban is under the Apache License 2.0. Its packages come from others, under their licences, "
    "as they state\nthem. `make licences` writes this page of the packages that are installed. "
    "`make sbom` lists all of them, those for\ntests too, in CycloneDX's form.\n\n"
)
TAIL = """
## Passing Luban on

Luban imports these packages as they are installed, and holds none of their code. The script of
the pages, `bridge/web/static/app.js`, holds [three.js](https://threejs.org) under the MIT License,
whose text lies beside it. An image or a program with them inside passes them on,
too:

- **xcover** is under the LGPL 3. It is Python, and the referee imports it as a package of its
  own, so Luban stays under its own licence beside it. Pass on the texts of the LGPL and the GPL,
  say that xcover is used, and pass on its source, which the wheel holds. Each receiver must be
  able to put a changed xcover in its place. So no single file may seal it in, and no terms may
  forbid to take it apart for that. Without it all but `luban verify` works.
- **av** is under the BSD licence. Its wheels hold FFmpeg (LGPL 3 or later) and the encoders x264
  and x265 (GPL 2 or later). So an image with these wheels comes with their source, or offers it.
- **opencv-python-headless** is under the Apache License 2.0. Its wheels hold FFmpeg under the
  LGPL 2.1.

## Packages for trainers

The packages of `integrations/` are under Luban's licence. Each brings its library into an
environment of its own, and holds none of its code:

| package | library | licence |
|---|---|---|
| `integrations/openenv` | openenv | BSD-3-Clause |
| `integrations/trl` | trl, transformers, datasets, accelerate | Apache-2.0 |
| | torch, torchvision | BSD-3-Clause |
| | pillow | MIT-CMU |
| `integrations/verifiers` | verifiers | MIT |
| | uv | MIT OR Apache-2.0 |
"""
"""What the licences ask of whoever passes the packages on."""
LONG = 60
"""Characters beyond which what stands there is the licence itself."""


def needed(extras: tuple[str, ...] = ()) -> dict[str, Distribution]:
    """Return the packages that Luban needs here, and what they need in turn, by name."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    left = [*project["dependencies"]]
    left += expand_extras(project, [*DEMO_EXTRAS, *extras])
    found: dict[str, Distribution] = {}
    while left:
        wanted = Requirement(left.pop())
        name = canonicalize_name(wanted.name)
        applies = wanted.marker is None or wanted.marker.evaluate({"extra": ""})
        if not applies or name in found:
            continue
        found[name] = distribution(name)
        left += list(_required(found[name], wanted.extras))
    return dict(sorted(found.items()))


def _required(package: Distribution, extras: set[str]) -> Iterator[str]:
    for line in package.requires or ():
        wanted = Requirement(line)
        environments = [{"extra": extra} for extra in ("", *extras)]
        if wanted.marker is None or any(map(wanted.marker.evaluate, environments)):
            wanted.marker = None
            try:
                distribution(wanted.name)
            except PackageNotFoundError:
                continue  # Something else of the same kind is there in its place.
            yield str(wanted)


def licence(package: Distribution) -> str:
    """Read the licence a package declares: an SPDX expression, classifiers, or a line of text."""
    told = package.metadata
    plain = told.json
    if "license_expression" in plain:
        return str(plain["license_expression"])
    classifiers = [
        line.rpartition(" :: ")[2]
        for line in told.get_all("Classifier") or ()
        if line.startswith("License :: ") and line != "License :: OSI Approved"
    ]
    line = str(plain.get("license", "")).strip().partition("\n")[0]
    if classifiers or not line or len(line) > LONG:
        return ", ".join(classifiers) or "see the package"
    return line


def page(rows: dict[str, Distribution]) -> str:
    """Return the page for some packages."""
    lines = ["| package | licence |\n", "|---|---|\n"]
    lines += [f"| {name} | {_cell(licence(package))} |\n" for name, package in rows.items()]
    return HEAD + "".join(lines) + TAIL


def _cell(text: str) -> str:
    return re.sub(r"\s+", " ", text).replace("|", "\\|")


def main() -> None:
    """Write the page."""
    rows = needed(EXTRAS)
    PAGE.write_text(page(rows), encoding="utf-8")
    print(f"{PAGE.relative_to(ROOT)}: {len(rows)} packages")


if __name__ == "__main__":
    main()
