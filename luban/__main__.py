"""``python -m luban``, and the command ``luban``."""

import sys

from luban._packages import check_packages

__all__ = ["main"]


def main() -> None:
    """Run the command line, unless packages of others are in the place of Luban's."""
    try:
        check_packages()
    except ImportError as error:
        sys.exit(f"luban: {error}")
    from bridge.cli.app import main as run

    run()


if __name__ == "__main__":
    main()
