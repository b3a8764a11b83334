"""Making levels in batches, whatever their family: many processes, one folder, one result."""

from bridge.cluster import WorkerLost
from bridge.generating.batch import Batch, Progress, make_level, run_batch
from bridge.generating.folder import BatchError, BatchSummary

__all__ = [
    "Batch",
    "BatchError",
    "BatchSummary",
    "Progress",
    "WorkerLost",
    "make_level",
    "run_batch",
]
