"""Making interlocking locks without end, certified."""

from pysim.families.burr.generator.making import LockGenerator
from pysim.families.burr.generator.settings import Kind, Settings

__all__ = ["Kind", "LockGenerator", "Settings"]
