"""``luban cite``."""

import json
import re
from pathlib import Path

import pytest
import yaml

from bridge.operations.citations import cite_level, cite_luban, cite_paper
from bridge.report.published import Paper, load_publications
from pysim.catalog import find_level
from pysim.suites import find_suite
from tests.commands import Luban
from tests.pages import ROOT, sentences


def list_keys(bibtex: str) -> list[str]:
    return re.findall(r"^@\w+\{([^,]+),$", bibtex, flags=re.MULTILINE)


def test_cite_design_names_designer_licence_and_benchmark(luban: Luban) -> None:
    out = luban("cite", "burr-piston").out
    assert "Peter Marineau" in out and "Apache-2.0" in out and "chain" in out
    assert list_keys(out) == ["luban", "luban-burr-piston", "wu2026from"]


def test_cite_bibtex_of_a_suite_has_each_entry_once(luban: Luban) -> None:
    keys = list_keys(luban("cite", "locks-32", "--bibtex").out)
    levels = find_suite("locks-32").level_ids
    assert sorted(keys) == sorted(["luban", "wu2026from", *(f"luban-{one}" for one in levels)])


def test_cite_json_has_the_documented_fields(luban: Luban) -> None:
    told = luban("cite", "burr-piston,nets-easy-01", "--json").json()
    shown = re.search(
        r'`\{"levels": \[\{(.*?)\}\], "benchmarks": \[\{(.*?)\}\], "bibtex"\}`', sentences("citing")
    )
    assert shown is not None
    for bench in told["benchmarks"]:
        assert list(bench) == re.findall(r'"(\w+)"', shown[2])
    for level in told["levels"]:
        assert list(level) == re.findall(r'"(\w+)"', shown[1])
    assert list(told) == ["levels", "benchmarks", "bibtex"]


def test_cite_benchmark_of_questions_names_its_paper(luban: Luban) -> None:
    told = luban("cite", "mcube-easy", "--json").json()
    assert told["levels"] == [] and told["benchmarks"][0]["arxiv"] == "2506.22992"
    assert "MARBLE" in luban("cite", "mcube").out
    assert "euclifold" in luban("cite", "euclifold").out


def test_cite_unknown_name_is_refused(luban: Luban) -> None:
    assert "there is no suite" in luban("cite", "nothing-like-it").complaint()


def test_level_in_a_suite_of_a_pattern_cites_its_benchmark() -> None:
    assert cite_level(find_level("cubebench-d01-1-full-symbolic")).benchmarks == ("cubebench",)
    assert cite_level(find_level("nets-easy-01")).benchmarks == ()


def test_own_file_states_no_licence_and_generated_one_is_free(luban: Luban, tmp_path: Path) -> None:
    document = json.loads((ROOT / "assets/burr/burr-piston.json").read_text())
    document |= {
        "id": "burr-mine",
        "source": {"designer": "Ann", "reference": "here", "seed": None},
    }
    (tmp_path / "mine.json").write_text(json.dumps(document))
    (mine,) = luban("cite", "mine.json", "--json").json()["levels"]
    assert mine["licence"] is None and "Ann" in mine["licence_note"]
    assert luban("generate", "nets", "--tier", "easy", "--count", "1", "--out", "made").status == 0
    (made,) = luban("cite", "made", "--json").json()["levels"]
    assert made["licence"] is None and "it is yours" in made["licence_note"]


def test_task_of_a_pool_that_ships_has_the_licence_of_luban(luban: Luban) -> None:
    (task,) = luban("cite", "nets:test:7", "--json").json()["levels"]
    assert task["licence"] == "Apache-2.0"


def test_json_and_bibtex_together_are_refused(luban: Luban) -> None:
    assert "either --json or --bibtex" in luban("cite", "demo", "--json", "--bibtex").complaint()


def test_entry_of_luban_agrees_with_the_citation_file() -> None:
    about = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    _, entry = cite_luban()
    for value in (about["title"], about["version"], about["authors"][0]["name"]):
        assert str(value) in entry


@pytest.mark.parametrize("bench", load_publications())
def test_paper_of_a_bench_has_title_year_and_number(bench: str) -> None:
    paper = load_publications()[bench].paper
    key, entry = cite_paper(paper)
    assert re.fullmatch(r"[a-z]+\d{4}\w+", key)
    assert paper.title in entry and f"year = {{{paper.year}}}" in entry and paper.arxiv in entry


def test_signs_of_latex_are_escaped() -> None:
    _, entry = cite_paper(Paper("50 % of a_b & c", ["A B"], 2026))
    assert r"50 \% of a\_b \& c" in entry
    assert entry.count("{") == entry.count("}")
