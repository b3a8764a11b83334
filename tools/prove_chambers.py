"""Proves plans of chambers shortest that their modules don't prove: ``tools/prove_chambers.py``.

Searches each shipped chamber whole, with every cell and every time to wait, and writes into its
file what that proves. Run it after ``build_portal.py`` and ``make_luban_120.py``.
"""

from pathlib import Path

from pysim.catalog import read_level
from pysim.families.portal.planner import search
from pysim.puzzle import Proof
from tools.floor_facts import with_proof

ASSETS = Path(__file__).resolve().parent.parent / "assets"
MOST = 100_000
"""States after which a search gives up."""


def main() -> None:
    """Prove all plans that are not proven yet."""
    for path in sorted(ASSETS.glob("portal/portal-*.json")):
        level = read_level(path)
        if level.plan is None or level.plan.proof is Proof.OPTIMAL:
            continue
        length = len(level.plan)
        least = search(level.puzzle, most=MOST, every=True, deepest=length - 1).least
        print(level.id, "proven" if least >= length else f"open from {least} on", flush=True)
        if least >= length:
            path.write_text(with_proof(path.read_text("utf-8"), length), "utf-8")


if __name__ == "__main__":
    main()
