"""``luban select``."""

import json
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

from bridge.agents.chat import ModelError
from bridge.agents.plugins import check_settings
from bridge.cli.commands.select import SelectRequest
from bridge.cli.errors import CommandError
from bridge.cli.permissions import make_files_private
from bridge.cli.tables import format_table
from bridge.cli.terminal import measure_terminal
from bridge.episode.engines import Engines
from bridge.operations.engines import open_engines
from bridge.report.parts import Table
from bridge.runs.store import RunFolder
from bridge.scoring.metrics import Price
from bridge.scoring.prices import Prices, find_price, read_prices
from bridge.scoring.selection.scored import ScorerChoice, score_run
from bridge.scoring.selection.scorers import find_scorer_kind
from bridge.scoring.selection.strategies import Strategy, evaluate_average, evaluate_selection

__all__ = ["run_select"]


@dataclass(frozen=True, slots=True)
class _Row:
    """A strategy with its run, and its cost in USD if prices are known."""

    run: str
    agent: str
    strategy: Strategy
    usd: float | None

    def to_document(self) -> dict[str, object]:
        return {"run": self.run, "agent": self.agent, **asdict(self.strategy), "usd": self.usd}


@make_files_private()
def run_select(request: SelectRequest) -> None:
    """Score the attempts of some runs, and print what each way of choosing gives and costs."""
    takers = {f"the scorer {name}": find_scorer_kind(name) for name in request.by}
    check_settings(request.scorer_options, takers)
    prices = {} if request.prices is None else read_prices(request.prices)
    with open_engines(request.unity_player, request.renderer) as engines:
        runs = (_rows(request, path, prices, engines, request.as_json) for path in request.runs)
        rows = [row for found in runs for row in found]
    if request.as_json:
        print(json.dumps({"strategies": [row.to_document() for row in rows]}))
    else:
        _print(rows)


def _rows(
    request: SelectRequest, path: Path, prices: Prices, engines: Engines, quiet: bool
) -> list[_Row]:
    folder = RunFolder.read(path)
    results, agent = folder.read_results(), folder.settings.agent
    k = request.k or folder.settings.attempts
    if k > folder.settings.attempts:
        raise CommandError(f"{path} has {folder.settings.attempts} attempts at a level, not {k}")
    found: list[tuple[Strategy, Price | None]] = []
    for name in request.by:
        try:
            scored = score_run(
                folder,
                ScorerChoice.of(name, request.scorer_options, request.seed),
                workers=request.workers,
                renderer=request.renderer,
                engines=engines,
                watch=partial(_tell, name, quiet),
            )
        except (ModelError, ImportError) as error:
            raise CommandError(
                f"{name} did not judge all levels ({error}); the same command resumes"
            ) from None
        strategy = evaluate_selection(name, results, scored.scores, k, scored.usage)
        found.append((strategy, find_price(prices, name)))
    price = find_price(prices, agent)
    return [
        _Row(path.resolve().name, agent, strategy, strategy.compute_usd(price, judge))
        for strategy, judge in [(evaluate_average(results), None), *found]
    ]


def _tell(name: str, quiet: bool, level: str) -> None:
    if not quiet:
        print(f"{level}: scored by {name}", file=sys.stderr)


def _print(rows: Sequence[_Row]) -> None:
    families = list(dict.fromkeys(family for row in rows for family in row.strategy.by_family))
    head = ["run", "strategy", *(f"{family} %" for family in families)]
    figures = ["all %", "gain", "family mean %", "family gain", "steps", "tokens", "USD"]
    cells = [[row.run, row.strategy.name, *_figures(row, families)] for row in rows]
    note = "steps, tokens and USD are for a level, on average; shares are expectations"
    print(format_table(Table("", note, [*head, *figures], cells), measure_terminal()))


def _figures(row: _Row, families: Sequence[str]) -> list[str]:
    found = row.strategy
    return [
        *(_share(found.by_family.get(family)) for family in families),
        _share(found.accuracy),
        f"{found.gain * 100:+.1f}",
        _share(found.family_mean),
        f"{found.family_gain * 100:+.1f}",
        f"{found.steps:.1f}",
        f"{found.tokens:,.0f}",
        "–" if row.usd is None else f"{row.usd:.4f}",
    ]


def _share(share: float | None) -> str:
    return "–" if share is None else f"{share * 100:.1f}"
