"""Datasets of tasks."""

from datasets import Dataset

import luban

__all__ = ["PROMPT", "make_dataset"]

PROMPT = luban.Toolbox.prompt


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
