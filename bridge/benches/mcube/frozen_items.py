"""Sealed item files: the items of a condition and seed, written down, with a hash over all of them.

The first line says what they are; each further line is one item::

    {"format", "suite", "version", "variant", "count", "seed", "hash"}
    {"id", "digest", "pieces", "given", "views", "gold"}

``pieces`` are drawn with ``#`` and ``.``, rows from the top parted by ``/``; of the task perception
the first of them is asked for. ``views`` are elevation and azimuth for each piece; where nothing is
seen they are left out, and so is ``given`` where nothing is. ``digest`` is that of the item as it
is asked, which logs of runs hold as well. ``hash`` is over all lines but the first.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping
from typing import Any

from bridge.benches.mcube.answer_formats import PlacementForm
from bridge.benches.mcube.condition import CubeCondition, Presentation
from bridge.benches.mcube.cubes import find_cube, sample_viewpoints
from bridge.benches.mcube.options import MCubeOptions
from bridge.benches.mcube.suite import MCubeSuite
from bridge.benches.mcube.trials import make_trial
from pysim.items import Item

__all__ = ["FORMAT", "freeze_items"]

FORMAT = "luban-sealed-items/1"


def freeze_items(suite: str, options: MCubeOptions) -> str:
    """Return the file of what a suite asks by some options; the same in every process.

    Raises:
        InputError: there is nothing of that kind, or it has several conditions.
    """
    (subset,) = MCubeSuite(suite).subsets(options)
    condition = CubeCondition.of(subset.options)
    lines = [_line(item) for item in _items(condition, subset.count)]
    head = {
        "format": FORMAT,
        "suite": suite,
        "version": MCubeSuite(suite).version,
        "variant": condition.variant,
        "count": subset.count,
        "seed": condition.items,
        "hash": "sha256:" + hashlib.sha256("".join(lines).encode()).hexdigest(),
    }
    return "".join([_line(head), *lines])


def _items(condition: CubeCondition, count: int) -> Iterator[dict[str, object]]:
    for seed in range(count):
        trial = make_trial(condition, seed)
        item: Item[Any] | None = trial.ask(trial.start())
        assert item is not None
        cube = find_cube(condition, seed)
        document: dict[str, object] = {
            "id": item.id,
            "digest": item.digest,
            "pieces": ["/".join(rows) for rows in cube.pieces],
        }
        if trial.given:
            document["given"] = PlacementForm((), (), False).format(trial.given)
        if condition.arm in (Presentation.PICTURES, Presentation.WRONG_PICTURE):
            seen = sample_viewpoints(condition, seed)
            document["views"] = [[view.elevation, view.azimuth] for view in seen]
        yield document | {"gold": item.form.format(item.gold)}


def _line(document: Mapping[str, object]) -> str:
    return json.dumps(document, separators=(",", ":")) + "\n"
