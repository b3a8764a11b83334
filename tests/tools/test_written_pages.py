"""Pages that tools write are as the tools write them."""

import sys

import pytest

from tests.commands import ROOT
from tests.test_documented_commands import COMMANDS
from tools.site_links import lead_outside
from tools.tabulate_results import write_baselines, write_truth
from tools.write_reference import describe_docstring, write_api_page, write_commands_page


def read(page: str) -> str:
    return (ROOT / "docs" / page).read_text(encoding="utf-8")


def test_page_of_commands_is_up_to_date() -> None:
    assert read("commands.md") == write_commands_page()


def test_page_of_commands_has_a_section_for_each_command_and_each_option() -> None:
    sections = {part.partition("\n")[0]: part for part in read("commands.md").split("\n## ")[1:]}
    groups = {name.partition(" ")[0] for name in COMMANDS if " " in name}
    assert {*COMMANDS} - groups <= {*sections}
    for name in ("play", "serve", "generate burr"):
        options = COMMANDS[name] - {"--help", "-h"}
        assert not [option for option in options if f"`{option}`" not in sections[name]]


@pytest.mark.skipif(sys.version_info[:2] != (3, 11), reason="signatures are printed as by 3.11")
def test_page_of_the_api_is_up_to_date() -> None:
    assert read("api.md") == write_api_page()


def test_pages_of_results_are_up_to_date() -> None:
    assert read("results/baselines.md") == write_baselines()
    assert read("results/truth.md") == write_truth()


def test_docstring_becomes_paragraphs_and_lists() -> None:
    text = "Return ``x``.\n\nArgs:\n    a: one\n        line.\n    b: two."
    assert [*describe_docstring(text)] == [
        "Return `x`.\n",
        "**Args**\n",
        "- `a`: one line.\n- `b`: two.\n",
    ]


@pytest.mark.parametrize(
    ("page", "link", "led"),
    [
        ("a.md", "](../README.md)", "](base/blob/main/README.md)"),
        ("results/a.md", "](../eval.md#x)", "](../eval.md#x)"),
        ("results/a.md", "](../../examples/x.py)", "](base/blob/main/examples/x.py)"),
    ],
)
def test_link_out_of_the_documents_leads_into_the_repository(
    page: str, link: str, led: str
) -> None:
    assert lead_outside(link, page, "base") == led
