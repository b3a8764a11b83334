"""Proofs are checked by a program that imports nothing of Luban; changed ones are refused."""

import copy
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bridge.referee.burr import state_space
from bridge.referee.burr.lock import read_lock
from bridge.referee.burr.proofs import prove
from bridge.referee.burr.state_space import Assembly, Group
from pysim.catalog import encode_level, find_level
from pysim.families.burr.lock import Goal
from tests.referee.locks import document_of, small_lock

CHECKER = Path(__file__).parents[2] / "tools" / "check_proof.py"
Document = dict[str, Any]


def document_named(name: str) -> Document:
    return dict(encode_level(find_level(f"burr-{name}")))


def checked(folder: Path, level: Document, proof: Document) -> subprocess.CompletedProcess[str]:
    (folder / "level.json").write_text(json.dumps(level))
    (folder / "proof.json").write_text(json.dumps(proof))
    return subprocess.run(
        [sys.executable, "-I", str(CHECKER), "level.json", "proof.json"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_checker_needs_nothing_but_python() -> None:
    lines = CHECKER.read_text(encoding="utf-8").splitlines()
    imports = {
        line.split()[1].split(".")[0] for line in lines if line.startswith(("import", "from"))
    }
    assert imports <= sys.stdlib_module_names and len(lines) < 240


@pytest.mark.by_day(3)
@pytest.mark.parametrize(
    "name",
    ["piston", "piston-assemble", "piston-key", "cabinet-2", "generated-box-21", "loves-dozen"],
)
def test_the_proofs_of_shipped_locks_hold(name: str, tmp_path: Path) -> None:
    level = document_named(name)
    found = checked(tmp_path, level, prove(level))
    assert found.returncode == 0, found.stderr
    assert f"no plan has fewer than {len(level['plan']['actions'])} actions" in found.stdout


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(40))
def test_the_proofs_of_random_locks_hold(seed: int, tmp_path: Path) -> None:
    from pysim.catalog import complete_document

    document = document_of(small_lock(seed, list(Goal)[seed % 3]))
    try:
        level = complete_document({k: v for k, v in document.items() if k != "plan"})
    except ValueError:
        pytest.skip("it does not come apart")
    if level["plan"]["proof"] == "OPTIMAL":  # type: ignore[index]
        found = checked(tmp_path, level, prove(level))
        assert found.returncode == 0, found.stderr


def too_much(proof: Document) -> None:
    proof["lemmas"][-1]["at_least"] += 1
    proof["actions"] += 1


def fewer_layers(proof: Document) -> None:
    proof["lemmas"][-1]["layers"].pop()


def other_size(proof: Document) -> None:
    proof["lemmas"][-1]["layers"][1]["size"] -= 1


def other_digest(proof: Document) -> None:
    proof["lemmas"][-1]["layers"][1]["digest"] = "0" * 64


def no_lemmas(proof: Document) -> None:
    proof["lemmas"] = []


def missing_lemma(proof: Document) -> None:
    del proof["lemmas"][0]


def other_level(proof: Document) -> None:
    proof["hash"] = "sha256:" + "0" * 64


def damaged(proof: Document) -> None:
    del proof["lemmas"][0]["pieces"]


@pytest.mark.by_day(4)
@pytest.mark.parametrize(
    "tamper",
    [
        too_much,
        fewer_layers,
        other_size,
        other_digest,
        no_lemmas,
        missing_lemma,
        other_level,
        damaged,
    ],
)
def test_a_proof_that_was_tampered_with_is_refused(
    tamper: Callable[[Document], None], tmp_path: Path
) -> None:
    level = document_named("philippe-dubois")
    proof = copy.deepcopy(prove(level))
    assert len(proof["lemmas"]) > 1  # type: ignore[arg-type]
    tamper(proof)
    found = checked(tmp_path, level, proof)
    assert found.returncode == 1 and "proof" in found.stderr and "Traceback" not in found.stderr


def test_no_proof_is_made_of_a_false_claim() -> None:
    level = document_named("generated-box-8")
    actions = level["plan"]["actions"]
    level["plan"] = level["plan"] | {"actions": [*actions, actions[-1]]}
    with pytest.raises(ValueError, match="9 moves are enough, not 10"):
        prove(level)


def test_what_can_not_be_proven_is_said() -> None:
    level = document_named("piston")
    with pytest.raises(ValueError, match="only plans marked OPTIMAL"):
        prove(level | {"plan": level["plan"] | {"proof": "UPPER_BOUND"}})


def test_sets_that_are_put_together_are_all_sets_that_can_go(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The way for many pieces gives what trying every set gives."""
    names = ("piston", "generated-box-21", "diabolical-structure", "eleven-bars-deep")
    documents = [document_named(name) for name in names]
    documents += [document_of(small_lock(seed)) for seed in range(12)]
    for lock in map(read_lock, documents):
        found = []
        for most, block in ((12, 1), (1, 1 << 14), (1, 3)):
            monkeypatch.setattr(state_space, "EVERY_SET", most)
            monkeypatch.setattr(state_space, "_BLOCK", block)
            assembly = Assembly(lock.homes, 10**6)
            layers = assembly.generate_layers(Group.at_home(range(len(lock.homes))))
            some = [next(layers) for _ in range(3)]
            found.append([(sorted(e.layer.tolist()), e.splits) for e in some])
        assert found[0] == found[1] == found[2]
