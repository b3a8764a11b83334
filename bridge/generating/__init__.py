"""Making levels in batches, whatever their family: many processes, one folder, one result."""

from bridge.generating.batch import Batch, Progress, make_level, run_batch
from bridge.generating.folder import BatchError, BatchSummary
from bridge.jobs.work import WorkerLost

__all__ = [
    "Batch",
    "BatchError",
    "BatchSummary",
    "Progress",
    "WorkerLost",
    "make_level",
    "run_batch",
]
