"""Datasets of tasks."""

from datasets import Dataset

import luban

__all__ = ["PROMPT", "make_dataset"]

PROMPT = (
    "You solve a 3D puzzle by acting on it, by calling the tools. Pieces are named by their "
    "colours. Each call is one action and costs a step; one that is not allowed changes nothing, "
    "but costs a step like any other. Each answer to a call brings a new observation."
)


def make_dataset(levels: str) -> Dataset:
    """Return a row for each level.

    Args:
        levels: tasks such as ``nets:train:0-999``, a suite, a family, or ids with commas.

    Returns:
        Columns ``prompt``, ``task`` (the level's name) and ``environment`` (its family, for
        trainers that mix families).

    Raises:
        ValueError: there are no such levels.
    """
    rows = [
        {
            "prompt": [
                {"role": "system", "content": PROMPT},
                {"role": "user", "content": ""},
            ],
            "task": level.id,
            "environment": level.family,
        }
        for level in luban.levels(levels)
    ]
    return Dataset.from_list(rows)
