"""What several tests of questions need."""

from tests.items.answering import notes

__all__ = ["notes"]
