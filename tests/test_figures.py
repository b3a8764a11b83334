"""Figures in the documents are those of the code and of the levels that ship.

Each sentence is made here from the constant or the count, and has to stand on its page. What other
tests hold (pages that run, fields of JSON, documented commands, tables) is not repeated.
"""

import importlib.util
import inspect
import math
import sys
from collections import Counter
from collections.abc import Mapping
from statistics import mean
from typing import Any

import pytest

import perf.render as crowd
from bridge.adapters import vocabulary
from bridge.agents import chat
from bridge.benches.cube_bench import pictures
from bridge.benches.cube_bench.condition import Condition, Perturbation, Task
from bridge.benches.cubebench import baselines, call_parsing, tools
from bridge.benches.cubebench.protocol import MOST_ACTIONS, TurnProtocol
from bridge.benches.cubebench.results import SHORT_DEPTH
from bridge.benches.cubebench.sandbox.interpreter import SandboxLimits
from bridge.cli.handlers.demo import SUITE as DEMO
from bridge.cli.handlers.report import REPORT_FORMAT
from bridge.episode.records import Options
from bridge.episode.tools import MAX_WRITTEN
from bridge.items.options import AskOptions
from bridge.recording import lines
from bridge.recording.dataset import lerobot, vectors
from bridge.scoring import statistics
from bridge.unity import communicator, framing
from bridge.unity.link import Launch
from bridge.unity.state import _OFFSET, _PRIME
from pysim import errors, field_types
from pysim.catalog import FORMAT as LEVEL_FORMAT
from pysim.catalog import find_level
from pysim.families.burr import facts, grading, lock
from pysim.families.burr.generator import certify, settings
from pysim.families.burr.solver.solutions import Limits
from pysim.families.burr.solver.turning_takedown import TURN_LIMITS
from pysim.families.packing import figures, support
from pysim.families.packing.generator import generate, sampling
from pysim.families.packing.generator.sampling import STAGES, Sampling
from pysim.families.rubik import stages
from pysim.families.rubik.cube import SOLVED
from pysim.families.rubik.moves import Metric
from pysim.families.rubik.solver import distance_table, twophase
from pysim.families.rubik.solver.coordinates import SYMMETRIES
from pysim.families.rubik.solver.ida_star import search
from pysim.geometry import list_rotations
from pysim.items import Brightness
from pysim.physics import settling, solids
from pysim.render.egl import targets
from pysim.render.palette import COLOUR_BLIND, PALETTE
from pysim.render.prepared import MAX_BODIES
from pysim.render.renderer import MAX_SIZE
from pysim.render.tiny import renderer as tiny
from pysim.suites import FORMAT as SUITE_FORMAT
from pysim.suites import find_suite, load_levels
from pysim.trajectory import FRAME
from tests.pages import ROOT, sentences
from tools.build_packing import EASY, HARD, MEDIUM

WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
MEBIBYTE, GIBIBYTE = 2**20, 2**30
LOCKS, BOXES, CUBES = (
    load_levels(find_suite(s)) for s in ("locks-32", "packing-77", "cubebench-160")
)
PISTON = find_level("burr-piston")
FIRST = int(str(PISTON.facts["level"]).split(".")[0])
MOST_PIECES = max(len(level.colours) for level in LOCKS)
SIZES = sorted((level.puzzle.size for level in BOXES), key=lambda size: (math.prod(size), size))


def tiers(suite: Any) -> Mapping[str, int]:
    return Counter(level.tier.value for level in suite)


def example() -> Any:
    """``examples/reinforce.py`` as a module; it needs torch only where a policy is made."""
    spec = importlib.util.spec_from_file_location("example", ROOT / "examples" / "reinforce.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def box(size: tuple[int, ...]) -> str:
    return " x ".join(map(str, size))


def oracle_ratio(*, short: bool) -> float:
    """CubeBench's #MR of the plans."""
    depths = [(len(v.plan), int(v.facts["depth_htm"])) for v in CUBES if v.plan]
    return mean(plan / depth for plan, depth in depths if (depth <= SHORT_DEPTH) == short)


def usual(made: Any, name: str) -> Any:
    """The default of a parameter."""
    return inspect.signature(made).parameters[name].default


def brightness() -> set[float]:
    """How much brighter pictures of Cube Bench get."""
    asked = Condition(Task.FACE, 1, perturb=(Perturbation.BRIGHTNESS,))
    shown = [pictures.make_picture(SOLVED, asked, seed) for seed in range(40)]
    return {r.factor for p in shown for r in p.retouches if isinstance(r, Brightness)}


def the_depths() -> list[int]:
    """Those of CubeBench; the first four are the short horizon."""
    return sorted({int(level.facts["depth_htm"]) for level in CUBES})


QUARTERS = len(Metric.QTM.moves)
TURNS, SANDBOX, LAUNCH, LEARNER = TurnProtocol(), SandboxLimits(), Launch("x"), example()
RODS = settings._PIECES[settings.LockKind.RODS]

CLAIMS: dict[str, list[str]] = {
    "README": [
        f"a {WORDS[len(PISTON.colours)]}-piece Kongming (Lu Ban) lock by {PISTON.source.designer}: "
        f"{WORDS[FIRST]} moves free the first piece",
    ],
    "actions": [
        f"1 to {field_types.MAX_STEPS} whole units",
        f"The {len(list_rotations())} rotations are ordered",
        f"remind of the last turns ({WORDS[Options().history_window]} by default)",
    ],
    "adapters": [
        f"ends after {vocabulary.STATES} states or {vocabulary.ACTIONS:,} actions",
        f"fewer than {vocabulary.ACTIONS:,}. It is sorted",
        f"its rotation (0 to {len(list_rotations()) - 1})",
    ],
    "agents": [
        f"(`--history`, {Options().history_window} as in CHAIN)",
        f"the status codes {', '.join(map(str, sorted(chat._RETRYABLE)))} and 5xx are tried again",
    ],
    "certification": [
        f"({Limits().configurations:,} unless asked otherwise)",
        f"bodies that are {2 * solids.SHRINK:g} units apart from their neighbours",
    ],
    "cli": [
        f"`demo` | {WORDS[len(find_suite(DEMO).level_ids)]} locks over gRPC",
        f"could not tell within {TURN_LIMITS.configurations:,} configurations",
    ],
    "cube-bench": [
        f"`--n` | trials for each condition, {AskOptions().n} as in the paper",
        f"brightness by {min(brightness())} to {max(brightness())}",
        f"{WORDS[len(Task)].title()} tasks that ask a model",
        f"`htm` ({len(Metric.HTM.moves)} moves), `qtm` ({QUARTERS} moves)",
        f"`max_attempts` | learning curve | {Condition(Task.CURVE, 1).max_attempts} |",
        f"`idk_weight` | closed loop | {Condition(Task.LOOP, 1).idk_weight}: λ of APA",
        f"cameras up to {pictures.TILT:g} degrees aside",
        f"{WORDS[pictures.BARS]} bars as wide as a quarter of a sticker",
    ],
    "cubebench": [
        f"`--turns` | {TURNS.turns}; a turn is what",
        f"`--seconds` | {TURNS.seconds:g} of wall clock",
        f"moves and looks of a run, {MOST_ACTIONS:,} by default",
        f"one of the {QUARTERS} quarter turns, or a sequence of up to {call_parsing.MOST_MOVES:,}",
        f"Pictures (the last {tools.MOST_PICTURES} of a turn)",
        f"has 1 to {call_parsing.MOST_CALLS} calls",
        f"layer-by-layer method (0 to {stages.STAGES})",
        f"over short (depths {the_depths()[0]} to {SHORT_DEPTH}) and long "
        f"({the_depths()[SHORT_DEPTH]} to {the_depths()[-1]}) horizons",
        f"about {mean(1 / d for d in the_depths()[SHORT_DEPTH:]):.3f} of #MM over long horizons",
        f"the oracle's figures are {oracle_ratio(short=True):.2f} (short) and "
        f"{oracle_ratio(short=False):.2f} (long)",
        f"`--agent oracle` solves all {len(CUBES)} in their plans",
        f"`random` draws {baselines.TURN_LENGTH} actions for each turn",
        f"{SANDBOX.memory // GIBIBYTE} GiB of memory, {WORDS[SANDBOX.seconds // 3600]} hours of "
        f"processor time, the run's time; of what a turn prints {SANDBOX.output:,} characters",
        f"are the {len(LEARNER.SHORT)} symbolic ones",
    ],
    "datasets": [
        f"{WORDS[len(vectors._BODY)]} numbers for each body",
        f"`codebase_version` {lerobot.VERSION}",
    ],
    "eval": [
        f'`{{"format": "{REPORT_FORMAT}", "runs"',
        f"draws {statistics._DRAWN:,} of them",
        f"intervals of {statistics.CONFIDENCE:.0%} for Pass@1".replace("%", " %"),
    ],
    "install": [
        f"PyBullet comes ready-made for Python {'.'.join(map(str, errors._LAST_BUILT))} only",
    ],
    "generate": [
        f"after {certify.MAX_ASSEMBLIES:,} assemblies, a million laid pieces or "
        f"{WORDS[certify.MAX_LOOKS // 10**9]} thousand million looks",
        f"Rods with more than {certify.MOST_DECIDED} pieces are also kept",
    ],
    "levels": [
        f"| `format` | `{LEVEL_FORMAT}` |",
        f"no longer than {lock.MAX_EXTENT} cells, and no more than there are colours "
        f"({len(PALETTE)})",
        f"three times the plan, {grading.LEAST_BUDGET} to {grading.MOST_BUDGET:,}, and "
        f"{grading.BUDGET_WITHOUT_PLAN} if no plan was found",
    ],
    "log-format": [
        f"| `format` | `{lines.FORMAT}`; another value is refused",
        f"A line has at most {lines.MAX_LINE // MEBIBYTE} MiB",
        f"has more than {lines._MAX_INVALID} bytes of arguments.",
        f"Of more than {lines._SHORT} characters",
        f"An `invalid` call has at most {lines.MAX_REFUSED:,} bytes".replace("An", "an"),
        f"more than {MAX_WRITTEN} bytes of arguments, is written in its shortest form",
        "of the initial state: 64 hexadecimal digits",
    ],
    "packing": [
        f"generated levels keep a {({20: 'twentieth'})[support._UNIT]} of a cell to spare",
        f"at most {sampling.MOST} cells (`easy`: {sampling._MOST_EASY}) and at least "
        f"{STAGES[Sampling.HARD][0]}.",
        f"at least {STAGES[Sampling.HARD][1]} (`easy`: then {STAGES[Sampling.EASY][2]})",
        f"at least {generate.HARD_EFFORT} nodes per solution (below), and fewer than "
        f"{figures.CAP} packings",
        f"at most {figures.CAP} are counted",
        f"ended at {figures.CAP} or after a million nodes",
        f"three actions for each piece, and at least {grading.LEAST_BUDGET}",
    ],
    "rendering": [
        f"outlines | {targets.SAMPLES} samples a pixel",
        f"a pinhole {tiny._AFAR:.0f} widths away",
        f"draws {crowd.PIECES} pieces of {crowd.CELLS} voxels",
        f"batches of {crowd.BATCHES[0]} to {crowd.BATCHES[-1]:,} scenes at "
        f"{crowd.BATCH_SIZES[0]}, {crowd.BATCH_SIZES[1]} and {crowd.BATCH_SIZES[2]} pixels",
        f"{len(PALETTE)} colours can be distinguished",
        f"changes the first {sum(PALETTE[c] != COLOUR_BLIND[c] for c in PALETTE)} so",
    ],
    "results/training": [
        f"on {LEARNER.Settings().environments} Gymnasium environments",
        f"REINFORCE with {WORDS[LEARNER.Settings().layers]} layers of {LEARNER.Settings().width}",
        f"({sum(LEARNER.Settings().steps):,} steps in all)",
        f"the share of the {len(LEARNER.SHORT)} full-symbolic tasks of depth 1 to 4",
        f"with at most {usual(LEARNER.evaluate, 'moves')} moves drawn from it",
    ],
    "rubik": [
        "`cubebench-160`: depths 1, 2, 3, 4, 8, 12, 16 and 20, five states each, in four settings",
        f"The budget is {CUBES[0].budget} actions",
        f"Never more than {twophase._GOOD} face turns",
        f"States are expanded {search.BATCH} at a time",
        f"under {SYMMETRIES} symmetries",
        f"all states up to {WORDS[distance_table.DEPTHS[Metric.HTM]]} turns, or "
        f"{WORDS[distance_table.DEPTHS[Metric.QTM]]} quarter turns",
        f"the seven stages of the layer-by-layer method (0 to {stages.STAGES})",
    ],
    "suites": [
        f"| `format` | `{SUITE_FORMAT}` |",
        f"{len(LOCKS)} locks: {tiers(LOCKS)['easy']} easy, {tiers(LOCKS)['medium']} medium and "
        f"{tiers(LOCKS)['hard']} hard ones, from two beams to {MOST_PIECES} bars",
        f"{len(BOXES)} boxes to be filled: {tiers(BOXES)['easy']} easy, "
        f"{tiers(BOXES)['medium']} medium and {tiers(BOXES)['hard']} hard ones, from "
        f"{box(SIZES[0])} to {box(SIZES[-1])}",
        f"up to {EASY[1]} easy, {MEDIUM[0]} to {MEDIUM[1]} medium, from {HARD[0]} on hard",
        f"easy up to {facts.EASY:g}, hard from {facts.HARD:g} on",
    ],
    "unity": [
        f"FNV-1a, 64 bits (offset basis {_OFFSET}, prime {_PRIME})",
        f"in the side channel `{framing.CHANNEL}`",
        f"Limits: {MAX_BODIES:,} bodies",
        f"pictures of {MAX_SIZE:,} pixels a side",
        f"{WORDS[round(settling._LONGEST * FRAME)]} seconds at most",
        f"`Launch.answer_s` ({LAUNCH.answer_s:g} s), `Launch.start_s` ({LAUNCH.start_s:g} s)",
        f"messages go up to {communicator.MAX_MESSAGE_BYTES // MEBIBYTE} MiB",
        f"Its last release, {communicator.PACKAGE_VERSION}, refuses",
    ],
}


@pytest.mark.parametrize("page", CLAIMS)
def test_figures_are_those_of_the_code(page: str) -> None:
    text = sentences(page)
    assert not [claim for claim in CLAIMS[page] if claim not in text]


def test_usual_values_of_adapters_are_those_of_the_code() -> None:
    gymnasium = pytest.importorskip("bridge.adapters.gymnasium", reason="NOT TESTED: no gymnasium")
    edge = usual(gymnasium.PuzzleEnv, "image_size")
    assert f"edge of each view in pixels, {edge} by default" in sentences("adapters")
    inspect_ai = pytest.importorskip("luban.inspect_tasks", reason="NOT TESTED: no inspect_ai")
    text = sentences("adapters")
    assert f"of each level, {usual(inspect_ai.levels, 'attempts')} by default" in text
    assert f"the first look, {usual(inspect_ai.levels, 'history')} by default" in text
