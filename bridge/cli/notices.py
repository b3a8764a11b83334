"""Notices for people, on stderr, so that stdout stays what was asked for."""

import sys

from bridge.cli.terminal import join_lines

__all__ = ["print_notice", "print_warning"]


def print_notice(text: str) -> None:
    """Print a notice, if there is one."""
    if text:
        print(f"note: {join_lines(text)}", file=sys.stderr)


def print_warning(text: str) -> None:
    """Print a warning: something failed that the result doesn't depend on."""
    print(f"warning: {join_lines(text)}", file=sys.stderr)
