"""The referee for locks."""

from .judging import judge
from .proofs import prove

__all__ = ["judge", "prove"]
