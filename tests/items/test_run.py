"""``luban eval cube-bench``: known answers, going on after a kill, and what can go wrong."""

import json
import os
import re
import resource
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from scipy.stats import binomtest

from bridge.items.log import LOG_NAME, ItemLog
from bridge.items.suites import find_suite
from pysim.families.rubik.cube_bench import Condition
from tests.agents.strangers import install_agents
from tests.commands import Luban
from tests.waiting import PATIENCE

ROOT = Path(__file__).resolve().parents[2]
ANSWERERS = '''
"""Agents that answer questions, in a package that is not Luban's."""

import pathlib, time


class Scribe:
    """Takes a moment for each question, longer if it is to be slow, and notes it; says A."""

    waits = True

    def __init__(self, briefing):
        self.briefing = briefing

    def answer(self, question):
        folder = pathlib.Path(self.briefing.argument)
        time.sleep(0.1 if (folder / "slow").exists() else 0.003)
        with (folder / "asked").open("a") as file:
            file.write(f"{question.text!r}\\\\n")
        return "<ANSWER> A </ANSWER>"


class Onlooker:
    """Says what it was shown."""

    def __init__(self, briefing):
        pass

    def answer(self, question):
        seen = [(v.name, v.width, v.format, v.data[:4].hex()) for v in question.pictures]
        return f"{seen}\\\\n<ANSWER>B</ANSWER>"


class Slipping:
    """Has a fault, as long as there is a banana skin; else it answers something odd."""

    def __init__(self, briefing):
        self.folder = pathlib.Path(briefing.argument)

    def answer(self, question):
        if (self.folder / "banana").exists():
            raise RuntimeError("slipped")
        return 7 if (self.folder / "seven").exists() else "\\\\ud800 ANSWER: C"


class Doubter:
    """Does not know."""

    def __init__(self, briefing):
        pass

    def answer(self, question):
        return "I don't know."


class Player:
    """Plays, but does not answer."""

    def __init__(self, briefing):
        pass

    def act(self, observation):
        raise AssertionError


def nothing(briefing):
    """Makes no agent."""
'''.replace("\\\\", "\\")


@pytest.fixture
def notes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder in which agents of another package note what they do."""
    from bridge.agents import registry

    site, folder = tmp_path / "site", tmp_path / "notes"
    site.mkdir()
    folder.mkdir()
    install_agents(
        site, "answering_agents", ANSWERERS, ("Scribe", "Onlooker", "Slipping", "Doubter", "Player")
    )
    monkeypatch.syspath_prepend(str(site))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(site), str(ROOT)]))
    registry.other_agents.cache_clear()
    yield folder
    registry.other_agents.cache_clear()


def ask(luban: Luban, *options: object) -> dict[str, Any]:
    document: dict[str, Any] = luban("eval", "cube-bench", *options, "--json").json()
    return document


def scores(document: Mapping[str, Any]) -> dict[tuple[str, int], dict[str, Any]]:
    return {(part["variant"], part["depth"]): part["scores"] for part in document["parts"]}


def test_the_oracle_is_perfect_in_every_task(luban: Luban) -> None:
    document = ask(luban, "--task", "all", "--agent", "oracle", "--n", 24)
    found = scores(document)
    perfect = {
        "face-reconstruction": {"element_accuracy": 1, "matrix_accuracy": 1, "parse_rate": 1},
        "verification": {"balanced_accuracy": 1, "parse_rate": 1, "yes_rate": 0.5, "bias": 0},
        "move-prediction": {"accuracy": 1, "parse_rate": 1},
        "reflection": {
            "initial_accuracy": 1, "final_accuracy": 1, "gain": 0, "error_fix_rate": None,
            "overthink_rate": 0,
        },
        "closed-loop": {"teacher_adherence": 1, "perfect": 1, "unread": 0},
        "move-effect": {"micro_accuracy": 1, "macro_f1": 1, "kappa": 1},
        "learning-curve": {"episodes": 0, "solve_rate": None, "unread": 0},
    }  # fmt: skip
    assert {variant.partition(",")[0] for variant, _ in found} == set(perfect)
    for (variant, _), part in found.items():
        expected = perfect[variant.partition(",")[0]]
        assert part["trials"] == 24
        assert {name: part[name] for name in expected} == expected
    assert [table["title"][:8] for table in document["tables"]] == [
        "Table 3,", "Table 3,", "Table 4:", "Table 5:", "Figure 3", "Table 6:", "Table 7:"
    ]  # fmt: skip


def test_the_oracle_solves_from_the_start_in_as_many_attempts_as_there_are_moves(
    luban: Luban,
) -> None:
    asked = ("--task", "learning-curve", "--with", "from=start", "--agent", "oracle", "--n", 24)
    (part,) = scores(ask(luban, *asked)).values()
    expected = {"solve_rate": 1, "p_1": 0, "p_3": 1, "med_at_solved": 3, "avg_at_all": 3}
    assert {name: part[name] for name in expected} == expected


FROM_START = ["--with", "max_attempts=3", "--with", "from=start"]


@pytest.mark.parametrize(
    ("task", "options", "metric", "chance", "cases"),
    [
        ("face-reconstruction", ["--depth", 2], "element_accuracy", 1 / 6, 9),
        ("verification", ["--depth", 5], "balanced_accuracy", 1 / 2, 1),
        ("move-prediction", ["--mode", "text"], "accuracy", 1 / 4, 1),
        ("reflection", ["--with", "reflection=redacted"], "final_accuracy", 1 / 4, 1),
        ("closed-loop", ["--depth", 1], "teacher_adherence", 1 / 4, 1),
        ("move-effect", ["--depth", 2], "micro_accuracy", 1 / 3, 4),
        ("learning-curve", ["--depth", 1, *FROM_START], "p_1", 1 / 4, 1),
        ("learning-curve", ["--depth", 3, *FROM_START], "p_3", 1 / 4**3, 1),
    ],
)
def test_random_is_at_chance(
    luban: Luban, task: str, options: list[object], metric: str, chance: float, cases: int
) -> None:
    """By the exact binomial test at the level of 0.1 %; the seed is fixed."""
    n = 400
    document = ask(luban, "--task", task, "--agent", "random", "--n", n, *options)
    part = next(iter(scores(document).values()))
    total = n * cases
    assert binomtest(round(part[metric] * total), total, chance).pvalue > 0.001


def test_random_agrees_with_the_right_labels_no_more_than_by_chance(luban: Luban) -> None:
    document = ask(luban, "--task", "move-effect", "--agent", "random", "--n", 300)
    for part in scores(document).values():
        assert abs(part["kappa"]) < 0.1
        assert part["expected_dot"] == pytest.approx(1 / 3, abs=0.02)
        assert all(divergence < 0.01 for divergence in part["slot_divergence"].values())
        assert part["class_divergence"] < 0.001


def test_noise_lies_between_the_oracle_and_chance(luban: Luban) -> None:
    options = ["--task", "move-prediction", "--mode", "text", "--n", 400]
    document = ask(luban, *options, "--agent", "noisy-oracle:0.4")
    (part,) = scores(document).values()
    assert binomtest(round(part["accuracy"] * 400), 400, 0.6 + 0.4 / 4).pvalue > 0.001


def test_abstention_has_its_table(luban: Luban) -> None:
    options = ["--task", "closed-loop", "--with", "abstain=skip-item", "--depth", 1, "--depth", 2]
    result = luban("eval", "cube-bench", *options, "--agent", "oracle", "--n", 10)
    assert "Table 8: abstention" in result.out
    rows = [line.split() for line in result.out.splitlines()]
    assert ["oracle", "100.00", "100.00", "0.00", "1.000"] in rows


def test_an_agent_that_never_knows_covers_nothing(luban: Luban, notes: Path) -> None:
    options = ["--task", "closed-loop", "--depth", 3, "--mode", "text", "--n", 4]
    for policy, decisions in (("teacher-on-abstain", 12), ("skip-item", 4)):
        document = ask(luban, *options, "--agent", "doubter", "--with", f"abstain={policy}")
        (part,) = scores(document).values()
        assert (part["teacher_adherence"], part["perfect"], part["coverage"]) == (0, 0, 0)
        assert (part["selective_accuracy"], part["idk_rate"], part["apa"]) == (None, 1, 0.25)
        assert (part["decisions"], part["idk"], part["unread"]) == (decisions, decisions, 0)
    (part,) = scores(ask(luban, *options, "--agent", "doubter")).values()
    assert (part["decisions"], part["unread"]) == (4, 4)  # IDK was not offered.


def test_options_of_items_are_refused_where_levels_are_played(luban: Luban) -> None:
    complaint = luban("eval", "locks-32", "--task", "closed-loop").complaint()
    assert "--task means nothing here: locks-32 is of the bench chain" in complaint
    assert "--with means" in luban("eval", "burr-piston", "--with", "a=b").complaint()


def test_tables_are_laid_out_as_in_the_paper(luban: Luban) -> None:
    result = luban("eval", "cube-bench", "--task", "face-reconstruction", "--n", 3)
    title, groups, head, row, *_ = result.out.splitlines()
    assert title == "Table 3, left: face reconstruction"
    assert groups.split("  ")[-1].strip() == "Matrix Acc. (%)"
    assert head.split() == ["Model", *["d", "=", "1", "d", "=", "2", "d", "=", "3"] * 2]
    assert row.split() == ["oracle", *["100.00"] * 6]


def test_several_runs_stand_in_one_table(luban: Luban) -> None:
    for agent in ("oracle", "random"):
        ask(luban, "--task", "move-effect", "--n", 10, "--agent", agent, "--out", agent)
    table, *others = luban("tables", "oracle", "random", "--json").json()["tables"]
    assert (table["title"], others) == ("Table 6: causal move effect", [])
    assert table["groups"] == [["", 1], ["d = 1", 3], ["d = 2", 3], ["d = 3", 3]]
    assert [row[0] for row in table["rows"]] == ["oracle", "random"]
    assert table["rows"][0][1:] == ["100.00", "1.000", "1.000"] * 3
    printed = luban("tables", "oracle", "random").out.splitlines()
    assert [line.split()[0] for line in printed[2:5]] == ["Model", "oracle", "random"]
    assert "holds no run" in luban("tables", "oracle", "nowhere").complaint()


def test_each_command_of_the_page_makes_its_table(luban: Luban) -> None:
    page = (ROOT / "docs" / "cube-bench.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (Table \d|Figure 3).*\| `luban (eval cube-bench .*)` \|$", page, re.M)
    assert len(rows) == 8
    for title, command in rows:
        tables = ask(luban, *command.split()[2:], "--n", 2)["tables"]
        assert title in [table["title"][: len(title)] for table in tables]


def test_all_items_follow_from_the_log_alone(luban: Luban, tmp_path: Path) -> None:
    ask(luban, "--task", "all", "--agent", "random", "--n", 5, "--out", "run")
    header, *answers = map(json.loads, (tmp_path / "run" / LOG_NAME).read_text().splitlines())
    suite = find_suite(header["suite"])
    log = ItemLog.read(tmp_path / "run")
    digests = {(a["trial"], a["step"]): a["digest"] for a in answers}
    made = {}
    for part in log.settings.parts:
        for trial in suite.trials(part):
            state = trial.start()
            for told in log.answers[trial.id]:
                item = trial.ask(state)
                assert item is not None
                made[trial.id, told.step] = item.digest
                state = trial.after(state, told.text)
            assert trial.ask(state) is None
    assert made == digests
    for part in header["parts"]:
        assert Condition.parse(part["variant"], part["depth"]).variant == part["variant"]


def test_what_is_done_to_pictures_is_written_down(luban: Luban, tmp_path: Path) -> None:
    options = ["--task", "face-reconstruction", "--depth", 2, "--n", 2, "--out", "run"]
    ask(luban, *options, "--with", "perturb=camera+lighting+occlusion+brightness+recolour")
    lines = [json.loads(x) for x in (tmp_path / "run" / LOG_NAME).read_text().splitlines()[1:]]
    one, other = (line["pictures"][0] for line in lines)
    assert [r["kind"] for r in one["retouches"]] == [
        "Shade",
        "Cover",
        "Cover",
        "Cover",
        "Brightness",
    ]
    assert one["towards"] != other["towards"]
    assert "green:" in one["key"]


def test_a_run_is_the_same_whoever_asks_and_however_many(
    luban: Luban, tmp_path: Path, notes: Path
) -> None:
    options = [
        "--task",
        "learning-curve",
        "--mode",
        "text",
        "--n",
        12,
        "--agent",
        f"scribe:{notes}",
    ]
    one, many = (ask(luban, *options, "--workers", n, "--out", f"run{n}") for n in (1, 6))
    assert one["parts"] == many["parts"]
    lines = [sorted((tmp_path / f"run{n}" / LOG_NAME).read_text().splitlines()) for n in (1, 6)]
    assert lines[0] == lines[1]
    assert set(Counter((notes / "asked").read_text().splitlines()).values()) == {2}


def test_a_finished_run_is_not_asked_again(luban: Luban, tmp_path: Path, notes: Path) -> None:
    options = ["--task", "move-prediction", "--mode", "text", "--n", 5, "--out", "run"]
    first = ask(luban, *options, "--agent", f"scribe:{notes}")
    before = (notes / "asked").read_text()
    log = tmp_path / "run" / LOG_NAME
    written = log.read_bytes()
    assert ask(luban, *options, "--agent", f"scribe:{notes}") == first
    assert ((notes / "asked").read_text(), log.read_bytes()) == (before, written)


def test_a_line_that_was_cut_off_is_asked_again_and_nothing_else(
    luban: Luban, tmp_path: Path, notes: Path
) -> None:
    options = ["--task", "closed-loop", "--depth", 3, "--mode", "text", "--n", 8, "--out", "run"]
    first = ask(luban, *options, "--agent", f"scribe:{notes}", "--workers", 1)
    log = tmp_path / "run" / LOG_NAME
    whole = log.read_bytes()
    asked = (notes / "asked").read_text().splitlines()
    log.write_bytes(whole[:-25])
    assert ask(luban, *options, "--agent", f"scribe:{notes}", "--workers", 1) == first
    assert log.read_bytes() == whole
    assert (notes / "asked").read_text().splitlines() == [*asked, asked[-1]]


LOOPS = ["--task", "closed-loop", "--mode", "text", "--n", "20", "--workers", "3", "--json"]


def start(folder: Path, notes: Path) -> subprocess.Popen[str]:
    (notes / "slow").touch()
    command = [sys.executable, "-m", "bridge.cli", "eval", "cube-bench", *LOOPS]
    command += ["--agent", f"scribe:{notes}", "--out", str(folder)]
    return subprocess.Popen(
        command, cwd=folder.parent, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def wait_for_answers(process: subprocess.Popen[str], folder: Path, count: int) -> None:
    deadline = time.monotonic() + PATIENCE
    log = folder / LOG_NAME
    while not (log.exists() and log.read_bytes().count(b"\n") > count):
        assert process.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.005)


def test_a_killed_run_goes_on_and_no_question_that_was_answered_is_asked_twice(
    luban: Luban, tmp_path: Path, notes: Path
) -> None:
    run = tmp_path / "run"
    with start(run, notes) as process:
        wait_for_answers(process, run, 20)
        process.kill()
    answered = (run / LOG_NAME).read_bytes().rpartition(b"\n")[0].splitlines()[1:]
    document = luban(
        "eval", "cube-bench", *LOOPS, "--agent", f"scribe:{notes}", "--out", run
    ).json()
    lines = [json.loads(line) for line in (run / LOG_NAME).read_bytes().splitlines()]
    assert [json.dumps(line, separators=(",", ":")).encode() for line in lines[1:]][
        : len(answered)
    ] == answered
    steps = Counter((line["trial"], line["step"]) for line in lines[1:])
    assert set(steps.values()) == {1}
    asked = (notes / "asked").read_text().splitlines()
    assert len(asked) - len(set(asked)) <= 3  # Those under way when it was killed.
    assert [part["trials"] for part in scores(document).values()] == [20] * 5


def test_an_interrupted_run_says_how_to_go_on(luban: Luban, tmp_path: Path, notes: Path) -> None:
    run = tmp_path / "run"
    with start(run, notes) as process:
        wait_for_answers(process, run, 10)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out) == (130, "")
    assert f"the same command with --out {run} resumes the run" in err
    assert "Traceback" not in err
    assert (run / LOG_NAME).read_bytes().endswith(b"\n")
    (notes / "slow").unlink()
    again = luban("eval", "cube-bench", *LOOPS, "--agent", f"scribe:{notes}", "--out", run)
    assert (again.status, again.err) == (0, "")


def test_two_processes_do_not_ask_the_same_run(luban: Luban, tmp_path: Path) -> None:
    options = ["--task", "face-reconstruction", "--n", 2, "--out", "run"]
    ask(luban, *options)
    with ItemLog.read(tmp_path / "run").lock():
        complaint = luban("eval", "cube-bench", *options).complaint()
    assert "another process is at work on this run" in complaint


def test_a_full_disk_ends_the_run_and_leaves_the_log_whole(luban: Luban, tmp_path: Path) -> None:
    options = ["--task", "move-prediction", "--mode", "text", "--n", 100, "--out", "run"]
    whole = ask(luban, *options)
    log = tmp_path / "run" / LOG_NAME
    lines = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(b"".join(lines[:4]))
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(b"".join(lines[:6])) + 10, limits[1]))
    try:
        complaint = luban("eval", "cube-bench", *options).complaint()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert "File too large" in complaint or "disk is full" in complaint
    assert log.read_bytes() == b"".join(lines[:6])
    assert ask(luban, *options) == whole


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--agent", "random"], "another run (other agent)"),
        (["--n", 3], "another run (other parts)"),
        (["--with", "metric=qtm"], "another run (other parts)"),
        (["--seed", 1], "another run (other seed)"),
    ],
)
def test_another_run_is_not_mixed_with_one_that_is_there(
    luban: Luban, options: list[object], words: str
) -> None:
    first = ["--task", "face-reconstruction", "--n", 2, "--out", "run"]
    ask(luban, *first)
    assert words in luban("eval", "cube-bench", *first, *options).complaint()


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (lambda text: "", "its format is None"),
        (lambda text: text.replace("luban-items/1", "luban-items/9"), "'luban-items/9'"),
        (lambda text: text.replace('"parts"', '"party"'), "header is damaged"),
        (lambda text: text.replace('"parts":[', '"parts":[7,'), "header is damaged"),
        (lambda text: "[]" + text[2:], "items.jsonl"),
        (lambda text: text.replace('"step":0', '"step":4', 1), "step 4 of"),
        (lambda text: text.replace('"type":"answer"', '"typo":"answer"', 1), "no line of a log"),
        (lambda text: text.replace('"digest":"sha256:', '"digest":"sha256:0', 1), "not what this"),
    ],
)
def test_a_damaged_log_is_said(luban: Luban, tmp_path: Path, damage: Any, words: str) -> None:
    options = ["--task", "face-reconstruction", "--n", 2, "--out", "run"]
    ask(luban, *options)
    log = tmp_path / "run" / LOG_NAME
    log.write_text(damage(log.read_text()))
    assert words in luban("eval", "cube-bench", *options).complaint()


def test_a_folder_with_other_files_is_left_alone(luban: Luban, tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "letter.txt").touch()
    complaint = luban("eval", "cube-bench", "--out", "run").complaint()
    assert "other files in it" in complaint


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--task", "juggling"], "no task 'juggling'"),
        (["--task", "closed-loop", "--depth", 0], "1 to 8 moves, not 0"),
        (["--task", "closed-loop", "--with", "abstain"], "--with is written NAME=VALUE"),
        (["--task", "closed-loop", "--with", "hope=1"], "no setting 'hope'"),
        (
            ["--task", "closed-loop", "--mode", "smell"],
            "mode is one of image+text, image, text, not 'smell'",
        ),
        (["--k", 3], "--k means nothing here: cube-bench is of"),
        (["--world", "bullet"], "--world means nothing here"),
        (["--agent", "greedy"], "no agent that answers 'greedy'"),
        (["--agent", "noisy-oracle:2"], "a share from 0 to 1"),
        (["--agent", "nobody"], "no agent that answers 'nobody'"),
    ],
)
def test_what_makes_no_sense_is_said(luban: Luban, options: list[object], words: str) -> None:
    assert words in luban("eval", "cube-bench", *options).complaint()


def test_agents_of_other_packages_are_shown_pictures(
    luban: Luban, tmp_path: Path, notes: Path
) -> None:
    options = ["--task", "move-prediction", "--n", 2, "--size", 64, "--out", "run"]
    document = ask(luban, *options, "--agent", "onlooker")
    assert {part["parse_rate"] for part in scores(document).values()} == {1.0}
    lines = [json.loads(x) for x in (tmp_path / "run" / LOG_NAME).read_text().splitlines()[1:]]
    (renderer,) = [line for line in lines if line["type"] == "renderer"]
    assert renderer["name"]
    seen = Counter(line["text"].partition("\n")[0] for line in lines if line["type"] == "answer")
    assert seen == {"[('net', 64, 'png', '89504e47')]": 4, "[]": 2}


def test_a_fault_of_an_agent_concerns_one_trial_and_is_tried_again(
    luban: Luban, tmp_path: Path, notes: Path
) -> None:
    options = ["--task", "move-prediction", "--mode", "text", "--n", 3, "--out", "run"]
    command = ["eval", "cube-bench", *options, "--agent", f"slipping:{notes}"]
    (notes / "banana").touch()
    complaint = luban(*command).complaint()
    assert "3 of 3 trials failed" in complaint
    assert "RuntimeError: slipped" in complaint
    (notes / "banana").unlink()
    (notes / "seven").touch()
    assert "an answer is a text, not a int" in luban(*command).complaint()
    (notes / "seven").unlink()
    (part,) = scores(luban(*command, "--json").json()).values()
    assert part["parse_rate"] == 1.0  # A lone surrogate is written as U+FFFD.


def test_an_agent_that_only_plays_is_refused(luban: Luban, notes: Path) -> None:
    assert "no method answer()" in luban("eval", "cube-bench", "--agent", "player").complaint()
