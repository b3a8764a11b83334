"""The command line, for the tests of what evaluations print."""

from tests.cli.conftest import luban

__all__ = ["luban"]
