"""The tables of the documents name what there is, all of it and nothing else."""

import json
import re
import tomllib
from collections import Counter, defaultdict
from dataclasses import fields
from pathlib import Path

import pytest

from bridge.agents.provider import ModelSettings
from bridge.agents.registry import _BUILT_IN as AGENTS
from bridge.agents.registry import find_agent
from bridge.generating import make_level
from bridge.referee.burr.judging import judge
from bridge.scoring.selection.scorers import _BUILT_IN as SCORERS
from pysim.catalog import discover_families, encode_level, find_level, list_shipped_levels
from pysim.families.burr.generator import LockGenerator, settings, stacks
from pysim.families.burr.generator.settings import LockKind, Settings
from pysim.field_types import list_fields
from pysim.generation import Draft
from pysim.geometry import Direction
from pysim.puzzle import Tier
from pysim.render.camera import make_camera_set
from pysim.render.palette import PALETTE
from pysim.scene import Colour
from pysim.suites import find_suite, load_levels
from tests.pages import PAGES, ROOT, named, sentences, table
from tests.recording.plays import play_plan
from tools.build_packing import EASY, HARD, MEDIUM

COLOURS = tuple(map(Colour, PALETTE))


def test_actions_have_the_arguments_that_the_pages_give_them() -> None:
    made = {
        name: {action.tool: [f.name for f in list_fields(action)] for action in family.actions}
        for name, family in discover_families().items()
    }
    arguments = defaultdict(list)  # Actions of several families may share a name.
    for actions in made.values():
        for tool, names in actions.items():
            arguments[tool].append(names)
    described = re.compile(r"\*\*`(\w+)\((.*?)\)`\*\*")
    found = [pair for page in PAGES.values() for pair in described.findall(page)]
    assert {name for name, _ in found} == {*arguments}
    for name, told in found:
        assert told.split(", ") in arguments[name]
    for row in table("actions", "action | arguments"):
        told = re.findall(r"`(\w+)`", re.sub(r"\(.*\)", "", row[1]))
        assert told in arguments[named([row])[0]]
    shown = {*named(table("actions", "action | arguments"))}
    assert shown == {t for tools in made.values() if {*tools} <= shown for t in tools}


def test_agents_and_scorers_are_those_that_are_built_in() -> None:
    assert named(table("agents", "agent | does")) == [kind.usage for kind in AGENTS]
    assert sorted(named(table("eval", "`--by` | chooses by"))) == sorted(k.usage for k in SCORERS)


def test_the_defaults_of_models_are_told() -> None:
    usual = ModelSettings()
    rows = table("agents", "`--set` | default | what it is")
    declared = {f"`{field.name}`": field for field in fields(ModelSettings)}
    assert [(row[0], row[2]) for row in rows] == [
        (name, field.metadata["help"]) for name, field in declared.items()
    ]
    assert usual.asked == {}
    for name, default, _ in rows:
        value = declared[name].default
        if value in ((), "", None) or name.startswith("`max_"):
            assert "`" not in default or "where each answer makes one action" in default
        else:
            assert default == (f"`{value:g}`" if isinstance(value, float) else f"`{value}`")


def test_free_settings_of_models_are_the_documented_ones() -> None:
    (told,) = re.findall(
        r"with another `timeout` or any .*?depends\. These are (.*?)\. Agents", sentences("agents")
    )
    named_free = {"base_url", "timeout", *re.findall(r"`(\w+)`", told)}
    given = {field.name: "" for field in fields(ModelSettings)}
    assert set(find_agent("openai:tall").select_lasting(given)) == set(given) - named_free


def test_level_files_have_the_documented_fields() -> None:
    told = named([row[:1] for row in table("levels", "field | what it is")])
    for family in discover_families():
        level = next(v for v in list_shipped_levels() if v.family == family)
        assert sorted(told) == sorted(encode_level(level))


def test_suite_files_have_the_documented_fields() -> None:
    told = named(table("suites", "field | what it is"))
    files = (ROOT / "assets" / "suites").glob("*.json")
    assert set(told) == {key for file in files for key in json.loads(file.read_text())}


def test_facts_are_the_documented_ones() -> None:
    locks = set(named(table("suites", "fact | what it is")))
    measured = set(named(table("suites", "measured | what it is")))
    counted = set(named(table("generate", "fact | what it is")))
    boxes = set(named(table("packing", "fact | ")))
    for level in list_shipped_levels():
        if level.family == "burr":
            generated = level.source.generator.startswith("burr/")
            known = locks | (counted if generated else set())
            assert locks <= set(level.facts) - measured <= known
    found = {fact for v in load_levels(find_suite("packing-77")) for fact in v.facts}
    assert found - measured == boxes


def test_lines_of_a_log_have_the_documented_fields_in_their_order(tmp_path: Path) -> None:
    play_plan(tmp_path / "log.jsonl", "burr-three-bars")
    header, frame, step, *_, end = map(
        json.loads, (tmp_path / "log.jsonl").read_text().splitlines()
    )
    heads = re.findall(
        r"^### (\w+).*?\n(.*?)(?=^##)", PAGES["log-format"], re.DOTALL | re.MULTILINE
    )
    rows = {name: re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE) for name, text in heads}
    assert ["type", *rows["Header"]] == list(header)
    assert ["type", *rows["Step"]] == list(step)
    assert list(frame) == ["type", "step", "budget_left", "state_hash"]
    ending = sentences("log-format").partition("### End ")[2].partition("##")[0]
    assert [n for n in re.findall(r"`([a-z_]+)`", ending) if n in end] == list(end)[1:]
    options = re.findall(r"`options` \| `\{(.*?)\}`", PAGES["log-format"])[0]
    assert re.findall(r'"(\w+)"', options) == list(header["options"])


def test_camera_sets_have_as_many_views_as_they_are_called() -> None:
    block = find_level("burr-piston").puzzle.bounds
    for name in named(table("rendering", "set | views")):
        assert len(make_camera_set(name, block)) == int(re.findall(r"\d+", name)[0])
    four, six = ([view.name for view in make_camera_set(name, block)] for name in ("iso4", "iso6"))
    assert Counter(name[-2:] for name in four) == {"+z": 3, "-z": 1}
    assert Counter(name[-2:] for name in six) == {"+z": 4, "-z": 2}
    assert min(sum(str(side) in name for name in six) for side in Direction) == 2


def test_python_and_system_packages_are_those_of_the_project() -> None:
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    *some, last = re.findall(r"Python :: (3\.\d+)", text)
    assert f"Linux with Python {', '.join(some)} or {last}, git and make" in sentences("install")
    script = (ROOT / "tools" / "bootstrap.sh").read_text(encoding="utf-8")
    (graphics,) = re.findall(r'GRAPHICS_PACKAGES="(.*)"', script)
    (csharp,) = re.findall(r'CSHARP_PACKAGES="(.*)"', script)
    assert f"Linux with Python {', '.join(some)} or {last}." in sentences("README")
    assert f"`python3-venv {graphics}`" in sentences("install")
    assert f"--no-install-recommends {graphics}`" in sentences("rendering")
    assert f"--no-install-recommends {csharp}" in PAGES["unity"]


def test_kinds_of_locks_have_the_documented_numbers_of_pieces() -> None:
    told = {row[0].strip("`"): row[2] for row in table("generate", "`--kind` | what it makes")}
    made = {kind.value: settings._PIECES[kind] for kind in LockKind}
    made["cube --sequential"] = settings._SEQUENTIAL_PIECES
    made["rods --stacked"] = stacks.RODS, stacks.RODS
    assert told == {
        n: f"{low} to {high}" if low < high else str(low) for n, (low, high) in made.items()
    }
    assert settings._SEQUENTIAL_PIECES[1] == len(PALETTE)
    sizes = {row[0].strip("`"): row[3] for row in table("generate", "`--kind` | what it makes")}
    assert f"6 to {settings.MAX_SIDE - 1}" in sizes["six-piece"]
    assert f"up to {settings.MAX_SIDE - 1}" in sizes["rods"] and sizes["rods"] == sizes["board"]
    assert f"edges up to {settings.MAX_SIDE}" in sizes["cube"]
    assert sizes["rods --stacked"] == str(stacks.LENGTH)


def test_boxes_stand_in_the_order_of_their_effort_and_between_the_documented_bounds() -> None:
    boxes = load_levels(find_suite("packing-77"))
    efforts = [int(level.facts["nodes_per_solution"]) for level in boxes]
    assert efforts == sorted(efforts)
    bounds = {Tier.EASY: EASY, Tier.MEDIUM: MEDIUM, Tier.HARD: HARD}
    for level, effort in zip(boxes, efforts, strict=True):
        assert bounds[level.tier][0] <= effort <= bounds[level.tier][1]


def test_locks_of_the_generator_are_those_that_the_page_names() -> None:
    box, deep, order = (
        find_level(f"burr-generated-{n}") for n in ("box-8", "box-21", "sequence-32")
    )
    first = [str(level.facts["level"]).split(".")[0] for level in (box, deep)]
    sentence = f"boxes of level {first[0]} and {first[1]}, and a box of {len(order.colours)} pieces"
    assert sentence in sentences("suites")


def test_the_citation_is_of_the_version_and_licence_of_the_project() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {project['version']}\n" in citation
    assert f"\nlicense: {project['license']}\n" in citation


def test_limits_of_players_are_those_in_c_sharp() -> None:
    unity = ROOT / "unity_project"
    sources = {path.name: path.read_text(encoding="utf-8") for path in unity.rglob("*.cs")}
    (cells,) = re.findall(r"MaxCells = (\d+);", sources["Shape.cs"])
    (mebibytes,) = re.findall(r"MaxPixelBytes = (\d+)L << 20;", sources["PlayerSession.cs"])
    (size,) = re.findall(r"MaxSize = (\d+);", sources["PlayerSession.cs"])
    text = sentences("unity")
    assert f"{int(cells):,} cells in a body, pictures of {int(size):,} pixels" in text
    assert f"together less than {mebibytes} MiB" in text
    assert "Fall = 0.1f;" in sources["Settler.cs"] and "more than a tenth of a unit" in text
    version = (unity / "ProjectSettings" / "ProjectVersion.txt").read_text(encoding="utf-8")
    (told,) = re.findall(r"Unity 6 project \((\d+\.\d+), long-term support\)", text)
    assert version.startswith(f"m_EditorVersion: {told}.")


BEST = table("generate", "box | pieces")


def check_best(row: list[str]) -> None:
    """Make a row's attempt again, and have the referee judge all that is claimed of it."""
    size, pieces, level, number, name, plan = row[:6]
    wanted = Settings(
        LockKind.CUBE,
        seed=1,
        pieces=int(pieces),
        level=int(level),
        size=tuple(map(int, size.split("x"))),
    )
    generator = LockGenerator(wanted, COLOURS)
    draft = generator.attempt(int(number))
    assert isinstance(draft, Draft)
    made = make_level(generator, draft, int(number))
    assert made.plan is not None
    assert (made.facts["level"], made.facts["assemblies"]) == (name, 1)
    told = re.fullmatch(r"(\d+) actions, (?:optimal|at least (\d+) needed)", plan)
    assert told is not None
    actions, least = told.groups()
    assert len(made.plan) == int(actions)
    assert made.plan.lower_bound == int(least or actions)
    assert not judge(json.loads(json.dumps(encode_level(made)))).false


@pytest.mark.slow
def test_one_of_the_best_boxes_is_made_again() -> None:
    check_best(BEST[1])


@pytest.mark.slow
@pytest.mark.parametrize("row", BEST, ids=lambda row: row[3])
def test_the_best_boxes_are_made_again(row: list[str]) -> None:
    check_best(row)
