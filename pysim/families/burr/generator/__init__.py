"""Making interlocking locks without end, certified."""

from pysim.families.burr.generator.lock_generator import LockGenerator
from pysim.families.burr.generator.settings import LockKind, Settings

__all__ = ["LockGenerator", "LockKind", "Settings"]
