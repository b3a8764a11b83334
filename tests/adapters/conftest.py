"""Commands in this process, as the tests of the command line run them."""

from tests.cli.conftest import luban

__all__ = ["luban"]
