"""The tasks of several questions, played by hand."""

from typing import Any

import pytest

from bridge.benches.cube_bench.answer_options import (
    choose_best,
    draw_progress_options,
    label_options,
)
from bridge.benches.cube_bench.closed_loop import LoopState, LoopTrial
from bridge.benches.cube_bench.condition import (
    Abstention,
    Condition,
    Criterion,
    Reflection,
    Task,
    parse_condition,
)
from bridge.benches.cube_bench.forms import OPTIONS, OptionLetter
from bridge.benches.cube_bench.learning_curve import CurveState, CurveTrial
from bridge.benches.cube_bench.reflection import ReflectionTrial
from bridge.benches.cube_bench.scores import compute_scores
from bridge.benches.cube_bench.scrambling import create_rng
from bridge.benches.cube_bench.trials import make_trials
from bridge.items.suites import EndedTrial
from pysim.families.rubik.cube import turn_of
from pysim.families.rubik.moves import Metric, list_moves
from pysim.families.rubik.solver.distance_table import load_distance_table


def tag(choice: OptionLetter) -> str:
    return f"<ANSWER> {choice} </ANSWER>"


def gold(trial: LoopTrial | CurveTrial, state: Any) -> str:
    item = trial.ask(state)
    assert item is not None
    return item.form.format(item.gold)


def loops(depth: int, count: int = 30, **named: str) -> list[LoopTrial]:
    trials = make_trials(parse_condition(Task.LOOP, depth, named), range(count))
    return [trial for trial in trials if isinstance(trial, LoopTrial)]


def nearer(trial: LoopTrial, state: LoopState) -> dict[OptionLetter, bool]:
    """Which options lead nearer."""
    after = load_distance_table(trial.condition.metric).list_distances(state.cube)
    return {k: after[m] < len(state.plan) for k, m in trial.list_options(state).items()}


def play(trial: LoopTrial, *answers: str) -> LoopState:
    state = trial.start()
    for answer in answers:
        state = trial.after(state, answer)
    return state


@pytest.mark.parametrize("depth", [1, 3, 5])
def test_the_teachers_moves_solve_the_cube_with_every_step_correct(depth: int) -> None:
    for trial in loops(depth):
        state = trial.start()
        for _ in range(depth):
            state = trial.after(state, gold(trial, state))
        assert state.cube.solved
        assert [d.correct for d in state.decisions] == [True] * depth
        assert trial.ask(state) is None


@pytest.mark.parametrize(
    "answer", ["", "hm", "<ANSWER> AMBIGUOUS </ANSWER>", "<ANSWER>IDK</ANSWER>"]
)
def test_what_cant_be_read_halts_the_episode_and_moves_nothing(answer: str) -> None:
    for trial in loops(3, 3):
        state = play(trial, answer)
        assert state.halted
        assert state.cube == trial.start().cube
        assert [d.correct for d in state.decisions] == [False]
        assert trial.ask(state) is None


def test_a_move_that_does_not_lead_nearer_halts_the_episode() -> None:
    for trial in loops(3):
        far = next(k for k, good in nearer(trial, trial.start()).items() if not good)
        state = play(trial, tag(far))
        assert state.halted
        assert [d.correct for d in state.decisions] == [False]


@pytest.mark.parametrize("criterion", Criterion)
def test_another_optimal_move_goes_on_and_counts_by_the_criterion(criterion: Criterion) -> None:
    seen = 0
    for trial in loops(4, 60, abstain="skip-item", criterion=criterion.value):
        state = trial.start()
        teacher = trial.ask(state).gold  # type: ignore[union-attr]
        others = [k for k, good in nearer(trial, state).items() if good and k is not teacher]
        if not others:
            continue
        seen += 1
        state = trial.after(state, tag(others[0]))
        assert not state.halted
        assert state.decisions[0].correct is (criterion is Criterion.OPTIMAL)
        assert len(state.plan) == 3
        while trial.ask(state) is not None:
            state = trial.after(state, gold(trial, state))
        assert state.cube.solved
        assert [d.correct for d in state.decisions[1:]] == [True] * 3
    assert seen > 3


def test_of_moves_that_leave_equally_few_the_first_letter_is_best() -> None:
    a, b, c, d, *_ = list_moves()
    assert choose_best(label_options([a, b, c, d]), {a: 3, b: 2, c: 2, d: 4}) is OptionLetter.B
    assert choose_best(label_options([c, a, b, d]), {a: 2, b: 2, c: 2, d: 2}) is OptionLetter.A


def test_who_breaks_ties_by_letter_is_perfect_where_all_optimal_moves_are_correct() -> None:
    """By the teacher's criterion the same choices are not: it may have another move in mind."""
    perfect = {}
    for criterion in Criterion:
        correct = []
        for trial in loops(4, 60, abstain="skip-item", criterion=criterion.value):
            state = trial.start()
            while trial.ask(state) is not None:
                after = load_distance_table(Metric.HTM).list_distances(state.cube)
                state = trial.after(state, tag(choose_best(trial.list_options(state), after)))
            assert state.cube.solved
            correct.append(all(d.correct for d in state.decisions))
        perfect[criterion] = sum(correct)
    assert perfect[Criterion.OPTIMAL] == 60
    assert 0 < perfect[Criterion.TEACHER] < 60


def test_not_knowing_is_taught_or_ends_the_episode_and_never_counts() -> None:
    for trial in loops(3, 5, abstain=Abstention.TEACHER.value):
        state = play(trial, "I don't know", "ANSWER: E")
        assert not state.halted
        state = trial.after(state, gold(trial, state))
        assert state.cube.solved
        assert [(d.choice is OptionLetter.IDK, d.correct) for d in state.decisions] == [
            (True, False),
            (True, False),
            (False, True),
        ]
    for trial in loops(3, 5, abstain=Abstention.SKIP.value):
        state = play(trial, "<ANSWER> IDK </ANSWER>")
        assert (state.halted, state.decisions[0].choice) == (True, OptionLetter.IDK)


def test_idk_is_offered_only_where_it_counts() -> None:
    plain, offered = (
        trials[0].ask(trials[0].start())
        for trials in (loops(2, 1), loops(2, 1, abstain="skip-item"))
    )
    confident = loops(2, 1, abstain="skip-item", confidence="0.6")[0]
    assert plain is not None
    assert "IDK" not in plain.system
    assert offered is not None
    assert "IDK" in offered.system
    assert "less than 60%" in confident.ask(confident.start()).system  # type: ignore[union-attr]


def test_options_of_the_closed_loop_are_balanced_as_the_authors_program_has_them() -> None:
    """The teacher's move, one more optimal where there is one, and none else that leads nearer."""
    evenly = 0
    for trial, other in zip(loops(4, 100), loops(4, 100, options="uniform"), strict=True):
        optimal = sum(
            left < 4
            for left in load_distance_table(Metric.HTM).list_distances(trial.start().cube).values()
        )
        assert sum(nearer(trial, trial.start()).values()) == min(optimal, 2)
        evenly += sum(nearer(other, other.start()).values()) != min(optimal, 2)
    assert evenly > 0


@pytest.mark.parametrize("metric", Metric)
def test_with_abstention_there_is_one_more_optimal_move_where_there_is_one(metric: Metric) -> None:
    for trial in loops(3, 200, abstain="teacher-on-abstain", metric=metric.value):
        state = trial.start()
        good = nearer(trial, state)
        after = load_distance_table(metric).list_distances(state.cube)
        optimal = sum(left < 3 for left in after.values())
        assert sum(good.values()) == min(optimal, 2)
        assert trial.list_options(state)[trial.ask(state).gold] == state.plan[0]  # type: ignore[union-attr]
        assert len(set(trial.list_options(state).values())) == 4


def curves(depth: int, count: int = 20, **named: str) -> list[CurveTrial]:
    trials = make_trials(parse_condition(Task.CURVE, depth, named), range(count))
    return [trial for trial in trials if isinstance(trial, CurveTrial)]


def test_the_shortest_way_solves_in_as_many_attempts_as_the_scramble_has_moves() -> None:
    for trial in curves(3, **{"from": "start"}):
        state = trial.start()
        while trial.ask(state) is not None:
            state = trial.after(state, gold(trial, state))
        assert trial.count_attempts(state) == 3


def test_an_attempt_offers_one_move_that_leads_nearer() -> None:
    for trial in curves(4, 200):
        state = trial.start()
        after = load_distance_table(Metric.HTM).list_distances(state.cube)
        moves = [trial._options(state, after, 4)[k] for k in OPTIONS]
        assert len(set(moves)) == 4
        assert sum(after[move] < 4 for move in moves) == 1


def test_where_hardly_a_move_leads_away_the_rest_is_drawn_from_all() -> None:
    moves = list_moves()
    after = {move: 3 if k < 2 else 1 for k, move in enumerate(moves[:6])}
    for seed in range(50):
        options = draw_progress_options(after, 2, create_rng(seed))
        assert len(set(options.values())) == 4
        assert any(after[move] == 1 for move in options.values())


def test_an_error_is_made_and_its_inverse_put_before_the_plan() -> None:
    for trial in curves(3):
        state = trial.start()
        right = trial.ask(state).gold  # type: ignore[union-attr]
        wrong = next(k for k in OPTIONS if k is not right)
        after = load_distance_table(Metric.HTM).list_distances(state.cube)
        move = trial._options(state, after, 3)[wrong]
        erred = trial.after(state, tag(wrong))
        assert erred.cube == state.cube.compose(turn_of(move))
        assert erred.plan == (move.inverse, *state.plan)
        assert erred.cube.turn(erred.plan).solved


def test_an_attempt_that_cant_be_read_counts_and_changes_nothing() -> None:
    for trial in curves(2, 3, max_attempts="3", **{"from": "start"}):
        state = trial.after(trial.start(), "<A>")
        assert state == CurveState(state.cube, trial.start().plan, 1, 1)
        assert state.cube == trial.start().cube
        state = trial.after(trial.after(state, "no"), "idea")
        assert trial.ask(state) is None
        assert trial.count_attempts(state) is None


def test_attempts_are_counted_from_the_first_error_which_is_none_itself() -> None:
    """Section 5.4: after the first deviation there are so many attempts, whatever came before."""
    for number, trial in enumerate(curves(3, max_attempts="4")):
        state = trial.start()
        for _ in range(number % 3):
            state = trial.after(state, gold(trial, state))
        unread = trial.after(state, "hm")
        assert unread.cube == state.cube
        right = trial.ask(state).gold  # type: ignore[union-attr]
        erred = trial.after(state, tag(next(k for k in OPTIONS if k is not right)))
        assert erred.cube != state.cube
        for after, least in ((unread, 3 - number % 3), (erred, 3 - number % 3)):
            assert (after.attempts, after.unread, after.before) == (0, 0, 1 + number % 3)
            assert trial.has_erred(after) and not trial.has_erred(state)
            assert load_distance_table(Metric.HTM).find_distance(after.cube) in (least, least + 1)
            while trial.ask(after) is not None:
                after = trial.after(after, gold(trial, after))
            assert trial.count_attempts(after) == after.attempts in (least, least + 1)
        for _ in range(4):
            assert trial.ask(erred) is not None
            erred = trial.after(erred, "no answer")
        assert trial.ask(erred) is None
        assert (erred.attempts, erred.unread, trial.count_attempts(erred)) == (4, 4, None)


def test_who_makes_no_error_does_not_count_and_others_do() -> None:
    trials = curves(3, 6)
    ended = []
    for number, trial in enumerate(trials):
        state = trial.start()
        while trial.ask(state) is not None:
            errs = number % 2 and not state.counting
            state = trial.after(state, "no answer" if errs else gold(trial, state))
        ended.append(EndedTrial(trial, state))
    scores = compute_scores(trials[0].condition, ended)
    assert scores["episodes"] == 3
    assert scores["solve_rate"] == 1.0
    assert scores["med_at_solved"] == 3


def test_the_plan_always_solves_the_cube_whatever_is_answered() -> None:
    for trial in curves(3, 12):
        random, state = create_rng("answers", trial.seed), trial.start()
        while trial.ask(state) is not None:
            state = trial.after(state, tag(random.choice(OPTIONS)))
            assert state.cube.turn(state.plan).solved


def reflections(kind: Reflection) -> list[ReflectionTrial]:
    trials = make_trials(parse_condition(Task.REFLECTION, 1, {"reflection": kind.value}), range(5))
    return [trial for trial in trials if isinstance(trial, ReflectionTrial)]


def test_a_reflection_tells_the_right_answer_only_if_it_may() -> None:
    for kind in Reflection:
        for trial in reflections(kind):
            state = trial.after(trial.start(), "ANSWER: A")
            item = trial.ask(state)
            assert item is not None
            assert "Your answer: A." in item.text
            assert ("[REDACTED]" in item.text) is (kind is Reflection.REDACTED)
            told = f"The right answer: {trial.question.gold}." in item.text
            assert told is (kind is Reflection.UNREDACTED)
            assert len(item.pictures) == 1


def test_the_question_is_asked_again_with_the_reflection_and_read_strictly() -> None:
    for trial in reflections(Reflection.REDACTED):
        right = trial.question.gold
        state = trial.start()
        for answer in ("none of them", "I mixed up U and D.", f"ANSWER: {right}"):
            item = trial.ask(state)
            assert item is not None
            state = trial.after(state, answer)
        assert "I mixed up U and D." in item.text
        assert trial.ask(state) is None
        assert trial.read_draft(state) is trial.read_final(state) is None
        better = trial.after(state[:2], tag(right))
        assert trial.read_final(better) is right


def test_the_draft_is_the_same_question_in_both_conditions() -> None:
    pairs = zip(*(reflections(kind) for kind in Reflection), strict=True)
    for one, other in pairs:
        drafts = [trial.ask(trial.start()) for trial in (one, other)]
        assert drafts[0] == drafts[1]
        assert one.id != other.id


def test_a_draft_that_cant_be_read_is_reflected_on_as_none() -> None:
    trial = reflections(Reflection.REDACTED)[0]
    item = trial.ask(trial.after(trial.start(), "hm"))
    assert item is not None
    assert "Your answer: none that can be read." in item.text


def test_a_condition_of_another_task_makes_other_trials() -> None:
    kinds = {type(make_trials(Condition(task, 1), range(1))[0]).__name__ for task in Task}
    assert kinds == {"Single", "Claim", "ReflectionTrial", "LoopTrial", "CurveTrial"}
