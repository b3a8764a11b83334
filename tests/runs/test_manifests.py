"""Manifests: benches and families are known without their code."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from bridge.runs.manifests import find_manifest, list_manifests, list_targets, read_manifest
from bridge.runs.protocol import load_benches
from pysim.discovery import DiscoveryError

GOOD = {"title": "Toy", "suites": {"toy": "toy-3"}, "options": "toy.options:ToyOptions"}


@pytest.mark.parametrize(
    ("target", "name"),
    [
        ("chain", "chain"),
        ("locks-32", "chain"),
        ("cube-bench", "cube_bench"),
        ("cube_questions", "cube_bench"),
        ("cube-questions", "cube_bench"),
        ("cubebench-160", "cubebench"),
        ("mcube-easy", "mcube"),
    ],
)
def test_find_manifest_by_name_former_name_or_suite(target: str, name: str) -> None:
    manifest = find_manifest(target)
    assert manifest is not None and manifest.name == name


@pytest.mark.parametrize("target", ["", "burr-piston", "chains", "*"])
def test_find_manifest_of_anything_else_is_none(target: str) -> None:
    assert find_manifest(target) is None


def test_general_bench_comes_first_and_all_are_targets() -> None:
    manifests = list(list_manifests().values())
    assert manifests[0].is_general and not any(one.is_general for one in manifests[1:])
    assert set(list_targets()) >= {"chain", "chain-109", "euclifold"}
    assert list(load_benches()) == [one.name for one in manifests]


def write(folder: Path, text: str) -> Path:
    path = folder / "bench.json"
    path.write_text(text)
    return path


def test_read_manifest_optional_keys_have_defaults(tmp_path: Path) -> None:
    manifest = read_manifest("toy", write(tmp_path, json.dumps(GOOD)))
    assert (manifest.name, manifest.title, manifest.suites) == ("toy", "Toy", {"toy": "toy-3"})
    assert (manifest.former_names, manifest.columns, manifest.extras) == ((), (), ())
    assert not manifest.is_general and not manifest.may_play("burr")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{",
        json.dumps({**GOOD, "suites": ["toy"]}),
        json.dumps({**GOOD, "plays": 3}),
        json.dumps({"title": "Toy", "suites": {}}),
        json.dumps({**GOOD, "options": "nothing"}),
        "[" * 100_000,
    ],
)
def test_read_manifest_damaged_file_is_named(tmp_path: Path, text: str) -> None:
    path = write(tmp_path, text)
    with pytest.raises(DiscoveryError, match=r"bench\.json is damaged"):
        read_manifest("toy", path)


@pytest.mark.by_day(2)
@pytest.mark.parametrize(
    ("words", "bench"),
    [
        (["eval", "--help"], ""),
        (["eval", "chain", "--help"], "bridge.benches.chain"),
        (["eval", "--limit", "3", "--seed=1", "mcube", "--help"], "bridge.benches.mcube"),
        (["eval", "burr-piston", "--help"], "bridge.benches.chain"),
    ],
)
def test_eval_help_loads_no_other_bench(tmp_path: Path, words: list[str], bench: str) -> None:
    code = (
        "import contextlib, sys; from bridge.cli.app import app\n"
        "with contextlib.redirect_stdout(sys.stderr), contextlib.suppress(SystemExit):\n"
        f"    app({words})\n"
        "print([m for m in sys.modules if m.startswith('bridge.benches.')])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True
    )
    loaded = eval(done.stdout)
    assert all(bench and module.startswith(bench) for module in loaded), done.stderr


def test_eval_of_a_lock_loads_no_other_bench_or_family(tmp_path: Path) -> None:
    code = (
        "import contextlib, sys; from bridge.cli.app import app\n"
        "with contextlib.redirect_stdout(sys.stderr), contextlib.suppress(SystemExit):\n"
        "    app(['eval', 'burr-half-lap', '--out', 'run', '--workers', '1'])\n"
        "print([m for m in sys.modules if m.startswith(('bridge.benches.', 'pysim.families.'))])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True
    )
    assert "solved 1 of 1" in done.stderr or "100" in done.stderr, done.stderr
    owners = {module.split(".")[2] for module in eval(done.stdout)}
    assert owners == {"chain", "burr"}
