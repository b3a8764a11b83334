"""Write the pages of baselines and of truth: ``python -m tools.tabulate_results``.

Both come from the levels that ship. ``tools.measure_floor`` measures the passes of random actions.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import mean

from bridge.report.floors import ATTEMPTS, PASSES
from bridge.scoring.statistics import compute_wilson_interval
from pysim.catalog import AnyLevel, list_shipped_levels
from pysim.puzzle import Proof, Tier
from pysim.suites import find_suite, list_suites, load_levels

__all__ = ["main", "write_baselines", "write_truth"]

ROOT = Path(__file__).resolve().parent.parent
BASELINES_HEAD = """# Baselines of every suite

Compare your model with agents that know the answer or nothing. `python -m tools.tabulate_results`
writes this page.

- **oracle** plays the certified plan. It solves every level that has a plan, in the steps of
  the table.
- **random** draws evenly among the legal actions. The share of solved attempts has a 95 %
  interval of Wilson.
- A score is worth little where random actions come near it.

| suite | tier | levels | oracle solves | oracle steps | budget | random solves (95 %) |
|---|---|---|---|---|---|---|
"""
BASELINES_TAIL = """
`luban eval SUITE --agent random` plays the same, and `luban report` sets it beside your runs.
[Suites](../suites.md)
has branching, bits and the first legal action. Suites of questions have the agent `random` too:

| suite | chance |
|---|---|
| `mcube`, `mcube-easy`, `mcube-perception` | [cells and cubes](../jigsaw.md#what-chance-gives) |
| `cube-bench` | a quarter where there are four options ([tasks](../cube-bench.md#tasks)) |
| `euclifold` | a half where there are two answers ([scores](../euclifold.md#scores)) |
| `portal-plans`, `portal-blanks` | [tasks](../portal.md#m-portal) |
"""
TRUTH_HEAD = """# Truth of the levels

See what is proven of the levels that ship, and judge it yourself. `python -m
tools.tabulate_results` writes this page.

| family | levels | with a plan | proven shortest | an upper bound | largest gap |
|---|---|---|---|---|---|
"""
TRUTH_TAIL = """
A gap is the difference between a plan and its proven lower bound, in actions. A level without a
plan has none to claim.

```sh
luban verify burr-piston
```

- The [referee](../referee.md) derives every claim again, and shares no code with the part that
  made it.
- `luban verify SUITE --certificates FILE` writes what holds, what is false and what is undecided.
- `--emit-proof FOLDER` writes a proof that `tools/check_proof.py` checks with Python alone.
- [Mutations](../mutations.md) break sixty lines one by one, and the tests notice.
- [How the referee is tested](../referee.md#how-the-referee-is-tested) has the cases and their
  numbers.
"""


def main() -> None:
    """Write both pages."""
    folder = ROOT / "docs" / "results"
    (folder / "baselines.md").write_text(write_baselines(), encoding="utf-8")
    (folder / "truth.md").write_text(write_truth(), encoding="utf-8")


def write_baselines() -> str:
    """Return the page of baselines."""
    rows = [
        row
        for suite in map(find_suite, list_suites())
        if all(PASSES in level.facts for level in load_levels(suite))
        for row in list_rows(suite.name, load_levels(suite))
    ]
    return BASELINES_HEAD + "".join(f"{row}\n" for row in rows) + BASELINES_TAIL


def list_rows(name: str, levels: Sequence[AnyLevel]) -> Iterator[str]:
    """Yield the rows of a suite: one for each tier and one for all."""
    for tier in Tier:
        some = [level for level in levels if level.tier is tier]
        if some and len(some) < len(levels):
            yield format_row([f"`{name}`", tier.value], some)
    yield format_row([f"`{name}`", "all"], levels)


def format_row(names: Sequence[str], levels: Sequence[AnyLevel]) -> str:
    """Return the row of some levels."""
    planned = [level for level in levels if level.plan is not None]
    passes = sum(int(level.facts[PASSES]) for level in levels)
    attempts = sum(int(level.facts[ATTEMPTS]) for level in levels)
    interval = compute_wilson_interval(passes, attempts)
    steps = [len(level.plan) for level in planned if level.plan is not None]
    cells = [
        *names,
        str(len(levels)),
        f"{len(planned) / len(levels):.0%}",
        f"{mean(steps):.1f}",
        f"{mean(level.budget for level in levels):.0f}",
        f"{passes / attempts:.1%} ({interval.low:.1%} to {interval.high:.1%})",
    ]
    return f"| {' | '.join(cells)} |"


def write_truth() -> str:
    """Return the page of what is proven."""
    levels = list_shipped_levels()
    families = dict.fromkeys(level.family for level in levels)
    rows = [
        format_proofs(f"`{family}`", [level for level in levels if level.family == family])
        for family in families
    ]
    return (
        TRUTH_HEAD
        + "".join(f"{row}\n" for row in [*rows, format_proofs("all", levels)])
        + TRUTH_TAIL
    )


def format_proofs(name: str, levels: Sequence[AnyLevel]) -> str:
    """Return the row of a family's proofs."""
    plans = [level.plan for level in levels if level.plan is not None]
    optimal = sum(plan.proof is Proof.OPTIMAL for plan in plans)
    gap = max((len(plan) - plan.lower_bound for plan in plans), default=0)
    cells = [name, len(levels), len(plans), optimal, len(plans) - optimal, gap]
    return f"| {' | '.join(map(str, cells))} |"


if __name__ == "__main__":
    main()
