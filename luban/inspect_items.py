"""Questions as tasks of inspect_ai: ``luban/items -T suite=NAME``, and one for each suite.

Every sample is a trial: one question, or several of which each may depend on the answers before.
What was answered is written into a log of Luban's own, beside inspect_ai's; the scorer reads that
log and nothing else. Needs the extra ``inspect``.
"""

import math
import re
import warnings
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from functools import cache, partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

from anyio.to_thread import run_sync
from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageUser,
    Model,
    get_model,
)
from inspect_ai.scorer import (
    Metric,
    SampleScore,
    Score,
    Scorer,
    Target,
    mean,
    metric,
    scorer,
    stderr,
)
from inspect_ai.solver import Generate, Solver, TaskState, solver

from bridge.adapters.inspect_ai import beside_the_log, contents_of
from bridge.episode.rendering import RendererPool
from bridge.episode.sanitize import sanitize_text
from bridge.items.log import AnswerRecord, ItemLog, ItemRunSettings, format_answer
from bridge.items.questions import Question, make_question, show_item
from bridge.items.rescore import rescore_trial
from bridge.items.suites import Subset, find_asker, find_suite, limit_subsets
from bridge.recording.folders import new_run_folder
from bridge.scoring.judged import Judged, Tally
from pysim.errors import InputError
from pysim.former_names import accept_former_keywords
from pysim.items import Item, Trial

__all__ = ["answer", "items", "items_task", "marks"]

VERSION = 1
"""Raised with whatever makes results differ from earlier ones."""
LOG = "item_log"
"""Where a sample's metadata name the folder of its log; models are not shown metadata."""


@task
@accept_former_keywords(size="image_size")
def items(
    suite: str,
    task: str = "all",
    n: int = 100,
    limit: int = 0,
    options: dict[str, Any] | None = None,
    image_size: int = 512,
    renderer: str = "auto",
    runs: str = "",
) -> Task:
    """Return a suite of items.

    Args:
        suite: its name, as ``luban eval`` takes it.
        task: which of its tasks, or all.
        n: trials of each condition.
        limit: the first so many trials of each; 0 for all.
        options: what else the suite's bench may be told, by name.
        image_size: edge of pictures in pixels.
        renderer: ``auto``, ``egl`` or ``tiny``.
        runs: folder for the logs; beside inspect_ai's log by default.

    Raises:
        InputError: something does not exist or does not fit.
    """
    given = {_find_name(name): _plain(value) for name, value in (options or {}).items()}
    try:
        chosen = find_asker(suite).options(task=task, n=n, **given)
    except TypeError as error:
        raise InputError(f"{suite} has no such option: {error}") from None
    subsets = limit_subsets(find_suite(suite).subsets(chosen), limit)
    samples = [sample for subset in subsets for sample in _samples(suite, subset)]
    return Task(
        dataset=MemoryDataset(samples, name=f"{suite}/{task}"),
        solver=answer(suite, image_size, renderer, runs),
        scorer=marks(),
        version=VERSION,
        metadata={"luban": version("luban")},
    )


def items_task(name: str, suite: str) -> Callable[..., Task]:
    """Return the task called ``name``, of one suite; its options are those of :func:`items`."""

    def of_suite(
        task: str = "all", n: int = 100, limit: int = 0, options: dict[str, Any] | None = None
    ) -> Task:
        made: Task = items(suite, task, n, limit, options)
        return made

    return task(name=name)(of_suite)


_FORMER_OPTIONS = {
    "obs": "observation",
    "arm": "observation",
    "shown": "observation",
    "items": "item_seed",
    "task_options": "task_settings",
}


def _find_name(name: str) -> str:
    """Return today's name of an option of a bench; a former one gives a warning."""
    if name not in _FORMER_OPTIONS:
        return name
    warnings.warn(f"{name} is now {_FORMER_OPTIONS[name]}", DeprecationWarning, stacklevel=3)
    return _FORMER_OPTIONS[name]


def _plain(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _samples(suite: str, subset: Subset) -> list[Sample]:
    samples = []
    for number, trial in enumerate(_trials(suite, subset)):
        item = trial.ask(trial.start())
        assert item is not None, f"{trial.id} asks nothing"
        place = {"suite": suite, "subset": subset.to_document(), "number": number}
        group = item.group or trial.id
        samples.append(Sample(id=trial.id, input=item.text, metadata={**place, "group": group}))
    return samples


@cache
def _trials(suite: str, subset: Subset) -> Sequence[Trial[Any]]:
    return find_suite(suite).trials(subset)


def _trial(state: TaskState) -> Trial[Any]:
    place = state.metadata
    number: int = place["number"]
    return _trials(place["suite"], Subset.from_document(place["subset"]))[number]


@solver
@accept_former_keywords(size="image_size")
def answer(suite: str, image_size: int = 512, renderer: str = "auto", runs: str = "") -> Solver:
    """Asks the model until the sample's trial is over; see :func:`items`."""
    pictures = RendererPool()

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        trial, model = _trial(state), get_model()
        settings = ItemRunSettings(
            suite=suite,
            version=find_suite(suite).version,
            parts=(Subset.from_document(state.metadata["subset"]),),
            agent=str(state.model),
            picture_size=image_size,
            luban=version("luban"),
        )
        folder = Path(runs) if runs else beside_the_log()
        name = re.sub(r"[^A-Za-z0-9.-]+", "-", trial.id)[:80].strip("-.")
        path = new_run_folder(folder, f"{name}-{state.epoch}")
        state.metadata[LOG] = str(path)
        with pictures.borrow(renderer) as shared:
            show = partial(show_item, renderer=shared, size=image_size)
            await _ask(state, model, trial, ItemLog.begin(path, settings), show)
        return state

    return solve


async def _ask(
    state: TaskState,
    model: Model,
    trial: Trial[Any],
    log: ItemLog,
    show: Callable[[Item[Any]], Question],
) -> None:
    """Go through a trial; all that was asked and said is left in ``state``."""
    reached, before = trial.start(), list[tuple[Item[Any], str]]()
    state.messages = []
    while (item := trial.ask(reached)) is not None:
        messages = _messages(await run_sync(make_question, item, before, show))
        state.output = await model.generate(messages)
        text = sanitize_text(state.output.completion)
        asked = messages if not item.follows or not before else messages[-1:]
        state.messages += [*asked, state.output.message]
        log.append(format_answer(AnswerRecord(trial.id, len(before), item.digest, text), item))
        before.append((item, text))
        reached = trial.after(reached, text)


def _messages(question: Question) -> list[ChatMessage]:
    messages: list[ChatMessage] = [ChatMessageSystem(content=question.system)]
    for earlier in question.earlier:
        messages.append(_asked(earlier.question))
        messages.append(ChatMessageAssistant(content=earlier.answer))
    return [*messages, _asked(question)]


def _asked(question: Question) -> ChatMessage:
    return ChatMessageUser(content=contents_of(question.text, question.pictures))


def _figure(of: Callable[[Tally], float | None]) -> Metric:
    """Return a figure of all answers; NaN where it is none."""

    def figure(scores: list[SampleScore]) -> float:
        answers = (one for score in scores for one in (score.score.metadata or {})["judged"])
        found = of(Tally([Judged(**one) for one in answers]))
        return math.nan if found is None else found

    return figure


@metric(scores="unreduced")
def parse_rate() -> Metric:
    """Share of answers that could be read."""
    return _figure(lambda tally: tally.parse_rate)


@metric(scores="unreduced")
def group_accuracy() -> Metric:
    """Share of groups, of contrastive pairs for instance, in which all is right; NaN without."""
    return _figure(lambda tally: tally.group_accuracy)


@scorer(metrics=[mean(), stderr(cluster="group"), parse_rate(), group_accuracy()])
def marks() -> Scorer:
    """Return the share of the trial's answers that are right, by its log."""

    async def judge(state: TaskState, target: Target) -> Score:
        log, epoch = ItemLog.read(Path(state.metadata[LOG])), state.epoch
        ended = rescore_trial(log, _trial(state))
        # Groups are of one epoch: the same pair is asked again in each.
        judged = [replace(one, group=one.group and f"{one.group} {epoch}") for one in ended.judged]
        tally = Tally(judged)
        right = sum(one.right for one in judged)
        return Score(
            value=tally.accuracy or 0.0,
            answer=log.answers[ended.trial.id][-1].text,
            explanation=f"{right} of {len(judged)} answers are right",
            metadata={"judged": [asdict(one) for one in judged]},
        )

    return judge
