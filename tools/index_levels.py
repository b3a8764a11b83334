"""Writes ``assets/index.json``, the index of levels that ship: ``python -m tools.index_levels``.

``--check`` writes nothing and fails if the file is not as it would be written.
"""

import argparse
from pathlib import Path

from pysim.catalog.index import INDEX_NAME, compose_index

ASSETS = Path(__file__).resolve().parent.parent / "assets"


def main() -> None:
    """Write the index, or check it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    options = parser.parse_args()
    path, text = ASSETS / INDEX_NAME, compose_index(ASSETS)
    if options.check and path.read_text(encoding="utf-8") != text:
        raise SystemExit(f"{path} is not current: run `python -m tools.index_levels`")
    if not options.check:
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
