"""Asking a whole run: many trials at once, resumed after a kill, no question asked twice."""

from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, replace

from bridge.agents.journal import JOURNAL_NAME, sum_paid_usage
from bridge.agents.usage_meter import SpendingLimit
from bridge.episode.engines import OpenEngines, open_local_engines
from bridge.items.answerers import find_answerer_kind
from bridge.items.log import ItemLog
from bridge.items.person import AskPerson
from bridge.items.rescore import rescore_trial
from bridge.items.suites import ItemSuite
from bridge.items.worker import AskJob, AskResult, AskWork, TrialCache
from bridge.jobs.cluster import Cluster
from bridge.jobs.processes import Processes
from bridge.jobs.threads import Inline, Threads
from bridge.jobs.work import Executor
from bridge.recording.files import append_line
from bridge.runs.provenance import record_session
from bridge.runs.results import Watch
from pysim.field_types import Json

__all__ = ["Failed", "Finished", "run_items"]


@dataclass(frozen=True, slots=True)
class Failed:
    """A trial that could not be brought to its end.

    Attributes:
        trial: its id.
        message: what went wrong.
        ends_run: whether every other trial would fail for the same reason.
    """

    trial: str
    message: str
    ends_run: bool = False


@dataclass(frozen=True, slots=True)
class Finished:
    """A trial that is over."""

    trial: str


def run_items(
    log: ItemLog,
    suite: ItemSuite,
    *,
    workers: int = 1,
    renderer: str = "auto",
    watch: Watch[Finished | Failed] = lambda done: None,
    open_engines: OpenEngines = open_local_engines,
    cluster: Cluster | None = None,
    allowance: SpendingLimit | None = None,
    person: AskPerson | None = None,
) -> list[Failed]:
    """Ask what is left to ask of a run; the answers are in its log, the failures are returned.

    Agents that wait for a server share this process, and each answer is written the moment it is
    given. With several workers agents that compute get a process each; their answers are written
    trial by trial. An interrupt stops all workers between two questions, and so does a failure that
    would meet every question. Any other failure concerns its trial alone.

    Args:
        workers: trials under way at once.
        renderer: for agents that look; as for :class:`~bridge.episode.rendering.SharedRenderer`.
        open_engines: gives the renderers, in every process anew.
        cluster: answers in place of workers of this machine; nothing that comes out depends on it.
        allowance: what may be used up in all; None for any amount.
        person: shows the questions to the person who answers; None for every other agent. The
            person is asked in this thread, so that an interrupt ends the wait for an answer.

    Raises:
        KeyboardInterrupt: somebody wants to stop; all answers are written down.
        RunError: another process is at work on this run, or its items are not those of this
            version of the suite.
        WorkerLost: worker processes end again and again.
        InputError: there is no such agent, or it does not answer.
    """
    with log.lock():
        # What another process wrote before the lock was free counts too.
        now = ItemLog.read(log.path).merge_options(log.settings.options)
        trials = TrialCache(suite, now.settings)
        jobs = list(_jobs(now, trials, watch))
        if jobs:
            record_session(now.path)
        paid = sum_paid_usage(now.path / JOURNAL_NAME)
        work, executor = _choose_executor(
            AskWork(
                trials,
                renderer,
                open_engines,
                log=now,
                allowance=allowance,
                paid=paid,
                person=person,
            ),
            now.settings.agent,
            min(workers, len(jobs)),
            cluster,
        )
        keeper = _Keeper(now, watch)
        with closing(executor.run(work, jobs)) as results:
            for _, asked in results:
                keeper.keep(asked)
                if asked.ends_run:
                    break
        return keeper.failed


def _choose_executor(
    work: AskWork, agent: str, workers: int, cluster: Cluster | None
) -> tuple[AskWork, Executor]:
    """Return the executor of a run, and the work without what processes don't share."""
    if work.person is not None:
        return work, Inline()
    if cluster is not None:
        return replace(work, log=None), cluster
    if workers <= 1 or find_answerer_kind(agent).waits:
        return work, Threads(workers)
    return replace(work, log=None), Processes(workers)


def _jobs(log: ItemLog, trials: TrialCache, watch: Watch[Finished | Failed]) -> Iterator[AskJob]:
    """Yield the trials that are not over; those that are have been told."""
    for subset in range(len(log.settings.parts)):
        for number, trial in enumerate(trials.get(subset)):
            if trial.ask(rescore_trial(log, trial).state) is None:
                watch(Finished(trial.id))
            else:
                answers = tuple(answered.text for answered in log.answers.get(trial.id, ()))
                yield AskJob(trial.id, subset, number, answers)


class _Keeper:
    """Writes down what workers tell, and remembers what failed."""

    def __init__(self, log: ItemLog, watch: Watch[Finished | Failed]) -> None:
        self._log = log
        self._watch = watch
        self._others: list[Mapping[str, Json]] = []
        self.failed: list[Failed] = []

    def keep(self, asked: AskResult) -> None:
        for line in asked.lines:
            if line["type"] == "answer" or line not in self._others:
                self._log.append(line)
            if line["type"] != "answer":  # Each process says once what draws its pictures.
                self._others.append(line)
        if asked.journal:
            append_line(self._log.path / JOURNAL_NAME, asked.journal)
        if asked.failed:
            self.failed.append(Failed(asked.trial, asked.failed, asked.ends_run))
            self._watch(self.failed[-1])
        elif asked.over:
            self._watch(Finished(asked.trial))
