"""The page on printing: its commands run, and its figures are those of the code."""

import re
import shlex
from dataclasses import fields
from pathlib import Path

import pytest

from pysim.catalog import discover_families
from pysim.geometry.solids import Dimensions
from tests.commands import Luban
from tests.pages import code_lines, sentences, table

LINES = [line for line in code_lines("printing") if line.startswith("luban ")]


@pytest.mark.slow
def test_commands_of_the_page_make_a_lock_and_its_files(luban: Luban) -> None:
    for line in LINES:
        done = luban(*shlex.split(line, comments=True)[1:])
        assert done.status == 0, done.err
    assert len(list(Path("mine-stl/pieces").glob("*.stl"))) == 6
    assert Path("mine-glb/plan.glb").exists() and Path("piston.3mf").exists()


def test_defaults_of_the_page_are_those_of_the_code() -> None:
    rows = {row[0].strip("` -"): float(row[1]) for row in table("printing", "option")}
    assert rows == {field.name: field.default for field in fields(Dimensions)}


def test_the_page_says_of_every_family_what_is_printed() -> None:
    rows = {row[0].strip("`"): row[1] for row in table("printing", "family")}
    assert list(rows) != [] and set(rows) == set(discover_families())
    for name, family in discover_families().items():
        assert rows[name].startswith("nothing") == (family.assembly is None)


def test_the_formula_of_the_page_is_that_of_the_code() -> None:
    from pysim.geometry.solids import compute_volume

    (shown,) = re.findall(r"```text (n c³.*?) ```", sentences("printing"))
    plain = shown.translate(str.maketrans({"³": "^3", "²": "^2", "−": "-"}))
    assert plain in (compute_volume.__doc__ or "")
