"""Every format with a version has its place on the page of formats."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
INTERNAL = {
    "luban-pool-journal/1": "what a run that makes a pool resumes from",
    "luban-report-pictures/1": "an index that a report keeps for itself",
    "luban-rubik-table/1": "a table that is made anew where it is missing",
    "luban-sealed-items/1": "a file of the package's own data",
    "luban-portal-mistakes/1": "a file of the package's own data",
    "luban-portal-mistakes/2": "a file of the package's own data",
}


def test_formats_of_the_source_are_on_the_page_and_no_others() -> None:
    source = {
        found
        for package in ("bridge", "luban", "pysim")
        for path in (ROOT / package).rglob("*.py")
        for found in re.findall(r'"(luban-[a-z-]+/\d+)"', path.read_text(encoding="utf-8"))
    }
    page = (ROOT / "docs" / "formats.md").read_text(encoding="utf-8")
    listed = set(re.findall(r"^\| `(luban-[a-z-]+/\d+)`", page, re.MULTILINE))
    assert listed == source - set(INTERNAL)
