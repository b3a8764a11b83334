"""A package that is not Luban's and has a family: put where Python finds installed packages."""

import shutil
from pathlib import Path

__all__ = ["add_entry", "install_toys"]

SOURCE = Path(__file__).parent / "toy_family"


def install_toys(site: Path) -> None:
    """Install the package ``toy_family`` into a folder that is, or comes, on the module path."""
    shutil.copytree(SOURCE, site / "toy_family", ignore=shutil.ignore_patterns("__pycache__"))
    add_entry(site, "toy-family", "luban.families", "toy = toy_family:FAMILY")


def add_entry(site: Path, package: str, group: str, *entries: str) -> None:
    """Say what a package offers, as its installer would."""
    info = site / f"{package.replace('-', '_')}-1.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1\n")
    (info / "entry_points.txt").write_text("\n".join([f"[{group}]", *entries]) + "\n")
