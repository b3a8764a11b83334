"""Making interlocking locks without end, certified."""

from pysim.families.burr.generator.making import LockGenerator
from pysim.families.burr.generator.settings import LockKind, Settings

__all__ = ["LockGenerator", "LockKind", "Settings"]
