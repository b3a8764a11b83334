"""Notices for people, on stderr, so that stdout stays what was asked for."""

import sys

__all__ = ["print_notice"]


def print_notice(text: str) -> None:
    """Print a notice, if there is one."""
    if text:
        print(f"note: {text}", file=sys.stderr)
