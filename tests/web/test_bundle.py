"""The script that is shipped is made of the sources beside it, and is small."""

import gzip
import hashlib
import shutil
import subprocess
from pathlib import Path

import pytest

from pysim.catalog import discover_families

ROOT = Path(__file__).parents[2]
WEB = ROOT / "web"
STATIC = ROOT / "bridge/web/static"
LARGEST = 1_000_000


def test_bundle_names_the_digest_of_the_present_sources() -> None:
    """Without node: the build writes the digest of what it has read into its first line."""
    digest = hashlib.sha256()
    for path in [WEB / "build.mjs", WEB / "package-lock.json", *sorted((WEB / "src").iterdir())]:
        digest.update(f"{path.relative_to(WEB).as_posix()}\n".encode() + path.read_bytes())
    with (STATIC / "app.js").open(encoding="utf-8") as file:
        first = file.readline().strip()
    assert first.startswith(f"/* sources: {digest.hexdigest()} */"), "npm --prefix web run build"


@pytest.mark.skipif(shutil.which("node") is None, reason="NOT TESTED: no node")
@pytest.mark.skipif(not (WEB / "node_modules").is_dir(), reason="NOT TESTED: no `npm ci` in web/")
def test_build_gives_the_bundle_byte_for_byte() -> None:
    subprocess.run(["node", "build.mjs", "--check"], cwd=WEB, check=True)


def test_bundle_is_small_and_loads_nothing() -> None:
    script = (STATIC / "app.js").read_bytes()
    assert len(script) < LARGEST
    assert len(gzip.compress(script)) < LARGEST / 4
    assert b"eval(" not in script and b"new Function" not in script
    style = (STATIC / "app.css").read_bytes()
    assert b"url(" not in style and b"@import" not in style


def test_script_names_no_family() -> None:
    """So that each family is played by the same code."""
    for path in (WEB / "src").iterdir():
        text = path.read_text(encoding="utf-8")
        assert [name for name in discover_families() if name in text] == [], path.name


def test_licence_of_three_js_is_shipped() -> None:
    assert "Permission is hereby granted" in (STATIC / "three-license.txt").read_text()
