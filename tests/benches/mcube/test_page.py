"""What the page of jigsaw cubes promises."""

import re
from dataclasses import fields

import pytest

from bridge.benches.mcube.options import MCubeOptions
from bridge.benches.mcube.suite import SUITES
from bridge.cli.dataclass_options import format_option
from pysim.families.jigsaw.faces import ShellFace
from pysim.families.jigsaw.family import FAMILY
from pysim.field_types import list_fields
from pysim.suites import find_suite, load_levels
from tests.pages import PAGES, named, table


def test_actions_have_the_arguments_that_the_page_gives_them() -> None:
    told = dict(re.findall(r"^\*\*`(\w+)\((.*?)\)`", PAGES["jigsaw"], re.MULTILINE))
    made = {
        action.tool: ", ".join(field.name for field in list_fields(action))
        for action in FAMILY.actions
    }
    assert told == made


def test_views_are_those_that_the_page_tells() -> None:
    rows = {row[0]: row[2].replace("−", "-") for row in table("jigsaw", "face | ")}
    assert rows == {face.value: f"{face.right}, {face.down}" for face in ShellFace}


def test_facts_are_the_documented_ones() -> None:
    told = set(named(table("jigsaw", "fact | ")))
    floor = {"random_passes", "random_attempts"}
    assert all(set(v.facts) == told | floor for v in load_levels(find_suite("jigsaw-24")))


def test_suites_and_options_are_the_documented_ones() -> None:
    assert named(table("jigsaw", "suite | ")) == list(SUITES)
    told = named(table("jigsaw", "option | "))
    assert told == [
        format_option(field)
        for field in fields(MCubeOptions)
        if field.name not in ("task", "person")
    ]


def test_the_program_of_the_page_prints_what_it_says(capsys: pytest.CaptureFixture[str]) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", PAGES["jigsaw"], flags=re.DOTALL)
    (promised,) = re.findall(r"# (.*)$", code, flags=re.MULTILINE)
    exec(compile(code, "jigsaw.md", "exec"), {})
    assert capsys.readouterr().out.strip() == promised
