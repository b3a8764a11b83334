"""``python -m bridge.cli``."""

from bridge.cli.app import main

main()
