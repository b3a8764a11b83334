"""Referees report what they do to whoever listens."""

from bridge.episode.engines import LOCAL
from bridge.referee.burr import judge
from bridge.referee.progress import listen, report
from bridge.verifying.checker import Depth, check_content
from bridge.verifying.targets import find_level_files
from pysim.catalog import encode_level, find_level


def test_report_reaches_the_listeners_of_its_context_only() -> None:
    outer: list[str] = []
    inner: list[str] = []
    report("before")
    with listen(outer.append):
        report("first")
        with listen(inner.append):
            report("second")
        report("third")
    report("after")
    assert (outer, inner) == (["first", "second", "third"], ["second"])


def test_judge_of_a_lock_reports_the_configurations_of_each_question() -> None:
    told: list[str] = []
    with listen(told.append):
        judge(encode_level(find_level("burr-generated-box-8")))
    for question in ("lower bound", "level", "solutions"):
        counts = [int(t.split(", ")[1].split()[0]) for t in told if t.startswith(f"{question}, ")]
        assert counts and counts[0] == 1
    assert "assemblies" in told and "actions along the plan" in told


def test_check_of_a_level_reports_claims_actions_and_films() -> None:
    (file,) = find_level_files(["burr-piston"])
    told: list[str] = []
    with listen(told.append):
        check_content("burr-piston", file.read(), Depth(), LOCAL)
    plan = find_level("burr-piston").plan
    assert plan is not None and told[0] == "claims"
    assert f"plan in lattice, action {len(plan)} of {len(plan)}" in told
    assert told[-1] == "film in lattice"
