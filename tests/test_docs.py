"""What the documents promise a stranger is run here."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from bridge.cli.handlers.level import find_fault
from bridge.recording.log import read_log
from bridge.rpc.server import LubanServer
from pysim.catalog import find_level
from pysim.families.burr.facts import classify_tier
from pysim.puzzle import Reason
from tests.commands import Luban
from tests.pages import sentences
from tests.waiting import PATIENCE

ROOT = Path(__file__).resolve().parent.parent
QUIET: dict[str, Any] = {"capture_output": True, "text": True, "timeout": PATIENCE}


def code_blocks(path: str, language: str) -> list[str]:
    text = (ROOT / path).read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```", text, flags=re.DOTALL | re.MULTILINE)


def test_the_readme_shows_the_example_program_as_it_is() -> None:
    (shown,) = code_blocks("README.md", "python")
    example = (ROOT / "examples" / "first_moves.py").read_text(encoding="utf-8")
    assert example.endswith(shown)
    assert len(shown.splitlines()) <= 14


MOVES = "BLOCKED by purple\nmoved 1 - 43 steps left\n32 locks; this one: GAVE_UP\n"


def run_program(code: str, folder: Path) -> str:
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], cwd=folder, **QUIET)
    assert done.returncode == 0, done.stderr
    return str(done.stdout)


def test_the_example_program_plays_in_one_process(tmp_path: Path) -> None:
    (shown,) = code_blocks("README.md", "python")
    assert run_program(shown, tmp_path) == MOVES
    assert (tmp_path / "first_view.png").read_bytes().startswith(b"\x89PNG")


def test_the_example_program_plays_on_a_server_with_the_line_that_the_readme_names(
    tmp_path: Path,
) -> None:
    (shown,) = code_blocks("README.md", "python")
    (line,) = re.findall(r"`(luban = luban.connect\(.*?\))`", sentences("README"))
    imports, blank, program = shown.partition("\n\n")
    with LubanServer(tmp_path / "runs") as server:
        there = line.replace("127.0.0.1:50051", server.address)
        assert there != line
        assert run_program(f"{imports}\n{there}{blank}{program}", tmp_path) == MOVES
    assert (tmp_path / "first_view.png").read_bytes().startswith(b"\x89PNG")
    (log,) = (tmp_path / "runs").rglob("episode.jsonl")
    assert len(read_log(log).steps) == 2


def test_the_programs_of_the_page_on_python_run_one_after_another(tmp_path: Path) -> None:
    code = "\n".join(code_blocks("docs/python.md", "python"))
    with LubanServer(tmp_path / "runs") as server:
        out = run_program(code.replace("127.0.0.1:50051", server.address), tmp_path)
    assert out.splitlines() == re.findall(r"  # (.+)$", code, flags=re.MULTILINE)


def test_the_draft_in_the_levels_page_can_be_added_and_read(luban: Luban, tmp_path: Path) -> None:
    (draft,) = code_blocks("docs/levels.md", "json")
    path = tmp_path / "draft.json"
    path.write_text(draft, encoding="utf-8")
    assert luban("level", "add", path, "--to", tmp_path).status == 0
    level = find_level(str(tmp_path / "burr" / "burr-two-bars.json"))
    assert find_fault(level) == ""
    assert level.facts["moves"] == 1 and level.tier is classify_tier(level.facts)


@pytest.mark.parametrize("spoil", ["plan", "budget", "goal"])
def test_a_draft_that_can_not_be_solved_is_not_added(
    luban: Luban, tmp_path: Path, spoil: str
) -> None:
    document = json.loads(code_blocks("docs/levels.md", "json")[0])
    if spoil == "plan":
        document["plan"] = {"proof": "OPTIMAL", "actions": []}
    elif spoil == "budget":
        document["budget"] = 0
    else:
        document["puzzle"]["goal"] = "win"
    path = tmp_path / "draft.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    assert str(path) in luban("level", "add", path, "--to", tmp_path).complaint()
    assert not (tmp_path / "burr").exists()


def test_every_reason_of_a_refusal_is_explained() -> None:
    text = (ROOT / "docs" / "actions.md").read_text(encoding="utf-8")
    missing = [reason for reason in Reason if f"`{reason}`" not in text]
    assert not missing


def test_links_between_documents_lead_somewhere() -> None:
    for page in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name} -> {target}"
