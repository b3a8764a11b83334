"""What the tasks ask: option sets, statements and pictures by the paper's rules."""

import re
from collections import Counter, defaultdict
from typing import Any

import pytest
from scipy.stats import chisquare

from bridge.benches.cube_bench.condition import (
    Condition,
    Modality,
    Perturbation,
    PictureType,
    Task,
    Template,
    list_conditions,
    parse_condition,
)
from bridge.benches.cube_bench.forms import OPTIONS, Effect
from bridge.benches.cube_bench.hypotheses import Hypothesis, make_hypothesis
from bridge.benches.cube_bench.pictures import SHADES
from bridge.benches.cube_bench.questions import move_question, read_front
from bridge.benches.cube_bench.scrambling import scramble
from bridge.benches.cube_bench.trials import make_trials
from bridge.scoring.answers import compute_js_divergence
from pysim.families.rubik.cube import turn_of
from pysim.families.rubik.moves import Metric, Move
from pysim.families.rubik.solver.meet_in_middle import create_meet_in_middle
from pysim.items import Item
from pysim.render.palette import PALETTE

MANY = 2000
SAMPLES = [c for task in Task for c in list_conditions(task)]


def first_items(condition: Condition, seeds: range) -> list[Item[Any]]:
    items = [trial.ask(trial.start()) for trial in make_trials(condition, seeds)]
    assert None not in items
    return items  # type: ignore[return-value]


def options_of(item: Item[Any]) -> list[Move]:
    """The moves as an agent reads them in the text."""
    return [Move.parse(word) for word in re.findall(r"^[A-D]: (\S+)$", item.text, re.M)]


@pytest.mark.parametrize("asked", SAMPLES, ids=lambda c: f"{c.variant}-{c.depth}")
def test_an_item_follows_from_depth_seed_and_variant(asked: Condition) -> None:
    again = Condition.parse(asked.variant, asked.depth)
    assert again == asked
    whole = first_items(asked, range(6))
    assert [item.digest for item in first_items(again, range(2, 6))] == [
        item.digest for item in whole[2:]
    ]
    assert len({item.digest for item in whole}) == len({item.id for item in whole}) == 6


@pytest.mark.parametrize("asked", SAMPLES, ids=lambda c: f"{c.variant}-{c.depth}")
def test_the_right_answer_can_be_written_and_is_right(asked: Condition) -> None:
    for item in first_items(asked, range(20)):
        assert item.check(item.form.format(item.gold))


@pytest.mark.parametrize("metric", Metric)
def test_scrambles_are_as_far_from_home_as_they_are_long(metric: Metric) -> None:
    for depth in range(1, 6):
        for seed in range(20):
            start = scramble(depth, seed, metric)
            assert (
                create_meet_in_middle(metric, 3).find_distance(start.cube)
                == depth
                == metric.measure(start.moves)
            )
            assert start.cube.turn(start.teacher).solved


@pytest.mark.slow
def test_move_prediction_has_one_right_option_of_four_unlike_ones() -> None:
    golds: Counter[str] = Counter()
    for seed in range(MANY):
        question = move_question(list_conditions(Task.MOVE)[0], seed)
        moves = list(question.options.values())
        assert len(set(moves)) == 4
        solving = [k for k in OPTIONS if question.cube.turn([question.options[k]]).solved]
        assert solving == [question.gold]
        golds[question.gold] += 1
    assert chisquare([golds[k] for k in OPTIONS]).pvalue > 0.001
    assert compute_js_divergence([golds[k] for k in OPTIONS], [1] * 4) < 0.001


def test_the_three_modes_are_matched_triplets() -> None:
    both, image, text = (first_items(c, range(20)) for c in list_conditions(Task.MOVE))
    for three in zip(both, image, text, strict=True):
        assert len({item.gold for item in three}) == len({item.group for item in three}) == 1
        assert len({tuple(options_of(item)) for item in three}) == 1
        assert [len(item.pictures) for item in three] == [1, 1, 0]
        assert ["State:" in item.text for item in three] == [True, False, True]


def test_reflection_asks_about_the_items_of_move_prediction() -> None:
    items = first_items(list_conditions(Task.MOVE)[0], range(10))
    for kind in list_conditions(Task.REFLECTION):
        drafts = first_items(kind, range(10))
        assert [(d.text, d.gold) for d in drafts] == [(i.text, i.gold) for i in items]


@pytest.mark.by_day(1)
@pytest.mark.parametrize("metric", Metric)
@pytest.mark.parametrize("depth", [1, 2, 3])
def test_effects_are_balanced_over_classes_and_letters(metric: Metric, depth: int) -> None:
    asked = Condition(Task.EFFECT, depth, Modality.TEXT, metric)
    labels: Counter[Effect] = Counter()
    slots: defaultdict[Effect, Counter[int]] = defaultdict(Counter)
    for seed, item in enumerate(first_items(asked, range(MANY))):
        assert len(set(options_of(item))) == 4
        labels.update(item.gold)
        for slot, effect in enumerate(item.gold):
            slots[effect][slot] += 1
        present = set(item.gold)
        # In quarter turns each move changes the parity of the cube, so that none leaves it as far.
        assert present == (
            set(Effect) if metric is Metric.HTM else set(Effect) - {Effect.NO_CHANGE}
        )
        if metric is Metric.HTM:
            assert list(item.gold).count(item.gold[seed % 4]) == 2  # The double's letter rotates.
    for counts in slots.values():
        assert compute_js_divergence([counts[k] for k in range(4)], [1] * 4) < 0.001
    if metric is Metric.HTM:
        assert all(0.25 <= labels[effect] / labels.total() <= 0.5 for effect in Effect)


@pytest.mark.slow
def test_the_mix_of_effects_follows_what_can_be_doubled() -> None:
    """At depth 1 a move that solves is alone, so that the last quarter goes to the other two."""
    for depth, never_doubled in ((1, True), (3, False)):
        asked = Condition(Task.EFFECT, depth, Modality.TEXT)
        golds = [item.gold for item in first_items(asked, range(1000))]
        counts = Counter(effect for gold in golds for effect in gold)
        doubled = sum(gold.count(Effect.DECREASE) == 2 for gold in golds)
        assert (doubled == 0) is never_doubled
        assert abs(counts[Effect.NO_CHANGE] - counts[Effect.INCREASE]) < 0.02 * counts.total()


def test_effects_are_those_of_the_breadth_first_search() -> None:
    table = create_meet_in_middle(Metric.HTM, 3)
    for depth in (1, 2, 3):
        for seed, item in enumerate(
            first_items(Condition(Task.EFFECT, depth, Modality.TEXT), range(40))
        ):
            cube = scramble(depth, seed, Metric.HTM).cube
            for move, effect in zip(options_of(item), item.gold, strict=True):
                after = table.find_distance(cube.compose(turn_of(move)))
                assert after is not None
                sign = (after > depth) - (after < depth)
                assert (
                    effect is {-1: Effect.DECREASE, 0: Effect.NO_CHANGE, 1: Effect.INCREASE}[sign]
                )


LETTERS = {"white": "W", "red": "R", "green": "G", "yellow": "Y", "orange": "O", "blue": "B"}


def holds(said: Hypothesis, front: tuple[str, ...]) -> bool:
    """Whether a statement is true, read from its text alone."""
    body = said.text.partition("\n")[2] if said.template is Template.EQUALITY else said.text
    colours = tuple(LETTERS[word] for word in re.findall("|".join(LETTERS), body))
    numbers = [int(n) for n in re.findall(r"\d", said.text)]
    denied = bool(re.search(r"\bnot\b", body))
    match said.template:
        case Template.EQUALITY | Template.MATRIX:
            truth = colours == front
        case Template.CELL:
            row, column = numbers
            truth = colours == (front[3 * row + column - 4],)
        case Template.ROW:
            truth = colours == front[3 * numbers[0] - 3 : 3 * numbers[0]]
        case Template.COLUMN:
            truth = colours == front[numbers[0] - 1 :: 3]
        case _:
            truth = front.count(colours[0]) == numbers[0]
    return truth is not denied


def statements(depth: int, count: int) -> list[tuple[Hypothesis, tuple[str, ...]]]:
    asked = parse_condition(Task.VERIFICATION, depth, {"template": "all", "mismatch": "swap"})
    fronts = [read_front(scramble(depth, seed, Metric.HTM).cube) for seed in range(count)]
    return [(make_hypothesis(front, asked, seed), front) for seed, front in enumerate(fronts)]


@pytest.mark.parametrize("depth", [1, 5])
def test_statements_are_true_when_they_say_so(depth: int) -> None:
    for said, front in statements(depth, MANY):
        assert holds(said, front) is said.truth, (said, front)


def test_true_and_false_plain_and_reversed_are_equally_frequent() -> None:
    said = [h for h, _ in statements(5, 24 * 10)]
    assert [sum(h.truth for h in said[k : k + 2]) for k in range(0, len(said), 2)] == [1] * 120
    for template in set(Template) - {Template.ALL}:
        own = [h for h in said if h.template is template]
        assert sum(h.truth for h in own) == len(own) / 2 == 20
        pairings = Counter((h.truth, h.reversed) for h in own)
        expected = 2 if template is Template.EQUALITY else 4
        assert len(pairings) == expected
        assert len(set(pairings.values())) == 1
    default = make_trials(list_conditions(Task.VERIFICATION)[0], range(100))
    assert sum(trial.item.gold for trial in default) == 50  # type: ignore[attr-defined]


def test_the_words_of_a_statement_do_not_tell_whether_it_is_true() -> None:
    """Colours are named as often in true statements as in false ones, plain or reversed."""
    made = statements(5, 3000)
    for template in (Template.CELL, Template.COUNT):
        for denies in (False, True):
            named: dict[bool, Counter[str]] = {True: Counter(), False: Counter()}
            for said, _ in made:
                if said.template is template and said.reversed is denies:
                    named[said.truth].update(re.findall("|".join(LETTERS), said.text))
            colours = [c for c in LETTERS if named[True][c] + named[False][c] >= 10]
            total = sum(named[True].values())
            share = [(named[True][c] + named[False][c]) / 2 for c in colours]
            seen = [named[True][c] for c in colours]
            scaled = [s * sum(seen) / sum(share) for s in share]
            assert total > 100
            assert chisquare(seen, scaled).pvalue > 0.001


def test_a_wrong_grid_is_the_front_after_one_turn_as_in_the_authors_program() -> None:
    for asked in (
        parse_condition(Task.VERIFICATION, 5, {"template": t}) for t in ("equality", "matrix")
    ):
        for seed in range(40):
            cube = scramble(5, seed, Metric.HTM).cube
            turned = {read_front(cube.compose(turn_of(move))) for move in Metric.HTM.moves}
            said = make_trials(asked, range(seed, seed + 1))[0].hypothesis  # type: ignore[attr-defined]
            words = re.findall("|".join(LETTERS), said.text)
            colours = tuple(LETTERS[word] for word in words)
            assert (colours == read_front(cube)) is (said.truth is not said.reversed)
            assert colours == read_front(cube) or colours in turned


def test_a_front_is_read_from_the_cube() -> None:
    cube = scramble(3, 7, Metric.HTM).cube
    item = first_items(list_conditions(Task.FACE, (3,))[0], range(7, 8))[0]
    assert item.gold == read_front(cube)
    assert item.gold[4] == "G"


def test_pictures_are_changed_as_seed_and_settings_say() -> None:
    plain = parse_condition(Task.FACE, 3, {"picture": "net"})
    (before,) = first_items(plain, range(4, 5))[0].pictures
    for perturbation in Perturbation:
        changed = parse_condition(Task.FACE, 3, {"picture": "net", "perturb": perturbation.value})
        (picture,) = first_items(changed, range(4, 5))[0].pictures
        (same,) = first_items(changed, range(4, 5))[0].pictures
        (other,) = first_items(changed, range(1, 2))[0].pictures
        described = [(p.key, p.views, p.retouches) for p in (before, picture, same, other)]
        assert described[1] == described[2]
        assert described[1] != described[0]
        assert described[1][1:] != described[3][1:] or perturbation is Perturbation.RECOLOUR


def test_recoloured_stickers_are_still_called_by_their_names() -> None:
    for name, shades in SHADES.items():
        for shade in shades:
            nearest = min(SHADES, key=lambda base: hue_gap(PALETTE[shade], PALETTE[base]))
            assert nearest == name


def hue_gap(a: tuple[int, int, int], b: tuple[int, int, int]) -> float:
    """How far apart two colours are, their brightness left out."""
    (x, y, z), (u, v, w) = ([c / max(colour) for c in colour] for colour in (a, b))
    return (x - u) ** 2 + (y - v) ** 2 + (z - w) ** 2


@pytest.mark.parametrize(
    ("task", "depth", "named", "words"),
    [
        (Task.MOVE, 2, {}, "depth 1, not 2"),
        (Task.LOOP, 0, {}, "1 to 8 moves, not 0"),
        (Task.LOOP, 9, {}, "1 to 8 moves, not 9"),
        (Task.EFFECT, 1, {"mode": "image"}, "no setting 'mode'"),
        (Task.CURVE, 3, {"max_attempts": "10"}, "max_attempts is 1 to 9 .*: distances"),
        (Task.CURVE, 3, {"from": "start", "max_attempts": "11"}, "max_attempts is 1 to 10"),
        (Task.CURVE, 3, {"counting": "start"}, "no setting 'counting'; it has .*from"),
        (Task.CURVE, 3, {"edition": "4"}, "edition is 1 to 3, not 4"),
        (Task.CURVE, 3, {"max_attempts": "many"}, "max_attempts is a number"),
        (Task.LOOP, 3, {"idk_weight": "nan"}, "idk_weight is a number"),
        (Task.LOOP, 3, {"confidence": "2"}, "confidence is a number from 0 to 1"),
        (Task.LOOP, 3, {"abstain": "often"}, "abstain is one of none, .*, not 'often'"),
        (Task.LOOP, 3, {"metric": "stm"}, "metric is one of htm, qtm, not 'stm'"),
        (Task.FACE, 3, {"perturb": "camera+camera"}, "named twice"),
        (Task.FACE, 3, {"perturb": "fog"}, "perturb is one of camera, .*, not 'fog'"),
    ],
)
def test_a_setting_that_makes_no_sense_is_said(
    task: Task, depth: int, named: dict[str, str], words: str
) -> None:
    with pytest.raises(ValueError, match=words):
        parse_condition(task, depth, named)


def test_the_net_is_shown_where_the_whole_state_is_asked_for() -> None:
    assert all(c.picture is PictureType.NET for c in SAMPLES)
    assert list_conditions(Task.FACE, (), {"edition": "1"})[0].picture is PictureType.FRONT
    (picture,) = first_items(list_conditions(Task.VERIFICATION)[0], range(1))[0].pictures
    assert picture.views is not None
    labels = {tile.label: (tile.row, tile.column) for tile in picture.views[0].panels}
    assert labels == {
        "Up": (0, 1), "Left": (1, 0), "Front": (1, 1), "Right": (1, 2), "Back": (1, 3),
        "Down": (2, 1),
    }  # fmt: skip
