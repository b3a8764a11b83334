"""Tasks: any number of levels of a family for training and evaluation, parted into splits."""

from pysim.tasks.source import Task, TaskSettings, TaskSource
from pysim.tasks.splits import Split, TaskError

__all__ = ["Split", "Task", "TaskError", "TaskSettings", "TaskSource"]
