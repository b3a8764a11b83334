"""Making levels in batches, whatever their family: many processes, one folder, one result."""

from bridge.generating.batch import Batch, Progress, level_made, run_batch
from bridge.generating.folder import BatchError, BatchSummary
from bridge.generating.workers import WorkerLost

__all__ = [
    "Batch",
    "BatchError",
    "BatchSummary",
    "Progress",
    "WorkerLost",
    "level_made",
    "run_batch",
]
