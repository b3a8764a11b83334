"""Items of Cube Bench made in a second, on one core.

An item is made whole, with its scramble, options and right answer, from a seed that was not asked
for before; pictures are described, not drawn. Times are of this process's CPU; compiling is not in
them. Drawing is a figure of its own, in wall time.
"""

import time

from bridge.benches.cube_bench.condition import Condition, Task, list_conditions
from bridge.benches.cube_bench.questions import make_face_trial
from bridge.benches.cube_bench.trials import make_trials
from bridge.items.pictures import draw
from perf.harness import Report, run_benchmark
from pysim.render.factory import create_renderer

ITEMS = 2000
PICTURES = 60
SIZE = 512


def measure() -> Report:
    """Make the items of every task at the greatest depth of its table, then draw some pictures."""
    report = Report("cube_bench")
    for task in Task:
        asked = list_conditions(task)[-1]
        _make(asked, range(20))
        began = time.process_time()
        _make(asked, range(ITEMS))
        name = f"{task.value.replace('-', '_')}_items_per_s"
        report.figures[name] = ITEMS / (time.process_time() - began)
        report.targets[name] = (">=", 1000.0)
    renderer, _ = create_renderer()
    shown = [
        make_face_trial(list_conditions(Task.FACE)[-1], seed).item.pictures[0]
        for seed in range(PICTURES)
    ]
    draw(renderer, shown[0], SIZE)
    began = time.perf_counter()
    for picture in shown:
        draw(renderer, picture, SIZE)
    report.figures["picture_ms"] = 1000 * (time.perf_counter() - began) / PICTURES
    report.notes["renderer"] = renderer.version
    renderer.close()
    return report


def _make(condition: Condition, seeds: range) -> None:
    for trial in make_trials(condition, seeds):
        trial.ask(trial.start())


if __name__ == "__main__":
    run_benchmark(measure, "Items of Cube Bench made in a second.")
