"""The referee for locks."""

from .judging import judge
from .proofs import proof_of

__all__ = ["judge", "proof_of"]
