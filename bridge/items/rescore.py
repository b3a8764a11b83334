"""Results of trials, from the answers in a log alone."""

from dataclasses import replace
from typing import Any

from bridge.items.log import ItemLog
from bridge.items.suites import EndedTrial, ItemSuite, Subset
from bridge.runs.folders import RunError
from bridge.scoring.judged import Judged
from pysim.items import Item, Trial

__all__ = ["rescore_run", "rescore_trial"]


def rescore_run(log: ItemLog, suite: ItemSuite) -> list[tuple[Subset, list[EndedTrial]]]:
    """Return the trials of each subset that are over.

    Raises:
        RunError: its items are not those of this version of the suite.
    """
    result = []
    for subset in log.settings.parts:
        reached = [rescore_trial(log, trial) for trial in suite.trials(subset)]
        result.append((subset, [one for one in reached if one.trial.ask(one.state) is None]))
    return result


def rescore_trial(log: ItemLog, trial: Trial[Any]) -> EndedTrial:
    """Return a trial as far as it has come.

    Raises:
        RunError: an item is not what this version of the suite asks.
    """
    reached = EndedTrial(trial, trial.start())
    for answered in log.answers.get(trial.id, ()):
        item = trial.ask(reached.state)
        if item is None or item.digest != answered.digest:
            raise RunError(
                f"{log.path}: step {answered.step} of {trial.id} is not what this version asks; "
                "give --out another folder"
            )
        judged = (*reached.judged, judge(item, answered.text)) if item.counts else reached.judged
        state = trial.after(reached.state, answered.text)
        reached = replace(reached, state=state, judged=judged)
    return reached


def judge(item: Item[Any], text: str) -> Judged:
    """Judge an answer to an item."""
    return Judged(item.check(text), item.form.parse(text) is not None, item.group)
