"""The command ``luban``."""

from bridge.cli.app import main

__all__ = ["main"]
